import { type ChildProcess, fork } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivate } from '../machine/private-folder.ts'
import { isAlive } from '../machine/process-name.ts'
import { refusedConnection } from './errors.ts'
import { engineProgram, type Program } from './program.ts'

/** The options of the engine's process. They are passed in an environment variable, because `ps` shows arguments. */
export interface EngineOptions {
  readonly dataDir: string
  readonly port: number
  readonly user: string
  /** By default, the password in the data folder. */
  readonly password?: string | undefined
  readonly sessions: number
}

/** The engine's address and credentials. */
export interface Access {
  readonly url: string
  readonly user: string
  readonly password: string
}

/** The single message from the engine's process. */
export type Message = { readonly ready: Access } | { readonly failed: string }

export interface Exit {
  readonly code: number | null
  readonly signal: string | null
}

export interface EngineProcess extends Access {
  readonly exit: Promise<Exit>
  stop(): Promise<void>
}

export const optionsVariable = 'WEIR_ENGINE_OPTIONS'

/** The file with the running engine's address, credentials and process id. Only its owner can read it. */
export const engineFile = (dataDir: string) => join(dataDir, 'engine.json')

/** The output of the engine's process, for messages after a crash. */
const logFile = (dataDir: string) => join(dataDir, 'engine.log')

/**
 * The working directory of the engine's process. It is empty, because each file in it would be a table of the database
 * `default`.
 */
const emptyFolder = (dataDir: string) => join(dataDir, 'nothing')

/**
 * The id of the process that has ClickHouse's directory open, from ClickHouse's lock file; undefined if that process
 * has ended.
 */
export function ownerOf(directory: string): number | undefined {
  try {
    const pid = Number(/PID: (\d+)/.exec(readFileSync(join(directory, 'status'), 'utf8'))?.[1])
    return pid !== process.pid && isAlive(pid) ? pid : undefined
  } catch {
    return undefined
  }
}

/** How long a closing engine may take before it is killed, in milliseconds. */
const longestStop = 8000

/** Starts the engine's process and resolves once it accepts queries. */
export async function startProcess(options: EngineOptions): Promise<EngineProcess> {
  makePrivate(options.dataDir)
  const child = spawn(await engineProgram(), options)
  const exit = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
  const message = await Promise.race([firstMessage(child), exit.then(() => undefined)])
  if (message === undefined) throw new Error(`The ClickHouse engine did not start.\n${lastLines(options.dataDir)}`)
  if ('failed' in message) {
    await exit
    throw new Error(message.failed === refusedConnection ? whyRefused(options.dataDir) : message.failed)
  }
  return { ...message.ready, exit, stop: () => stop(child, exit) }
}

/** The last lines of the process's output, for the message after a crash. */
export function lastLines(dataDir: string): string {
  return readFileSync(logFile(dataDir), 'utf8').trimEnd().split('\n').slice(-20).join('\n')
}

/** Why the engine did not start. Its log contains the file name of a table that ClickHouse cannot read. */
function whyRefused(dataDir: string): string {
  const told = lastLines(dataDir)
  const [, file] = /metadata file ([\w/.-]{1,200}?)\.? \(/.exec(told) ?? []
  if (file === undefined) return `ClickHouse does not start.\n${told}`
  return (
    `ClickHouse cannot read ${dataDir}/clickhouse/${file}, which defines a table. Restore the file from a copy of the ` +
    'data folder. The file contains no events, so none are lost.'
  )
}

function spawn({ file, execArgv }: Program, options: EngineOptions): ChildProcess {
  const log = openSync(logFile(options.dataDir), 'w', 0o600)
  const cwd = emptyFolder(options.dataDir)
  mkdirSync(cwd, { recursive: true })
  try {
    return fork(file, [], {
      cwd,
      execArgv: [...execArgv],
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        UV_THREADPOOL_SIZE: String(2 * options.sessions + 8),
        [optionsVariable]: JSON.stringify(options),
      },
      stdio: ['ignore', log, log, 'ipc'],
    })
  } finally {
    closeSync(log)
  }
}

function firstMessage(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as Message))
    child.once('error', reject)
  })
}

async function stop(child: ChildProcess, exit: Promise<Exit>): Promise<void> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), longestStop)
  await exit
  clearTimeout(timer)
}
