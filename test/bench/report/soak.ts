import { median } from '../measure.ts'
import type { KindOfRequest, Sample, SoakFindings, Trend } from '../soak.ts'
import { type Column, fixed, table, whole } from '../table.ts'

/** Three regions under a steady rate: each kind of request, and each minute of each process. */
export const soakLines = ({ minutes, rate, events, kinds, samples, processes, heap }: SoakFindings): string =>
  [
    '### Soak',
    `Three engines with ${whole(events)} events each, at ${rate} requests a second for ${minutes} minutes. The Worker's heap ` +
      `after a garbage collection: ${fixed(heap.early)} MiB early, ${fixed(heap.late)} MiB at last.`,
    table(kindColumns, kinds),
    'Medians of the second to the fourth tenth of the time, and of the last two:',
    table(trendColumns, processes),
    'Medians of each minute: MiB of resident memory / open sockets.',
    table(
      minuteColumns(processes.map(({ process }) => process)),
      Array.from({ length: minutes }, (_, minute) => minuteOf(samples, minute)),
    ),
  ].join('\n\n')

const kindColumns: Column<KindOfRequest>[] = [
  { heading: 'request', isText: true, write: ({ kind }) => kind },
  { heading: 'requests', write: ({ requests }) => whole(requests) },
  { heading: 'failed', write: ({ failed }) => whole(failed) },
  { heading: 'other status', write: ({ strange }) => whole(strange) },
  { heading: 'cache hits', write: ({ hits }) => whole(hits) },
  { heading: 'median ms', write: (kind) => fixed(kind.median) },
]

const trendColumns: Column<Trend>[] = [
  { heading: 'process', isText: true, write: ({ process }) => process },
  { heading: 'MiB, early', write: ({ early }) => fixed(early.memory) },
  { heading: 'MiB, late', write: ({ late }) => fixed(late.memory) },
  { heading: 'ratio', write: ({ early, late }) => fixed(late.memory / early.memory, 2) },
  { heading: 'sockets, early', write: ({ early }) => whole(early.sockets) },
  { heading: 'sockets, late', write: ({ late }) => whole(late.sockets) },
]

interface Minute {
  readonly minute: number
  readonly samples: readonly Sample[]
}

/** Six samples a minute. */
const minuteOf = (samples: readonly Sample[], minute: number): Minute => ({
  minute: minute + 1,
  samples: samples.slice(6 * minute, 6 * (minute + 1)),
})

const minuteColumns = (processes: readonly string[]): Column<Minute>[] => [
  { heading: 'minute', write: ({ minute }) => whole(minute) },
  { heading: 'heap', write: ({ samples }) => fixed(median(samples.map(({ heap }) => heap))) },
  ...processes.map((process) => ({
    heading: process,
    write: ({ samples }: Minute) => {
      const of = (what: 'memory' | 'sockets') => median(samples.map((one) => one.of[process]![what]))
      return `${whole(of('memory'))} / ${whole(of('sockets'))}`
    },
  })),
]
