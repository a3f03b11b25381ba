import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { places } from '../../src/local/paths.ts'
import type { Headers } from '../support/callers.ts'
import { type Collecting, curl, eventsOf, startCollecting, storedOf } from '../support/collecting.ts'
import { describedIn } from '../support/openapi.ts'
import { moved, newVisit, record, recordedWebsite } from '../support/recording.ts'
import { newWebsite, type Reply, running } from '../support/weir.ts'

/** Tests how the clock, the platform and variables affect collection (sections 15.2 to 15.6 of the contract). */

const minute = 60_000
const beep = { status: 200, body: { beep: 'boop', reason: 'bot' } }

/** A Worker with few variables, and one with many. */
let plain: Collecting
let set: Collecting
let website: string

beforeAll(async () => {
  plain = await startCollecting({
    ...{ IGNORE_IP: '192.0.2.66', COLLECT_CAPACITY: '20000', SALT_ROTATION: 'day', RECORD_DAILY: '2000' },
  })
  set = await startCollecting({
    ...{
      IGNORE_IP: '192.0.2.66, 2001:db8::/32,198.18.0.0/15,::ffff:192.0.2.68/127',
      DISABLE_BOT_CHECK: '1',
    },
    ...{ TRUSTED_PROXIES: '10.0.0.0/8', CLIENT_IP_HEADER: 'x-real-ip', COLLECT_CAPACITY: '20000' },
    ...{ COLLECT_LATE: '31' },
  })
})

afterAll(async () => {
  await Promise.all([plain.beside.close(), set.beside.close()])
})

beforeEach(async () => {
  website = await newWebsite()
})

type Ids = { readonly sessionId: string; readonly visitId: string; readonly cache: string }

const ask = (to: Collecting, payload: object = {}, headers: Headers = {}, cf: object = {}) =>
  to.post('/api/send', { type: 'event', payload: { website, ...payload } }, headers, cf)

const idsOf = async (payload: object = {}, headers: Headers = {}): Promise<Ids> =>
  (await ask(plain, payload, headers)).body

/**
 * Sends until that takes less than a second, because a flush, which makes room, begins a second after the first event.
 * Waits each time until what was taken is stored.
 */
async function beforeFlush<Sent extends { readonly websites: readonly string[]; readonly taken: number }>(
  sending: () => Promise<Sent>,
): Promise<Sent> {
  for (;;) {
    const began = performance.now()
    const sent = await sending()
    const isInTime = performance.now() - began < 900
    await storedOf(sent.websites, sent.taken)
    if (isInTime) return sent
  }
}

describe('the counts of the last hour', () => {
  const send = (payload: object = {}, headers: Headers = {}) => ask(plain, payload, headers)
  const collected = async (website: string) => {
    const headers = { authorization: `Bearer ${running.adminKey}` }
    return (await plain.beside.dispatch(`/api/websites/${website}/collection`, {}, { headers })).json()
  }
  const nothing = { stored: 0, bots: 0, blocked: 0, full: 0, refused: {}, warnings: {} }

  it('counts events by result, by reason and by field', async () => {
    const other = await newWebsite()
    expect(await collected(website)).toEqual({ since: expect.any(String), ...nothing })
    await send()
    const corrected = { tag: 5, screen: '1.5x2.5555555555', data: { a: 'x'.repeat(2001), b: 1e99 } }
    await send({ eventId: randomUUID(), ...corrected })
    await send({}, { 'user-agent': curl })
    await send({}, { 'cf-connecting-ip': '192.0.2.66' })
    await send({ ip: '192.0.2.66' })
    await send({ data: Object.fromEntries(Array.from({ length: 60 }, (_, key) => [key, 'x'.repeat(500)])) })
    await send({ url: 'http://[', timestamp: 1 })
    const late = Math.floor(Date.now() / 1000) - 20 * 86_400
    await plain.post('/api/batch', [
      { type: 'event', payload: { website, timestamp: late } },
      { type: 'visit', payload: { website } },
      { type: 'event', payload: { website, link: other, eventId: 5 } },
      { type: 'event', payload: { website: randomUUID(), eventId: 5 } },
      { type: 'event', payload: { link: other, eventId: 5 } },
    ])
    await expect
      .poll(() => collected(website))
      .toEqual({
        since: expect.any(String),
        ...{ stored: 2, bots: 1, blocked: 2, full: 1 },
        refused: { url: 1, timestamp: 2, type: 1 },
        warnings: { tag: 1, screen: 1, data: 2 },
      })
    // An id in the wrong field is not counted for that website.
    expect(await collected(other)).toMatchObject(nothing)
    await eventsOf(website, 2)
  })
})

