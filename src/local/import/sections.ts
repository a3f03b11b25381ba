import { createHash } from 'node:crypto'
import { dayLength, hourLength } from '../../request/time-zone.ts'
import { earliest, takenSpan } from './made-rows.ts'
import type { Count, Kind, Section, Source, Span } from './source.ts'

/** The selection of data to import. */
export interface Wanted {
  readonly websiteIds: readonly string[]
  /** Milliseconds since 1970; undefined without a limit. */
  readonly since: number | undefined
  readonly until: number | undefined
  /** How long this installation keeps recordings, in days. */
  readonly days: { readonly replays: number; readonly heatmaps: number }
  readonly now: number
}

/** The sections of an import, oldest first, and the number of recordings that are too old for this installation. */
export interface Plan {
  readonly sections: readonly Section[]
  readonly leftOut: Readonly<Record<'replays' | 'heatmaps', number>>
}

export async function planOf(source: Source, wanted: Wanted): Promise<Plan> {
  const sections: Section[] = []
  const leftOut = { replays: 0, heatmaps: 0 }
  for (const kind of source.kinds) {
    const [all, span] = [spanOf(wanted), keptSpan(wanted, kind)]
    sections.push(...monthsOf(source, kind, span, await source.months({ kind, websiteIds: wanted.websiteIds, span })))
    if ((kind === 'replays' || kind === 'heatmaps') && span.from > all.from) {
      const old = {
        kind,
        websiteIds: wanted.websiteIds,
        span: { from: all.from, until: Math.min(span.from, all.until) },
      }
      const saved =
        kind === 'replays' && (await source.hasSaved()) ? await source.months({ ...old, savedOnly: true }) : []
      sections.push(...monthsOf(source, kind, old.span, saved, true))
      leftOut[kind] = total(await source.months(old)) - total(saved)
    }
    if (wanted.since === undefined && wanted.until === undefined) sections.push(...(await strays(source, kind, wanted)))
  }
  return { sections, leftOut }
}

/** The total number of rows in all sections. */
export const rowsOfPlan = ({ sections }: Plan): number => sections.reduce((sum, { count }) => sum + count, 0)

const total = (counts: readonly { readonly rows: number }[]): number => counts.reduce((sum, { rows }) => sum + rows, 0)

/** The moment from which recordings are kept. It is the start of a day, so that a second run has the same sections. */
const keptFrom = ({ days, now }: Wanted, kind: 'replays' | 'heatmaps'): number =>
  (Math.floor(now / dayLength) - days[kind]) * dayLength

/** The wanted span, without the days whose recordings this installation does not keep. */
export function keptSpan(wanted: Wanted, kind: Kind): Span {
  const all = spanOf(wanted)
  return kind === 'replays' || kind === 'heatmaps' ? { ...all, from: Math.max(all.from, keptFrom(wanted, kind)) } : all
}

function spanOf({ since = earliest, until = Number.POSITIVE_INFINITY, now }: Wanted): Span {
  const taken = takenSpan(now)
  return { from: Math.max(taken.from, since), until: Math.min(taken.until, until) }
}

/** A section for each month, and for each website if the source is read by website. */
function monthsOf(
  source: Source,
  kind: Kind,
  span: Span,
  counts: readonly Count[],
  savedOnly = false,
): readonly Section[] {
  return grouped(source, counts).map(([text, websiteIds, count]) => {
    const [year, month] = text.split('-').map(Number) as [number, number]
    const from = Math.max(span.from, Date.UTC(year, month - 1))
    const until = Math.min(span.until, Date.UTC(year, month))
    const name = nameOf(kind, savedOnly ? `${text} saved` : text, websiteIds)
    return { name, kind, websiteIds, count, rows: { in: { from, until }, savedOnly } }
  })
}

/** A section for each hour of a span, and for each website if the source is read by website. */
export function hoursOf(source: Source, kind: Kind, span: Span, counts: readonly Count[]): readonly Section[] {
  return grouped(source, counts).map(([text, websiteIds, count]) => {
    const start = Date.parse(`${text}:00:00Z`)
    const [from, until] = [Math.max(span.from, start), Math.min(span.until, start + hourLength)]
    const name = nameOf(kind, text, websiteIds)
    return { name, kind, websiteIds, count, rows: { in: { from, until } } }
  })
}

/**
 * The name of a section. For several websites, it contains a hash of their ids, so that a different set of websites has
 * different sections.
 */
const nameOf = (kind: Kind, text: string, websiteIds: readonly string[]): string =>
  [kind, text, websiteIds.length === 1 ? websiteIds[0]! : hashOf(websiteIds)].join(' ')

const hashOf = (ids: readonly string[]): string => createHash('sha256').update(ids.join()).digest('hex').slice(0, 8)

/** The spans that occur in these counts, each with its websites and its number of rows. */
function grouped(source: Source, counts: readonly Count[]): readonly [string, readonly string[], number][] {
  if (source.isByWebsite) return counts.map(({ span, websiteId, rows }) => [span, [websiteId], rows])
  const spans = [...new Set(counts.map(({ span }) => span))].sort()
  return spans.map((span) => {
    const own = counts.filter((count) => count.span === span)
    return [span, own.map(({ websiteId }) => websiteId), total(own)]
  })
}

/** Sections of rows without a time, or with an unacceptable time. They are read only to report them. */
async function strays(source: Source, kind: Kind, { websiteIds, now }: Wanted): Promise<readonly Section[]> {
  const outside = takenSpan(now)
  const counts = await source.outside({ kind, websiteIds, span: outside })
  return grouped(
    source,
    counts.map((count) => ({ ...count, span: 'other times' })),
  ).map(([text, websiteIds, count]) => ({
    name: nameOf(kind, text, websiteIds),
    ...{ kind, websiteIds, count, rows: { outside } },
  }))
}
