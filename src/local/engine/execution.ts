import type { Answer } from './answer.ts'
import type { Body } from './body.ts'
import { type Connection, type Figures, noFigures, query, type Result, scanned } from './connection.ts'
import { contentType, type Formats, hasNames, isStreamable, namesLength } from './formats.ts'
import { endIfFull } from './full-disk.ts'
import { mayHoldExpressions, refuseOutside } from './outside.ts'
import type { Request } from './request.ts'
import type { Sessions } from './sessions.ts'
import { readStatement, type Statement } from './statement.ts'
import { insertRows, queryBlocks } from './streams.ts'

/** How many bytes at the start of a body are searched for the statement, as in ClickHouse's `max_query_size`. */
const statementHead = 262_144

/** The maximum length in bytes of a body that is only a statement. The rows of an insert have no limit. */
const longestStatement = 67_108_864

/** How many bytes of a result are buffered before headers are sent, like the server's `http_response_buffer_size`. */
const answerBuffer = 1_048_576

interface Run {
  readonly connection: Connection
  readonly request: Request
  readonly answer: Answer
  readonly formats: Formats
  readonly directory: string
  /** Whether the statement may change anything. */
  readonly changes: boolean
  readonly started: bigint
}

/** Runs a request's statement and writes the response. Throws errors that should become the response. */
export async function execute(sessions: Sessions, request: Request, body: Body, answer: Answer, signal: AbortSignal) {
  const prefix = request.query === '' ? '' : `${request.query}\n`
  const statement = await statementOf(prefix, body)
  refuseOutside(statement.sql, request, sessions.outside)
  const readsExpressions = await hasExpressions(prefix, statement, body)
  const work = async (connection: Connection) => {
    const { formats, directory } = sessions
    const changes = statement.effect !== 'none'
    const run = { connection, request, answer, formats, directory, changes, started: process.hrtime.bigint() }
    if (statement.rowsAt !== undefined) return insert(run, statement, rows(prefix, statement.rowsAt, body))
    if (isLong(run, statement)) return streamed(run, statement)
    return whole(run, statement)
  }
  await sessions.run(signal, { request, effect: statement.effect, readsExpressions, work })
}

/** Reads the statement. An insert starts as soon as its statement is complete. Other statements need the whole body. */
async function statementOf(prefix: string, body: Body): Promise<Statement> {
  let head = await body.head(1)
  while (!head.isWhole && head.bytes.length < statementHead) {
    const statement = beginningInsert(prefix + head.bytes.toString('latin1'))
    if (statement !== undefined) return statement
    head = await body.head(head.bytes.length + 1)
  }
  return readStatement(prefix + (await body.whole(longestStatement)).toString('latin1'))
}

/**
 * Parses an insert whose rows begin within `text`; undefined otherwise. At least one byte of the rows must be present,
 * because otherwise the format's name could continue. `text` may be cut off anywhere, so a parse error does not mean
 * that the statement is wrong.
 */
function beginningInsert(text: string): Statement | undefined {
  try {
    const statement = readStatement(text)
    return statement.rowsAt !== undefined && statement.rowsAt < text.length ? statement : undefined
  } catch {
    return undefined
  }
}

/** Whether the rows may contain expressions. If the rows are long, the engine accepts only literals. */
async function hasExpressions(prefix: string, { format, rowsAt }: Statement, body: Body): Promise<boolean> {
  if (rowsAt === undefined || format !== 'Values') return false
  const { bytes, isWhole } = await body.head(statementHead)
  return isWhole && mayHoldExpressions((prefix + bytes.toString('latin1')).slice(rowsAt))
}

async function* rows(prefix: string, rowsAt: number, body: Body): AsyncGenerator<Buffer> {
  if (rowsAt < prefix.length) yield Buffer.from(prefix.slice(rowsAt), 'latin1')
  yield* body.from(Math.max(0, rowsAt - prefix.length))
}

async function insert(run: Run, statement: Statement, data: AsyncIterable<Buffer>): Promise<void> {
  const sql = Buffer.from(statement.sql, 'latin1')
  const result = await insertRows(run.connection, sql, statement.format!, data)
  endIfFull(run.directory)
  start(run, { ...result, resultRows: result.writtenRows, resultBytes: result.writtenBytes })
  run.answer.end()
}

function isLong({ request }: Run, statement: Statement): boolean {
  if (request.wholeFirst || !statement.isQuery || statement.hasEnvelope) return false
  return isStreamable(statement.format ?? request.format, request.settings)
}

async function whole(run: Run, statement: Statement): Promise<void> {
  const format = statement.format ?? run.request.format
  const result = await query(run.connection, Buffer.from(statement.sql, 'latin1'), run.request.format)
  if (run.changes) endIfFull(run.directory)
  start(run, result, statement.hasAnswer ? format : undefined)
  run.answer.end(result.bytes)
}

async function streamed(run: Run, statement: Statement): Promise<void> {
  const format = statement.format ?? run.request.format
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let figures = noFigures
  let hasStarted = false
  let namesBytes: number | undefined
  for await (const block of queryBlocks(run.connection, Buffer.from(statement.sql, 'latin1'), run.request.format)) {
    figures = add(figures, block)
    const bytes = namesBytes === undefined ? block.bytes : block.bytes.subarray(namesBytes)
    if (hasNames(format)) namesBytes ??= namesLength(block.bytes)
    waiting.push(bytes)
    waitingBytes += bytes.length
    if (waitingBytes < answerBuffer) continue
    if (!hasStarted) start(run, figures, format)
    hasStarted = true
    for (const bytes of waiting) await run.answer.write(bytes)
    waiting = []
    waitingBytes = 0
  }
  // Without blocks, a stream has no column names either.
  if (hasNames(format) && namesBytes === undefined) return whole(run, statement)
  if (!hasStarted) start(run, { ...figures, ...(await scanned(run.connection)) }, format)
  run.answer.end(Buffer.concat(waiting))
}

function start(run: Run, figures: Figures, format?: string): void {
  const type =
    format === undefined ? 'text/plain; charset=UTF-8' : contentType(run.formats, format, run.request.settings)
  run.answer.start({
    contentType: type,
    ...(format === undefined ? {} : { format }),
    figures,
    elapsed: process.hrtime.bigint() - run.started,
  })
}

function add(sum: Figures, block: Result): Figures {
  return {
    readRows: sum.readRows + block.readRows,
    readBytes: sum.readBytes + block.readBytes,
    writtenRows: 0,
    writtenBytes: 0,
    resultRows: sum.resultRows + block.resultRows,
    resultBytes: sum.resultBytes + block.resultBytes,
  }
}
