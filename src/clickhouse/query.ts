import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client-web'
import * as z from 'zod'
import { ApiError, tooMuchToAnswer } from '../errors.ts'
import { made, madeFor, type ValueOf } from '../made.ts'
import type { Compiled } from '../query/language/sql.ts'
import type { Connection, StatementLimits, Target } from './server.ts'

/**
 * The maximum size of an answer that the Worker holds in memory as a whole, in bytes. It is held up to five times: as
 * bytes, as text, as values, and as the text and the bytes of our own answer. The Worker has 128 MB of memory.
 */
export const maxAnswerBytes = 16 * 1024 * 1024

/**
 * Limits the answer to `maxAnswerBytes`. If it is larger, reading fails and the connection is closed. A larger result
 * is the statement's fault; any other answer of that size is the server's.
 */
export function capped(answer: Response): Response {
  const length = answer.headers.get('content-length')
  if (!answer.body || (length !== null && Number(length) <= maxAnswerBytes)) return answer
  let left = maxAnswerBytes
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength
      if (left >= 0) controller.enqueue(chunk)
      else controller.error(answer.ok ? tooMuchToAnswer(tooLong()) : tooLong())
    },
  })
  return new Response(answer.body.pipeThrough(counting), answer)
}

const tooLong = () => new Error(`The answer from ClickHouse is longer than ${maxAnswerBytes} bytes.`)

/** The settings for every statement. `timeout` is in seconds, `mostMemory` in bytes. */
export const settingsFor = ({
  timeout,
  mostMemory,
  mostRows,
  isOpening,
  mayRunOn,
}: StatementLimits): ClickHouseSettings => ({
  // Forbids writes, whatever the user's privileges. The value 1 would also forbid the settings below. ClickHouse
  // accepts 2 from a user whose profile already sets it to 2.
  readonly: '2',
  max_execution_time: timeout,
  // The status line then covers the whole answer: no error can follow a 200.
  wait_end_of_query: 1,
  // Cancels a statement when the Worker disconnects. ClickHouse does this only under `readonly`.
  cancel_http_readonly_queries_on_client_close: 1,
  // Replicas of a shard may lag behind each other. All reads of a statement should see the same rows.
  load_balancing: 'in_order',
  // Counts are far below 2^53, so they are exact as JSON numbers.
  output_format_json_quote_64bit_integers: 0,
  // Only look-ups by distinct id use a projection. Searching for a projection takes a tenth of a short statement's
  // time.
  optimize_use_projections: 0,
  // Compiling expressions to machine code takes 25 to 80 ms when ClickHouse sees the same form for the third time, and
  // does not make statements faster.
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  ...(mostMemory !== undefined && { max_memory_usage: String(mostMemory) }),
  // Beyond half of the memory limit, grouping continues on disk, which takes longer but does not fail.
  max_bytes_before_external_group_by: String(Math.ceil((mostMemory ?? memoryOfProfile) / 2)),
  max_temporary_data_on_disk_size_for_query: String(mostOnDisk),
  ...(mostRows !== undefined && { max_rows_to_read: String(mostRows) }),
  ...(isOpening && ofOpenings),
  ...(mayRunOn && ofPatterns),
})

/** The memory limit of the users in `sql/access`, in bytes. */
const memoryOfProfile = 4 * 2 ** 30

/** The maximum size of a statement's temporary files, in bytes. */
const mostOnDisk = 16 * 2 ** 30

/** ClickHouse checks a statement's time limit between blocks, so small blocks stop a slow pattern in time. */
const ofOpenings: ClickHouseSettings = { max_threads: 1, max_block_size: '8192' }

/** The size of a granule, the smallest block that ClickHouse reads. */
const ofPatterns: ClickHouseSettings = { max_block_size: '1024' }

/**
 * The settings for statements whose result the Worker holds as a whole. The JSON is larger than the result size that
 * ClickHouse limits. Anyone can use a share, so its results are smaller.
 */
const wholeResult = ({ isOpening }: StatementLimits): ClickHouseSettings => ({
  max_result_bytes: String(isOpening ? maxAnswerBytes / 2 : maxAnswerBytes),
})

const clientsByServer = new Map<string, ClickHouseClient>()

