import { gunzipSync, gzipSync } from 'node:zlib'
import type { JsonForm } from './store.ts'

/** Stores JSON in SQLite as gzip. */
export const gzipped: JsonForm = { kept: (json) => gzipSync(json), json: (kept) => gunzipSync(kept) }
