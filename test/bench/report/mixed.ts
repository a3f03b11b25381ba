import type { MixedFindings, ReadersFindings } from '../mixed.ts'
import { type Column, fixed, table, whole } from '../table.ts'

/** Readers of dashboards, alone and beside senders. */
export const mixedLines = ({ events, minutes, alone, beside, senders, merges, parts }: MixedFindings): string =>
  [
    '### Mixed load',
    `16 readers of as many websites with ${whole(events)} events in all. Each asks for a page of ten questions at once, ` +
      'over 1, 7, 30 and 90 days in turn, and for the next page when it has the answers. ' +
      `For ${minutes} minutes, batches of 20 bring 500 events a second for 300 websites.`,
    table(columns, [
      { name: 'alone', ...alone },
      { name: 'beside senders', ...beside },
    ]),
    `The p50 of the questions grew ${fixed(beside.p50 / alone.p50, 2)} times, the p99 ${fixed(beside.p99 / alone.p99, 2)} times. ` +
      `Batches were answered after ${fixed(senders.p50)} ms (p50) and ${fixed(senders.p99)} ms (p99); ${whole(senders.failed)} failed. ` +
      `The engine merged ${whole(merges.count)} times, for ${fixed(merges.seconds)} s; the largest partition ended with ${whole(parts)} parts.`,
  ].join('\n\n')

const columns: Column<ReadersFindings & { readonly name: string }>[] = [
  { heading: 'readers', isText: true, write: ({ name }) => name },
  { heading: 'questions', write: ({ questions }) => whole(questions) },
  { heading: 'failed', write: ({ failed }) => whole(failed) },
  { heading: 'p50', write: ({ p50 }) => fixed(p50) },
  { heading: 'p99', write: ({ p99 }) => fixed(p99) },
  { heading: 'pages of the readers', write: ({ pages }) => pages.map(whole).join(' to ') },
  { heading: 'workerd MiB', write: ({ workerd }) => workerd.map(whole).join(' → ') },
  { heading: 'engine MiB', write: ({ engine }) => engine.map(whole).join(' → ') },
]
