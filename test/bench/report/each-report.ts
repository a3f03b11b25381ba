import type { EachReport, ReportCost } from '../each-report.ts'
import { bytes, type Column, fixed, table, whole } from '../table.ts'

/** What every report costs, the costliest first. */
export const eachReportLines = ({ events, websiteRows, runs, cells }: EachReport): string =>
  [
    '### Every report',
    `A website of ${whole(websiteRows)} of ${whole(events)} events, up to the last whole hour. ` +
      `Medians of ${runs} runs, with another range each. Memory is the most that one statement held.`,
    table(
      columns,
      cells.toSorted((left, right) => right.milliseconds - left.milliseconds),
    ),
  ].join('\n\n')

const columns: Column<ReportCost>[] = [
  { heading: 'report', isText: true, write: ({ endpoint }) => endpoint },
  { heading: 'range', isText: true, write: ({ range }) => range },
  { heading: 'ms', write: ({ milliseconds }) => fixed(milliseconds) },
  { heading: 'processor ms', write: ({ processor }) => fixed(processor) },
  { heading: 'rows', write: ({ rows }) => whole(rows) },
  { heading: 'read', write: (cell) => bytes(cell.bytes) },
  { heading: 'memory', write: ({ memory }) => (memory === 0 ? '' : bytes(memory)) },
]
