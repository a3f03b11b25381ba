import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMetadata } from '../../src/local/commands/opened.ts'
import { places } from '../../src/local/paths.ts'
import { useClickHouse } from '../../src/local/storage/clickhouse.ts'
import { weir } from '../support/commands.ts'
import { placesFile } from '../support/places-file.ts'
import { family, isAlive, type Script, spawned } from '../support/process.ts'

/** `weir serve`, with a proxy at 127.0.0.1 and a stranger at 127.0.0.2. */
const folder = mkdtempSync(`${tmpdir()}/weir-serve-`)
const dataDir = `${folder}/data`
let script: Script
let url: string
let token: string
let websiteId: string

beforeAll(async () => {
  const file = `${folder}/places.mmdb`
  writeFileSync(file, placesFile({ '198.51.100.0/24': { country: { iso_code: 'NO' } } }))
  const words = ['serve', '--port', '0', '--clickhouse-port', '0', '--data-dir', dataDir]
  script = spawned('weir', words, { ...process.env, TRUSTED_PROXIES: '127.0.0.1', PLACES_FILE: file })
  url = (await script.firstLine).replace('Weir answers at ', '')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Sent {
  readonly from?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** Sends a request from an address of this machine. */
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

it('has no user, prints no secret, and takes the first user of the command', async () => {
  const around = { dataDir, env: { WEIR_PASSWORD: 'long enough' }, openMetadata: (one: string) => openMetadata(one) }
  expect((await signIn('long enough')).status).toBe(401)
  expect((await weir(['user', 'create', '--username', 'me', '--role', 'admin'], around)).code).toBe(0)
  const { body, status } = await signIn('long enough')
  expect(status).toBe(200)
  token = body.token
  const authorization = { authorization: `Bearer ${token}` }
  const made = await send('/api/websites', { headers: authorization, body: { name: 'One', domain: 'one.example' } })
  websiteId = made.body.id
  const ready = await send('/ready', { headers: { authorization: `Bearer ${readFileSync(places(dataDir).adminKey)}` } })
  expect(ready).toMatchObject({ status: 200, body: { ok: true } })
})

it('stores the country of the visitor, whom a trusted proxy names and nobody else', async () => {
  const event = (name: string, sent: Sent) =>
    send('/api/send', { ...sent, body: { type: 'event', payload: { website: websiteId, url: '/', name } } })
  const norway = '198.51.100.7'
  const lies = { 'CF-Connecting-IP': norway, 'MF-CF-Blob': '{"country":"NO"}', 'X-Umami-Client-Country': 'NO' }
  const sent = [
    await event('proxy', { headers: { 'X-Forwarded-For': norway } }),
    await event('named', { headers: { 'X-Forwarded-For': '192.0.2.1', 'X-Umami-Client-Country': 'SE' } }),
    await event('lied to a proxy', { headers: { 'X-Forwarded-For': `${norway}, 192.0.2.1` } }),
    await event('stranger', { from: '127.0.0.2', headers: { 'X-Forwarded-For': norway, ...lies } }),
  ]
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const { client, close } = await useClickHouse(dataDir, { env: {}, note() {} })
  const query = 'SELECT event_name, country FROM events ORDER BY event_name'
  const stored = async () => (await client.query({ query, format: 'JSONEachRow' })).json()
  await expect.poll(stored, { timeout: 20_000 }).toEqual([
    { event_name: 'lied to a proxy', country: '' },
    { event_name: 'named', country: 'SE' },
    { event_name: 'proxy', country: 'NO' },
    { event_name: 'stranger', country: '' },
  ])
  await close()
})

it('limits attempts at passwords by the address of the visitor', async () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  const statuses: number[] = []
  for (let one = 0; one < 12; one++) statuses.push((await signIn('wrong', from('192.0.2.3'))).status)
  expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
  expect((await signIn('wrong', from('192.0.2.4'))).status).toBe(401)
  expect((await send('/health')).headers).not.toHaveProperty('transfer-encoding')
})

it('opens no way past the API: CONNECT is closed, as it would reach what workerd keeps for itself', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const host = 'miniflare-unsafe-internal-capnp-connect'
  socket.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  expect(await text(socket)).toBe('')
})

it('answers 503 while workerd starts again, and then as before', async () => {
  const worker = family(script.child.pid!).find((pid) => {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return command.startsWith('/') && command.includes('workerd')
  })
  process.kill(worker!, 'SIGKILL')
  await expect.poll(async () => (await send('/health')).status, { interval: 5, timeout: 5000 }).toBe(503)
  const refused = await send('/health')
  expect(refused.headers['retry-after']).toBe('1')
  expect(refused.body.error).toMatchObject({ code: 'service-unavailable', status: 503 })
  await expect.poll(async () => (await send('/health')).status, { interval: 100, timeout: 30_000 }).toBe(200)
})

it('ends in order on a signal, with all its processes', async () => {
  const pids = family(script.child.pid!)
  script.child.kill('SIGTERM')
  const { code, stderr, stdout } = await script.ended
  expect([code, stderr]).toEqual([0, expect.stringContaining('workerd runs again.')])
  expect(stdout).toBe(
    `Weir answers at ${url}\nThere is no user yet. Make the first one: ` +
      `npm run weir -- user create --username YOUR_NAME --role admin --data-dir ${dataDir}\n`,
  )
  await expect.poll(() => pids.filter(isAlive), { timeout: 20_000 }).toEqual([])
})