describe('a visit', () => {
  /** Each test uses a different day, so that the clock never goes back. */
  let start = Date.UTC(2026, 4, 10, 12, 5)
  const at = (minutes: number) => plain.setClock(start + minutes * minute)

  beforeEach(() => {
    start += 86_400_000
  })
  afterAll(() => plain.setClock())

  it('belongs to a single session, and is not continued by another session’s token', async () => {
    await at(0)
    const ada = await idsOf({ id: 'ada' })
    const other = await idsOf({ ip: '192.0.2.8' }, { 'x-umami-cache': ada.cache })
    expect(other.visitId).not.toBe(ada.visitId)
    expect((await idsOf({ id: 'bob' }, { 'x-umami-cache': ada.cache })).visitId).not.toBe(ada.visitId)
  })
})

it('an event dated a day ahead is stored, even if ClickHouse’s clock is minutes behind', async () => {
  const now = Date.now() + 1_200_000
  await plain.setClock(now)
  const at = { website, timestamp: Math.floor(now / 1000) + 86_400 }
  const batch = [
    { type: 'event', payload: { ...at, tag: 'first' } },
    { type: 'event', payload: { ...at, tag: 'second' } },
    { type: 'identify', payload: { ...at, id: 'ada' } },
  ]
  expect((await plain.post('/api/batch', batch)).body).toMatchObject({ processed: 3, errors: 0 })
  await plain.setClock()
  const { events, calls } = await storedOf([website], 2, 1)
  const times = [...events, ...calls].map(({ created_at }) => Date.parse(`${created_at}Z`) - 1000 * at.timestamp)
  expect(times).toEqual([0, 1, 2])
})

it('the location comes from the platform, unless the payload is about another visitor', async () => {
  const berlin = { country: 'DE', regionCode: 'BE', city: 'Berlin' }
  const place = { country: 'DE', region: 'DE-BE', city: 'Berlin' }
  const nowhere = { country: '', region: '', city: '' }
  const cases: readonly (readonly [object, object, object])[] = [
    [{}, berlin, place],
    [{ ip: '192.0.2.1' }, berlin, place],
    [{ ip: '192.0.2.2' }, berlin, nowhere],
    [{ ip: '192.0.2.2', country: 'fr', city: 'Lyon' }, berlin, { country: 'FR', region: '', city: 'Lyon' }],
    [{}, { ...berlin, country: 'XX' }, nowhere],
    [{}, { ...berlin, country: 'T1' }, nowhere],
  ]
  for (const [tag, [payload, cf]] of cases.entries()) await ask(plain, { ...payload, tag: String(tag) }, {}, cf)
  const rows = await eventsOf(website, cases.length)
  const found = cases.map((_, tag) => rows.find((row) => row.tag === String(tag)))
  expect(found.map((row) => ({ country: row!.country, region: row!.region, city: row!.city }))).toEqual(
    cases.map(([, , expected]) => expected),
  )
})

it('the platform’s bot verdict is used, but not for visitors that a program describes in the payload', async () => {
  expect(await ask(plain, {}, {}, { verifiedBotCategory: 'Search Engine Crawler' })).toMatchObject(beep)
  expect(await ask(plain, {}, {}, { botManagement: { verifiedBot: true } })).toMatchObject(beep)
})

/** The responses to a stranger who sends an address, with each id replaced by the position of its first occurrence. */
async function answersTo(ip: string): Promise<unknown> {
  const eventId = randomUUID()
  const events = [{}, { id: 'ada' }, { id: 'bob' }, {}, { eventId }, { id: 'eve', eventId }]
  const seen: string[] = []
  const place = (id: string) => (seen.includes(id) ? seen.indexOf(id) : seen.push(id) - 1)
  const said: unknown[] = []
  for (const more of events) {
    const { body } = await ask(set, { ip, ...more })
    said.push([Object.keys(body), place(body.sessionId), place(body.visitId), place(body.cache)])
  }
  return said
}

