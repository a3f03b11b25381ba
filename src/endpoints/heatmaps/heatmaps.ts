import * as z from 'zod'
import {
  type HeatmapMode,
  type HeatmapSelection,
  heatmapFrame,
  heatmapHost,
  heatmapPages,
  heatmapPoints,
  heatmapScroll,
  mostPoints,
} from '../../query/figures/heatmaps.ts'
import { type Filters, filters } from '../../request/filters.ts'
import { type Slice, search, slicesOf } from '../../request/page.ts'
import { type Period, range } from '../../request/period.ts'
import { freeText, group, oneOf, query, wholeNumber } from '../../request/query-string.ts'
import { action, type Context } from '../endpoint.ts'
import { inRange } from '../examples.ts'
import type { WebsiteReading } from '../reading.ts'
import { cacheControl, recordingsOf, replayReadAccess } from '../replays/answer.ts'

const modes = ['click', 'scroll'] as const

const size = () => z.number().int().nullable()
const Sizes = () => ({ pageW: size(), pageH: size(), viewportW: size(), viewportH: size() })

const Heatmap = () =>
  z.object({
    mode: z.enum(modes),
    pages: z.array(
      z.object({
        urlPath: z.string(),
        count: z.number().int(),
        sessions: z.number().int().describe('The number of visits.'),
      }),
    ),
    points: z.array(
      z.object({
        x: z.number().int().describe('In CSS pixels within the viewport; pageX: within the page.'),
        y: z.number().int(),
        pageX: size(),
        pageY: size(),
        ...Sizes(),
        count: z.number().int(),
      }),
    ),
    scroll: z.object({
      buckets: z.array(
        z.object({
          depth: z.number().int().describe('The depth that a visit reached, in percent, in steps of 5.'),
          sessions: z.number().int().describe('The number of visits.'),
          ...Sizes(),
        }),
      ),
      totalSessions: z.number().int(),
      ...Sizes(),
    }),
    snapshot: z
      .object({ id: z.string(), kind: z.literal('iframe'), url: z.string(), ...Sizes() })
      .nullable()
      .describe('The page to draw under the heatmap.'),
  })

const noSizes = { pageW: null, pageH: null, viewportW: null, viewportH: null }

interface HeatmapInput {
  readonly period: Period
  readonly filters: Filters
  readonly mode: HeatmapMode
  readonly urlPath: string | undefined
  readonly bin: number
  readonly search: string | undefined
  readonly slice: Slice
}

const shown = group(
  {
    mode: oneOf('Clicks (the default), or how far visits scrolled.', modes),
    urlPath: freeText('The exact path of a page. The answer then also has its points or depths.'),
    bin: wholeNumber('Points are rounded down to multiples of this many pixels.', { min: 1, max: 100, default: 1 }),
  },
  ({ mode = 'click', urlPath, bin = 1 }) => ({ mode, urlPath, bin }),
)

const heatmapQuery = query(
  range,
  shown,
  search('Part of a path, ignoring case: narrows the pages.'),
  slicesOf(100, 1000),
  filters(),
)

async function answerHeatmap(input: HeatmapInput, context: Context) {
  const { period, mode, urlPath, search, slice } = input
  const { filtersOf, run } = context.reading()
  const [recordings, filters] = await Promise.all([recordingsOf(context), filtersOf(input.filters)])
  const selection: HeatmapSelection = { ...recordings, period, filters, mode }
  const [{ pages }, ofPage] = await Promise.all([
    run({ pages: heatmapPages(selection, search, slice) }),
    urlPath === undefined ? nothing : answerPage({ ...input, urlPath }, selection, context.website!.domain, run),
  ])
  const { isCapped, ...rest } = ofPage
  return {
    body: {
      mode,
      pages: pages.rows.map(({ path, total, visits }) => ({ urlPath: path, count: total, sessions: visits })),
      ...rest,
    },
    total: pages.total,
    cacheControl,
    ...(isCapped && { capped: 'points' }),
  }
}

const nothing = {
  points: [],
  scroll: { buckets: [], totalSessions: 0, ...noSizes },
  snapshot: null,
  isCapped: false,
}

