import type { Context, MiddlewareHandler } from 'hono'
import { personalAccountOf } from '../access/limits.ts'
import { forbidden } from '../access/permit.ts'
import { PatternError } from '../clickhouse/run.ts'
import { exportPatience, parseExportServer } from '../clickhouse/server.ts'
import { stream, TooManyRowsError } from '../clickhouse/stream.ts'
import type { AnyReport } from '../endpoints/endpoint.ts'
import { ApiError, invalid } from '../errors.ts'
import { log } from '../log.ts'
import type { Fragment } from '../query/sql.ts'
import type { ReportInput } from '../report.ts'
import type { Page, Slice } from '../request/page.ts'
import { patternRefused } from '../request/patterns.ts'
import type { Period } from '../request/period.ts'
import type { Stages } from '../serve.ts'
import { scopeOf } from '../settle.ts'
import { formatWanted } from './accept.ts'
import type { Format } from './formats.ts'
import { takePlace } from './places.ts'

type Request = Context<Stages>

/** What the reports that are lists read of a request. */
interface ListInput extends ReportInput {
  readonly page?: Page
  readonly slice?: Slice
}

/**
 * Answers a list in another format, where `Accept` wants one: every row of it, never from the cache. `charged` counts the
 * request, as that of every report.
 */
export const exported =
  (
    report: AnyReport,
    inputOf: (c: Request) => ListInput,
    charged: MiddlewareHandler<Stages>,
  ): MiddlewareHandler<Stages> =>
  async (c, next) => {
    if (report.export) c.header('Vary', 'Accept', { append: true })
    const wanted = formatWanted(c.req.header('accept') ?? '')
    if (!wanted) return next()
    if (!report.export) {
      if (wanted.isJsonRefused) throw new ApiError('not-acceptable', 'Only application/json is answered here.')
      return next()
    }
    const names = new URL(c.req.url).searchParams
    refusePages(names)
    if (c.var.door?.allowExport === false) throw forbidden(closed)
    const input = widened(inputOf(c), names)
    const statement = statementOf(c, report, input, wanted.format)
    await charged(c, async () => {})
    return answer(c, statement, wanted.format, fileName(report, input.period))
  }

const closed =
  'Exports are not open here: ask for application/json, or have allowExport set to true among the parameters of the share or of the public website.'

function refusePages(names: URLSearchParams): void {
  const pages = ['page', 'pageSize'].filter((name) => names.has(name))
  const message = 'Leave this out: an export has every row. maxResults ends it earlier, and cursor goes on after a row.'
  if (pages.length > 0) throw invalid(pages.map((path) => ({ path, message })))
}

/** More rows than any list has. */
const everything = 1_000_000_000_000_000

function widened({ page, slice, ...input }: ListInput, names: URLSearchParams): ListInput {
  return {
    ...input,
    ...(page && { page: { ...page, pageSize: everything } }),
    ...(slice && { slice: { ...slice, limit: names.has('limit') ? slice.limit : everything } }),
  }
}

function statementOf(c: Request, report: AnyReport, given: ListInput, { text, nested }: Format): Fragment {
  const { filters, door } = c.var
  const input = { ...given, filters } as never
  const plan = report.plan(input, scopeOf(c.get('website')!, door)) as never
  return report.export!({ text, nested, input, plan })
}

async function answer(c: Request, statement: Fragment, format: Format, name: string): Promise<Response> {
  const headers = {
    'Content-Type': format.contentType,
    'Content-Disposition': `attachment; filename="${name}.${format.extension}"`,
    ...(format.maxRows && { 'X-Max-Rows': String(format.maxRows) }),
  }
  // Nobody reads the rows of a HEAD.
  if (c.req.method === 'HEAD') return c.body(null, 200, headers)
  const requestId = c.get('requestId')
  const server = parseExportServer(c.env)
  const { holder, now, elapsed } = c.var
  const account = personalAccountOf(holder, c.req.header('cf-connecting-ip'))
  const ended = takePlace(account, () => now + elapsed())
  const breaking = {
    patience: exportPatience(c.env),
    ended,
    failed(error: unknown) {
      log(c, { path: c.req.path, export: String(error) })
    },
    lastWords: format.lastLine(JSON.stringify(brokenOff.body(requestId))),
  }
  try {
    return c.body(await stream(server, statement, format.streaming, breaking), 200, headers)
  } catch (error) {
    throw refusalOf(c, error, format)
  }
}

const brokenOff = new ApiError('service-unavailable', 'The export broke off here. Go on after the last row.')

function refusalOf(c: Request, error: unknown, { type, maxRows }: Format): unknown {
  if (error instanceof PatternError) return patternRefused(error.text, c.get('filters'), c.get('door'))
  if (!(error instanceof TooManyRowsError && maxRows)) return error
  const rows = maxRows.toLocaleString('en')
  const message = `A file of ${type} has at most ${rows} rows, and this list is longer: narrow the range, give maxResults or limit, or ask for application/x-ndjson or text/csv.`
  return invalid([{ path: 'Accept', message }])
}

/** `event-data-fields_2025-10-01_2025-10-31`: the list, and the first and the last day of the range in UTC. */
function fileName({ path }: AnyReport, period: Period | undefined): string {
  const list = path.replace('/api/websites/:websiteId/', '').replaceAll('/', '-')
  const days = period
    ? [period.startAt, period.endAt].map((moment) => new Date(moment).toISOString().split('T')[0])
    : []
  return [list, ...days].join('_')
}
