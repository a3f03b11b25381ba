#!/usr/bin/env node
// The commands of the installed package: `npx weir start` is `npm start`, `npx weir COMMAND` is `npm run weir`.
import './installed.js'

if (!process.exitCode) {
  const { register } = await import('tsx/esm/api')
  register()
  const isStart = process.argv[2] === 'start'
  if (isStart) process.argv.splice(2, 1)
  await import(isStart ? './start.ts' : './command-line.ts')
}
