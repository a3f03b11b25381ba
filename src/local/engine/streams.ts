import { type Connection, type Result, take } from './connection.ts'
import { engineError } from './errors.ts'
import { chdb, type Pointer, reading, textOf } from './library.ts'

/**
 * Runs one query and yields its result block by block. Each block is formatted separately, so the output of formats
 * with a header, a footer or separators between rows would be wrong; use `query` for these. Ending the loop early
 * cancels the query.
 */
export async function* queryBlocks(connection: Connection, sql: Buffer, format: string): AsyncGenerator<Result> {
  const name = Buffer.from(format)
  const begun = chdb().chdb_stream_query_n([connection.session, sql, sql.length, name, name.length])
  const stream = await reading(begun, sql, name)
  let running = true
  try {
    throwErrorOf('chdb_result_error', stream)
    while (running) {
      running = false
      const block = take(await chdb().chdb_stream_fetch_result([connection.session, stream]))
      if (block.bytes.length === 0) return
      running = true
      yield block
    }
  } finally {
    if (running) await chdb().chdb_stream_cancel_query([connection.session, stream])
    chdb().chdb_destroy_query_result([stream])
  }
}

/**
 * Inserts the rows of `data` in `format`; its chunks may end anywhere. `insert` is the statement up to `FORMAT` or
 * `VALUES`. An error on either side cancels the statement. As on a server, complete blocks of
 * `min_insert_block_size_rows` (about a million) rows before the error may stay.
 */
export async function insertRows(
  connection: Connection,
  insert: Buffer,
  format: string,
  data: AsyncIterable<Buffer>,
): Promise<Result> {
  const name = Buffer.from(format)
  const begun = chdb().chdb_stream_insert_n([connection.session, insert, insert.length, name, name.length])
  const stream = await reading(begun, insert, name)
  try {
    throwErrorOf('chdb_stream_insert_error', stream)
    try {
      await append(stream, data)
    } catch (error) {
      await chdb().chdb_stream_cancel_insert([stream])
      throw error
    }
    return take(await chdb().chdb_stream_done([stream]))
  } finally {
    chdb().chdb_destroy_insert_stream([stream])
  }
}

/** Appends data. It stops early if the engine refuses more; `chdb_stream_done` then returns the error. */
async function append(stream: Pointer, data: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of data) {
    if (chunk.length === 0) continue
    const refused = await reading(chdb().chdb_stream_append([stream, chunk, chunk.length]), chunk)
    if (refused) return
  }
}

function throwErrorOf(name: 'chdb_result_error' | 'chdb_stream_insert_error', stream: Pointer): void {
  const message = textOf(name, stream)
  if (message !== undefined) throw engineError(message)
}
