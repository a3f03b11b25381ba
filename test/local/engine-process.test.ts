import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Engine, startEngine, useEngine } from '../../src/local/engine/index.ts'
import { isAlive } from '../support/process.ts'
import { emptyDirectory } from './engine.ts'

const engineUrl = new URL('../../src/local/engine/index.ts', import.meta.url).href
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

const pidOf = (dataDir: string) => JSON.parse(readFileSync(join(dataDir, 'engine.json'), 'utf8')).pid as number
const ask = async ({ url, user, password }: Engine, body: string) =>
  (await fetch(`${url}/?${new URLSearchParams({ user, password })}`, { method: 'POST', body })).text()

/** Expects that a signal stops this directory's engine, and that this is reported. */
async function expectTold(engine: Engine, dataDir: string, signal: 'SIGTERM' | 'SIGKILL' | 'SIGSEGV'): Promise<void> {
  const user = await useEngine({ dataDir })
  process.kill(pidOf(dataDir), signal)
  const exit = await engine.ended
  expect(exit.code === 0 ? 'SIGTERM' : (exit.signal ?? `code ${exit.code}`)).toBe(signal)
  expect(await user.ended).toEqual({ code: null, signal: null })
}

it('names the owner of a locked directory even if it runs as another user', () => {
  const directory = emptyDirectory()
  chmodSync(directory, 0o755)
  writeFileSync(join(directory, 'status'), 'PID: 1\n')
  const owner = `const { ownerOf } = await import(${JSON.stringify(new URL('process.ts', engineUrl).href)})
    if (process.getuid() === 0) process.setuid(65534)
    console.log(ownerOf('.'))`
  const flags = ['--import', tsx, '--input-type=module', '--eval', owner]
  expect(execFileSync(process.execPath, flags, { cwd: directory, encoding: 'utf8' })).toBe('1\n')
})

