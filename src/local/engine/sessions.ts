import { type Connection, close, connect, query } from './connection.ts'
import { type Formats, loadFormats } from './formats.ts'
import { openPlaces } from './places.ts'
import { literal, serverSettings } from './preparation.ts'

/** The running engine: parallel places, each request on a connection of its own. */
export interface Sessions {
  readonly version: string
  readonly timezone: string
  readonly formats: Formats
  /**
   * Runs `work` on a fresh connection once a place is free. When `signal` aborts, what runs on it is killed, and the place is free
   * as soon as the engine has let go.
   */
  run<T>(signal: AbortSignal, work: (connection: Connection) => Promise<T>): Promise<T>
  /** Kills what runs, waits for it to end, and closes the engine. */
  close(): Promise<void>
}

/** How often a kill is repeated until it takes: a statement may be between two queries, or not have begun. Milliseconds. */
const killInterval = 50

/**
 * Opens the data directory, which only one process may have open. A connection is opened for each request and closed after it (together
 * 0.2 ms), so that nothing of one request can be left for the next.
 */
export async function openSessions(directory: string, configuration: string, count: number): Promise<Sessions> {
  const options = [`--path=${directory}`, `--config-file=${configuration}`, ...serverSettings]
  const control = await connect(options)
  const places = openPlaces(count)
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  let opened = 0

  const inPlace = async <T>(signal: AbortSignal, work: (connection: Connection) => Promise<T>): Promise<T> => {
    const release = await places.take(signal)
    try {
      const tag = `weir-${++opened}`
      const connection = await connect([...options, `--${tagSetting}=${tag}`])
      const stop = killOnAbort(control, tag, signal)
      try {
        return await work(connection)
      } finally {
        await stop()
        await close(connection)
      }
    } finally {
      release()
    }
  }

  const [version, timezone] = (await text(control, 'SELECT version(), timezone()')).split('\t')
  const formats = await loadFormats(control)
  return {
    version: version!,
    timezone: timezone!,
    formats,
    run(signal, work) {
      const done = inPlace(AbortSignal.any([signal, closing.signal]), work)
      const settled = done.then(ignore, ignore)
      running.add(settled)
      void settled.then(() => running.delete(settled))
      return done
    },
    async close() {
      closing.abort()
      await Promise.all(running)
      await close(control)
    },
  }
}

/** A setting that means nothing here marks the queries of a connection: chdb gives query ids of its own. */
const tagSetting = 'stream_like_engine_insert_queue'

/** Kills what runs under `tag` once `signal` aborts, until the returned function is called. */
function killOnAbort(control: Connection, tag: string, signal: AbortSignal): () => Promise<void> {
  let isOver = false
  let killing = Promise.resolve()
  const kill = async () => {
    while (!isOver) {
      await query(control, `KILL QUERY WHERE Settings['${tagSetting}'] = ${literal(tag)} ASYNC`).catch(ignore)
      await new Promise((resolve) => setTimeout(resolve, killInterval))
    }
  }
  const start = () => {
    killing = kill()
  }
  if (signal.aborted) start()
  signal.addEventListener('abort', start)
  return async () => {
    isOver = true
    signal.removeEventListener('abort', start)
    await killing
  }
}

async function text(connection: Connection, sql: string): Promise<string> {
  return (await query(connection, sql)).bytes.toString().trim()
}

function ignore(): void {}
