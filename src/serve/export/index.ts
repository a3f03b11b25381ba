import { personalAccountOf } from '../../access/limits.ts'
import { forbidden, type Grant } from '../../access/permit.ts'
import { codeOf, tooLargeResult } from '../../clickhouse/failures.ts'
import type { ReplicaRoute } from '../../clickhouse/replicas.ts'
import { exportPatience, exportTimeout, statementLimits } from '../../clickhouse/server.ts'
import { type StreamFormat, stream } from '../../clickhouse/stream.ts'
import type { AnyReport } from '../../endpoints/endpoint.ts'
import { ApiError, invalid } from '../../errors.ts'
import { compile, type Fragment } from '../../query/language/sql.ts'
import type { PageRequest, Slice } from '../../request/page.ts'
import type { Period } from '../../request/period.ts'
import { tellLogsAsked } from '../asked.ts'
import { asOfAll, asOfText, newAnswerers, replicasFor, routeOf } from '../clickhouse-route.ts'
import type { Exchange } from '../exchange.ts'
import type { Caller } from '../identify.ts'
import type { Input } from '../input.ts'
import { log } from '../log.ts'
import { refusalOfPattern } from '../pattern-bounds.ts'
import type { Question } from '../question.ts'
import { during, namesOf } from '../record.ts'
import { rangeText, unbuffered } from '../respond.ts'
import { slots } from '../slots.ts'
import { preferredFormat } from './accept.ts'
import { type Format, ndjsonFormat } from './formats.ts'

/** The parts of a list report's input that matter here. */
interface ListInput extends Input {
  readonly page?: PageRequest
  readonly slice?: Slice
}

/**
 * The list format that `Accept` selects; undefined for JSON. Throws a 406 if JSON is refused and no other format is
 * available.
 */
export function exportFormat(report: AnyReport, { request, setHeader }: Exchange): Format | undefined {
  if (report.export) setHeader('Vary', 'Accept', { append: true })
  const wanted = preferredFormat(request.headers.get('accept') ?? '')
  if (!wanted) return undefined
  if (report.export) return wanted.format
  if (wanted.isJsonRefused) throw new ApiError('not-acceptable', 'Only application/json is available here.')
  return undefined
}

/** The local ClickHouse runs at most eight statements at the same time. */
const takeSlot = slots({ ofAccount: 4, ofOpenings: 6, kind: 'exports' })

/** The input and statement of an export. Throws a 400 or 403 if the export is not allowed. */
export function exportOf(
  question: Question,
  format: Format,
  { url, now }: Exchange,
): { readonly input: ListInput; readonly statement: Fragment } {
  refusePages(url.searchParams)
  if (question.grant.opening?.allowExport === false) throw forbidden(exportsClosed)
  const input = exportInput(question.input, url.searchParams, now)
  return { input, statement: statementOf(question, input, format) }
}

const exportsClosed =
  'This share or public website does not allow exports. Request application/json, or have ' +
  'allowExport set to true in its parameters.'

function refusePages(names: URLSearchParams): void {
  const pages = ['page', 'pageSize'].filter((name) => names.has(name))
  const message =
    'Leave this out: an export has every row. Use maxResults to end it earlier, and cursor to continue after a row.'
  if (pages.length > 0) throw invalid(pages.map((path) => ({ path, message })))
}

/** A number that no list's row count reaches. */
const unlimitedRows = 1_000_000_000_000_000

function exportInput({ page, slice, ...input }: ListInput, names: URLSearchParams, now: number): ListInput {
  return {
    ...input,
    ...('now' in input && { now }),
    ...(page && { page: { ...page, pageSize: unlimitedRows } }),
    ...(slice && { slice: { ...slice, limit: names.has('limit') ? slice.limit : unlimitedRows } }),
  }
}

function statementOf({ report, scope }: Question, input: ListInput, { text, nested }: Format): Fragment {
  const plan = report.plan(input as never, scope) as never
  return report.export!({ text, nested, input: input as never, plan })
}

