import { type Connection, close, connect, query } from './connection.ts'
import { type Formats, loadFormats } from './formats.ts'
import { type Kept, openKept } from './kept.ts'
import { loadOutside, type Outside } from './outside.ts'
import { openPlaces } from './places.ts'
import { literal, literalsOnly, prepare, serverSettings, setParameters, stateOf } from './preparation.ts'
import type { Request } from './request.ts'
import type { Effect } from './statement.ts'

/** The running engine: parallel places, each request on a connection of its own for as long as it runs. */
export interface Sessions {
  readonly version: string
  readonly timezone: string
  readonly formats: Formats
  readonly outside: Outside
  /**
   * Does a job once a place is free. When `signal` aborts, what runs for it is killed, and the place is free as soon as the engine
   * has let go.
   */
  run(signal: AbortSignal, job: Job): Promise<void>
  /** Kills what runs, waits for it to end, and closes the engine. */
  close(): Promise<void>
}

export interface Job {
  /** Whose database, roles, settings and parameters the connection has. */
  readonly request: Request
  /** Of its statement. */
  readonly effect: Effect
  /** Whether expressions may stand among the rows of its statement. */
  readonly readsExpressions: boolean
  work(connection: Connection): Promise<void>
}

/** A connection, and what marks its queries. */
interface Session {
  readonly connection: Connection
  readonly tag: string
  /** When it was opened, as `Kept` counts. */
  readonly era: number
}

/** Where sessions come from. */
interface Source {
  readonly control: Connection
  readonly kept: Kept<Session>
  open(readsExpressions: boolean): Promise<Session>
}

/** How often a kill is repeated until it takes: a statement may be between two queries, or not have begun. Milliseconds. */
const killInterval = 50

/** Opens the data directory, which only one process may have open. */
export async function openSessions(directory: string, configuration: string, count: number): Promise<Sessions> {
  const options = [`--path=${directory}`, `--config-file=${configuration}`, ...serverSettings]
  const control = await connect(options)
  const kept = openKept<Session>(count, ({ connection }) => close(connection))
  const places = openPlaces(count)
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  let opened = 0

  const open = async (readsExpressions: boolean) => {
    const [tag, era] = [`weir-${++opened}`, kept.era()]
    return {
      connection: await connect([...options, ...(readsExpressions ? [] : literalsOnly), `--${tagSetting}=${tag}`]),
      tag,
      era,
    }
  }
  const source = { control, kept, open }

  const inPlace = async (signal: AbortSignal, job: Job) => {
    const release = await places.take(signal)
    try {
      await runJob(source, signal, job)
    } finally {
      release()
    }
  }

  const [version, timezone] = (await text(control, 'SELECT version(), timezone()')).split('\t')
  const [formats, outside] = [await loadFormats(control), await loadOutside(control)]
  return {
    version: version!,
    timezone: timezone!,
    formats,
    outside,
    run(signal, job) {
      const done = inPlace(AbortSignal.any([signal, closing.signal]), job)
      const settled = done.then(ignore, ignore)
      running.add(settled)
      void settled.then(() => running.delete(settled))
      return done
    },
    async close() {
      closing.abort()
      await Promise.all(running)
      await kept.clear()
      await close(control)
    },
  }
}

/**
 * Opening, preparing and closing a connection may take as long as a query. Still, nothing of one request may be left for the next: a
 * connection is kept only after a query, which changes nothing, that has come to its end; and only for a request of the same state,
 * whose parameters take the place of all there were. A statement that may change anything ends all that are kept: they would not
 * notice that their database is gone, or is another.
 */
async function runJob(
  { control, kept, open }: Source,
  signal: AbortSignal,
  { request, effect, readsExpressions, work }: Job,
) {
  const state = effect === 'none' ? stateOf(request) : undefined
  const known = state === undefined ? undefined : await reopened(kept, state, request)
  const session = known ?? (await open(readsExpressions))
  const stop = killOnAbort(control, session.tag, signal)
  let isWhole = false
  try {
    if (known === undefined) await prepare(session.connection, request)
    const run = () => work(session.connection)
    await (effect === 'any' ? kept.change(run) : run())
    isWhole = true
  } finally {
    await stop()
    if (state !== undefined && isWhole && !signal.aborted) await kept.keep(state, session, session.era)
    else await close(session.connection)
  }
}

/** One that does not take the parameters is of no use: a limit among its settings may be too low for them. */
async function reopened(kept: Kept<Session>, state: string, request: Request): Promise<Session | undefined> {
  const session = kept.take(state)
  if (session === undefined) return undefined
  try {
    await setParameters(session.connection, request)
    return session
  } catch {
    await close(session.connection)
    return undefined
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
