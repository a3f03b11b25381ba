import type { Phase, RegionsFindings } from '../regions.ts'
import { type Column, fixed, table, whole } from '../table.ts'

/** Three regions in calm and in trouble. */
export function regionLines({ events, sustained, hedgeDelay, overhead, phases }: RegionsFindings): string {
  const columns: Column<Phase>[] = [
    { heading: 'phase', isText: true, write: ({ name }) => name },
    { heading: 'answers', write: ({ answers }) => whole(answers) },
    { heading: 'failed', write: ({ failed }) => whole(failed) },
    { heading: 'wrong', write: ({ wrong }) => whole(wrong) },
    { heading: 'median ms', write: ({ median }) => fixed(median) },
    { heading: 'p99 ms', write: ({ p99 }) => fixed(p99) },
    { heading: 'most ms', write: ({ most }) => fixed(most) },
    {
      heading: 'answered by',
      isText: true,
      write: ({ by }) =>
        Object.entries(by)
          .map(([name, answers]) => `${name} ${whole(answers)}`)
          .join(', '),
    },
  ]
  return [
    '### Three regions',
    `Three engines with ${whole(events)} events each, at ${fixed(sustained / 2)} answers a second: half of what one sustains alone. ` +
      `In calm ClickHouse ran ${fixed(overhead, 3)} times the statements that the answers need; a hedge waited ${fixed(hedgeDelay)} ms at most.`,
    table(columns, phases),
  ].join('\n\n')
}
