import * as z from 'zod'
import { type Filters, noFilters } from '../../request/filters.ts'
import type { Slice } from '../../request/page.ts'
import type { Period } from '../../request/period.ts'
import { ascending, atMost, descending, limitTo, order, slice } from '../language/order.ts'
import type { Scope } from '../language/scope.ts'
import { all, type Fragment, sql, text, uint8, uint64, uuids } from '../language/sql.ts'
import { select } from '../language/statement.ts'
import { anyContains } from '../language/text.ts'
import { isView, rows } from '../tables/rows.ts'
import { events, heatmapEvents } from '../tables/tables.ts'
import { passingVisits } from './recorded-visits.ts'

/** Visitors' clicks and scroll depths. */

/** The maximum number of points in an answer. */
export const mostPoints = 5000

export type HeatmapMode = 'click' | 'scroll'

/** The visits that a heatmap shows, and their events. */
export interface HeatmapSelection {
  readonly scope: Scope
  readonly period: Period
  readonly filters: Filters
  /** The visits whose replays are hidden. Their heatmap events are hidden too. */
  readonly hidden: readonly string[]
  readonly mode: HeatmapMode
}

/** Events are counted only if they have these numbers. */
const isCounted: Readonly<Record<HeatmapMode, Fragment>> = {
  click: sql`isNotNull(x) and isNotNull(y) and isNotNull(viewport_w) and isNotNull(viewport_h)`,
  scroll: sql`isNotNull(scroll_pct)`,
}

/** `from … where …` for the events that are counted. */
function countedPoints(selection: HeatmapSelection, ...conditions: readonly (Fragment | undefined)[]): Fragment {
  const { scope, period, filters, hidden, mode } = selection
  const shown = { scope, period, filters: noFilters }
  const own = [
    sql`type = ${uint8(mode === 'click' ? 1 : 2)}`,
    isCounted[mode],
    hidden.length === 0 ? undefined : sql`visit_id not in ${uuids(hidden)}`,
    ...conditions,
  ]
  const sessions = sql`select session_id ${rows(heatmapEvents, shown, own)}`
  return rows(heatmapEvents, shown, [...own, passingVisits(scope, filters, sessions)])
}

const isPath = (urlPath: string): Fragment => sql`url_path = ${text(urlPath)}`

const HeatmapPage = () => z.object({ path: z.string(), total: z.number(), visits: z.number() })

/** Pages, ordered by number of visits. */
export const heatmapPages = (selection: HeatmapSelection, search: string | undefined, part: Slice) => select(
  HeatmapPage,
)`
  select url_path as path, count() as total, uniqExact(visit_id) as visits
  ${countedPoints(selection, anyContains(search, sql`url_path`))}
  group by url_path
  ${slice(order([descending(sql`visits`), descending(sql`total`), ascending(sql`url_path`)]), part)}`

const nullable = () => z.number().nullable()

const ClickPoint = () =>
  z.object({
    px: z.number(),
    py: z.number(),
    ppx: nullable(),
    ppy: nullable(),
    pw: nullable(),
    ph: nullable(),
    vw: z.number(),
    vh: z.number(),
    total: z.number(),
  })

const cutTo = (column: Fragment, bin: number): Fragment =>
  bin === 1 ? column : sql`intDiv(${column}, ${uint64(bin)}) * ${uint64(bin)}`

/** Stands for a missing number. `ingest_heatmap_events` accepts only numbers far below it. */
const missing = 2 ** 21 - 1

/**
 * Packs up to three numbers into one, because grouping by one key takes two thirds of the time. Packed numbers sort
 * like the separate numbers, with missing ones last.
 */
const packed = (...numbers: readonly Fragment[]): Fragment =>
  numbers
    .map((number) => sql`toUInt64(ifNull(${number}, ${uint64(missing)}))`)
    .reduce((higher, lower) => sql`bitShiftLeft(${higher}, 21) + ${lower}`)

/** Unpacks the number that is followed by `lower` other numbers. NULL if it is missing. */
const unpacked = (pack: Fragment, lower: 0 | 1 | 2): Fragment =>
  sql`nullIf(bitAnd(bitShiftRight(${pack}, ${uint8(21 * lower)}), ${uint64(missing)}), ${uint64(missing)})`

