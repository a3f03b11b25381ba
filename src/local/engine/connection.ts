import { createExternalBuffer, DataType, isNullPointer, restorePointer } from 'ffi-rs'
import { engineError, refusedConnection } from './errors.ts'
import { chdb, type Pointer, reading, textOf } from './library.ts'

/** A session of the engine. It runs one statement at a time; several connections run in parallel. */
export interface Connection {
  readonly handle: Pointer
  readonly session: Pointer
}

/** The content of `X-ClickHouse-Summary`. Bytes are uncompressed, times are in nanoseconds. */
export interface Figures {
  readRows: number
  readBytes: number
  writtenRows: number
  writtenBytes: number
  resultRows: number
  resultBytes: number
}

export interface Result extends Figures {
  readonly bytes: Buffer
}

export const noFigures: Figures = {
  readRows: 0,
  readBytes: 0,
  writtenRows: 0,
  writtenBytes: 0,
  resultRows: 0,
  resultBytes: 0,
}

/** Opens a session with settings of the form `--name=value`. Takes about half a millisecond once the engine runs. */
export async function connect(options: string[]): Promise<Connection> {
  const args = ['chdb', ...options]
  const handle = await chdb().chdb_connect([args.length, args])
  if (isNullPointer(handle)) throw new Error(refusedConnection)
  const session = restorePointer({ retType: [DataType.External], paramsValue: [handle] })[0]!
  return { handle, session }
}

/** Closes a session. No statement may be running on it. */
export async function close(connection: Connection): Promise<void> {
  await chdb().chdb_close_conn([connection.handle])
}

/** Runs statements to completion and returns the whole result. */
export async function query(connection: Connection, sql: Buffer | string, format = 'TabSeparated'): Promise<Result> {
  return take(await asked(connection, Buffer.from(sql), format))
}

/** Runs a statement without a result. */
export async function command(connection: Connection, sql: string): Promise<void> {
  const result = await asked(connection, Buffer.from(sql, 'latin1'), 'Null')
  try {
    refuseError(result)
  } finally {
    chdb().chdb_destroy_query_result([result])
  }
}

/** Runs statements to completion. The caller must free the result. */
function asked({ session }: Connection, text: Buffer, format: string): Promise<Pointer> {
  const name = Buffer.from(format)
  return reading(chdb().chdb_query_n([session, text, text.length, name, name.length]), text, name)
}

/**
 * How many rows and bytes the connection's last statement scanned. Runs a comment to read these counters, because a
 * comment leaves them unchanged.
 */
export async function scanned(connection: Connection): Promise<Pick<Figures, 'readRows' | 'readBytes'>> {
  const { readRows, readBytes } = await query(connection, '--')
  return { readRows, readBytes }
}

/** Copies a result out of the engine and frees it. Throws if the result is an error. */
export function take(result: Pointer): Result {
  try {
    refuseError(result)
    return { bytes: bytesOf(result), ...figuresOf(result) }
  } finally {
    chdb().chdb_destroy_query_result([result])
  }
}

function refuseError(result: Pointer): void {
  const message = textOf('chdb_result_error', result)
  if (message !== undefined) throw engineError(message)
}

function bytesOf(result: Pointer): Buffer {
  const length = chdb().chdb_result_length([result])
  if (length === 0) return Buffer.alloc(0)
  return Buffer.from(createExternalBuffer(chdb().chdb_result_buffer([result]), length))
}

function figuresOf(result: Pointer): Figures {
  const functions = chdb()
  return {
    readRows: functions.chdb_result_storage_rows_read([result]),
    readBytes: functions.chdb_result_storage_bytes_read([result]),
    writtenRows: functions.chdb_result_rows_written([result]),
    writtenBytes: functions.chdb_result_bytes_written([result]),
    resultRows: functions.chdb_result_rows_read([result]),
    resultBytes: functions.chdb_result_bytes_read([result]),
  }
}
