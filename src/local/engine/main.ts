import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inUse } from '../machine/port.ts'
import { explained } from '../told/explained.ts'
import { writeConfiguration } from './configuration.ts'
import { refuseFullDisk, watchDisk } from './full-disk.ts'
import { type EngineOptions, engineFile, type Message, optionsVariable, ownerOf } from './process.ts'
import { serve } from './server.ts'
import { openSessions, type Sessions } from './sessions.ts'

/** The engine's own process. It ends when the channel to its parent closes. */

/** How long statements may take to stop, in milliseconds. After that, the process ends anyway. */
const longestStop = 5000

/** Ctrl-C reaches both processes. The parent has this many milliseconds to close the engine. */
const parentsTurn = 3000

async function main(options: EngineOptions): Promise<void> {
  const sessions = await openDirectory(options)
  const { user, password = keptPassword(options.dataDir) } = options
  const id = randomUUID()
  const server = serve(sessions, [{ name: user, password }], id)
  server.headersTimeout = 0
  const port = await listen(server, options.port)
  const url = `http://127.0.0.1:${port}`
  writeFileSync(engineFile(options.dataDir), JSON.stringify({ url, user, password, pid: process.pid, id }), {
    mode: 0o600,
  })
  let isStopping = false
  const end = () => {
    if (!isStopping) void stop(options.dataDir, server, sessions)
    isStopping = true
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', () => setTimeout(end, process.connected ? parentsTurn : 0))
  process.on('disconnect', end)
  if (!process.connected) end()
  tell({ ready: { url, user, password } })
}

/**
 * The data folder's password. It is generated once, so that URLs stay valid after a restart. Only the owner of the
 * folder can read it.
 */
function keptPassword(dataDir: string): string {
  const file = join(dataDir, 'password')
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (kept !== '') return kept
  const password = randomBytes(24).toString('base64url')
  writeFileSync(file, password, { mode: 0o600 })
  return password
}

async function openDirectory(options: EngineOptions): Promise<Sessions> {
  const directory = join(options.dataDir, 'clickhouse')
  mkdirSync(directory, { recursive: true })
  refuseFullDisk(directory)
  watchDisk(directory)
  try {
    return await openSessions(directory, writeConfiguration(options.dataDir), options.sessions)
  } catch (error) {
    const owner = await namedOwner(directory)
    if (owner === undefined) throw error
    throw new Error(`The data directory ${options.dataDir} is in use by process ${owner}.`)
  }
}

/** How many times to look for the owner of a locked directory, and the pause in between, in milliseconds. */
const looks = 20
const betweenLooks = 50

/** The process id of a locked directory's owner. A process that has just locked it may not have written its id yet. */
async function namedOwner(directory: string): Promise<number | undefined> {
  for (let look = 0; look < looks; look++) {
    const owner = ownerOf(directory)
    if (owner !== undefined) return owner
    await pause(betweenLooks)
  }
  return undefined
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new Error(inUse(port)) : error)
    })
    server.listen(port, '127.0.0.1', 4096, () => resolve((server.address() as AddressInfo).port))
  })
}

async function stop(dataDir: string, server: Server, sessions: Sessions): Promise<void> {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), longestStop)
  rmSync(engineFile(dataDir), { force: true })
  server.close()
  server.closeIdleConnections()
  await sessions.close()
  server.closeAllConnections()
  process.exit(0)
}

function tell(message: Message): void {
  process.send?.(message)
}

main(JSON.parse(process.env[optionsVariable] ?? '{}') as EngineOptions).catch((error: Error) => {
  if (process.send === undefined) process.exit(1)
  process.send({ failed: explained(error) } satisfies Message, () => process.exit(1))
})
