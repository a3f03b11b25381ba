import { dayLength } from '../../request/time-zone.ts'
import { allFilters, isFiltered, type Scope, type Selection, visiblePeriod } from '../language/scope.ts'
import type { Inquiry, Result } from '../language/statement.ts'
import { changes, isShared, type Notes, notedDays, notesOf, notesWithin, type SealNotes } from './notes.ts'
import type { ChainAnswer, CostClass } from './parts.ts'

/** What an isolate must know about a website before it can answer from chains, and the thresholds for using them. */

/** A minimum number of views in the sealed part of a range: one each without and with filters, or one for both. */
type LeastViews = number | readonly [plain: number, filtered: number]

const late = 3_000_000

/**
 * The minimum number of sealed views for which chains are used. Below that, planning them costs more than they save.
 * `npx tsx test/bench/chains.ts` measures these numbers.
 */
const leastViews = {
  /** Facts about visits, for which other tables group rows by visit. */
  visits: { sealed: [200_000, 300_000], withEnds: [450_000, 1_000_000] },
  /** Facts about visits, with filters on paths. */
  paths: { sealed: 350_000, withEnds: 500_000 },
  /** Values of views, which can otherwise only be read from the events. */
  values: { sealed: [300_000, 650_000], withEnds: [450_000, 1_400_000] },
  /**
   * Only ids, which other tables count without grouping. Chains count them in rows of days or first rows, or (`keys`)
   * by key.
   */
  ids: { sealed: [450_000, late], withEnds: late },
  keys: { sealed: late, withEnds: late },
} as const satisfies Readonly<Record<CostClass, { sealed: LeastViews; withEnds: LeastViews }>>

function leastFor({ sealed: { selection, hasEnds }, cost }: ChainAnswer): number {
  const least: LeastViews = leastViews[cost][hasEnds ? 'withEnds' : 'sealed']
  return typeof least === 'number' ? least : least[isFiltered(selection) ? 1 : 0]
}

/** The maximum number of seals listed in a statement. */
const mostSeals = 2_000

/**
 * For ranges of at least this many days, reading the notes is cheap compared to the whole statement, on any website.
 */
const alwaysFrom = 32

/** How long an isolate remembers notes, in milliseconds. They remain true, but more days may be sealed every minute. */
const minute = 60_000
const notesKeptFor = { all: 10 * minute, open: minute } as const

const keyOfNotes = (from: number, scope: Scope): string => `notes ${notedDays(from, scope).startAt}`

/** The notes that a question needs. For short ranges, only large websites need them. */
export function wantedFor(answer: ChainAnswer): Inquiry {
  const { selection, whole } = answer.sealed
  const { scope } = selection
  const days = notedDays(whole.startAt, scope)
  const length = Math.round((whole.endAt + 1 - whole.startAt) / dayLength)
  const isShort = scope.chainsFrom === undefined && length < alwaysFrom
  return {
    key: keyOfNotes(whole.startAt, scope),
    statement: notesOf(days, scope),
    lasts: ({ rows: [notes] }: Result<SealNotes>) => notesKeptFor[notes && hasLast(notes, scope) ? 'all' : 'open'],
    // The whole statement reads one row per view, or one row for about four views if it reads `hourly_visits`.
    ...(isShort && { once: { key: `read ${length}`, rows: Math.floor(leastFor(answer) / 8) } }),
  }
}

/** Whether the last note of each shard is for yesterday and has not been withdrawn. */
const hasLast = ({ shards, days, views, customs }: SealNotes, { closedBefore = 0 }: Scope): boolean =>
  days.length > 0 &&
  days.every((day, place) => {
    const isLast = shards[place] !== shards[place + 1]
    return !isLast || (day === closedBefore / dayLength - 1 && views[place]! + customs[place]! > 0)
  })

/** The notes for the range if chains can answer and are cheaper; otherwise the reason, in words. */
export function notesFor(answer: ChainAnswer): Notes | string {
  const { sealed, reads } = answer
  const { selection, whole } = sealed
  const { scope } = selection
  const known = notesKnown(scope, whole.startAt)
  if (!known) return 'The notes of the seals were not read.'
  const notes = notesWithin(known, whole)
  if (!notes.holds) return 'Not all days of the range are sealed for this database.'
  if (notes.seals.length > mostSeals) return `The range has more than ${mostSeals} seals.`
  const asked = [...reads, ...allFilters(selection).flatMap(({ fields }) => fields.map(({ field }) => field))]
  const relevant = asked.reduce((bits, field) => bits | (1 << changes.indexOf(field)), isShared)
  if ((notes.changed & relevant) !== 0) return 'A visitor changed a column that the question reads, or the shard.'
  const least = Math.max(1, scope.chainsFrom ?? leastFor(answer))
  return notes.views < least ? `The sealed part has fewer than ${least} views.` : notes
}

const notesKnown = (scope: Scope, from: number): SealNotes | undefined =>
  scope.known?.found.get(keyOfNotes(from, scope))?.rows[0] as SealNotes | undefined

/** The number of sealed views in the range; undefined unless it is known for every day. */
export function sealedViews(selection: Selection): number | undefined {
  const period = visiblePeriod(selection)
  const notes = notesKnown(selection.scope, period.startAt)
  if (!notes || !hasLast(notes, selection.scope)) return undefined
  const { holds, views } = notesWithin(notes, period)
  return holds ? views : undefined
}
