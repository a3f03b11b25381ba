import type { ClickHouseSettings } from '@clickhouse/client-web'
import { made } from '../made.ts'
import { type Compiled, compile, type Fragment } from '../query/language/sql.ts'
import { grace, millisecondsLeft } from './ask.ts'
import { askNamed } from './ask-named.ts'
import { translateError } from './failures.ts'
import { capped, newClient, refuseUnlessSelect, sentStatement, type TryNames } from './query.ts'
import type { ReplicaRoute } from './replicas.ts'
import type { Target } from './server.ts'

/** The format in which a statement's rows are streamed. */
export interface StreamFormat {
  readonly format: 'JSONEachRow' | 'CSVWithNames' | 'Parquet'
  /** Whether ClickHouse completes the whole result before it sends the first byte. */
  readonly isBuffered: boolean
  /** The statement fails if its result has more rows than this. */
  readonly maxRows: number
  readonly rowEnd: RegExp
  /** Bytes to send before ClickHouse's own. */
  readonly start?: Bytes
}

/** What to do if a stream breaks: `failed` receives the error, and `lastWords` are sent after the last complete row. */
interface StreamHandlers {
  readonly failed: (error: unknown) => void
  readonly lastWords: string
  /** If nothing is read for this many seconds, the statement is cancelled; after twice as many, the answer ends. */
  readonly patience: number
  /** Called when reading from ClickHouse has ended, for whatever reason. */
  readonly ended: () => void
}

/** The settings for a stream. They extend or override the general settings. */
export const streamSettings = ({ isBuffered, maxRows }: StreamFormat): ClickHouseSettings => ({
  wait_end_of_query: isBuffered ? 1 : 0,
  max_result_rows: String(maxRows),
  // ClickHouse writes whole blocks, and rows may be long, so smaller blocks limit the memory needed.
  max_block_size: '8192',
  // A late error then cuts off the answer, in every format.
  http_write_exception_in_output_format: 0,
  output_format_json_validate_utf8: 1,
  output_format_json_escape_forward_slashes: 0,
  // Spreadsheet programs would show `\N`, which ClickHouse writes for null. Texts are quoted, so an empty text remains
  // distinguishable.
  format_csv_null_representation: '',
})

/**
 * Runs a statement and streams the bytes of its result. Until the first bytes arrive, a failure leads to a try on the
 * next replica, or is thrown, as in `run`. A later error cuts off the stream. A short result is returned as a whole, as
 * bytes.
 */
export async function stream(
  route: ReplicaRoute,
  body: Fragment,
  streaming: StreamFormat,
  breaking: StreamHandlers,
): Promise<Bytes | ReadableStream<Bytes>> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), millisecondsLeft(route) + grace)
  const done = () => {
    clearTimeout(timer)
    over.abort()
    breaking.ended()
  }
  try {
    const compiled = refuseUnlessSelect(compile(body))
    const { first, read } = await askNamed(
      route,
      (target, signal, names) => openStream(target, compiled, streaming, signal, names),
      over.signal,
    )
    if (first.length < heldBackBytes) {
      done()
      return first
    }
    const { readable, writable } = new IdentityTransformStream()
    const pipe = {
      first,
      read,
      writer: writable.getWriter(),
      rowEnd: streaming.rowEnd,
      stop: (reason: Error) => over.abort(reason),
    }
    void passOn(pipe, breaking).finally(done)
    return readable
  } catch (error) {
    done()
    throw translateError(error)
  }
}

type Bytes = Uint8Array<ArrayBuffer>

/** The platform's own pipe. A write waits until its bytes have been read. */
declare const IdentityTransformStream: new () => TransformStream<Bytes, Bytes>

/**
 * Returns the first bytes of ClickHouse's answer and a function that reads the rest. Throws if the bytes report a
 * failure or are not rows.
 */
async function openStream(
  target: Target,
  compiled: Compiled,
  streaming: StreamFormat,
  signal: AbortSignal,
  names: TryNames,
): Promise<{ first: Bytes; read: ReadChunk }> {
  let answer: Response | undefined
  const send: typeof fetch = async (...request) => {
    answer = await fetch(...request)
    return answer.ok ? answer : capped(answer)
  }
  const client = await newClient(target.connection, send)
  const statement = sentStatement(target, compiled, signal, names, streamSettings(streaming))
  await client.query({ ...statement, format: streaming.format })
  const { headers, body } = answer!
  if (/^text\/html/i.test(headers.get('content-type') ?? '')) {
    await body?.cancel()
    throw new Error('The answer is an HTML page.')
  }
  const read = readerOf(answer!, signal)
  const first = await read(new Uint8Array(maxReadBytes))
  // A result without rows may be empty. A header then shows that ClickHouse sent it.
  if (first.length === 0 && !headers.has('x-clickhouse-query-id')) throw new Error('The answer is empty.')
  if (first.length < heldBackBytes) refuseUnlessWhole(first)
  return { first: streaming.start ? concatenated(streaming.start, first) : first, read }
}

/**
 * This many of the last bytes read are held back until more arrive. ClickHouse writes an error that occurs late (up to
 * 16 KiB) after the rows, and callers must not see it. Only the last read may be shorter than this.
 */