/** The clicks on a page by place, most frequent first. Reads one row more than an answer may have. */
export function heatmapPoints(selection: HeatmapSelection, urlPath: string, bin: number) {
  const cut = (column: Fragment) => cutTo(column, bin)
  const first = limitTo(
    order([descending(sql`total`), ...[sql`place`, sql`page`, sql`viewport`].map(ascending)]),
    mostPoints + 1,
  )
  const points = sql`
    select ${packed(cut(sql`x`), cut(sql`y`), cut(sql`page_x`))} as place,
      ${packed(cut(sql`page_y`), sql`page_w`, sql`page_h`)} as page, ${packed(sql`viewport_w`, sql`viewport_h`)} as viewport,
      count() as total
    ${countedPoints(selection, isPath(urlPath))}
    group by place, page, viewport
    ${first}`
  return select(ClickPoint)`
    select assumeNotNull(${unpacked(sql`place`, 2)}) as px, assumeNotNull(${unpacked(sql`place`, 1)}) as py,
      ${unpacked(sql`place`, 0)} as ppx, ${unpacked(sql`page`, 2)} as ppy, ${unpacked(sql`page`, 1)} as pw,
      ${unpacked(sql`page`, 0)} as ph, assumeNotNull(${unpacked(sql`viewport`, 1)}) as vw,
      assumeNotNull(${unpacked(sql`viewport`, 0)}) as vh, total
    from (${points})
    ${first}`
}

/** How often each value of a size occurs, in rows that each represent `times` events. NULL is not counted. */
const countsOf = (column: Fragment, times = sql`toUInt64(1)`): Fragment =>
  sql`sumMapIf(map(assumeNotNull(${column}), ${times}), isNotNull(${column}))`

/**
 * The most frequent value, or the smallest of those if there are several, because keys are in ascending order. NULL if
 * there is no value.
 */
const commonest = (counts: Fragment): Fragment =>
  sql`if(empty(${counts}), NULL, toNullable(mapKeys(${counts})[indexOf(mapValues(${counts}), arrayMax(mapValues(${counts})))]))`

const Sizes = () => ({ pw: nullable(), ph: nullable(), vw: nullable(), vh: nullable() })
const Bucket = () => z.object({ depth: z.number(), visits: z.number(), ...Sizes() })

const commonestSizes = sql`
  ${commonest(sql`sumMap(pws)`)} as pw, ${commonest(sql`sumMap(phs)`)} as ph,
  ${commonest(sql`sumMap(vws)`)} as vw, ${commonest(sql`sumMap(vhs)`)} as vh`

/** A subquery of visits, with `deepest` and how often each size occurs in their events. */
const depths = (selection: HeatmapSelection, urlPath: string): Fragment => sql`(
  select visit_id, max(assumeNotNull(scroll_pct)) as deepest, ${countsOf(sql`page_w`)} as pws,
    ${countsOf(sql`page_h`)} as phs, ${countsOf(sql`viewport_w`)} as vws, ${countsOf(sql`viewport_h`)} as vhs
  ${countedPoints(selection, isPath(urlPath))}
  group by visit_id
)`

const mostDepths = 21

/** A page's visits by depth, in steps of 5, and the most frequent page and window sizes. */
export const heatmapScroll = (selection: HeatmapSelection, urlPath: string) => ({
  buckets: select(Bucket)`
    select intDiv(deepest, 5) * 5 as depth, count() as visits, ${commonestSizes}
    from ${depths(selection, urlPath)}
    group by depth
    ${limitTo(order([ascending(sql`depth`)]), mostDepths)}`,
  sizes: select(() => z.object(Sizes()))`
    select ${commonestSizes} from ${depths(selection, urlPath)} ${atMost(1)}`,
})

const Frame = () => z.object({ vw: z.number(), vh: z.number(), pw: nullable(), ph: nullable() })
const Host = () => z.object({ host: z.string() })

/**
 * The most frequent viewport size, and the most frequent page size with that viewport. Building a map for each event
 * would take longer.
 */
export const heatmapFrame = (selection: HeatmapSelection, urlPath: string) => select(Frame)`
  select vw, vh, ${commonest(countsOf(sql`page_w`, sql`total`))} as pw, ${commonest(countsOf(sql`page_h`, sql`total`))} as ph
  from (
    select assumeNotNull(viewport_w) as vw, assumeNotNull(viewport_h) as vh, page_w, page_h, count() as total
    ${countedPoints(selection, isPath(urlPath), sql`isNotNull(viewport_w)`, sql`isNotNull(viewport_h)`)}
    group by vw, vh, page_w, page_h
  )
  group by vw, vh
  ${limitTo(order([descending(sql`sum(total)`), ascending(sql`vw`), ascending(sql`vh`)]), 1)}`

/** The most frequent hostname in views of the path, which must be the domain or a subdomain. */
export function heatmapHost({ scope, period }: HeatmapSelection, urlPath: string, domain: string) {
  const isOwn = sql`(lower(hostname) = ${text(domain)} or endsWith(lower(hostname), ${text(`.${domain}`)}))`
  const isHost = sql`match(hostname, '^[A-Za-z0-9.-]+$')`
  return select(Host)`
    select lower(hostname) as host
    ${rows(events, { scope, period, filters: noFilters }, [isView, isPath(urlPath), all(isOwn, isHost)])}
    group by host
    ${limitTo(order([descending(sql`count()`), ascending(sql`host`)]), 1)}`
}
