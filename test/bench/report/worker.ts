import type { AccessCost, AccessFindings, ColdCost } from '../access.ts'
import type { SentFindings } from '../collect-sender.ts'
import type { McpFindings } from '../mcp.ts'
import type { Cell } from '../measure.ts'
import type { Memory } from '../memory.ts'
import type { Openings, OpeningsCell } from '../openings.ts'
import type { PagesFindings } from '../pages.ts'
import type { Held } from '../recording-load.ts'
import type { RecordingsFindings } from '../recordings.ts'
import type { StartUp } from '../start-up.ts'
import { bytes, type Column, fixed, table, whole, yes } from '../table.ts'
import { isCheapCheck, isQuick, isShortCheck, share } from '../targets.ts'
import type { Endpoints } from '../through.ts'

export const endpointLines = ({ websiteRows, runs, cells, lookups, lookup }: Endpoints): string =>
  [
    '### Endpoints',
    `On a website of ${whole(websiteRows)} events; medians of ${runs} interleaved runs.`,
    table(cellColumns(websiteRows), cells),
    `The costliest of ${lookups} look-ups of event-data/:eventId read ${whole(lookup.rows)} rows, ${bytes(lookup.bytes)}.`,
  ].join('\n\n')

const cellColumns = (websiteRows: number): Column<Cell>[] => [
  { heading: 'endpoint', isText: true, write: ({ endpoint }) => endpoint },
  { heading: 'range', isText: true, write: ({ range }) => range },
  { heading: 'Worker ms', write: ({ worker }) => fixed(worker) },
  { heading: 'direct ms', write: ({ direct }) => fixed(direct) },
  { heading: 'ratio', write: ({ worker, direct }) => fixed(worker / direct, 2) },
  { heading: 'more ms', write: ({ worker, direct }) => fixed(worker - direct) },
  { heading: 'met', isText: true, write: (cell) => yes(isQuick(cell)) },
  { heading: 'rows read', write: ({ read }) => whole(read.rows) },
  { heading: 'bytes read', write: ({ read }) => bytes(read.bytes) },
  { heading: '% of rows', write: (cell) => fixed(share(cell, websiteRows), 2) },
  { heading: 'count: rows', write: ({ count }) => (count ? whole(count.rows) : '') },
  { heading: 'bytes', write: ({ count }) => (count ? bytes(count.bytes) : '') },
]

export function accessLines({ pairs, warm, cold }: AccessFindings): string {
  const warmColumns: Column<AccessCost>[] = [
    { heading: 'credential', isText: true, write: ({ credential }) => credential },
    { heading: 'endpoint', isText: true, write: ({ endpoint }) => endpoint },
    { heading: 'range', isText: true, write: ({ range }) => range },
    { heading: 'checked ms', write: ({ checked }) => fixed(checked, 2) },
    { heading: 'unchecked ms', write: ({ unchecked }) => fixed(unchecked, 2) },
    { heading: 'more ms', write: ({ checked, unchecked }) => fixed(checked - unchecked, 2) },
    { heading: 'ratio', write: ({ checked, unchecked }) => fixed(checked / unchecked, 3) },
    { heading: '95 % of it', write: ({ between: [low, high] }) => `${fixed(low, 3)}–${fixed(high, 3)}` },
    { heading: 'met', isText: true, write: (cost) => yes(isCheapCheck(cost)) },
  ]
  const coldColumns: Column<ColdCost>[] = [
    { heading: 'round trips, cold', isText: true, write: ({ credential }) => credential },
    { heading: 'checked', write: ({ checked }) => whole(checked) },
    { heading: 'unchecked', write: ({ unchecked }) => whole(unchecked) },
    { heading: 'met', isText: true, write: (cost) => yes(isShortCheck(cost)) },
  ]
  return [
    '### The access check',
    `Warm (medians of ${whole(pairs)} interleaved pairs), and cold.`,
    table(warmColumns, warm),
    table(coldColumns, cold),
  ].join('\n\n')
}

export const startUpLines = ({ runs, milliseconds }: StartUp): string =>
  `### Start-up\n\nA new isolate starts the Worker in ${fixed(milliseconds)} ms of processor time: the median of ${runs} starts.`

export function mcpLines({ runs, cells, listed, withTools, without }: McpFindings): string {
  const columns: Column<McpFindings['cells'][number]>[] = [
    { heading: 'tool', isText: true, write: ({ tool }) => tool },
    { heading: 'report', isText: true, write: ({ report }) => report },
    { heading: 'tool, ms', write: ({ called }) => fixed(called) },
    { heading: 'report, ms', write: ({ plain }) => fixed(plain) },
    { heading: 'ratio', write: ({ called, plain }) => fixed(called / plain, 2) },
    { heading: 'Worker, ms', write: ({ calledWork }) => fixed(calledWork, 2) },
    { heading: 'of the report', write: ({ plainWork }) => fixed(plainWork, 2) },
    { heading: 'more', write: ({ calledWork, plainWork }) => fixed(calledWork - plainWork, 2) },
  ]
  const workers = [
    { worker: 'with tools', ...withTools },
    { worker: 'without', ...without },
  ]
  const workerColumns: Column<(typeof workers)[number]>[] = [
    { heading: 'Worker', isText: true, write: ({ worker }) => worker },
    { heading: 'bytes after gzip', write: ({ size }) => whole(size) },
    { heading: 'start, ms of processor time', write: ({ start }) => fixed(start) },
  ]
  return [
    '### Assistants',
    `A tool beside the report that it asks, 24 hours of the smallest website: medians of ${runs} interleaved pairs. The list of tools has ${whole(listed)} bytes.`,
    table(columns, cells),
    table(workerColumns, workers),
  ].join('\n\n')
}