/** Streams every row of a list in another format. Never uses the cache. */
export async function answerExport(
  question: Question,
  format: Format,
  charge: () => Promise<void>,
  { holder }: Caller,
  exchange: Exchange,
): Promise<Response> {
  const { request, env } = exchange
  const { input, statement } = exportOf(question, format, exchange)
  await charge()
  const name = fileName(question.report, input.period)
  const headers = {
    ...(exchange.namedPeriod && { 'X-Range': rangeText(exchange.namedPeriod) }),
    ...unbuffered,
    'Content-Type': format.contentType,
    'Content-Disposition': `attachment; filename="${name}.${format.extension}"`,
    ...(format.maxRows && { 'X-Max-Rows': String(format.maxRows) }),
  }
  // A HEAD request needs no rows.
  if (request.method === 'HEAD') return exchange.respond(null, 200, headers)
  await tellLogsAsked(question.website.id, compile(statement).tables, input.period?.endAt ?? Infinity, exchange)
  const limits = {
    timeout: exportTimeout(env),
    need: question.need,
    isOpening: question.grant.kind === 'opening',
    ...statementLimits(env, question.report),
  }
  const { all, exportPace } = replicasFor(question.grant, exchange)
  const answerers = newAnswerers()
  const route = routeOf(exchange, { all, pace: exportPace }, limits, answerers)
  const lastWords = format.lastLine(JSON.stringify(brokenOff.body(exchange.requestId)))
  try {
    const rows = await opened(route, statement, format.streaming, lastWords, holder, exchange)
    const asOf = asOfText(asOfAll(answerers))
    const told = {
      'X-Replica': namesOf(answerers.names),
      'X-Tries': String(answerers.tries),
      ...(asOf !== undefined && { 'X-As-Of': asOf }),
    }
    return exchange.respond(rows, 200, { ...headers, ...told })
  } catch (error) {
    throw exportError(question, error, format)
  }
}

/** Starts to stream rows. This takes one of the caller's slots, which is freed once all rows have been read. */
function opened(
  route: ReplicaRoute,
  statement: Fragment,
  streaming: StreamFormat,
  lastWords: string,
  holder: Caller['holder'],
  exchange: Exchange,
) {
  const { env, address, now, elapsed } = exchange
  const breaking = {
    patience: exportPatience(env),
    ended: takeSlot(personalAccountOf(holder, address), route.limits.isOpening === true, () => now + elapsed()),
    failed(error: unknown) {
      log(exchange, { export: String(error) })
    },
    lastWords,
  }
  return during(exchange, 'clickhouse', stream(route, statement, streaming, breaking))
}

/** Streams the rows of statements, one statement after another, as lines of JSON. */
export async function rowsInTurn(
  [first, ...others]: readonly Fragment[],
  { holder }: Pick<Caller, 'holder'>,
  grant: Grant,
  exchange: Exchange,
): Promise<AsyncGenerator<Uint8Array>> {
  const { env, requestId } = exchange
  const { all, exportPace } = replicasFor(grant, exchange)
  const limits = { timeout: exportTimeout(env), ...statementLimits(env, {}) }
  const route = routeOf(exchange, { all, pace: exportPace }, limits)
  const open = (statement: Fragment) => opened(route, statement, ndjsonFormat.streaming, '', holder, exchange)
  const begun = first && (await open(first))
  async function* rows(): AsyncGenerator<Uint8Array> {
    try {
      if (begun) yield* piecesOf(begun)
      for (const statement of others) yield* piecesOf(await open(statement))
    } catch (error) {
      yield new TextEncoder().encode(ndjsonFormat.lastLine(JSON.stringify(brokenOff.body(requestId))))
      throw error
    }
  }
  return rows()
}

async function* piecesOf(rows: Awaited<ReturnType<typeof stream>>): AsyncGenerator<Uint8Array> {
  if (rows instanceof Uint8Array) yield rows
  else yield* rows
}

const brokenOff = new ApiError('service-unavailable', 'The export broke off here. Continue after the last row.')

function exportError({ input, grant }: Question, error: unknown, { type, maxRows }: Format): unknown {
  const isTooLong = codeOf((error as Error).cause) === tooLargeResult
  if (!(isTooLong && maxRows)) {
    return refusalOfPattern(error, input.filters, grant.kind === 'opening')
  }
  const rows = maxRows.toLocaleString('en')
  const message = `A file of ${type} has at most ${rows} rows, and this list is longer: narrow the range, give maxResults or limit, or ask for application/x-ndjson or text/csv.`
  return invalid([{ path: 'Accept', message }])
}

/**
 * For example `event-data-fields_2025-10-01_2025-10-31`: the list, followed by the first and last day of the range in
 * UTC.
 */
function fileName({ path }: AnyReport, period: Period | undefined): string {
  const list = path.replace('/api/websites/:websiteId/', '').replaceAll('/', '-')
  const days = period
    ? [period.startAt, period.endAt].map((moment) => new Date(moment).toISOString().split('T')[0])
    : []
  return [list, ...days].join('_')
}
