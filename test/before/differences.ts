import type { Answer } from './ask.ts'

/**
 * What issue 13 asks to be answered in another way than before it. An entry that explains nothing any more, or not yet,
 * makes the test fail.
 */
export interface Difference {
  /** The point or the step of the issue that asks for it. */
  readonly point: string
  readonly answers: (answer: Answer) => boolean
  /** What may differ: `status`, `body`, or the names of headers. */
  readonly parts: readonly string[]
  /** Makes the old text of the new one. Without it anything may stand there: rather say what. */
  readonly undo?: (text: string) => string
}

const tables = {
  daily_shapes: 'shape_days',
  monthly_shapes: 'shape_months',
  daily_events: 'event_days',
  daily_visits: 'visit_days',
  monthly_values: 'value_months',
}

const oldNames = (text: string): string =>
  Object.entries(tables).reduce((rest, [young, old]) => rest.replaceAll(young, old), text)

export const differences: readonly Difference[] = [
  { point: 'step b: names of tables', answers: () => true, parts: ['x-source', 'body'], undo: oldNames },
  { point: 'the trial endpoint', answers: ({ path }) => path.includes('/daterange'), parts: ['body'] },
  { point: 'point 4: GET /ready', answers: ({ path }) => path.includes('GET /ready'), parts: ['body'] },
  {
    point: '200,000 fuzzed requests: 413 is documented',
    answers: ({ path }) => path.includes('/openapi.json'),
    parts: ['body'],
  },
]
