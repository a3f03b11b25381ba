import type { Concurrent, ConcurrentCell } from '../concurrent.ts'
import type { Exported } from '../export.ts'
import type { CacheFindings, HitCost } from '../hits.ts'
import { bytes, type Column, fixed, table, whole, yes } from '../table.ts'
import { exportRate, isHit, isQuick } from '../targets.ts'

/** Concurrent requests. */
export function loadLines({ underWay, requests, cells }: Concurrent): string {
  const columns: Column<ConcurrentCell>[] = [
    { heading: 'endpoint', isText: true, write: ({ endpoint }) => endpoint },
    { heading: 'range', isText: true, write: ({ range }) => range },
    { heading: 'Worker ms', write: ({ worker }) => fixed(worker) },
    { heading: 'direct ms', write: ({ direct }) => fixed(direct) },
    { heading: 'ratio', write: ({ worker, direct }) => fixed(worker / direct, 2) },
    { heading: 'Worker requests/s', write: ({ rate }) => fixed(rate.worker) },
    { heading: 'direct requests/s', write: ({ rate }) => fixed(rate.direct) },
    { heading: 'met', isText: true, write: (cell) => yes(isQuick(cell)) },
  ]
  return [
    `### ${underWay} requests under way`,
    `Medians of ${requests} requests each, in interleaved batches, no two alike.`,
    table(columns, cells),
  ].join('\n\n')
}

/** Answers from the cache. */
export function cacheLines({ connections, rounds, cells, share }: CacheFindings): string {
  const columns: Column<HitCost>[] = [
    { heading: 'credential', isText: true, write: ({ credential }) => credential },
    { heading: 'endpoint', isText: true, write: ({ endpoint }) => endpoint },
    { heading: 'range', isText: true, write: ({ range }) => range },
    { heading: 'body', write: (cell) => bytes(cell.bytes) },
    { heading: 'hits/s', write: ({ hits }) => whole(hits) },
    { heading: 'constant/s', write: ({ constant }) => whole(constant) },
    { heading: 'ratio', write: ({ ratio }) => fixed(ratio, 2) },
    { heading: 'workerd µs/hit', write: ({ processor }) => whole(processor.hit) },
    { heading: 'µs/constant', write: ({ processor }) => whole(processor.constant) },
    { heading: 'calls of D1', write: ({ calls }) => whole(calls.d1) },
    { heading: 'of ClickHouse', write: ({ calls }) => whole(calls.clickhouse) },
    { heading: 'met', isText: true, write: (cell) => yes(isHit(cell)) },
  ]
  return [
    '### Answers from the cache',
    `Medians of ${rounds} interleaved rounds over ${connections} connections; calls are those of ${whole(cells[0]?.calls.hits ?? 0)} hits. ` +
      `workerd was at work at least ${whole(100 * share.workerd)} % of the time, the client at most ${whole(100 * share.client)} %.`,
    table(columns, cells),
  ].join('\n\n')
}

type Way = Exported['worker'] & { readonly name: string }

/** A whole list as a stream. */
export function exportLines(exported: Exported): string {
  const columns: Column<Way>[] = [
    { heading: 'export', isText: true, write: ({ name }) => name },
    { heading: 'rows', write: ({ rows }) => whole(rows) },
    { heading: 'size', write: (way) => bytes(way.bytes) },
    { heading: 'seconds', write: ({ seconds }) => fixed(seconds) },
    { heading: 'rows/s', write: ({ rows, seconds }) => whole(rows / seconds) },
    { heading: 'a second', write: (way) => bytes(way.bytes / way.seconds) },
  ]
  const { worker, direct, rounds, statements } = exported
  const rows = [
    { ...worker, name: 'through the Worker' },
    { ...direct, name: `its statements (${statements}), straight` },
  ]
  return [
    '### Export',
    `Medians of ${rounds} interleaved rounds; the Worker reaches ${fixed(exportRate(exported), 2)} of the direct rate.`,
    table(columns, rows),
    memoryLine(exported),
  ].join('\n\n')
}

function memoryLine({ memory }: Exported): string {
  if (!memory) return 'The memory of the Worker was not seen: the export was over too soon.'
  const { looks, growth, isFlat } = memory
  const most = (kind: 'heap' | 'resident') => fixed(Math.max(...looks.map((one) => one[kind])))
  return (
    `Memory of the Worker meanwhile, in ${looks.length} looks, garbage collected before each: heap ${fixed(looks[0]!.heap)} MiB ` +
    `at first, at most ${most('heap')}; process ${fixed(looks[0]!.resident)} MiB at first, at most ${most('resident')}. Last quarter / second: ` +
    `${fixed(growth.heap, 2)} and ${fixed(growth.resident, 2)}, ${isFlat ? 'flat' : 'NOT flat'}.`
  )
}