const heldBackBytes = 65_536

/** The maximum size of a single read, in bytes. */
const maxReadBytes = 262_144

type ReadChunk = (into: Bytes) => Promise<Bytes>

/** A method specific to workerd, which waits for this many bytes or for the end. */
interface ByteReader {
  readAtLeast(bytes: number, into: Bytes): Promise<{ value?: Bytes; done: boolean }>
  cancel(reason: unknown): Promise<void>
}

function readerOf({ body }: Response, signal: AbortSignal): ReadChunk {
  const reader = body!.getReader({ mode: 'byob' }) as unknown as ByteReader
  // The runtime ignores the signal between reads.
  signal.addEventListener('abort', () => void reader.cancel(signal.reason).catch(() => {}))
  return async (into) => {
    const { value } = await reader.readAtLeast(heldBackBytes, into)
    signal.throwIfAborted()
    return value ?? new Uint8Array(0)
  }
}

interface Pipe {
  /** Cancels the statement, so that nothing more is read. */
  readonly stop: (reason: Error) => void
  readonly first: Bytes
  readonly read: ReadChunk
  readonly writer: WritableStreamDefaultWriter<Bytes>
  readonly rowEnd: RegExp
}

/**
 * Writes each chunk while the next one is read. It waits for each write, so at most two chunks are in memory. If the
 * reader reads nothing for `patience` seconds, the statement is cancelled. If the reader resumes within another
 * `patience` seconds, it receives the last words.
 */
async function passOn(
  { stop, first, read, writer, rowEnd }: Pipe,
  { failed, lastWords, patience }: StreamHandlers,
): Promise<void> {
  const write = async (bytes: Bytes): Promise<void> => {
    const idle = new Error(`The reader has read nothing for ${patience} s.`)
    const timers = [
      setTimeout(() => stop(idle), patience * 1000),
      setTimeout(() => void writer.abort(idle).catch(() => {}), 2 * patience * 1000),
    ]
    await writer.write(bytes).finally(() => timers.forEach(clearTimeout))
  }
  let held = first
  let next: Bytes = new Uint8Array(0)
  let spare = new Uint8Array(maxReadBytes)
  try {
    while (true) {
      next = await read(spare)
      if (next.length < heldBackBytes) break
      await write(held)
      spare = new Uint8Array(held.buffer)
      held = next
    }
    const end = concatenated(held, next)
    refuseUnlessWhole(end)
    await write(end)
    await writer.close()
  } catch (error) {
    failed(error)
    const rows = wholeRows(next.length < heldBackBytes ? concatenated(held, next) : held, rowEnd)
    // workerd ends a failed stream like a complete one (its issue 6818), so only the last words tell the reader about
    // the failure.
    await write(concatenated(rows, new TextEncoder().encode(lastWords)))
      .then(() => writer.abort(new Error('The export was cut off.')))
      .catch(() => {})
  }
}

/** The start of an error in ClickHouse's output, since version 25.11 and in earlier versions. */
const errorStart = /\r\n__exception__|Code: \d+\. DB::Exception/

const errorCode = /Code: (\d+)\. DB::Exception/

/** The maximum length of an error at the end of a result, in bytes. */
const maxErrorLength = 32_768

/** Created on first use, because creating it takes milliseconds. */
const latin1 = () => new TextDecoder('latin1')

/**
 * The bytes up to the last complete row. If there is no complete row, a line feed, which ends a row that was begun
 * earlier.
 */
function wholeRows(bytes: Bytes, rowEnd: RegExp): Bytes {
  const [rows = ''] = made(latin1).decode(bytes).split(errorStart)
  const last = [...rows.matchAll(rowEnd)].at(-1)
  return last ? bytes.subarray(0, last.index + last[0].length) : new Uint8Array([0x0a])
}

const endLength = 4

/**
 * Throws unless the bytes end a complete result. A row ends with a brace, a digit, a cursor or a quotation mark,
 * followed by a line feed. A Parquet file ends with its own marker. An error ends with a bracket or, since ClickHouse
 * 25.11, with a carriage return before the line feed. A truncated result may end anywhere.
 */
function refuseUnlessWhole(bytes: Bytes): void {
  const end = made(latin1).decode(bytes.subarray(-endLength))
  if (/^$|[\w"}]\n$|PAR1$/.test(end)) return
  const text = made(latin1).decode(bytes)
  const told = text.split(errorStart)[1]
  const [, code] = told === undefined ? [] : (errorCode.exec(text.slice(-maxErrorLength)) ?? [])
  const error = new Error(
    `The result from ClickHouse was cut off${told === undefined ? '.' : `: ${told.slice(0, maxToldLength)}`}`,
  )
  throw Object.assign(error, { code })
}

/** The maximum length of ClickHouse's message that is logged, in UTF-16 code units. */
const maxToldLength = 2000

function concatenated(left: Bytes, right: Bytes): Bytes {
  const both = new Uint8Array(left.length + right.length)
  both.set(left)
  both.set(right, left.length)
  return both
}