describe('with different variables', () => {
  it('refuses blocked addresses, after the validation and the bot check', async () => {
    const from = (address: string) => ({ 'cf-connecting-ip': address })
    for (const address of ['192.0.2.66', '2001:db8::1', '198.19.255.255']) {
      expect((await ask(set, {}, from(address))).status).toBe(403)
    }
    const otherForms = ['::ffff:c000:242', '::FFFF:192.0.2.66', '0:0:0:0:0:ffff:C000:0242', '2001:0DB8::1%eth0']
    for (const ip of [...otherForms, '192.0.2.69', '::ffff:192.0.2.69']) {
      expect([ip, (await ask(set, {}, from(ip))).status]).toEqual([ip, 403])
      // Callers cannot find out which addresses are blocked.
      expect([ip, (await ask(set, { ip })).status]).toEqual([ip, 200])
    }
    expect(await answersTo('192.0.2.66')).toEqual(await answersTo('192.0.2.72'))
    const free = ['fe80::1%eth0', '::ffff:198.51.100.1', '::ffff:0:192.0.2.66', '64:ff9b::192.0.2.66', '::']
    for (const ip of [...free, '::ffff:192.0.2.70', '1.2.3', 'x'.repeat(255)]) {
      expect([ip, (await ask(set, { ip })).status]).toEqual([ip, 200])
    }
    expect((await ask(set, { url: 5 }, from('192.0.2.66'))).status).toBe(400)
    expect((await ask(set, { website: randomUUID() }, from('192.0.2.66'))).status).toBe(400)
    for (const address of ['192.0.2.67', '2001:db9::1']) expect((await ask(set, {}, from(address))).status).toBe(200)
    await eventsOf(website, 15)
  })

  it('treats bots as people', async () => {
    const { body } = await ask(set, {}, { 'user-agent': curl })
    expect(Object.keys(body)).toEqual(['cache', 'sessionId', 'visitId'])
    await eventsOf(website, 1)
  })

  it('refuses recordings from blocked addresses, but not from bots', async () => {
    const visit = await newVisit(await recordedWebsite())
    const body = { type: 'record', payload: { website: visit.websiteId, events: [moved(Date.now())] } }
    const headers = { ...visit.headers, 'x-umami-cache': visit.cache }
    const blocked = await set.post('/api/record', body, headers)
    expect([blocked.status, blocked.body.error.code]).toEqual([403, 'forbidden'])
    const robot = { 'user-agent': curl, 'cf-connecting-ip': '192.0.2.9' }
    const { cache } = (await set.post('/api/send', { type: 'event', payload: { website: visit.websiteId } }, robot))
      .body
    expect((await record({ ...visit, headers: robot, cache }, 'record', [moved(1)])).body).toEqual(beep.body)
  })

  it('accepts events that are up to COLLECT_LATE days old', async () => {
    const ages = [31 * 86_400 - 60, 31 * 86_400 + 60]
    const now = Math.floor(Date.now() / 1000)
    const replies = await Promise.all(ages.map((age) => ask(set, { timestamp: now - age })))
    expect(replies.map(({ status }) => status)).toEqual([200, 400])
  })

  it('accepts the address and the location from a trusted proxy, and from nobody else', async () => {
    const from = (address: string, headers: Headers = {}) => ({ 'cf-connecting-ip': address, ...headers })
    const named = {
      'x-real-ip': '203.0.113.9:4711, 10.0.0.1',
      'x-umami-client-country': 'at',
      'x-umami-client-region': 'AT-9',
      // This is UTF-8, and each byte is one character of the header.
      'x-umami-client-city': Buffer.from('Mödling').toString('latin1'),
    }
    const cf = { country: 'DE', regionCode: 'BE', city: 'Berlin' }
    const direct = (await ask(set, { tag: 'direct' }, from('203.0.113.9'), cf)).body
    const proxied = (await ask(set, { tag: 'proxied' }, from('10.1.2.3', named), cf)).body
    const forged = (await ask(set, { tag: 'forged' }, from('203.0.113.200', named), cf)).body
    const bare = (await ask(set, { tag: 'bare' }, from('10.1.2.3', { 'x-real-ip': '203.0.113.9' }), cf)).body
    expect(proxied.sessionId).toBe(direct.sessionId)
    expect(bare.sessionId).toBe(direct.sessionId)
    const [one, other] = ['[2001:db9::9]:4711', '2001:db9::9'].map((address) =>
      ask(set, { tag: 'six' }, from('10.1.2.3', { 'x-real-ip': address })),
    )
    expect((await one!).body.sessionId).toBe((await other!).body.sessionId)
    expect(forged.sessionId).not.toBe(direct.sessionId)
    expect((await ask(set, {}, from('10.1.2.3', { 'x-real-ip': '192.0.2.66' }))).status).toBe(403)
    const rows = (await eventsOf(website, 6)).filter(({ tag }) => tag !== 'six')
    const places = Object.fromEntries(rows.map(({ tag, country, region, city }) => [tag, [country, region, city]]))
    const berlin = ['DE', 'DE-BE', 'Berlin']
    expect(places).toEqual({ direct: berlin, forged: berlin, proxied: ['AT', 'AT-9', 'Mödling'], bare: ['', '', ''] })
  })

  it('gives a visitor a new session each day', async () => {
    const [first, second] = [Date.UTC(2026, 4, 5), Date.UTC(2026, 4, 6)].map((day) => day / 1000)
    await plain.setClock((second! + 3600) * 1000)
    const idAt = async (timestamp: number) => (await ask(plain, { timestamp })).body.sessionId
    const own = await idAt(first!)
    expect(await idAt(second! - 1)).toBe(own)
    expect(await idAt(second!)).not.toBe(own)
    await plain.setClock()
  })

  it('returns 503 for events that do not fit, and for the whole batch if none was stored', async () => {
    const large = { website, data: { text: 'x'.repeat(1900) } }
    const batch = () => set.post('/api/batch', Array(8).fill({ type: 'event', payload: { ...large, tag: 'batch' } }))
    let taken = 0
    const { replies } = await beforeFlush(async () => {
      const replies = [await batch(), await batch(), await ask(set, large)]
      for (const { status, body } of replies) taken += status === 200 ? (body.processed ?? 1) : 0
      return { websites: [website], taken, replies }
    })
    const [reply, ...full] = replies as [Reply, ...Reply[]]
    expect(reply.status).toBe(200)
    const { processed, errors, details, cache } = reply.body
    expect(processed + errors).toBe(8)
    expect([processed > 0, errors > 0]).toEqual([true, true])
    expect(cache).not.toBeNull()
    expect(details.map(({ response }: { response: { error: { status: number } } }) => response.error.status)).toEqual(
      Array(errors).fill(503),
    )
    for (const one of full) {
      expect(one.status).toBe(503)
      expect(one.headers.get('retry-after')).toMatch(/^\d+$/)
    }
    expect((await storedOf([website], taken)).events).toHaveLength(taken)
  })

  it('reserves space for other websites, however much some of them send', async () => {
    const fill = async (website: string): Promise<number> => {
      const payload = { website, data: { text: 'x'.repeat(400) } }
      const { body } = await set.post('/api/batch', Array(60).fill({ type: 'event', payload }))
      return body.processed ?? 0
    }
    const { all } = await beforeFlush(async () => {
      const websites = await Promise.all(Array.from({ length: 3 }, () => newWebsite()))
      const all: number[] = []
      for (const one of websites) all.push(await fill(one))
      return { websites, taken: all.reduce((sum, processed) => sum + processed, 0), all }
    })
    expect(all.every((processed) => processed > 0)).toBe(true)
    expect(all[0]! > all[1]! && all[1]! > all[2]!).toBe(true)
  })

  it('counts a website’s daily recordings from 0 on each UTC day, and shows full days in /metrics', async () => {
    const websiteId = await recordedWebsite()
    const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000
    const { headers } = await newVisit(websiteId)
    const recorded = async (at: number) => {
      await plain.setClock(at)
      const event = { type: 'event', payload: { website: websiteId, url: '/' } }
      const { cache } = (await plain.post('/api/send', event, headers)).body
      const body = { type: 'record', payload: { website: websiteId, events: [moved(at, 'x'.repeat(1900))] } }
      const answer = await plain.post('/api/record', body, { ...headers, 'x-umami-cache': cache })
      await describedIn('POST', '/api/record', answer.status, answer.body)
      return answer.body
    }
    const answers: unknown[] = []
    for (const after of [-3, -2, -1, 0, 1]) answers.push(await recorded(midnight + after))
    const [taken, full] = [{ ok: true }, { ok: false, reason: 'recorder_full' }]
    expect(answers).toEqual([taken, full, full, taken, full])
    const authorization = `Bearer ${readFileSync(places(running.dataDir).metricsToken, 'utf8')}`
    const metrics = await plain.beside.dispatch('/metrics', {}, { headers: { authorization } })
    expect(await metrics.text()).toContain('\nweir_record_full_days_total{log="0"} 3\n')
  })
})
