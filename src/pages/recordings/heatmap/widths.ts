import type { Answer } from '@weir/client'

export type Heatmap = Answer<'getWebsiteHeatmaps'>
type Point = Heatmap['points'][number]

/** Classes of window widths, in CSS pixels. */
export const widths = {
  all: { text: 'All widths', fits: () => true },
  phone: { text: 'Phones, below 768 px', fits: (width: number) => width < 768 },
  tablet: { text: 'Tablets, 768 to 1199 px', fits: (width: number) => width >= 768 && width < 1200 },
  desktop: { text: 'Desktops, from 1200 px', fits: (width: number) => width >= 1200 },
} as const

export type WidthClass = keyof typeof widths

export const widthOf = (query: URLSearchParams): WidthClass => {
  const given = query.get('width') ?? 'all'
  return Object.hasOwn(widths, given) ? (given as WidthClass) : 'all'
}

/** The size of the page to draw, in CSS pixels. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

/** Larger pages are cut off at this size, so that they fit a canvas. */
const [widest, highest] = [4000, 30_000]
const usual: PageSize = { width: 1280, height: 1600 }

const sizeOf = (width: number | null, height: number | null): PageSize => ({
  width: Math.min(width ?? usual.width, widest),
  height: Math.min(height ?? usual.height, highest),
})

/** A click with its position on the page, as fractions of the page's size. */
export interface Placed {
  readonly x: number
  readonly y: number
  readonly count: number
}

/** The clicks in a width class, and the most frequent page size. */
export function clicksOf({ points, snapshot }: Heatmap, width: WidthClass) {
  const some = points.filter(({ viewportW }) => viewportW === null || widths[width].fits(viewportW))
  const placed = some.flatMap(({ pageX, pageY, pageW, pageH, count }): Placed[] =>
    pageX === null || pageY === null || pageW === null || pageH === null
      ? []
      : [{ x: Math.min(1, pageX / pageW), y: Math.min(1, pageY / pageH), count }],
  )
  const size = width === 'all' ? sizeOf(snapshot?.pageW ?? null, snapshot?.pageH ?? null) : commonSize(some)
  const total = (all: readonly { readonly count: number }[]) => all.reduce((sum, { count }) => sum + count, 0)
  return { placed, size, shown: total(placed), unplaced: total(some) - total(placed) }
}

function commonSize(points: readonly Point[]): PageSize {
  const counts = new Map<string, { size: PageSize; count: number }>()
  for (const { pageW, pageH, count } of points) {
    if (pageW === null || pageH === null) continue
    const known = counts.get(`${pageW} ${pageH}`) ?? { size: sizeOf(pageW, pageH), count: 0 }
    known.count += count
    counts.set(`${pageW} ${pageH}`, known)
  }
  return [...counts.values()].sort((one, other) => other.count - one.count)[0]?.size ?? usual
}

/** How many visits reached each depth, in steps of 5 percent, and the size of the page. */
export function depthsOf({ scroll, snapshot }: Heatmap) {
  const { buckets, totalSessions } = scroll
  const reached = Array.from({ length: 21 }, (_, place) => ({
    depth: place * 5,
    visits: buckets.reduce((sum, { depth, sessions }) => (depth >= place * 5 ? sum + sessions : sum), 0),
  }))
  return { reached, totalSessions, size: sizeOf(snapshot?.pageW ?? scroll.pageW, snapshot?.pageH ?? scroll.pageH) }
}
