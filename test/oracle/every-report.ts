import { strToU8, zipSync } from 'fflate'
import { answer } from './answer.ts'
import {
  type Analysis,
  type Answer,
  type IngestRow,
  type OracleRequest,
  REPORTS,
  type Report,
  SESSION_REPORTS,
  STATISTICS,
  type Statistic,
} from './model.ts'
import { analysis } from './reports.ts'
import { statistic } from './statistics.ts'

/** All reports that the oracle computes. */
export type KnownReport = Report | 'export'

export type KnownRequest = Omit<OracleRequest<Report>, 'endpoint'> & { endpoint: KnownReport }

/** The oracle's answer, from the part of it that knows the report. */
export function answerOf(rows: IngestRow[], request: KnownRequest): Answer {
  if (request.endpoint === 'export') return exported(rows, request)
  if (isAnalysis(request)) return analysis(rows, request)
  return isStatistic(request) ? statistic(rows, request) : answer(rows, request as OracleRequest)
}

const isStatistic = (request: KnownRequest): request is OracleRequest<Statistic> =>
  (STATISTICS as readonly string[]).includes(request.endpoint)

const isAnalysis = (request: KnownRequest): request is OracleRequest<Analysis> =>
  ([...SESSION_REPORTS, ...REPORTS] as string[]).includes(request.endpoint)

const FILES = {
  event: 'events.csv',
  path: 'pages.csv',
  referrer: 'referrers.csv',
  browser: 'browsers.csv',
  os: 'os.csv',
  device: 'devices.csv',
  country: 'countries.csv',
}

/** The export: seven metrics as CSV, in a ZIP whose entries have the date 1980-01-01. */
function exported(rows: IngestRow[], request: KnownRequest): Answer {
  const files = Object.entries(FILES).map(([type, name]): [string, { x: string; y: number }[]] => {
    const query: [string, string][] = [...request.query, ['type', type], ['limit', '10000']]
    const { body } = statistic(rows, { ...request, endpoint: 'metrics', query })
    return [name, body as { x: string; y: number }[]]
  })
  const isRaw = request.query.some(([name, value]) => name === 'escape' && value === 'none')
  const cell = (x: string) => (!isRaw && '=+-@\t\r\n\uff1d\uff0b\uff20\uff0d\u2212'.includes(x[0]!) ? `'${x}` : x)
  const field = (x: string) => (/[",\r\n]/.test(x) ? `"${x.replaceAll('"', '""')}"` : x)
  const csv = (found: { x: string; y: number }[]) =>
    ['x,y', ...found.map(({ x, y }) => `${field(cell(x))},${y}`)].join('\r\n')
  const zip = zipSync(Object.fromEntries(files.map(([name, found]) => [name, strToU8(csv(found))])), {
    mtime: new Date(1980, 0, 1),
  })
  const total = files.reduce((sum, [, found]) => sum + found.length, 0)
  return { body: { zip: Buffer.from(zip).toString('base64') }, headers: { 'x-total-count': String(total) } }
}
