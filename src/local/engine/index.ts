import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isAlive } from '../machine/process-name.ts'
import {
  type Access,
  type EngineOptions,
  type EngineProcess,
  type Exit,
  engineFile,
  lastLines,
  startProcess,
} from './process.ts'

/**
 * The local ClickHouse, for development and for a single machine: chdb (ClickHouse inside a process) behind
 * ClickHouse's HTTP interface on loopback.
 *
 * It lacks these parts of a server: other interfaces, sessions (`session_id`), external tables, `input()`, ClickHouse's
 * own compression of bodies, everything outside its own tables (files, other servers, commands, dictionaries), `CREATE
 * USER`, quotas (chdb counts opening a connection as a query), and `query_log`. Inside the engine, queries have their
 * own ids. An insert survives the end of the process, but not a power failure: as on a server, parts are not synced.
 */
/** Its `url` is `http://127.0.0.1:PORT`. */
export interface Engine extends Access {
  /** Stops the engine if this process started it; otherwise only disconnects. */
  close(): Promise<void>
  /** Whether this process started the engine. */
  readonly started: boolean
  /** Resolves if the engine's process ends without `close`, because it crashed or was killed. */
  readonly ended: Promise<{ code: number | null; signal: string | null }>
}

export interface StartOptions {
  /** Created if missing. Only one process at a time can open it. */
  readonly dataDir: string
  /** With 0, the default, any free port is used. */
  readonly port?: number
  /** The user name. If omitted, it is `default`. */
  readonly user?: string
  /**
   * The default is a random password that is stored in the data folder. If it is empty, anybody on loopback has access.
   */
  readonly password?: string
  /** The maximum number of concurrent queries. Further queries wait. */
  readonly sessions?: number
}

const defaultSessions = 8

/** How long to wait while another process starts or stops its engine, in milliseconds. */
const longestWait = 15_000

/**
 * Starts the engine as a child process and resolves once it answers. Throws an Error that explains why it cannot
 * start.
 */
export async function startEngine(options: StartOptions): Promise<Engine> {
  const dataDir = resolve(options.dataDir)
  const { port = 0, user = 'default', password, sessions = defaultSessions } = options
  const running = await startWhenFree({ dataDir, port, user, password, sessions })
  let isClosing = false
  const ended = new Promise<Exit>((settle) => {
    void running.exit.then((exit) => {
      if (isClosing) return
      const lines = lastLines(dataDir)
      if (lines !== '') process.stderr.write(`The ClickHouse engine ended:\n${lines}\n`)
      settle(exit)
    })
  })
  return {
    url: running.url,
    user: running.user,
    password: running.password,
    started: true,
    ended,
    close() {
      isClosing = true
      return running.stop()
    },
  }
}

/** Retries the start. An engine that is stopping has removed its file, but may still lock the directory. */
async function startWhenFree(options: EngineOptions): Promise<EngineProcess> {
  for (const start = Date.now(); ; await pause(100)) {
    try {
      return await startProcess(options)
    } catch (error) {
      const isEnding = isInUse(error) && !existsSync(engineFile(options.dataDir))
      if (!isEnding || Date.now() - start > longestWait) throw error
    }
  }
}

/** Whether another engine uses the data folder. Waiting does not help if a port is in use. */
function isInUse(error: unknown): boolean {
  return /The data directory .* is in use by process/.test(String(error))
}

/** For commands: connects to the engine that runs on `dataDir`. If none runs, calls `starting` and starts one. */
export async function useEngine(options: { readonly dataDir: string }, starting = () => {}): Promise<Engine> {
  const dataDir = resolve(options.dataDir)
  const running = await findEngine(dataDir)
  if (running !== undefined) return running
  starting()
  try {
    return await startEngine({ dataDir })
  } catch (error) {
    return await waitForEngine(dataDir, error)
  }
}

/** Waits for the address of an engine that another process has just started. */
async function waitForEngine(dataDir: string, error: unknown): Promise<Engine> {
  if (!isInUse(error)) throw error
  for (const start = Date.now(); Date.now() - start < longestWait; await pause(100)) {
    const running = await findEngine(dataDir)
    if (running !== undefined) return running
  }
  throw error
}

async function findEngine(dataDir: string): Promise<Engine | undefined> {
  const known = readEngineFile(dataDir)
  if (known === undefined || !isAlive(known.pid)) return undefined
  const answer = await fetch(`${known.url}/ping`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
  if (answer?.headers.get('X-Weir-Engine') !== known.id) return undefined
  let timer: NodeJS.Timeout | undefined
  const ended = new Promise<Exit>((settle) => {
    timer = setInterval(() => isAlive(known.pid) || settle({ code: null, signal: null }), 1000).unref()
  })
  const { url, user, password } = known
  return { url, user, password, started: false, ended, close: async () => clearInterval(timer) }
}

interface EngineFile extends Access {
  readonly pid: number
  readonly id: string
}

function readEngineFile(dataDir: string): EngineFile | undefined {
  try {
    return JSON.parse(readFileSync(engineFile(dataDir), 'utf8')) as EngineFile
  } catch {
    return undefined
  }
}
