import { resolveLibchdb } from 'chdb/libchdb'
import { DataType, define, isNullPointer, type JsExternal, load, open } from 'ffi-rs'

/**
 * The C interface of libchdb, as declared in chdb.h of chdb-io/chdb-core.
 *
 * The `chdb` package contains the library. Its own binding starts streams on the event loop's thread, cannot stream an
 * insert, ends inserted data at a blank line, and does not report the rows and bytes that a query scanned. The C
 * interface has none of these problems. Long calls run on libuv's thread pool, on the thread's own stack (ClickHouse
 * checks its depth).
 */
export type Pointer = JsExternal

const library = 'chdb'
const pointer = DataType.External
const bytes = DataType.U8Array
const size = DataType.U64

let functions: ReturnType<typeof bind> | undefined

/** The bound functions. The first call loads the library, which is 560 MB in size. */
export function chdb(): ReturnType<typeof bind> {
  functions ??= bind()
  return functions
}

/** Calls a function that returns `const char *` for `handle`, and returns its text; undefined for NULL. */
export function textOf(name: 'chdb_result_error' | 'chdb_stream_insert_error', handle: Pointer): string | undefined {
  const parameters = { library, funcName: name, paramsType: [pointer], paramsValue: [handle] }
  if (isNullPointer(load({ ...parameters, retType: pointer }))) return undefined
  return load({ ...parameters, retType: DataType.String })
}

/** Waits for a call that reads `buffers`. Protects them from garbage collection until then. */
export async function reading<T>(call: Promise<T>, ...buffers: Buffer[]): Promise<T> {
  try {
    return await call
  } finally {
    buffers.length = 0
  }
}

function bind() {
  open({ library, path: resolveLibchdb().path })
  const slow = <T extends DataType>(retType: T, ...paramsType: DataType[]) =>
    ({ library, retType, paramsType, runInNewThread: true }) as const
  const quick = <T extends DataType>(retType: T, ...paramsType: DataType[]) =>
    ({ library, retType, paramsType }) as const
  const functions = define({
    chdb_set_signal_handlers_enabled: quick(DataType.Void, DataType.I32),
    chdb_connect: slow(pointer, DataType.I32, DataType.StringArray),
    chdb_close_conn: slow(DataType.Void, pointer),
    chdb_query_n: slow(pointer, pointer, bytes, size, bytes, size),
    chdb_stream_query_n: slow(pointer, pointer, bytes, size, bytes, size),
    chdb_stream_fetch_result: slow(pointer, pointer, pointer),
    chdb_stream_cancel_query: slow(DataType.Void, pointer, pointer),
    chdb_stream_insert_n: slow(pointer, pointer, bytes, size, bytes, size),
    chdb_stream_append: slow(DataType.I32, pointer, bytes, size),
    chdb_stream_done: slow(pointer, pointer),
    chdb_stream_cancel_insert: slow(DataType.Void, pointer),
    chdb_destroy_insert_stream: quick(DataType.Void, pointer),
    chdb_destroy_query_result: quick(DataType.Void, pointer),
    chdb_result_buffer: quick(pointer, pointer),
    chdb_result_length: quick(size, pointer),
    chdb_result_rows_read: quick(size, pointer),
    chdb_result_bytes_read: quick(size, pointer),
    chdb_result_storage_rows_read: quick(size, pointer),
    chdb_result_storage_bytes_read: quick(size, pointer),
    chdb_result_rows_written: quick(size, pointer),
    chdb_result_bytes_written: quick(size, pointer),
  })
  // With ClickHouse's own signal handlers, a crashed process would wait for a thread that only a server has.
  functions.chdb_set_signal_handlers_enabled([0])
  return functions
}
