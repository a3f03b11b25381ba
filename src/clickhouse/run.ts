import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client-web'
import * as z from 'zod'
import { ApiError, eventsUnreadable } from '../errors.ts'
import { type Compiled, compile, type Result, type Statement } from '../query/sql.ts'
import { capped } from './capped.ts'
import type { Server } from './server.ts'

/** RE2 refused a regular expression; `text` is ClickHouse's, which holds the pattern and the reason. */
export class PatternError extends Error {
  constructor(readonly text: string) {
    super('RE2 refused a regular expression.')
    this.name = 'PatternError'
  }
}

/** What goes with every statement; `timeout` in seconds. */
export const settingsFor = (timeout: number): ClickHouseSettings => ({
  // ClickHouse then refuses to write, whoever asks. 1 would refuse the settings below too; a user who is held to 2
  // by its profile may say 2 again.
  readonly: '2',
  max_execution_time: timeout,
  // The status line then tells whether the answer is whole.
  wait_end_of_query: 1,
  // A server otherwise finishes statements that nobody waits for any more. It heeds this under `readonly` only.
  cancel_http_readonly_queries_on_client_close: 1,
  // Counts are far below 2^53.
  output_format_json_quote_64bit_integers: 0,
  // The tables have none: looking for one is a tenth of what a short statement takes.
  optimize_use_projections: 0,
})

const clientsByServer = new Map<string, ClickHouseClient>()

/** One client for each server for the life of the isolate. */
function clientOf(server: Server): ClickHouseClient {
  const name = JSON.stringify(server)
  const known = clientsByServer.get(name)
  if (known) return known
  const client = newClient(server)
  clientsByServer.set(name, client)
  return client
}

const sendCapped: typeof fetch = async (...request) => capped(await fetch(...request))

/** A client of its own; `send` in place of a `fetch` whose answers have an end. */
export function newClient({ timeout, ...connection }: Server, send = sendCapped): ClickHouseClient {
  return createClient({
    ...connection,
    clickhouse_settings: settingsFor(timeout),
    // It ends with the headers of an answer; `beforeDeadline` is what counts.
    request_timeout: 2 * timeout * 1000,
    use_multipart_params_auto: true,
    // Failures are logged once, with the request's id, where the request is answered.
    log: { level: ClickHouseLogLevel.OFF },
    fetch: send,
  })
}

/** Runs a statement; its rows fit the statement's schema. Throws `PatternError` or an `ApiError`. */
export async function run<Row>(
  server: Server,
  { body, row, cheaper }: Statement<Row>,
  signal: AbortSignal,
): Promise<Result<Row>> {
  const early = cheaper?.result((await run(server, cheaper.statement, signal)) as Result<never>)
  if (early) return early
  const answer = await runQuery(server, refuseUnlessSelect(compile(body)), signal)
  return { rows: z.array(row).parse(answer.data), total: answer.rows_before_limit_at_least ?? answer.rows }
}

/** Stops a slip of ours before it is sent. What keeps ClickHouse from writing is `readonly`, and the rights of the user. */
export function refuseUnlessSelect(compiled: Compiled): Compiled {
  if (/^select\b/i.test(compiled.query)) return compiled
  const cause = new Error(`Only a select may be sent, and this is none: ${compiled.query.slice(0, 40)}`)
  throw new ApiError('server-error', 'Something went wrong on our side.', { cause })
}

const JsonAnswer = z.object({
  data: z.array(z.unknown()),
  rows: z.number(),
  rows_before_limit_at_least: z.number().optional(),
})

async function runQuery(server: Server, compiled: Compiled, signal: AbortSignal): Promise<z.infer<typeof JsonAnswer>> {
  try {
    return await beforeDeadline(server.timeout + 1, signal, async (abort_signal) => {
      const result = await clientOf(server).query({ ...compiled, format: 'JSON', abort_signal })
      return JsonAnswer.parse(await result.json())
    })
  } catch (error) {
    throw translateError(error)
  }
}

/** Gives up after `seconds`, wherever the work is: the client's own limit ends with the headers of the answer. */
async function beforeDeadline<Value>(
  seconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), seconds * 1000)
  try {
    // A signal of its own for each statement: the client takes its one `onabort` for itself.
    return await work(AbortSignal.any([signal, late.signal]))
  } finally {
    clearTimeout(timer)
  }
}

/** ClickHouse's codes for statements that are wrong in themselves: our own bugs, whatever the server's state. */
const ourBugs = new Set(['6', '36', '42', '43', '46', '47', '53', '62', '70', '184', '215', '386', '456', '457'])

/** ClickHouse's code for a pattern that RE2 does not compile. */
const cannotCompilePattern = '427'

export function translateError(error: unknown): Error {
  const code = codeOf(error)
  if (code === cannotCompilePattern) return new PatternError(String(error))
  if (ourBugs.has(code)) return new ApiError('server-error', 'Something went wrong on our side.', { cause: error })
  return eventsUnreadable(error)
}

/** ClickHouse's code of a failure, empty where it has none. The client knows it only in texts that end as usual. */
export function codeOf(error: unknown): string {
  if (error instanceof ClickHouseError) return error.code
  return (error instanceof Error && /^Code: (\d+)\./.exec(error.message)?.[1]) || ''
}
