import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { gzipSync } from 'node:zlib'
import { exitCodeOf, newProgram, withUsage } from './commands/program.ts'
import { keptBundle } from './start/kept-bundle.ts'

/** The maximum size of the Worker, in bytes after gzip: 400 KiB, the unit that wrangler prints. */
const limit = 400 * 1024

async function printSize(): Promise<void> {
  const folder = mkdtempSync(`${tmpdir()}/weir-size-`)
  await keptBundle(folder)
  const code = readFileSync(`${folder}/worker.js`)
  rmSync(folder, { recursive: true })
  const gzipped = gzipSync(code).length
  const [whole, packed, most] = [code.length, gzipped, limit].map((bytes) => bytes.toLocaleString('en'))
  console.log(`Worker: ${whole} bytes, ${packed} after gzip (limit ${most})`)
  if (gzipped > limit) throw new Error('The Worker has outgrown its limit.')
}

const io = { out: console.log, err: console.error }
process.exitCode = await exitCodeOf(async () => {
  const program = newProgram('npm run size --', io)
    .description('Bundles the Worker as a deployment would, and prints its size. Fails above 400 KiB after gzip.')
    .action(printSize)
  await withUsage(program).parseAsync(process.argv.slice(2), { from: 'user' })
  return 0
}, io)
