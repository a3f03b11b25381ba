import { gunzipSync, gzipSync } from 'node:zlib'
import type { JsonForm } from './store.ts'

/** How gzip begins. No JSON that this project writes has this control character. */
const [firstByte, secondByte] = [0x1f, 0x8b]

/** JSON lies in SQLite as gzip. Rows of versions before lie there as they are. */
export const gzipped: JsonForm = {
  kept: (json) => gzipSync(json),
  json: (kept) => (kept[0] === firstByte && kept[1] === secondByte ? gunzipSync(kept) : kept),
}
