import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMetadata } from '../../src/local/commands/opened.ts'
import { type Engine, startEngine } from '../../src/local/engine/index.ts'
import { openBackup } from '../../src/local/import/own/backup-folder.ts'
import { places } from '../../src/local/paths.ts'
import { urlOf, useClickHouse } from '../../src/local/storage/clickhouse.ts'
import { serverOf } from '../../src/local/storage/clickhouse-url.ts'
import { weir } from '../support/commands.ts'
import { putTables } from '../support/migrated.ts'
import { placesFile } from '../support/places-file.ts'
import { family, isAlive, type Script, spawned } from '../support/process.ts'

/** Tests `weir serve`, with a proxy at 127.0.0.1 and a stranger at 127.0.0.2. */
const folder = mkdtempSync(`${tmpdir()}/weir-serve-`)
const dataDir = `${folder}/data`
let script: Script
let url: string
let token: string
let websiteId: string

const file = `${folder}/places.mmdb`

async function serve(on: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
  const words = ['serve', '--port', '0', '--clickhouse-port', '0', '--data-dir', on]
  script = spawned('weir', words, { ...process.env, TRUSTED_PROXIES: '127.0.0.1', PLACES_FILE: file, ...env })
  url = (await script.firstLine).replace('Weir answers at ', '')
}

beforeAll(async () => {
  writeFileSync(file, placesFile({ '198.51.100.0/24': { country: { iso_code: 'NO' } } }))
  await putTables(dataDir)
  await serve(dataDir)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Sent {
  readonly from?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** Sends a request from one of this machine's addresses. */
async function send(path: string, { from = '127.0.0.1', headers = {}, body }: Sent = {}) {
  const method = body ? 'POST' : 'GET'
  const sending = request(url + path, { method, headers: { ...browser, ...headers }, localAddress: from })
  sending.end(body && JSON.stringify(body))
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  return { status: answer.statusCode!, headers: answer.headers, body: JSON.parse(await text(answer)) }
}

const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0', 'Content-Type': 'application/json' }

const signIn = (password: string, headers: Sent['headers'] = {}) =>
  send('/api/auth/login', { body: { username: 'me', password }, headers })

const event = (name: string, sent: Sent = {}) =>
  send('/api/send', { ...sent, body: { type: 'event', payload: { website: websiteId, url: '/', name } } })

/** These columns of all events, in the data folder or on another server. */
async function stored(columns: string, env: NodeJS.ProcessEnv = {}): Promise<unknown[]> {
  const { client, close } = await useClickHouse(dataDir, { env, note() {} })
  const query = `SELECT ${columns} FROM events ORDER BY event_name`
  return (await client.query({ query, format: 'JSONEachRow' })).json<unknown>().finally(close)
}

const around = { dataDir, env: { WEIR_PASSWORD: 'long enough' }, openMetadata: (one: string) => openMetadata(one) }

it('weir serve has no users until the command creates the first one', async () => {
  expect((await signIn('long enough')).status).toBe(401)
  expect((await weir(['user', 'create', '--username', 'me', '--role', 'admin'], around)).code).toBe(0)
  const { body, status } = await signIn('long enough')
  expect(status).toBe(200)
  token = body.token
  const authorization = { authorization: `Bearer ${token}` }
  const made = await send('/api/websites', { headers: authorization, body: { name: 'One', domain: 'one.example' } })
  websiteId = made.body.id
  const headers = { authorization: `Bearer ${readFileSync(places(dataDir).adminKey)}` }
  await expect.poll(() => send('/ready', { headers })).toMatchObject({ status: 200, body: { ok: true } })
})

it('the visitor’s country is stored from the headers of a trusted proxy only', async () => {
  const norway = '198.51.100.7'
  const lies = { 'CF-Connecting-IP': norway, 'MF-CF-Blob': '{"country":"NO"}', 'X-Umami-Client-Country': 'NO' }
  const sent = [
    await event('proxy', { headers: { 'X-Forwarded-For': norway } }),
    await event('named', { headers: { 'X-Forwarded-For': '192.0.2.1', 'X-Umami-Client-Country': 'SE' } }),
    await event('lied to a proxy', { headers: { 'X-Forwarded-For': `${norway}, 192.0.2.1` } }),
    await event('stranger', { from: '127.0.0.2', headers: { 'X-Forwarded-For': norway, ...lies } }),
  ]
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  await expect
    .poll(() => stored('event_name, country'), { timeout: 20_000 })
    .toEqual([
      { event_name: 'lied to a proxy', country: '' },
      { event_name: 'named', country: 'SE' },
      { event_name: 'proxy', country: 'NO' },
      { event_name: 'stranger', country: '' },
    ])
})

it('password attempts are limited by the visitor’s address', async () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  let attempts = 0
  // Ten attempts per minute are allowed, and a new minute may begin meanwhile.
  while (attempts < 21 && (await signIn('wrong', from('192.0.2.3'))).status === 401) attempts++
  expect(attempts).toBeGreaterThanOrEqual(10)
  expect(attempts).toBeLessThan(21)
  expect((await signIn('wrong', from('192.0.2.4'))).status).toBe(401)
  expect((await send('/health')).headers).not.toHaveProperty('transfer-encoding')
})

it('CONNECT is closed, because it would reach workerd’s internal services', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const host = 'miniflare-unsafe-internal-capnp-connect'
  socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  expect(await text(socket)).toBe('')
})

it('requests get a 503 while workerd restarts, and succeed afterwards', async () => {
  const worker = family(script.child.pid!).find((pid) => {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return command.startsWith('/') && command.includes('workerd')
  })
  process.kill(worker!, 'SIGKILL')
  await expect
    .poll(() => send('/health'), { interval: 5, timeout: 5000 })
    .toMatchObject({
      ...{ status: 503, headers: { 'retry-after': '1' } },
      body: { error: { code: 'service-unavailable', status: 503 } },
    })
  await expect.poll(async () => (await send('/health')).status, { interval: 100, timeout: 30_000 }).toBe(200)
})

it('a backup can be made while weir serve is running', async () => {
  const { code, stdout } = await weir(['backup', '--to', `${folder}/backups`], around)
  expect(code).toBe(0)
  const { manifest, things } = openBackup(stdout.trim())
  expect(manifest.days).toEqual([{ kind: 'events', day: expect.any(String), rows: 4 }])
  expect(await things()).toContainEqual({ table: 'users', row: expect.objectContaining({ username: 'me' }) })
})

/** Another ClickHouse server, whose password and database need quoting, and a data folder that uses it. */
const own = { user: 'weir', password: 'p:ss w/rd?' }
const database = "events `of` 'ours'"
const updated = `${folder}/updated`
let engine: Engine
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  engine = await startEngine({ dataDir: `${folder}/server`, ...own })
  const address = new URL(engine.url)
  address.username = own.user
  address.password = encodeURIComponent(own.password)
  address.searchParams.set('database', database)
  env = { CLICKHOUSE_URL: address.href }
})

