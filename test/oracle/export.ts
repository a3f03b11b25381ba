import { strToU8, zipSync } from 'fflate'
import type { Answer, IngestRow, OracleRequest, Report } from './model.ts'
import { statistic } from './statistics.ts'

const FILES = {
  ...{ event: 'events.csv', path: 'pages.csv', referrer: 'referrers.csv', browser: 'browsers.csv', os: 'os.csv' },
  ...{ device: 'devices.csv', country: 'countries.csv' },
}

/** The export, with seven metrics as CSV files in a ZIP. Its entries have the date 1980-01-01. */
export function exported(rows: IngestRow[], request: OracleRequest<Report>): Answer {
  const metrics = Object.entries(FILES).map(([type, name]) => {
    const query: [string, string][] = [...request.query, ['type', type], ['limit', '10000']]
    return { name, ...statistic(rows, { ...request, endpoint: 'metrics', query }) }
  })
  const files = metrics.map(({ name, body }): [string, { x: string; y: number }[]] => [
    name,
    body as { x: string; y: number }[],
  ])
  const isRaw = request.query.some(([name, value]) => name === 'escape' && value === 'none')
  const cell = (x: string) => (!isRaw && '=+-@\t\r\n\uff1d\uff0b\uff20\uff0d\u2212'.includes(x[0]!) ? `'${x}` : x)
  const field = (x: string) => (/[",\r\n]/.test(x) ? `"${x.replaceAll('"', '""')}"` : x)
  const csv = (found: { x: string; y: number }[]) =>
    ['x,y', ...found.map(({ x, y }) => `${field(cell(x))},${y}`)].join('\r\n')
  const zip = zipSync(Object.fromEntries(files.map(([name, found]) => [name, strToU8(csv(found))])), {
    mtime: new Date(1980, 0, 1),
  })
  const total = metrics.reduce((sum, { headers }) => sum + Number(headers['x-total-count']), 0)
  return { body: { zip: Buffer.from(zip).toString('base64') }, headers: { 'x-total-count': String(total) } }
}
