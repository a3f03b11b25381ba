import { exec, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { explained } from '../../src/local/commands/explained.ts'
import { root } from '../../src/local/paths.ts'
import { makePrivate } from '../../src/local/start/private-folder.ts'
import { start as startCommand } from '../../src/local/start/start-command.ts'
import { startBrowser } from '../support/browser.ts'
import { goNewcomersWay } from '../support/newcomer.ts'
import { type Ended, family, isAlive, npm, run, type Script, spawned } from '../support/process.ts'

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
  readonly share: string | null
  readonly username: string | null
  readonly password: string | null
}

type Started = Ready & { readonly script: Script }

async function start(dataDir: string, flags: readonly string[] = [], env = process.env): Promise<Started> {
  return ready(npm(wordsOf(dataDir, ...flags), env))
}

const wordsOf = (dataDir: string, ...flags: string[]): string[] => [
  'start',
  '--',
  '--json',
  '--port',
  '0',
  '--clickhouse-port',
  '0',
  '--data-dir',
  dataDir,
  ...flags,
]

const ready = async (script: Script): Promise<Started> => ({
  ...(JSON.parse(await script.firstLine) as Ready),
  script,
})

/** How a start without npm ends. */
const ended = (...words: string[]): Promise<Ended> => spawned('start', words).ended

/** Node's options for a process that waits a fiftieth as long before it starts another one again. */
const options = `--import=data:text/javascript,${encodeURIComponent(
  `const [wait, waits] = [setTimeout, [500, 1000, 2000, 4000, 8000]]
   globalThis.setTimeout = (work, time, ...rest) => wait(work, waits.includes(time) ? time / 50 : time, ...rest)`,
)}`

const hurried = { ...process.env, NODE_OPTIONS: options }

/** Kills the process below this one whose command line holds `command`. */
function killBelow(pid: number, command: string): void {
  const commands = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  const below = new Set(family(pid))
  const pids = commands.filter((line) => line.includes(command)).map((line) => Number.parseInt(line, 10))
  process.kill(pids.find((found) => below.has(found))!, 'SIGKILL')
}

/** The script itself: npm has become it, or stands above it. */
const scriptsOf = ({ child }: Script): number[] =>
  family(child.pid!).filter((pid) =>
    execFileSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' }).includes('src/local/start.ts'),
  )

/** Does something while the script is stopped, so that it starts nothing again meanwhile. */
async function whileStopped(script: Script, work: () => Promise<unknown>): Promise<void> {
  const pids = scriptsOf(script)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  await work().finally(() => {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  })
}

const allEnded = (pids: readonly number[]) => expect.poll(() => pids.filter(isAlive), { timeout: 20_000 }).toEqual([])

async function stop({ child, ended }: Script, signal: NodeJS.Signals): Promise<void> {
  const pids = family(child.pid!)
  expect(pids.length).toBeGreaterThan(2)
  child.kill(signal)
  await ended
  await allEnded(pids)
}

/**
 * The script ends after five starts of this process in vain. Earlier starts that its log tells of count too, unless the
 * process ran for a minute since.
 */
async function expectGivenUp({ ended }: Script, name: string, how: string, why: string) {
  const { code, stderr } = await ended
  const reason = `${name} ended unexpectedly (${how}).`
  expect(code).toBe(1)
  expect(stderr).toContain(`${reason} Restarting it.\n`)
  const earlier = stderr.split(`${name} runs again.\n`).length - 1
  // Each reason but the last stands in the line about the next start.
  const inVain = stderr.split(`${name} did not start: ${why}`).length
  expect([5 - earlier, 5]).toContain(inVain)
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(`${reason} It was restarted 5 times and does not keep running.`)
}

/** Listens on a port of loopback as soon as it is free. */
const listens = (server: Server, port: number): Promise<void> =>
  new Promise((listening) => {
    server.on('error', () => server.listen(port, '127.0.0.1'))
    server.listen(port, '127.0.0.1', listening)
  })

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

const above = (least: number) => expect.toSatisfy((found) => found > least)