/** One client per server, which lives as long as the isolate. Each request awaits its own import; see `until`. */
async function clientOf(connection: Connection): Promise<ClickHouseClient> {
  const key = JSON.stringify(connection)
  const known = clientsByServer.get(key)
  if (known) return known
  const client = await newClient(connection)
  return madeFor(key, clientsByServer, () => client)
}

const sendCapped: typeof fetch = async (...request) => capped(await fetch(...request))

/**
 * Longer than any statement takes, in milliseconds. The client's timeout no longer applies once the headers have
 * arrived, so `ask` sets the limit.
 */
const longerThanAny = 7_200_000

/**
 * Creates a client. `send` replaces the `fetch` that limits the size of answers. The library is loaded with the first
 * client, so that an isolate starts without it.
 */
export async function newClient(connection: Connection, send = sendCapped): Promise<ClickHouseClient> {
  const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client-web')
  return createClient({
    ...connection,
    request_timeout: longerThanAny,
    use_multipart_params_auto: true,
    // The request's handler logs each failure once, with the request's id.
    log: { level: ClickHouseLogLevel.OFF },
    fetch: send,
  })
}

/**
 * Accepts only `SELECT` or `EXPLAIN ESTIMATE SELECT`, as a guard against our own mistakes. `readonly` and the user's
 * privileges are what prevents writes.
 */
export function refuseUnlessSelect(compiled: Compiled): Compiled {
  if (/^(?:explain estimate )?select\b/i.test(compiled.query)) return compiled
  const cause = new Error(`Only a select may be sent, and this is not one: ${compiled.query.slice(0, 40)}`)
  throw new ApiError('server-error', 'Something went wrong on our side.', { cause })
}

/** The number of rows and bytes that ClickHouse read for an answer. */
const ReadFigures = () => z.object({ rows_read: z.number(), bytes_read: z.number() })

const JsonAnswer = () =>
  z.object({
    data: z.array(z.unknown()),
    rows: z.number(),
    rows_before_limit_at_least: z.number().optional(),
    statistics: ReadFigures().optional().catch(undefined),
  })

/** If a statement fails, ClickHouse ends the JSON with the error in this field, even after a status of 200. */
const FailedAnswer = () => z.object({ exception: z.string() })

/** The names that identify a statement in ClickHouse's logs. `query_id` must be unique. */
export interface TryNames {
  readonly query_id?: string
  readonly log_comment?: string
}

interface SentStatement extends Compiled {
  readonly query_id?: string
  readonly abort_signal: AbortSignal
  readonly clickhouse_settings: ClickHouseSettings
}

/** A statement in the form that the client sends, with the general settings and those for its format. */
export const sentStatement = (
  { limits }: Target,
  compiled: Compiled,
  abort_signal: AbortSignal,
  { query_id, log_comment }: TryNames,
  ofFormat: ClickHouseSettings,
): SentStatement => ({
  ...compiled,
  ...(query_id && { query_id }),
  abort_signal,
  clickhouse_settings: { ...settingsFor(limits), ...ofFormat, ...(log_comment && { log_comment }) },
})

/**
 * Sends a statement to one server. Throws on any failure, and also if the answer is incomplete or does not come from
 * ClickHouse.
 */
export async function sendQuery(
  target: Target,
  compiled: Compiled,
  signal: AbortSignal,
  names: TryNames = {},
): Promise<ValueOf<typeof JsonAnswer>> {
  const client = await clientOf(target.connection)
  const result = await client.query({
    ...sentStatement(target, compiled, signal, names, wholeResult(target.limits)),
    format: 'JSON',
  })
  const json: unknown = await result.json()
  const failed = made(FailedAnswer).safeParse(json).data
  if (failed) throw new Error(failed.exception)
  const answer = made(JsonAnswer).parse(json)
  if (answer.rows !== answer.data.length) throw new Error('The answer from ClickHouse lacks rows.')
  return answer
}

/**
 * Gives up after this many milliseconds, at any stage. The client's timeout only covers the time until the headers
 * arrive.
 */
export async function within<Value>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), milliseconds)
  try {
    return await work(late.signal)
  } finally {
    clearTimeout(timer)
  }
}
