import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, it } from 'vitest'
import { isAlive, npm, run, type Script } from '../support/process.ts'

const folders: string[] = []
const folder = (): string => {
  const path = mkdtempSync(`${tmpdir()}/weir-start-`)
  folders.push(path)
  return path
}
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})

interface Ready {
  readonly url: string
  readonly clickhouse: string
  readonly apiKey: string
  readonly websiteId: string | null
  readonly username: string | null
  readonly password: string | null
}

async function start(dataDir: string, ...flags: string[]): Promise<Ready & { readonly script: Script }> {
  const words = ['start', '--', '--json', '--port', '0', '--clickhouse-port', '0', '--data-dir', dataDir, ...flags]
  const script = npm(words)
  return { ...(JSON.parse(await script.firstLine) as Ready), script }
}

/** Every process below this one, itself included. */
function family(pid: number): number[] {
  const children = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
  const below = (parent: number): number[] =>
    children.filter(([, ppid]) => ppid === parent).flatMap(([child]) => [child, ...below(child)])
  return [pid, ...below(pid)]
}

const isStart = (pid: number): boolean =>
  execFileSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' }).includes('src/local/start.ts')

async function stop({ child, ended }: Script, signal: NodeJS.Signals): Promise<void> {
  const pids = family(child.pid!)
  expect(pids.length).toBeGreaterThan(2)
  child.kill(signal)
  await ended
  await expect.poll(() => pids.filter(isAlive), { timeout: 20_000 }).toEqual([])
}

const json = async (url: string, key: string): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** The token; undefined where the password is wrong. */
async function signIn(url: string, username: string, password: string): Promise<string | undefined> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return ((await response.json()) as { token?: string }).token
}