/** Each test reuses the previous test's directory, because a start takes most of a second. */
describe('an engine', () => {
  const dataDir = join(emptyDirectory(), 'made', 'with spaces & <signs>')
  let first: Engine
  let password: string

  it('creates and locks its directory, requires a password, and serves later processes', async () => {
    first = await startEngine({ dataDir })
    expect(first.started).toBe(true)
    const { url, user } = first
    password = first.password
    expect({ user, password }).toEqual({ user: 'default', password: expect.stringMatching(/^[\w-]{32}$/) })
    for (const given of [{}, { user }, { password: 'x' }, { user, password: password.slice(1) }]) {
      const response = await fetch(`${url}/?${new URLSearchParams({ query: 'SELECT 1', ...given })}`)
      expect([given, response.status]).toEqual([given, 403])
    }
    await ask(first, 'CREATE DATABASE other')
    await ask(first, 'CREATE TABLE other.t (a Int8) ENGINE = MergeTree ORDER BY a')
    await ask(first, 'INSERT INTO other.t VALUES (5)')
    const pid = pidOf(dataDir)
    await expect(startEngine({ dataDir })).rejects.toThrow(`The data directory ${dataDir} is in use by process ${pid}.`)
    const second = await useEngine({ dataDir })
    expect([second.url, second.started]).toEqual([first.url, false])
    expect(await ask(second, 'SELECT 1')).toBe('1\n')
    await second.close()
    expect(await ask(first, 'SELECT 1')).toBe('1\n')
  })

  it('stops even in the middle of queries', async () => {
    const slow = 'SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(rand()) SETTINGS max_threads = 1'
    const queries = Array.from({ length: 6 }, (_, index) => ask(first, index % 2 ? slow : `${slow} FORMAT JSON`))
    while ((await ask(first, 'SELECT count() > 1 FROM system.processes')) !== '1\n');
    await Promise.all([Promise.allSettled(queries), first.close()])
    await expect(fetch(first.url)).rejects.toThrow()
    expect(existsSync(join(dataDir, 'engine.json'))).toBe(false)
  })

  it('identifies the process on its port, keeps data and a private password, and reports a SIGTERM', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    await expect(startEngine({ dataDir, port })).rejects.toThrow(`Port ${port} is in use by process ${process.pid} (`)
    other.close()
    await new Promise((resolve) => other.once('close', resolve))
    chmodSync(dataDir, 0o755)
    const engine = await startEngine({ dataDir, port })
    expect([engine.url, engine.password]).toEqual([`http://127.0.0.1:${port}`, password])
    expect(await ask(engine, 'SELECT a FROM other.t')).toBe('5\n')
    const mode = (path: string) => statSync(path).mode & 0o777
    expect(readFileSync(join(dataDir, 'password'), 'utf8')).toBe(password)
    expect([dataDir, join(dataDir, 'password'), join(dataDir, 'engine.json')].map(mode)).toEqual([0o700, 0o600, 0o600])
    await expectTold(engine, dataDir, 'SIGTERM')
  })

  it('starts only once for concurrent commands, even while an earlier one ends; reports a SIGKILL', async () => {
    writeFileSync(
      join(dataDir, 'engine.json'),
      JSON.stringify({ url: 'http://127.0.0.1:9', pid: process.pid, id: 'old' }),
    )
    const engines = await Promise.all([useEngine({ dataDir }), useEngine({ dataDir }), useEngine({ dataDir })])
    expect(engines.map((engine) => engine.started).sort()).toEqual([false, false, true])
    expect(new Set(engines.map((engine) => engine.url)).size).toBe(1)
    const closing = Promise.all(engines.map((engine) => engine.close()))
    while (existsSync(join(dataDir, 'engine.json'))) await new Promise((resolve) => setImmediate(resolve))
    const next = await startEngine({ dataDir })
    await closing
    expect(await ask(next, 'SELECT 1')).toBe('1\n')
    await expectTold(next, dataDir, 'SIGKILL')
  })

  it('starts after a kill, accepts a different user and password, and reports a SIGSEGV to its parent', async () => {
    const named = await startEngine({ dataDir, user: 'me', password: 'of my own' })
    const used = await useEngine({ dataDir })
    expect([used.user, used.password, await ask(used, 'SELECT 1')]).toEqual(['me', 'of my own', '1\n'])
    await used.close()
    await expectTold(named, dataDir, 'SIGSEGV')
  })

  it('identifies a table’s truncated file, and how to fix it', async () => {
    const store = join(dataDir, 'clickhouse', 'store')
    const cut = readdirSync(store, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('/t.sql'))
    truncateSync(join(store, cut!), 30)
    const told = `ClickHouse cannot read ${join(store, cut!)}, which defines a table. Restore the file from a copy of `
    await expect(startEngine({ dataDir })).rejects.toThrow(told)
  })
})

describe('the engine of a parent process that ends', () => {
  const script = (dataDir: string) => `
    import { startEngine } from ${JSON.stringify(engineUrl)}
    const engine = await startEngine({ dataDir: ${JSON.stringify(dataDir)} })
    process.on('SIGINT', async () => {
      const answer = await fetch(engine.url + '/?query=SELECT+7&password=' + engine.password)
      process.stdout.write('answer ' + await answer.text())
      await engine.close()
      process.exit(0)
    })
    process.stdout.write('ready\\n')
  `
  const startParent = async (dataDir: string) => {
    const file = join(emptyDirectory(), 'parent.mts')
    writeFileSync(file, script(dataDir))
    const parent = spawn(process.execPath, ['--import', tsx, file], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    parent.stdout.on('data', (chunk) => {
      output += chunk
    })
    while (!output.includes('ready')) await new Promise((resolve) => parent.stdout.once('data', resolve))
    const exit = new Promise<number | null>((resolve) => parent.once('close', resolve))
    return { pid: parent.pid!, exit, output: () => output }
  }

  it('ends even after kill -9; after Ctrl-C, which reaches both, the parent can still query and close it', async () => {
    const dataDir = emptyDirectory()
    const killed = await startParent(dataDir)
    const pid = pidOf(dataDir)
    process.kill(killed.pid, 'SIGKILL')
    await killed.exit
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false)
    const parent = await startParent(dataDir)
    const engine = pidOf(dataDir)
    process.kill(-parent.pid, 'SIGINT')
    expect(await parent.exit).toBe(0)
    expect(parent.output()).toContain('answer 7')
    expect(isAlive(engine)).toBe(false)
  })
})