/** What `npm start` says of words that it refuses, in this process. */
async function refused(...words: string[]): Promise<Pick<Ended, 'code' | 'stdout' | 'stderr'>> {
  let [stdout, stderr] = ['', '']
  const code = await startCommand(
    words,
    {},
    {
      out: (line) => {
        stdout += `${line}\n`
      },
      err: (line) => {
        stderr += `${line}\n`
      },
    },
  )
  return { code, stdout, stderr }
}

describe('npm start', () => {
  /** The folder of the first two tests, and its first start. */
  const dataDir = folder()
  let first: Started

  it('prints exactly one line with --json; fills a demo website once, and finds it, the key and what was inserted again; keeps the sign-in of an admin', async () => {
    first = await start(dataDir, ['--demo-events', '10000'])
    const { script: _, ...printed } = first
    expect(printed).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      clickhouse: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?database=weir&user=default&password=[\w-]{32}$/),
      apiKey: expect.stringMatching(/^api_[\w-]{43}$/),
      websiteId: expect.stringMatching(/^[\da-f-]{36}$/),
      share: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/share\/demo[\da-f]{16}$/),
      username: 'admin',
      password: expect.stringMatching(/^[\w-]{24}$/),
    })
    const share = await fetch(first.share!)
    expect([share.status, await share.text()]).toEqual([200, expect.stringMatching(/\/assets\/dashboard-\w+\.js/)])
    const slug = new URL(first.share!).pathname.slice('/share/'.length)
    expect(await (await fetch(`${first.url}/api/share/${slug}`)).json()).toMatchObject({
      websiteId: first.websiteId,
      sections: expect.arrayContaining(['overview', 'revenue']),
    })
    expect(await (await fetch(`${first.url}/assets/demo.js`)).text()).toBe(`export const slug = '${slug}'\n`)
    const page = await fetch(`${first.url}/demo`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('/assets/demo-page.js')])
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
    expect(records).toBeGreaterThan(5000)
    const fresh = await fetch(`${first.url}${path}&minAsOf=${now - 3_600_000}`, {
      headers: { authorization: `Bearer ${first.apiKey}` },
    })
    await fresh.text()
    expect([fresh.status, Date.parse(fresh.headers.get('x-as-of')!)]).toEqual([200, above(now - 3_600_000)])
    const answers = async (report: string) =>
      (await json(`${first.url}${path.replace('event-data/stats?', report)}`, first.apiKey)).body as object
    expect(await answers('revenue/stats?currency=USD&')).toMatchObject({ sum: expect.any(Number), count: above(5) })
    expect(await answers('revenue/stats?currency=EUR&')).toMatchObject({ count: above(5) })
    expect(await answers('performance/stats?')).toMatchObject({ lcp: { p75: above(1000) }, count: above(50) })
    expect(await answers('session-data/values?propertyName=plan&')).toHaveLength(4)
    const { data: replays } = (await answers('replays?')) as { data: { id: string; eventCount: number }[] }
    expect(replays.map(({ eventCount }) => eventCount)).toEqual(Array(4).fill(above(10)))
    for (const { id, eventCount } of replays) {
      const { events } = (await answers(`replays/${id}?`)) as { events: { type: number; timestamp: number }[] }
      expect(events).toHaveLength(eventCount)
      expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining([2, 3, 4]))
      for (const { timestamp } of events) expect(Math.abs(now - timestamp)).toBeLessThan(86_400_000)
    }
    const heatmap = await answers('heatmaps?urlPath=%2Fdemo&')
    expect(heatmap).toMatchObject({ pages: [{ urlPath: '/demo', sessions: 4 }], points: expect.any(Array) })
    expect(await answers('sessions?search=Kathmandu&')).toMatchObject({ data: [{ country: 'NP', views: above(1) }] })
    expect(await answers('recorder?')).toMatchObject({ enabled: true, replayEnabled: true, heatmapEnabled: true })

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
    expect((await first.script.ended).stdout.split('\n')).toHaveLength(2)

    const second = await start(dataDir)
    expect({ apiKey: second.apiKey, websiteId: second.websiteId }).toEqual({
      apiKey: first.apiKey,
      websiteId: first.websiteId,
    })
    expect(second.share).toBe(`${second.url}/share/${slug}`)
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
    // Ctrl-C reaches every process of the terminal, and npm passes it on as well.
    for (const pid of scriptsOf(second.script)) process.kill(pid, 'SIGINT')
    await stop(second.script, 'SIGINT')
    expect(existsSync(`${dataDir}/shared-metadata`)).toBe(false)
  })

  it('leaves a deleted website and a changed password as they are; starts a killed ClickHouse and a killed workerd again, says so, and ends with a code if workerd does not stay', async () => {
    const third = await start(dataDir, ['--log-requests'], hurried)
    expect(third).toMatchObject({ apiKey: first.apiKey, websiteId: null, share: null, username: null, password: null })
    expect(await signIn(third.url, 'admin', first.password!)).toBeUndefined()
    expect(await signIn(third.url, 'admin', 'one of my own')).toMatch(/\./)

    const { script, url, apiKey } = third
    let told = ''
    script.child.stderr!.on('data', (chunk: Buffer) => {
      told += chunk.toString()
    })
    await whileStopped(script, async () => {
      killBelow(script.child.pid!, 'engine')
      const down = await json(`${url}/ready`, apiKey)
      expect(down).toMatchObject({ status: 503, body: { error: { code: 'service-unavailable' } } })
    })
    await expect.poll(() => told, { timeout: 60_000 }).toContain('The embedded ClickHouse runs again.')
    expect(told).toContain('The embedded ClickHouse ended unexpectedly (SIGKILL). Restarting it.')
    killBelow(script.child.pid!, 'bin/workerd')
    await expect.poll(() => told, { timeout: 60_000 }).toContain('workerd runs again.')
    expect(await json(`${url}/ready`, apiKey)).toMatchObject({ status: 200, body: { ok: true } })
    await expect.poll(() => told).toMatch(/"endpoint":"ready","caller":"none","via":"http","status":200,/)

    // Another process takes the port before it is looked at again.
    const pids = family(script.child.pid!)
    const other = createServer()
    onTestFinished(() => void other.close())
    await whileStopped(script, async () => {
      killBelow(script.child.pid!, 'bin/workerd')
      await listens(other, Number(new URL(url).port))
    })
    const why = `Port ${new URL(url).port} is in use by process ${process.pid} (`
    await expectGivenUp(script, 'workerd', 'a crash or a kill', why)
    await allEnded(pids)
  })

  it('makes no website with --no-demo; keeps its folder to its owner; prints a URL that takes inserts, a command that sends an event and a sign-in for the pages, as they stand; refuses a second start; and leaves nothing behind when it is killed itself', async () => {
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
    expect(existsSync(`${dataDir}/demo-website`)).toBe(false)
    const event = `{"website_id":"${randomUUID()}"}`
    const insert = `${url}&query=INSERT%20INTO%20ingest%20FORMAT%20JSONEachRow`
    expect((await fetch(insert, { method: 'POST', body: event })).status).toBe(200)
    expect((await fetch(insert.replace(password, 'x'), { method: 'POST', body: event })).status).toBe(403)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)

    const [, api] = /Front page {2}(\S+)\/\n/.exec(printed)!
    const [, apiKey] = /API key {5}(\S+)/.exec(printed)!
    expect(printed).toMatch(new RegExp(`Data {8}${dataDir} \\(\\d+ MB on disk\\)`))
    const send = printed.split('\n').find((line) => line.includes('npm run weir -- send'))!
    const [sent, second] = await Promise.all([promisify(exec)(send, { cwd: root }), ended('--data-dir', dataDir)])
    const id = sent.stdout.trim().split('\n').at(-1)
    const { data } = (await json(`${api}/api/websites`, apiKey!)).body as { data: { id: string; domain: string }[] }
    expect(data).toMatchObject([{ domain: 'www.example.com' }])
    const events = await json(`${api}/api/websites/${data[0]!.id}/events?startAt=0&endAt=${Date.now()}`, apiKey!)
    expect(events.body).toMatchObject({ data: [{ id, eventName: 'signup' }] })

    expect(second).toMatchObject({ code: 1, stdout: '' })
    const told = second.stderr.trim().split('\n')
    expect(told[0]).toBe(`Weir starts. Its data lies in ${dataDir}`)
    expect(told.at(-1)).toBe(
      `Weir already runs on ${dataDir}, perhaps in another terminal. Stop it there, or choose another folder with --data-dir.`,
    )

    const [, username, secret] = /sign in as (\w+), password (\S+)\n/.exec(printed)!
    const browser = await startBrowser()
    await goNewcomersWay(browser, { url: api!, username: username!, password: secret! }).finally(() => browser.close())

    const pids = family(script.child.pid!)
    expect(pids.length).toBeGreaterThan(2)
    for (const pid of scriptsOf(script)) process.kill(pid, 'SIGKILL')
    await allEnded(pids)
    expect((await script.ended).stderr.split('\n').filter(Boolean)).toEqual([
      `Weir starts. Its data lies in ${dataDir}`,
      'The embedded ClickHouse starts …',
      'The Worker is bundled, and starts …',
    ])
  })

  it('says which process has a port, and which flag to change', async () => {
    const listener = `const server = net.createServer().listen(0, '127.0.0.1', () => console.log(server.address().port))`
    const other = spawn(process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void other.kill())
    const port = Number(await new Promise((printed) => other.stdout.once('data', printed)))
    const flags = ['--no-demo', '--json']
    const [api, engine] = await Promise.all([
      ended('--port', String(port), '--clickhouse-port', '0', '--data-dir', folder(), ...flags),
      ended('--port', '0', '--clickhouse-port', String(port), '--data-dir', folder(), ...flags),
    ])
    expect(api).toMatchObject({ code: 1, stdout: '' })
    const named = `Port ${port} is in use by process ${other.pid} (${process.execPath} -e const server`
    expect(api.stderr).toContain(named)
    expect(api.stderr).toContain('Choose another one with --port')
    expect(engine).toMatchObject({ code: 1, stdout: '' })
    expect(engine.stderr).toContain(named)
    expect(engine.stderr).toContain('Choose another one with --clickhouse-port')
  })

  it('refuses flags that it does not know, that are no ports or that npm kept, and a folder that cannot be made', async () => {
    const [unknown, noPort, same, help, kept, noWay] = await Promise.all([
      refused('--prot', '1'),
      refused('--port', '99999'),
      refused('--port', '9999', '--clickhouse-port', '9999'),
      refused('--help'),
      run(['start', '--port=9999', '--no-demo']),
      ended('--data-dir', '/proc/weir'),
    ])
    expect(same).toEqual({
      code: 2,
      stdout: '',
      stderr: '--port and --clickhouse-port must differ. Both are 9999.\n',
    })
    const where = 'Write -- before all that is for Weir: npm start -- … --port …'
    expect(kept).toMatchObject({ code: 2, stdout: '' })
    expect(kept.stderr).toContain(`npm kept --port and --no-demo to itself. ${where}\n`)
    expect(noWay).toMatchObject({ code: 1, stdout: '' })
    expect(noWay.stderr.trim().split('\n').at(-1)).toMatch(/^\/proc\/weir cannot be made: /)
    const noFolder = await Promise.resolve('/dev/null/weir').then(makePrivate).catch(explained)
    expect(noFolder).toBe('/dev/null/weir cannot be made: a part of the path is a file (ENOTDIR).')
    expect(help).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Usage: npm start -- \[--port N\]/),
    })
    expect(unknown).toMatchObject({ code: 2, stdout: '' })
    expect(unknown.stderr).toMatch(
      /^Unknown option '--prot'\. Did you mean --port\?\nUsage: npm start -- \[--port N\] /,
    )
    expect(noPort).toMatchObject({ code: 2, stdout: '' })
    expect(noPort.stderr).toBe('--port must be a whole number from 0 to 65535, not 99999.\n')
  })
})
