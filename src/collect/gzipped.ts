import { gunzipSync, gzipSync } from 'node:zlib'
import type { JsonForm } from './store.ts'

/** How gzip begins. No JSON that this project writes has this control character. */
const [firstByte, secondByte] = [0x1f, 0x8b]

/** Stores JSON in SQLite as gzip. Rows of earlier versions are plain. */
export const gzipped: JsonForm = {
  kept: (json) => gzipSync(json),
  json: (kept) => (kept[0] === firstByte && kept[1] === secondByte ? gunzipSync(kept) : kept),
}
