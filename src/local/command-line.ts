import { createInterface } from 'node:readline/promises'
import { PassThrough } from 'node:stream'
import { openMetadata } from './commands/opened.ts'
import { weir } from './commands/weir.ts'

// All files are private, including the temporary files of libraries.
process.umask(0o077)

// A closed pipe (from `head`, for example) is not an error. The command ends normally.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

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

process.exitCode = await weir(process.argv.slice(2), {
  env: process.env,
  out: console.log,
  err: console.error,
  note,
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
  openMetadata: (dataDir) => openMetadata(dataDir, note),
})
