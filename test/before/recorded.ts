import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Answer, shortened } from './ask.ts'

/** The answers of the code before issue 13, in the order of the requests. */
export const file = fileURLToPath(new URL('answers.ndjson.gz', import.meta.url))

/** The answers as they are recorded. */
export const asLines = (answers: readonly Answer[]): Answer[] =>
  answers.map((answer) => ({
    ...answer,
    path: shortened(answer.path),
    sent: shortened(answer.sent),
    body: shortened(answer.body),
  }))

export const asFile = (answers: readonly Answer[]): Buffer =>
  gzipSync(
    asLines(answers)
      .map((answer) => `${JSON.stringify(answer)}\n`)
      .join(''),
    { level: 9 },
  )

export const recorded = (): Answer[] =>
  gunzipSync(readFileSync(file))
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Answer)
