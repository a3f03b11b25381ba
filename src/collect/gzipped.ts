import { gunzipSync, gzipSync } from 'node:zlib'
import type { JsonForm } from './store.ts'

/** The first two bytes of gzip data. JSON written by this project never contains this control character. */
const [firstByte, secondByte] = [0x1f, 0x8b]

/** Stores JSON in SQLite as gzip. Rows written by earlier versions are not compressed. */
export const gzipped: JsonForm = {
  kept: (json) => gzipSync(json),
  json: (kept) => (kept[0] === firstByte && kept[1] === secondByte ? gunzipSync(kept) : kept),
}
