import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { gzipSync } from 'node:zlib'
import { keptBundle } from './start/kept-bundle.ts'

/** The largest Worker, in bytes after gzip: 400 KiB, the unit that wrangler prints. */
const limit = 400 * 1024

const folder = mkdtempSync(`${tmpdir()}/weir-size-`)
await keptBundle(folder)
const code = readFileSync(`${folder}/worker.js`)
rmSync(folder, { recursive: true })
const gzipped = gzipSync(code).length
console.log(
  `Worker: ${code.length.toLocaleString('en')} bytes, ${gzipped.toLocaleString('en')} after gzip (limit ${limit.toLocaleString('en')})`,
)
process.exitCode = gzipped > limit ? 1 : 0