export function pagesLines({ runs, figures, chart, answers, requests, bytes }: PagesFindings): string {
  const cells = [
    { what: 'figures on the screen', time: figures },
    { what: 'chart on the screen', time: chart },
    ...answers.map(({ report, time }) => ({ what: `\`${report}\`, asked alone`, time })),
    ...answers.map(({ report, beside }) => ({ what: `\`${report}\`, both asked at once`, time: beside })),
  ]
  const columns: Column<(typeof cells)[number]>[] = [
    { heading: '', isText: true, write: ({ what }) => what },
    { heading: 'ms', write: ({ time }) => fixed(time) },
  ]
  return [
    '### The dashboard',
    `30 days of the demo website in Chromium: medians of ${runs} rounds. The page sends ${requests} requests to the API; its files have ${whole(bytes)} bytes after gzip.`,
    table(columns, cells),
  ].join('\n\n')
}

export function recordingsLines(found: RecordingsFindings): string {
  const { runs, cells, recorder, minute, written, read, flood } = found
  const { alone, recorder: own } = recorder
  const columns: Column<RecordingsFindings['cells'][number]>[] = [
    { heading: '', isText: true, write: ({ what }) => what },
    { heading: 'first byte, ms', write: ({ firstByte }) => fixed(firstByte) },
    { heading: 'whole, ms', write: ({ whole }) => fixed(whole) },
    { heading: "ClickHouse's processor, ms", write: ({ work }) => fixed(work) },
  ]
  const held = ({ before, most }: Held) => `${fixed(before)} MiB before, at most ${fixed(most)}`
  const times = ({ p50, p99, failed }: SentFindings) => `p50 ${fixed(p50)} ms, p99 ${fixed(p99)} ms, ${failed} failed`
  return [
    '### Recordings',
    `Medians of ${runs} rounds through the Worker.`,
    table(columns, cells),
    `A page of ${whole(recorder.elements)} elements runs ${fixed(alone.script)} ms of JavaScript more with rrweb alone, and ${fixed(own.script)} ms more with the recorder: ${fixed(own.script / alone.script, 2)} times. Its thread takes ${fixed(alone.work)} and ${fixed(own.work)} ms more of the processor: ${fixed(own.work / alone.work, 2)} times. A minute of it is stored in ${whole(minute / 1000)} kB.`,
    `Workerd's memory with a replay of 1,000 parts of 45 kB. While they are sent: ${held(written)}. While it is read five times: ${held(read)}.`,
    `${flood.events} events a second alone: ${times(flood.alone)}. Beside ${flood.chunks} parts a second of ${fixed(flood.kilobytes)} kB (${whole(flood.recorded)} in all): ${times(flood.beside)}; p99 ${fixed(flood.beside.p99 / flood.alone.p99, 2)} times.`,
  ].join('\n\n')
}

export function openingsLines({ readers, events, pattern, cells }: Openings): string {
  const columns: Column<OpeningsCell>[] = [
    {
      heading: 'turns of openings',
      isText: true,
      write: ({ turns }) => (turns === undefined ? 'no share' : `${turns}`),
    },
    { heading: 'alone, ms', write: ({ alone }) => fixed(alone) },
    { heading: 'beside them, ms', write: ({ beside }) => fixed(beside) },
    { heading: 'ratio', write: ({ alone, beside }) => fixed(beside / alone, 2) },
    {
      heading: 'their answers',
      isText: true,
      write: ({ answers }) =>
        Object.entries(answers)
          .map(([status, count]) => `${count} × ${status}`)
          .join(', '),
    },
  ]
  return [
    '### Readers of a public website',
    `95 of 100 answers of \`stats\` come to a signed-in reader within this time, alone and beside ${readers} readers of another website who send \`${pattern}\` and two more patterns. Both websites have ${whole(events)} events.`,
    table(columns, cells),
  ].join('\n\n')
}

export function memoryLines({ requests, seconds, looks, growth, isFlat }: Memory): string {
  const shown = [looks[0]!, looks[Math.floor(looks.length / 2)]!, looks.at(-1)!]
  const columns: Column<'heap' | 'resident'>[] = [
    { heading: 'MiB', isText: true, write: (kind) => (kind === 'heap' ? 'heap that is in use' : 'process of workerd') },
    ...['first', 'middle', 'last'].map((heading, index) => ({
      heading,
      write: (kind: 'heap' | 'resident') => fixed(shown[index]![kind]),
    })),
    { heading: 'last quarter / second', write: (kind) => fixed(growth[kind], 2) },
  ]
  return [
    '### Memory of the Worker',
    `Over ${whole(requests)} requests (${whole(requests / seconds)} a second), garbage collected before each look: ${isFlat ? 'flat' : 'NOT flat'}.`,
    table(columns, ['heap', 'resident']),
  ].join('\n\n')
}