describe('npm start', () => {
  it('fills a demo website once, and finds it, the key and what was inserted again; keeps the sign-in of an admin, for as long as it is one', async () => {
    const dataDir = folder()
    const first = await start(dataDir)
    const token = await signIn(first.url, 'admin', first.password!)
    expect(await json(`${first.url}/api/me`, token!)).toMatchObject({
      body: { user: { username: 'admin', isAdmin: true } },
    })
    const file = `${dataDir}/admin-password`
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([first.password, 0o600])
    const now = Date.now()
    const path = `/api/websites/${first.websiteId}/event-data/stats?startAt=${now - 90 * 86_400_000}&endAt=${now}`
    const shown = await json(first.url + path, first.apiKey)
    expect(shown.status).toBe(200)
    const [{ records }] = shown.body as unknown as [{ records: number }]
    expect(records).toBeGreaterThan(100_000)

    const websiteId = '0e9c1f3a-0000-4000-8000-00000000000a'
    const created = await fetch(`${first.url}/api/websites`, {
      method: 'POST',
      headers: { authorization: `Bearer ${first.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: websiteId, name: 'Mine', domain: 'mine.example' }),
    })
    expect(created.status).toBe(200)
    const row = { website_id: websiteId, event_id: websiteId, created_at: '2025-10-15 16:26:28.123', event_type: 1 }
    const inserted = await fetch(`${first.clickhouse}&query=INSERT%20INTO%20ingest%20FORMAT%20JSONEachRow`, {
      method: 'POST',
      body: JSON.stringify(row),
    })
    expect(inserted.status).toBe(200)
    await stop(first.script, 'SIGTERM')

    const second = await start(dataDir)
    expect({ apiKey: second.apiKey, websiteId: second.websiteId }).toEqual({
      apiKey: first.apiKey,
      websiteId: first.websiteId,
    })
    expect([second.username, second.password]).toEqual(['admin', first.password])
    expect(await json(`${second.url}/api/me`, token!)).toMatchObject({ status: 200 })
    expect(await json(second.url + path, second.apiKey)).toEqual(shown)
    const mine = await json(`${second.url}/api/websites/${websiteId}/events?startAt=0&endAt=${now}`, second.apiKey)
    expect(mine.body).toMatchObject({ count: 1, data: [{ id: websiteId, createdAt: '2025-10-15T16:26:28Z' }] })
    const headers = { authorization: `Bearer ${second.apiKey}` }
    const deleted = await fetch(`${second.url}/api/websites/${second.websiteId}`, { method: 'DELETE', headers })
    expect(deleted.status).toBe(200)
    const changed = await fetch(`${second.url}/api/me/password`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ currentPassword: first.password, newPassword: 'one of my own' }),
    })
    expect(changed.status).toBe(200)
    await stop(second.script, 'SIGINT')

    const third = await start(dataDir)
    expect(third).toMatchObject({ apiKey: first.apiKey, websiteId: null })
    expect([third.username, third.password]).toEqual([null, null])
    expect(await signIn(third.url, 'admin', first.password!)).toBeUndefined()
    expect(await signIn(third.url, 'admin', 'one of my own')).toMatch(/\./)
    await stop(third.script, 'SIGTERM')
  })

  it('prints exactly one line with --json, and no website with --no-demo; starts a killed ClickHouse and a killed workerd again, says so, and leaves nothing behind when it is killed itself', async () => {
    const { script, websiteId, ...ready } = await start(folder(), '--no-demo')
    expect(websiteId).toBeNull()
    expect(ready).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      clickhouse: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?database=weir&user=default&password=[\w-]{32}$/),
      apiKey: expect.stringMatching(/^api_[\w-]{43}$/),
      username: 'admin',
      password: expect.stringMatching(/^[\w-]{24}$/),
    })
    const { url, apiKey } = ready
    let told = ''
    script.child.stderr!.on('data', (chunk: Buffer) => {
      told += chunk.toString()
    })
    const kill = (process: string): void => {
      const commands = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n')
      const below = new Set(family(script.child.pid!))
      const pids = commands.filter((line) => line.includes(process)).map((line) => Number.parseInt(line, 10))
      globalThis.process.kill(pids.find((pid) => below.has(pid))!, 'SIGKILL')
    }
    kill('engine/main')
    const down = await json(`${url}/ready`, apiKey)
    expect(down).toMatchObject({ status: 503, body: { error: { code: 'service-unavailable' } } })
    await expect.poll(() => told, { timeout: 60_000 }).toContain('The embedded ClickHouse runs again.')
    expect(told).toContain('The embedded ClickHouse ended unexpectedly (SIGKILL). It is started again.')
    kill('bin/workerd')
    await expect.poll(() => told, { timeout: 60_000 }).toContain('workerd runs again.')
    expect(await json(`${url}/ready`, apiKey)).toEqual({ status: 200, body: { ok: true } })

    const pids = family(script.child.pid!)
    expect(pids.length).toBeGreaterThan(2)
    // The script itself: npm has become it, or stands above it.
    for (const pid of pids.filter((pid) => isStart(pid))) process.kill(pid, 'SIGKILL')
    await expect.poll(() => pids.filter(isAlive), { timeout: 20_000 }).toEqual([])
    expect((await script.ended).stdout.split('\n')).toHaveLength(2)
  })

  it('keeps its folder to its owner, and prints a URL that takes inserts as it stands', async () => {
    const dataDir = folder()
    chmodSync(dataDir, 0o755)
    const script = npm(['start', '--', '--port', '0', '--clickhouse-port', '0', '--data-dir', dataDir, '--no-demo'])
    let printed = ''
    script.child.stdout!.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    await expect.poll(() => printed, { timeout: 60_000 }).toContain('Ctrl-C')
    const url = /ClickHouse {2}(\S+)/.exec(printed)![1]!
    const password = readFileSync(`${dataDir}/clickhouse/password`, 'utf8')
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({ database: 'weir', user: 'default', password })
    const event = `{"website_id":"${randomUUID()}"}`
    const insert = `${url}&query=INSERT%20INTO%20ingest%20FORMAT%20JSONEachRow`
    expect((await fetch(insert, { method: 'POST', body: event })).status).toBe(200)
    expect((await fetch(insert.replace(password, 'x'), { method: 'POST', body: event })).status).toBe(403)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    await stop(script, 'SIGTERM')
  })

  it('says which flag to change when a port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((listening) => taken.once('listening', listening))
    const { port } = taken.address() as { port: number }
    const flags = ['--data-dir', folder(), '--no-demo', '--json']
    const api = await run(['start', '--', '--port', String(port), '--clickhouse-port', '0', ...flags])
    expect(api).toMatchObject({ code: 1, stdout: '' })
    expect(api.stderr).toContain(`Port ${port} is in use. Choose another one with --port`)
    const engine = await run(['start', '--', '--port', '0', '--clickhouse-port', String(port), ...flags])
    expect(engine).toMatchObject({ code: 1, stdout: '' })
    expect(engine.stderr).toContain(`Port ${port} is in use`)
    taken.close()
  })

  it('refuses flags that it does not know or that are no ports', async () => {
    const unknown = await run(['start', '--', '--prot', '1'])
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toContain("Unknown option '--prot'")
    const noPort = await run(['start', '--', '--port', '99999'])
    expect(noPort.stderr).toContain('--port must be a whole number from 0 to 65535, not 99999.')
  })
})
