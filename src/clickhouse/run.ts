import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client-web'
import * as z from 'zod'
import { ApiError, eventsUnreadable, invalid, tooMuchToRead } from '../errors.ts'
import { made, type ValueOf } from '../made.ts'
import { type Compiled, compile, type Result, type Statement } from '../query/sql.ts'
import { unknownZone } from '../request/time-zone.ts'
import { capped } from './capped.ts'
import type { Server } from './server.ts'

/** RE2 refused a regular expression. `text` is ClickHouse's message with the pattern and the reason. */
export class PatternError extends Error {
  constructor(readonly text: string) {
    super('RE2 refused a regular expression.')
    this.name = 'PatternError'
  }
}

/** The settings of every statement. `timeout` is in seconds, `mostMemory` in bytes. */
export const settingsFor = (timeout: number, mostMemory?: number): ClickHouseSettings => ({
  // Forbids writes, whatever the user's rights. 1 would also forbid the settings below. A user whose profile says 2
  // may send 2 again.
  readonly: '2',
  max_execution_time: timeout,
  // The status line then covers the whole answer: no error can follow a 200.
  wait_end_of_query: 1,
  // Cancels a statement when the Worker disconnects. ClickHouse does this only under `readonly`.
  cancel_http_readonly_queries_on_client_close: 1,
  // Counts are far below 2^53.
  output_format_json_quote_64bit_integers: 0,
  // Only look-ups by distinct id use a projection. Looking for one takes a tenth of a short statement's time.
  optimize_use_projections: 0,
  ...(mostMemory !== undefined && { max_memory_usage: String(mostMemory) }),
})

const clientsByServer = new Map<string, Promise<ClickHouseClient>>()

/** One client per server, for the life of the isolate. */
function clientOf(server: Server): Promise<ClickHouseClient> {
  const name = JSON.stringify(server)
  const known = clientsByServer.get(name)
  if (known) return known
  const client = newClient(server)
  clientsByServer.set(name, client)
  return client
}

const sendCapped: typeof fetch = async (...request) => capped(await fetch(...request))

/**
 * Makes a client. `send` replaces the `fetch` that limits the size of answers. The library is loaded with the first
 * client: an isolate starts without it.
 */
export async function newClient(
  { timeout, mostMemory, ...connection }: Server,
  send = sendCapped,
): Promise<ClickHouseClient> {
  const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client-web')
  return createClient({
    ...connection,
    clickhouse_settings: settingsFor(timeout, mostMemory),
    // The client's timeout ends with the headers of an answer, so `beforeDeadline` sets the real limit.
    request_timeout: 2 * timeout * 1000,
    use_multipart_params_auto: true,
    // The request's handler logs a failure once, with the request's id.
    log: { level: ClickHouseLogLevel.OFF },
    fetch: send,
  })
}

/** Runs a statement and checks its rows by the statement's schema. Throws `PatternError` or an `ApiError`. */
export async function run<Row>(
  server: Server,
  { body, row, cheaper }: Statement<Row>,
  signal: AbortSignal,
): Promise<Result<Row>> {
  const early = cheaper?.result((await run(server, cheaper.statement, signal)) as Result<never>)
  if (early) return early
  const answer = await runQuery(server, refuseUnlessSelect(compile(body)), signal)
  return { rows: z.array(made(row)).parse(answer.data), total: answer.rows_before_limit_at_least ?? answer.rows }
}

/** Catches our own mistakes before they are sent. `readonly` and the rights of the user prevent writes. */
export function refuseUnlessSelect(compiled: Compiled): Compiled {
  if (/^select\b/i.test(compiled.query)) return compiled
  const cause = new Error(`Only a select may be sent, and this is none: ${compiled.query.slice(0, 40)}`)
  throw new ApiError('server-error', 'Something went wrong on our side.', { cause })
}

const JsonAnswer = () =>
  z.object({
    data: z.array(z.unknown()),
    rows: z.number(),
    rows_before_limit_at_least: z.number().optional(),
  })

async function runQuery(server: Server, compiled: Compiled, signal: AbortSignal): Promise<ValueOf<typeof JsonAnswer>> {
  try {
    return await beforeDeadline(server.timeout + 1, signal, async (abort_signal) => {
      const client = await clientOf(server)
      const result = await client.query({ ...compiled, format: 'JSON', abort_signal })
      return made(JsonAnswer).parse(await result.json())
    })
  } catch (error) {
    throw translateError(error)
  }
}

/** Gives up after `seconds`, at any stage. The client's own timeout ends with the headers of the answer. */
async function beforeDeadline<Value>(
  seconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), seconds * 1000)
  try {
    // Each statement needs a signal of its own: the client overwrites the signal's one `onabort`.
    return await work(AbortSignal.any([signal, late.signal]))
  } finally {
    clearTimeout(timer)
  }
}

/** ClickHouse's error codes for invalid statements: our bugs, whatever the state of the server. */
const ourBugs = new Set(['6', '36', '42', '43', '46', '47', '53', '62', '70', '184', '215', '386', '456', '457'])

/** ClickHouse's error code for a pattern that RE2 cannot compile. */
const cannotCompilePattern = '427'

/** ClickHouse's error codes for limits of rows, time, memory and bytes. */
const limitCodes = new Set(['158', '159', '241', '307', '396'])

/** Whether a statement failed because it exceeded such a limit. */
export const isPastLimit = (error: unknown): boolean => error instanceof Error && limitCodes.has(codeOf(error.cause))

/** Whether the statement itself needs too many rows or too much memory: it would not succeed later either. */
const isTooMuch = (code: string, error: unknown): boolean =>
  code === '158' || code === '307' || (code === '241' && !/\(total\)/.test(String(error)))

export function translateError(error: unknown): Error {
  const code = codeOf(error)
  // The runtime may know a zone that this version of ClickHouse does not.
  if (/Cannot load time zone/i.test(String(error))) return invalid([{ path: 'timezone', message: unknownZone }])
  if (code === cannotCompilePattern) return new PatternError(String(error))
  if (ourBugs.has(code)) return new ApiError('server-error', 'Something went wrong on our side.', { cause: error })
  return isTooMuch(code, error) ? tooMuchToRead(error) : eventsUnreadable(error)
}

/** ClickHouse's error code; empty if there is none. The client finds it only in messages with the usual ending. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^\d+$/.test(code) ? code : (/^Code: (\d+)\./.exec(error.message)?.[1] ?? '')
}
