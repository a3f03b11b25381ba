import type { ClickHouseSettings } from '@clickhouse/client-web'
import { compile, type Fragment } from '../query/sql.ts'
import { capped } from './capped.ts'
import { codeOf, newClient, refuseUnlessSelect, translateError } from './run.ts'
import type { Server } from './server.ts'

/** How a statement's rows come. */
export interface StreamFormat {
  readonly format: 'JSONEachRow' | 'CSVWithNames' | 'Parquet'
  /** Whether ClickHouse has all of it before it sends the first byte. */
  readonly isBuffered: boolean
  /** With more rows it fails. */
  readonly maxRows: number
  /** How rows end. */
  readonly rowEnd: RegExp
}

/** What becomes of a stream that breaks off: `failed` is told why, and `lastWords` stand after the last whole row. */
export interface StreamHandlers {
  readonly failed: (error: unknown) => void
  readonly lastWords: string
  /** Seconds after which a reader who takes nothing ends what ClickHouse does; after twice as many it is given up. */
  readonly patience: number
  /** Is called once nothing more is read from ClickHouse, however that came. */
  readonly ended: () => void
}

/** The result has more rows than its format may. */
export class TooManyRowsError extends Error {
  constructor() {
    super('The result has too many rows.')
    this.name = 'TooManyRowsError'
  }
}

/** What goes with a stream's statement beside, or in place of, what goes with every one. */
export const streamSettings = ({ isBuffered, maxRows }: StreamFormat): ClickHouseSettings => ({
  wait_end_of_query: isBuffered ? 1 : 0,
  max_result_rows: String(maxRows),
  // Smaller blocks: a row may be long, and each block is written whole.
  max_block_size: '8192',
  // An error that comes late then breaks the answer off, whatever its format.
  http_write_exception_in_output_format: 0,
  output_format_json_validate_utf8: 1,
  output_format_json_escape_forward_slashes: 0,
})

/** ClickHouse's code for a result of more rows than `max_result_rows`. */
const tooManyRows = '396'

/**
 * Runs a statement and hands on the bytes of its result. What fails before the first of them is thrown, as by `run`; what
 * fails later breaks the stream off. A result that is short comes as bytes, whole.
 */
export async function stream(
  server: Server,
  body: Fragment,
  streaming: StreamFormat,
  breaking: StreamHandlers,
): Promise<Bytes | ReadableStream<Bytes>> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), (server.timeout + 1) * 1000)
  const done = () => {
    clearTimeout(timer)
    over.abort()
    breaking.ended()
  }
  try {
    const answer = await openStream(server, body, streaming, over.signal)
    const read = readerOf(answer, over.signal)
    const first = await read(new Uint8Array(maxReadBytes))
    if (first.length < heldBackBytes) {
      refuseUnlessWhole(first)
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
    throw codeOf(error) === tooManyRows ? new TooManyRowsError() : translateError(error)
  }
}

type Bytes = Uint8Array<ArrayBuffer>

/** A pipe of the platform's own: what is written waits until it is read. */
declare const IdentityTransformStream: new () => TransformStream<Bytes, Bytes>

/** The answer of ClickHouse once its headers are there, and tell of no failure. */
async function openStream(
  server: Server,
  body: Fragment,
  streaming: StreamFormat,
  signal: AbortSignal,
): Promise<Response> {
  let answer: Response | undefined
  const send: typeof fetch = async (...request) => {
    answer = await fetch(...request)
    return answer.ok ? answer : capped(answer)
  }
  const settings = streamSettings(streaming)
  await newClient(server, send).query({
    ...refuseUnlessSelect(compile(body)),
    format: streaming.format,
    abort_signal: signal,
    clickhouse_settings: settings,
  })
  return answer!
}

/**
 * How many bytes are kept back until it is known what comes after them: an error that comes late is written after the rows,
 * in up to 16 KiB, and is not for the caller. Nothing shorter is read but the end.
 */
const heldBackBytes = 65_536

/** How many bytes are read at most at a time. */
const maxReadBytes = 262_144

type ReadChunk = (into: Bytes) => Promise<Bytes>

/** Of workerd: waits until there are so many bytes, or no more. */
interface ByteReader {
  readAtLeast(bytes: number, into: Bytes): Promise<{ value?: Bytes; done: boolean }>
  cancel(reason: unknown): Promise<void>
}

function readerOf({ body }: Response, signal: AbortSignal): ReadChunk {
  const reader = body!.getReader({ mode: 'byob' }) as unknown as ByteReader
  // Between two reads the runtime does not heed the signal.
  signal.addEventListener('abort', () => void reader.cancel(signal.reason).catch(() => {}))
  return async (into) => {
    const { value } = await reader.readAtLeast(heldBackBytes, into)
    signal.throwIfAborted()
    return value ?? new Uint8Array(0)
  }
}

interface Pipe {
  /** Ends what ClickHouse does for it: nothing more is read. */
  readonly stop: (reason: Error) => void
  readonly first: Bytes
  readonly read: ReadChunk
  readonly writer: WritableStreamDefaultWriter<Bytes>
  readonly rowEnd: RegExp
}

/**
 * Writes what is read, one piece behind. Each piece is waited for, so that no more than two are held. A reader who takes
 * nothing ends what ClickHouse does, and is told so in the last words if it goes on in as much time again.
 */
async function passOn(
  { stop, first, read, writer, rowEnd }: Pipe,
  { failed, lastWords, patience }: StreamHandlers,
): Promise<void> {
  const write = async (bytes: Bytes): Promise<void> => {
    const idle = new Error(`Its reader takes nothing for ${patience} s.`)
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
    // workerd ends an answer whose stream fails as if it were whole (its issue 6818): hence the last words.
    await write(concatenated(rows, new TextEncoder().encode(lastWords)))
      .then(() => writer.abort(new Error('The export broke off.')))
      .catch(() => {})
  }
}

/** How ClickHouse begins to tell of an error: since 25.11, and before. */
const errorStart = /\r\n__exception__|Code: \d+\. DB::Exception/

const latin1 = new TextDecoder('latin1')

/** Up to the last row that is surely whole; where there is none, a line feed ends the row that was begun before. */
function wholeRows(bytes: Bytes, rowEnd: RegExp): Bytes {
  const [rows = ''] = latin1.decode(bytes).split(errorStart)
  const last = [...rows.matchAll(rowEnd)].at(-1)
  return last ? bytes.subarray(0, last.index + last[0].length) : new Uint8Array([0x0a])
}

const endLength = 4

/**
 * Rows end in a brace, a digit, a cursor or a quotation mark, and then in a line feed; files of Parquet in their own mark. Errors
 * end in a bracket, or since ClickHouse 25.11 in a carriage return before the line feed, and what is cut ends anywhere.
 */
function refuseUnlessWhole(bytes: Bytes): void {
  const end = latin1.decode(bytes.subarray(-endLength))
  if (/^$|[\w"}]\n$|PAR1$/.test(end)) return
  const told = latin1.decode(bytes).split(errorStart)[1]
  throw new Error(`The result of ClickHouse broke off${told === undefined ? '.' : `: ${told.slice(0, maxToldLength)}`}`)
}

/** How much of ClickHouse's own words goes into the log. */
const maxToldLength = 2000

function concatenated(left: Bytes, right: Bytes): Bytes {
  const both = new Uint8Array(left.length + right.length)
  both.set(left)
  both.set(right, left.length)
  return both
}
