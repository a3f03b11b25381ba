import { writeFileSync } from 'node:fs'
import { answers } from './ask.ts'
import { asFile, file } from './recorded.ts'

/**
 * Records what the code answers now: `npx tsx test/before/record.ts`. With the name of a file, every body goes there
 * whole, a line an answer: two of these, of two commits, can be compared by `diff`.
 */
const whole = process.argv[2]

answers().then((found) => {
  if (whole) writeFileSync(whole, found.map((answer) => `${JSON.stringify(answer)}\n`).join(''))
  else writeFileSync(file, asFile(found))
  console.log(`${found.length} answers in ${whole ?? file}.`)
  const failed = found.filter(({ phase, status }) => status >= 500 && phase !== 'down')
  for (const { phase, method, path, caller, status } of failed) console.log(status, phase, method, path, caller)
})
