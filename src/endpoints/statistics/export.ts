import * as z from 'zod'
import { withoutFormula } from '../../query/language/formulas.ts'
import { zipInJson } from '../../request/client-names.ts'
import { filters } from '../../request/filters.ts'
import { maxResults } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { group, oneOf, query } from '../../request/query-string.ts'
import { recordOf } from '../answers.ts'
import { report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'
import { type MetricRow, metricRows } from './metrics.ts'

/** The files of an export, in order, and the metric that each contains. */
const files = {
  event: 'events.csv',
  path: 'pages.csv',
  referrer: 'referrers.csv',
  browser: 'browsers.csv',
  os: 'os.csv',
  device: 'devices.csv',
  country: 'countries.csv',
} as const

type Metric = keyof typeof files

const metrics = Object.keys(files) as Metric[]

/** The maximum number of rows in a file. */
const most = 10_000

/** Equal data must give equal bytes, so entries have the earliest date that ZIP allows. */
const mtime = new Date(1980, 0, 1)

/** Any sender can choose names that a spreadsheet program would run as formulas. */
const escaping = group(
  {
    escape: oneOf(
      'formulas: a name that a spreadsheet would run as a formula gets an apostrophe before it (the default); none: names as they are.',
      ['formulas', 'none'],
    ),
  },
  (given) => ({ isRaw: given.escape === 'none' }),
)

export const exportWebsite = report({
  name: 'exportWebsite',
  path: '/api/websites/:websiteId/export',
  sections: [],
  countsDeleted: true,
  summary: 'Seven metrics of the range as CSV files, in a ZIP encoded in Base64.',
  example: { query: inRange, events: [pageView] },
  query: query(
    range,
    group({ maxResults }, ({ maxResults = most }) => ({ rows: Math.min(maxResults, most) })),
    escaping,
    filters(),
  ).beside(zipInJson),
  answer: () => z.object({ zip: z.string() }),
  plan: ({ period, filters, rows }, scope) => {
    const slice = { limit: rows, offset: 0 }
    const rowsOf = (type: Metric) => metricRows({ period, filters, type, search: undefined, slice }, scope)
    return recordOf(metrics, rowsOf)
  },
  async shape(found, { isRaw }) {
    // Loaded here: it computes tables while it is loaded, and few isolates create a ZIP.
    const { strToU8, zipSync } = await import('fflate')
    const entries = metrics.map(
      (type) => [files[type], strToU8(csvOf(found[type].rows, isRaw ? (name) => name : withoutFormula))] as const,
    )
    const zip = zipSync(Object.fromEntries(entries), { mtime })
    const total = metrics.reduce((sum, type) => sum + found[type].total, 0)
    return { body: { zip: base64(zip) }, total }
  },
})

/** RFC 4180: CRLF between the lines. */
const csvOf = (rows: readonly MetricRow[], cell: (name: string) => string): string =>
  ['x,y', ...rows.map(({ f_x = '', f_visitors }) => `${quoted(cell(f_x))},${f_visitors}`)].join('\r\n')

/** Also quotes texts that contain `;` or a tab, for programs that separate cells by them. */
const quoted = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Encodes in pieces, because a call can have only a limited number of arguments. */
function base64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8192))
  }
  return btoa(text)
}
