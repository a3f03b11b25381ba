import { type Connection, close, connect, query } from './connection.ts'
import { type Formats, loadFormats } from './formats.ts'
import { type Kept, openKept } from './kept.ts'
import { literal } from './literal.ts'
import { forgetLostBlocks } from './lost-blocks.ts'
import { loadOutside, type Outside } from './outside.ts'
import { openPlaces } from './places.ts'
import { literalsOnly, prepare, serverSettings, setParameters, stateOf } from './preparation.ts'
import type { Request } from './request.ts'
import type { Effect } from './statement.ts'

/** The running engine. Its requests run in parallel, each on its own connection. */
export interface Sessions {
  readonly version: string
  readonly timezone: string
  readonly formats: Formats
  /** The data directory. */
  readonly directory: string
  readonly outside: Outside
  /**
   * Runs a job once a place is free. If `signal` aborts, the job's queries are killed; its place is free once the
   * engine has stopped them.
   */
  run(signal: AbortSignal, job: Job): Promise<void>
  /** Kills all running queries, waits until they have ended, and closes the engine. */
  close(): Promise<void>
}

interface Job {
  /** The request for which the connection is prepared (database, roles, settings and parameters). */
  readonly request: Request
  readonly effect: Effect
  /** Whether the rows of its statement may contain expressions. */
  readonly readsExpressions: boolean
  work(connection: Connection): Promise<void>
}

/** A connection, and the tag of its queries. */
interface Session {
  readonly connection: Connection
  readonly tag: string
  /** The pool's era in which it was opened. */
  readonly era: number
}

/** The control connection, the session pool, and the function that opens a session. */
interface Source {
  readonly control: Connection
  readonly kept: Kept<Session>
  open(readsExpressions: boolean): Promise<Session>
}

/**
 * The pause between two kill attempts, in milliseconds. They are repeated until one succeeds, because a statement may
 * be between two queries, or may not have started yet.
 */
const killInterval = 50

/** Opens the data directory. Only one process can have it open. */
export async function openSessions(directory: string, configuration: string, count: number): Promise<Sessions> {
  const options = [`--path=${directory}`, `--config-file=${configuration}`, ...serverSettings]
  const control = await connect(options)
  await forgetLostBlocks(control, directory)
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
    directory,
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
 * Runs one job on a connection. Opening, preparing and closing a connection can take as long as a query, so connections
 * are pooled. Requests must not affect each other, so a connection returns to the pool only after a completed query
 * that changed nothing. Only a request in the same state reuses it, and its parameters replace all earlier ones. A
 * statement that may change anything closes all pooled connections, because they would not notice that their database
 * was dropped or replaced.
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

/**
 * A pooled connection with the request's parameters. Undefined if the connection refuses them, for example because one
 * of its limits is too low.
 */
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

/** The setting that tags a connection's queries, because chdb sets query ids itself. It has no other effect here. */
const tagSetting = 'stream_like_engine_insert_queue'

/** Once `signal` aborts, kills the queries with this `tag` until the returned function is called. */
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
