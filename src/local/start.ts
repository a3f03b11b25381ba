import { start } from './start/start-command.ts'

// All files are private, including the temporary files of libraries.
process.umask(0o077)

// A closed pipe (from `head`, for example) is not an error. Weir continues.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const code = await start(process.argv.slice(2), process.env, { out: console.log, err: console.error })
// After a successful start, `launch` ends the process.
if (code !== 0) process.exit(code)
