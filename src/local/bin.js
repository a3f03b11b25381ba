#!/usr/bin/env node
// What `npm start` and `npm run weir` run, where Weir is an installed package: `npx weir start`, `npx weir COMMAND`.
import './installed.js'

if (!process.exitCode) {
  const { register } = await import('tsx/esm/api')
  register()
  const isStart = process.argv[2] === 'start'
  if (isStart) process.argv.splice(2, 1)
  await import(isStart ? './start.ts' : './command-line.ts')
}