type Sized = Readonly<Record<'pw' | 'ph' | 'vw' | 'vh', number | null>>

const sizesOf = ({ pw, ph, vw, vh }: Sized) => ({ pageW: pw, pageH: ph, viewportW: vw, viewportH: vh })

async function answerPage(
  { mode, urlPath, bin }: HeatmapInput & { readonly urlPath: string },
  selection: HeatmapSelection,
  domain: string,
  run: WebsiteReading['run'],
) {
  const [own, { frame }, { host }] = await Promise.all([
    mode === 'click' ? pointsOf(selection, urlPath, bin, run) : depthsOf(selection, urlPath, run),
    run({ frame: heatmapFrame(selection, urlPath) }),
    run({ host: heatmapHost(selection, urlPath, bareHost(domain)) }),
  ])
  const isThere = own.points.length > 0 || own.scroll.totalSessions > 0
  const url = isThere ? pageUrl(domain, host.rows[0]?.host, urlPath) : undefined
  const sizes = frame.rows[0] ? sizesOf(frame.rows[0]) : noSizes
  return { ...own, snapshot: url === undefined ? null : { id: urlPath, kind: 'iframe' as const, url, ...sizes } }
}

async function pointsOf(selection: HeatmapSelection, urlPath: string, bin: number, run: WebsiteReading['run']) {
  const { points } = await run({ points: heatmapPoints(selection, urlPath, bin) })
  return {
    ...nothing,
    points: points.rows.slice(0, mostPoints).map(({ px, py, ppx, ppy, pw, ph, vw, vh, total }) => ({
      x: px,
      y: py,
      pageX: ppx,
      pageY: ppy,
      pageW: pw,
      pageH: ph,
      viewportW: vw,
      viewportH: vh,
      count: total,
    })),
    isCapped: points.rows.length > mostPoints,
  }
}

async function depthsOf(selection: HeatmapSelection, urlPath: string, run: WebsiteReading['run']) {
  const { buckets, sizes } = await run(heatmapScroll(selection, urlPath))
  return {
    ...nothing,
    scroll: {
      buckets: buckets.rows.map(({ depth, visits, ...sized }) => ({ depth, sessions: visits, ...sizesOf(sized) })),
      totalSessions: buckets.rows.reduce((sum, { visits }) => sum + visits, 0),
      ...sizesOf(sizes.rows[0] ?? { pw: null, ph: null, vw: null, vh: null }),
    },
  }
}

/** A domain without its port. */
const bareHost = (domain: string): string => domain.replace(/:\d+$/, '').toLowerCase()

/** The URL of a page on the website; undefined if the website has no domain. */
function pageUrl(domain: string, host: string | undefined, urlPath: string): string | undefined {
  if (domain === '') return undefined
  const own = host === undefined || host === bareHost(domain) ? domain : host
  const protocol = bareHost(domain) === 'localhost' ? 'http' : 'https'
  // The stored path is decoded. A percent sign that starts no escape is literal, so it is escaped.
  const path = urlPath.replace(/%(?![\da-f]{2})/gi, '%25').toWellFormed()
  return URL.parse(`${protocol}://${own}${path.startsWith('/') ? '' : '/'}${path}`)?.href
}

export const getWebsiteHeatmaps = action({
  name: 'getWebsiteHeatmaps',
  path: '/api/websites/:websiteId/heatmaps',
  summary: 'Pages with clicks or scrolled visits; with urlPath, clicks or scroll depths on that page.',
  access: replayReadAccess,
  query: heatmapQuery,
  refuses: ['not-found', 'too-much-data'],
  answer: Heatmap,
  run: (input, context) => answerHeatmap(input, context),
})

export const getHeatmapReport = action({
  name: 'getHeatmapReport',
  method: 'post',
  path: '/api/reports/heatmap',
  summary: 'The same heatmap, requested by POST.',
  access: replayReadAccess,
  query: heatmapQuery,
  reads: { query: inRange },
  refuses: ['not-found', 'too-much-data'],
  answer: Heatmap,
  run: (input, context) => answerHeatmap(input, context),
})
