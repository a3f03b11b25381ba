import { createInterface } from 'node:readline/promises'
import { PassThrough } from 'node:stream'
import { openMetadata } from './commands/opened.ts'
import { weir } from './commands/weir.ts'

// All files are private, including the temporary files of libraries.
process.umask(0o077)

/** Why the output could not be written. */
let failure: NodeJS.ErrnoException | undefined
process.stdout.on('error', (error) => {
  failure ??= error
})
process.stderr.on('error', () => {})

async function written(): Promise<void> {
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()))
  if (failure) throw failure
}

const note = process.stderr.isTTY ? console.error : () => {}

/** With `isHidden`, the typed answer is not shown. */
async function ask(question: string, isHidden = false): Promise<string> {
  // The typed answer is echoed only to this output.
  const output = isHidden ? new PassThrough().resume() : process.stderr
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  if (isHidden) process.stderr.write(question)
  // After Ctrl-D, no answer will come.
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  return Promise.race([terminal.question(question), ended]).finally(() => {
    terminal.close()
    if (isHidden) process.stderr.write('\n')
  })
}

const code = await weir(process.argv.slice(2), {
  env: process.env,
  out: (line) => void process.stdout.write(`${line}\n`),
  written,
  err: console.error,
  note,
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
  openMetadata: (dataDir) => openMetadata(dataDir, note),
})
await written().catch((error: NodeJS.ErrnoException) => {
  // A closed pipe (from `head`, for example) is not an error. The command ends normally.
  if (error.code !== 'EPIPE') console.error(`The output could not be written: ${error.message}`)
})
process.exitCode = code || Number(failure !== undefined && failure.code !== 'EPIPE')