afterAll(() => engine.close())

it('each event counts only once after a kill and an upgrade, even if the log sends it again', async () => {
  const names = Array.from({ length: 40 }, (_, place) => `event ${place}`)
  for (const name of names) expect((await event(name)).status).toBe(200)
  await expect.poll(async () => (await stored('event_name')).length, { interval: 20 }).toBeGreaterThan(4)
  for (const pid of family(script.child.pid!).filter(isAlive)) process.kill(pid, 'SIGKILL')
  const killed = await script.ended
  expect(killed.stderr).toContain('workerd is running again.')
  expect(killed.stdout).toBe(
    `Weir answers at ${url}\nThere is no user yet. Create the first one: ` +
      `npm run weir -- user create --username YOUR_NAME --role admin --data-dir ${dataDir}\n`,
  )

  const upgraded = await weir(['upgrade', '--from', dataDir], { ...around, env, dataDir: updated })
  expect(upgraded).toMatchObject({ code: 0, stderr: '' })
  await serve(updated, env)
  const ready = { headers: { authorization: `Bearer ${readFileSync(places(updated).adminKey)}` } }
  await expect
    .poll(async () => (await send('/ready', ready)).body, { timeout: 20_000 })
    .toMatchObject({ logs: [{ waiting: 0 }] })
  const all = (await stored('event_name', env)) as { event_name: string }[]
  expect(all.map(({ event_name }) => event_name).filter((name) => name.includes('event'))).toEqual(names.sort())
  expect((await weir(['user', 'list'], { ...around, dataDir: updated })).stdout).toMatch(/^\S+ {2}me {2}admin .*\n$/)
  const elsewhere = await weir(['upgrade', '--from', updated], { ...around, dataDir: `${folder}/third` })
  expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringMatching(/: set FROM_CLICKHOUSE_URL\.$/m)])
})

it('a ClickHouse in CLICKHOUSE_URL, with a password and any database name, is used', async () => {
  const headers = { authorization: `Bearer ${readFileSync(places(updated).adminKey)}` }
  const answered = await send(`/api/websites/${websiteId}/events/stats?startAt=0&endAt=9999999999999`, { headers })
  expect(answered).toMatchObject({ status: 200, body: { data: { events: 44 } } })
  // Another server's operator inserts heartbeats, but `serve` does so itself.
  const beat = async () => {
    const { client, close } = await useClickHouse(updated, { env, note() {} })
    const query = 'SELECT toFloat64(max(at)) AS at FROM heartbeats'
    const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<{ at: number }>().finally(close)
    return row!.at
  }
  const first = await beat()
  await expect.poll(beat).toBeGreaterThan(first)
  expect(await weir(['check', 'event_data'], { dataDir: updated })).toEqual({
    code: 2,
    stdout: '',
    stderr: `npm start runs here with the ClickHouse at ${new URL(engine.url).host}: set CLICKHOUSE_URL here, too.\n`,
  })
  // `npm start` prints the URL in another form.
  expect(serverOf({ CLICKHOUSE_URL: urlOf(serverOf(env)) })).toEqual(serverOf(env))
})

it('on a SIGTERM, weir serve ends, but not a ClickHouse server in CLICKHOUSE_URL', async () => {
  const pids = family(script.child.pid!)
  script.child.kill('SIGTERM')
  const { code, stdout } = await script.ended
  expect([code, stdout]).toEqual([0, `Weir answers at ${url}\n`])
  await expect.poll(() => pids.filter(isAlive), { timeout: 20_000 }).toEqual([])
  expect((await fetch(`${engine.url}/ping`)).status).toBe(200)
})
