/** The answer of `…/heatmaps`, computed directly from the event rows. */

export interface HeatmapRow {
  readonly visit_id: string
  readonly created_at: number
  /** 1 is a click, and 2 a scroll depth. */
  readonly type: 1 | 2
  readonly url_path: string
  readonly x: number | null
  readonly y: number | null
  readonly page_x: number | null
  readonly page_y: number | null
  readonly page_w: number | null
  readonly page_h: number | null
  readonly viewport_w: number | null
  readonly viewport_h: number | null
  readonly scroll_pct: number | null
}

export interface HeatmapQuery {
  readonly startAt: number
  readonly endAt: number
  readonly mode: 'click' | 'scroll'
  readonly urlPath?: string
  readonly search?: string
  readonly bin: number
}

type Number = number | null

const byText = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

/** Sorts in ascending order, with null last. */
const byNumber = (one: Number, other: Number): number =>
  one === other ? 0 : one === null ? 1 : other === null ? -1 : one - other

function groups<Row>(rows: readonly Row[], key: (row: Row) => string): Row[][] {
  const found = new Map<string, Row[]>()
  for (const row of rows) found.set(key(row), [...(found.get(key(row)) ?? []), row])
  return [...found.values()]
}

/** The most frequent value, or the smallest of equally frequent ones. */
function commonest(values: readonly Number[]): Number {
  const known = values.filter((value) => value !== null)
  const counted = groups(known, String).sort((one, other) => other.length - one.length || one[0]! - other[0]!)
  return counted[0]?.[0] ?? null
}

const sizesOf = (rows: readonly HeatmapRow[]) => ({
  pageW: commonest(rows.map((row) => row.page_w)),
  pageH: commonest(rows.map((row) => row.page_h)),
  viewportW: commonest(rows.map((row) => row.viewport_w)),
  viewportH: commonest(rows.map((row) => row.viewport_h)),
})

const noSizes = { pageW: null, pageH: null, viewportW: null, viewportH: null }

const visitsOf = (rows: readonly HeatmapRow[]): number => new Set(rows.map((row) => row.visit_id)).size

/** The answer without the URL of its snapshot. */
export function heatmap(
  rows: readonly HeatmapRow[],
  { startAt, endAt, mode, urlPath, search = '', bin }: HeatmapQuery,
) {
  const isClick = mode === 'click'
  const counted = rows.filter(
    (row) =>
      row.created_at >= startAt &&
      row.created_at <= endAt &&
      row.type === (isClick ? 1 : 2) &&
      (isClick ? [row.x, row.y, row.viewport_w, row.viewport_h].every((one) => one !== null) : row.scroll_pct !== null),
  )
  const pages = groups(
    counted.filter((row) => row.url_path.toLowerCase().includes(search.toLowerCase())),
    (row) => row.url_path,
  )
    .map((some) => ({ urlPath: some[0]!.url_path, count: some.length, sessions: visitsOf(some) }))
    .sort(
      (one, other) => other.sessions - one.sessions || other.count - one.count || byText(one.urlPath, other.urlPath),
    )
  const own = urlPath === undefined ? [] : counted.filter((row) => row.url_path === urlPath)
  return {
    mode,
    pages,
    points: isClick ? pointsOf(own, bin) : [],
    scroll: isClick ? { buckets: [], totalSessions: 0, ...noSizes } : scrollOf(own),
    frame: frameOf(own),
  }
}

function pointsOf(rows: readonly HeatmapRow[], bin: number) {
  const cut = (value: Number): Number => (value === null ? null : Math.floor(value / bin) * bin)
  const placed = rows.map((row) => [
    ...[cut(row.x), cut(row.y), cut(row.page_x), cut(row.page_y)],
    ...[row.page_w, row.page_h, row.viewport_w, row.viewport_h],
  ])
  return groups(placed, String)
    .sort((one, other) => {
      if (one.length !== other.length) return other.length - one.length
      const place = one[0]!.findIndex((value, index) => value !== other[0]![index])
      return byNumber(one[0]![place]!, other[0]![place]!)
    })
    .map((some) => {
      const [x, y, pageX, pageY, pageW, pageH, viewportW, viewportH] = some[0]!
      return { x, y, pageX, pageY, pageW, pageH, viewportW, viewportH, count: some.length }
    })
}

function scrollOf(rows: readonly HeatmapRow[]) {
  const visits = groups(rows, (row) => row.visit_id).map((some) => ({
    depth: Math.floor(Math.max(...some.map((row) => row.scroll_pct!)) / 5) * 5,
    rows: some,
  }))
  const buckets = groups(visits, ({ depth }) => String(depth))
    .map((some) => ({ depth: some[0]!.depth, sessions: some.length, ...sizesOf(some.flatMap((visit) => visit.rows)) }))
    .sort((one, other) => one.depth - other.depth)
  return { buckets, totalSessions: visits.length, ...sizesOf(rows) }
}

/** The most frequent viewport, and its most frequent page. */
function frameOf(rows: readonly HeatmapRow[]) {
  const whole = rows.filter((row) => row.viewport_w !== null && row.viewport_h !== null)
  const [first] = groups(whole, (row) => `${row.viewport_w} ${row.viewport_h}`).sort(
    (one, other) =>
      other.length - one.length ||
      one[0]!.viewport_w! - other[0]!.viewport_w! ||
      one[0]!.viewport_h! - other[0]!.viewport_h!,
  )
  if (!first) return noSizes
  const { pageW, pageH } = sizesOf(first)
  return { pageW, pageH, viewportW: first[0]!.viewport_w, viewportH: first[0]!.viewport_h }
}
