import type { CollectCell, CollectFindings } from '../collect.ts'
import { type Column, fixed, table, whole } from '../table.ts'

/** Events that come in, and what became of readers meanwhile. */
export const collectLines = ({ seconds, cells, readers, steady, wide }: CollectFindings): string =>
  [
    '### Collection',
    `${whole(seconds)} s each, open loop, from a process of its own. Times in ms from the moment at which a request was ` +
      'due. "Bare" is an object that only writes the bodies down.',
    cells.length > 0 && table(columns, cells),
    readers &&
      `The median of \`stats\`: ${fixed(readers.alone)} ms alone, ${fixed(readers.beside)} ms beside 500 events a second.`,
    steady.length > 0 &&
      `workerd's memory at 500 events a second, at the start and ten times in ${whole(10 * seconds)} s: ${steady.map(whole).join(', ')} MiB.`,
    wide.length > 0 &&
      `Written rows an event with a window of 50 ms: ${wide.map(({ rate, writtenRows }) => `${fixed(writtenRows, 3)} at ${rate} a second`).join(', ')}.`,
  ]
    .filter(Boolean)
    .join('\n\n')

const columns: Column<CollectCell>[] = [
  { heading: 'requests/s', write: ({ rate }) => whole(rate) },
  { heading: 'events each', write: ({ batch }) => whole(batch) },
  { heading: 'reached', write: ({ log }) => whole(log.rate) },
  { heading: 'p50', write: ({ log }) => fixed(log.p50) },
  { heading: 'p99', write: ({ log }) => fixed(log.p99) },
  { heading: 'failed', write: ({ log }) => whole(log.failed) },
  { heading: 'bare reached', write: ({ bare }) => whole(bare.rate) },
  { heading: 'p50', write: ({ bare }) => fixed(bare.p50) },
  { heading: 'p99', write: ({ bare }) => fixed(bare.p99) },
  { heading: 'written rows/event', write: ({ log }) => fixed(log.writtenRows, 3) },
  { heading: 'flushes/s', write: ({ log }) => fixed(log.flushesPerSecond, 2) },
  { heading: 'rows waiting', write: ({ log }) => log.waiting.map(whole).join(' / ') },
  { heading: 'MiB', write: ({ log }) => log.memory.map(whole).join(' / ') },
  { heading: 'µs/event', write: ({ log }) => whole(log.processor) },
  { heading: 'load', write: ({ load }) => fixed(load) },
]
