import { randomUUID } from 'node:crypto'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type Headers, operator, post, remove } from '../support/callers.ts'
import { curl, eventsOf, firefox, person, sendOne, stored } from '../support/collecting.ts'
import { runs } from '../support/long.ts'
import { refused } from '../support/refusals.ts'
import { newWebsite, type Reply, running, send } from '../support/weir.ts'

/** Tests sections 15.1 to 15.6 of the contract, and the hits in section 14, sentence by sentence. */

const raw = (path: string, body: string, headers: Headers = {}): Promise<Reply> =>
  send(path, { method: 'POST', headers: { ...person, ...headers }, body })

async function newSource(kind: 'link' | 'pixel'): Promise<{ readonly id: string; readonly slug: string }> {
  const slug = randomUUID()
  const reply = await post(`/api/${kind}s`, {
    name: 'One',
    slug,
    ...(kind === 'link' && { url: 'https://example.com/to' }),
  })
  return { id: reply.body.id, slug }
}

const emoji = (count: number) => '😀'.repeat(count)
const now = () => Math.floor(Date.now() / 1000)
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]))

const shared = await newWebsite()

describe('a payload', () => {
  it.concurrent.each<[string, object]>([
    ['payload.website', { website: undefined }],
    ['payload.website', { website: null }],
    ['payload.website', { website: 'none' }],
    ['payload.website', { link: randomUUID() }],
    ['payload.url', { url: 7 }],
    ['payload.url', { url: ['/'] }],
    ['payload.url', { url: 'https://' }],
    ['payload.timestamp', { timestamp: Date.now() }],
    ['payload.timestamp', { timestamp: now() + 0.5 }],
    ['payload.timestamp', { timestamp: 946_684_799 }],
    ['payload.timestamp', { timestamp: -1 }],
    ['payload.timestamp', { timestamp: `${now()}.5` }],
    ['payload.timestamp', { timestamp: true }],
    ['payload.timestamp', { timestamp: now() + 90_000 }],
    ['payload.timestamp', { timestamp: String(now() + 90_000) }],
    ['payload.eventId', { eventId: 'mine' }],
    ['payload.eventId', { eventId: 6 }],
  ])('is refused because of its %s', async (path, wrong) => {
    refused(await sendOne({ website: shared, ...wrong }), path)
  })

  it('is refused because of its type, or if it is not an event', async () => {
    refused(await sendOne({ website: shared }, {}, 'view'), 'type')
    refused(await raw('/api/send', '{"type":"event"}'), 'payload')
    for (const body of ['5', 'null', '[]', '"text"']) expect((await raw('/api/send', body)).status).toBe(400)
  })

  it('gets all errors in one response', async () => {
    refused(
      await sendOne({ website: 'none', url: 5, timestamp: -1 }),
      'payload.website',
      'payload.url',
      'payload.timestamp',
    )
  })

  it('needs an existing source of the right kind', async () => {
    const unknown = (path: string) => ({
      status: 400,
      body: {
        error: expect.objectContaining({
          message: 'Website not found.',
          issues: [{ path, message: 'Website not found.' }],
        }),
      },
    })
    const id = randomUUID()
    expect(await sendOne({ website: id })).toMatchObject(unknown('payload.website'))
    expect(await sendOne({ link: id })).toMatchObject(unknown('payload.link'))
    expect(await sendOne({ pixel: id })).toMatchObject(unknown('payload.pixel'))
    expect(await sendOne({ link: shared })).toMatchObject(unknown('payload.link'))
  })

  it('is refused immediately if its website was deleted', async () => {
    const website = await newWebsite()
    expect((await sendOne({ website })).status).toBe(200)
    await remove(`/api/websites/${website}`)
    expect((await sendOne({ website })).status).toBe(400)
  })

  /** A payload in which each field is at its limit. */
  const longest = {
    ...{ hostname: 'h'.repeat(100), language: emoji(35), screen: 's'.repeat(11), name: emoji(50), tag: emoji(50) },
    ...{ id: emoji(255), userAgent: `${firefox} ${'x'.repeat(999 - firefox.length)}`, ip: '192.0.2.1' },
    ...{ browser: emoji(255), os: emoji(255), device: emoji(255) },
    ...{ region: emoji(255), city: emoji(255), country: 'de', timestamp: 946_684_800 },
    data: { ...many(97), ['k'.repeat(200)]: emoji(2000), list: ['x'.repeat(3996)], n: -9_007_199_254_740_991 },
  }

  it.concurrent('may reach every limit; null and empty texts count as missing, unknown keys are ignored', async () => {
    const website = await newWebsite()
    const empty = Object.fromEntries(Object.keys(longest).map((name) => [name, null]))
    const blank = { hostname: '', language: '', name: '', tag: '', id: '', title: '', url: '', referrer: '', ip: '' }
    const whole = { website: website.toUpperCase(), link: null, pixel: '', ...longest, unknown: { a: [1] } }
    expect((await sendOne(whole, operator)).body).toEqual(stored)
    expect((await sendOne({ website, ...empty })).body).toEqual(stored)
    expect((await sendOne({ website, ...blank })).body).toEqual(stored)
    const [long, ...short] = await eventsOf(website, 3)
    const texts = { event_name: emoji(50), distinct_id: emoji(255), city: emoji(255), country: 'DE', tag: emoji(50) }
    expect(long).toMatchObject(texts)
    expect(long!.created_at).toBe('2000-01-01 00:00:00.000')
    expect(long!.properties).toHaveLength(100)
    const nothing = { event_type: 1, event_name: '', hostname: '', url_path: '', url_query: '', distinct_id: '' }
    for (const row of short) expect(row).toMatchObject({ ...nothing, properties: [], language: '', browser: 'firefox' })
  })
})

describe('a body', () => {
  const sized = (bytes: number): string => {
    const body = (fill: string) => JSON.stringify({ type: 'event', payload: { website: shared, fill } })
    return body('x'.repeat(bytes - body('').length))
  }

  /** The status of a batch whose headers are sent without a body. */
  const statusOf = (headers: OutgoingHttpHeaders): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const call = request(`${running.url}/api/batch`, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode)
        call.destroy()
      })
      call.once('error', reject)
      call.flushHeaders()
    })

  it('is read as JSON, whatever the Content-Type', async () => {
    const body = JSON.stringify({ type: 'event', payload: { website: shared } })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      expect((await raw('/api/send', body, { 'content-type': type })).body).toEqual(stored)
    }
    for (const wrong of ['', '{', 'website=1', '[1,', '\u0000']) {
      expect((await raw('/api/send', wrong)).status, wrong).toBe(400)
      expect((await raw('/api/batch', wrong)).status, wrong).toBe(400)
    }
  })

  it('has a maximum nesting depth, which also applies to each event of a batch', async () => {
    const deep = (depth: number) =>
      `{"type":"event","payload":{"website":"${shared}","data":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}}`
    expect((await raw('/api/send', deep(47))).status).toBe(200)
    expect((await raw('/api/batch', `[${deep(47)}]`)).body).toMatchObject({ processed: 1 })
    for (const depth of [48, 40_000]) {
      expect((await raw('/api/send', deep(depth))).status).toBe(400)
      expect((await raw('/api/batch', `[${deep(depth)}]`)).status).toBe(400)
    }
  })

  it('has a maximum number of values and of distinct object shapes', async () => {
    const keys = (count: number) => Array.from({ length: count }, (_, place) => `"k${place}":1`).join()
    const event = (data: string) => `{"type":"event","payload":{"website":"${shared}","unknown":${data}}}`
    // Type, payload, website and unknown count as four shapes.
    expect((await raw('/api/send', event(`{${keys(1990)}}`))).status).toBe(200)
    expect((await raw('/api/send', event(`{${keys(2050)}}`))).body.error.message).toMatch('keys')
    const batch = (count: number) =>
      `[${Array.from({ length: 100 }, (_, one) => event(`{"${one}":{${keys(count)}}}`))}]`
    expect((await raw('/api/batch', batch(500))).body).toMatchObject({ processed: 100 })
    const many = Array.from({ length: 65_000 }, (_, place) => `{"k${place}":1}`)
    expect((await raw('/api/batch', `[${event(`[${many}]`)}]`)).body.error.message).toMatch('keys')
    expect((await raw('/api/batch', `[${'1,'.repeat(1_000_010)}1]`)).body.error.message).toMatch('values')
  })

  it('gets a response that clients can read while they are still sending, if it is too large', async () => {
    const paths = { '/api/send': 100_001, '/api/batch': 5_000_001, '/api/record': 1_000_001 }
    const { cache } = (await sendOne({ website: shared })).body
    for (const [path, bytes] of Object.entries(paths)) {
      for (const size of [bytes, 6_000_000, 19_000_000]) {
        const parts = () => new Blob(Array(Math.ceil(size / 10_000)).fill('x'.repeat(10_000))).stream()
        // Regression: some clients got a connection reset instead of the response.
        for (const body of Array(runs(1, 4))
          .fill([parts, () => 'x'.repeat(size)])
          .flat()) {
          const answer = await fetch(running.url + path, {
            method: 'POST',
            headers: { ...person, 'x-umami-cache': cache },
            body: body(),
            duplex: 'half',
          })
          expect([answer.status, await answer.json()]).toMatchObject([413, { error: { status: 413 } }])
        }
      }
    }
  })

  it('may have 100 kB, also within a batch, which may have 500 objects and 5 MB', async () => {
    expect((await raw('/api/send', sized(100_000))).status).toBe(200)
    expect((await raw('/api/send', sized(100_001))).status).toBe(413)
    for (const others of [0, 1]) {
      const reply = await raw('/api/batch', `[${[sized(100_001), ...Array(others).fill(sized(200))].join(',')}]`)
      expect(reply.body).toMatchObject({ size: 1 + others, processed: others, errors: 1 })
      expect(reply.body.details).toMatchObject([{ index: 0, response: { error: { status: 413 } } }])
    }
    const small = { type: 'event', payload: { website: randomUUID() } }
    expect((await post('/api/batch', Array(500).fill(small), person)).body).toMatchObject({
      ...{ size: 500, errors: 500, cache: null },
    })
    expect((await post('/api/batch', Array(501).fill(small), person)).status).toBe(400)
    expect(await statusOf({ 'content-length': 5_000_001 })).toBe(413)
    for (const wrong of [{}, 5, 'text', null]) expect((await post('/api/batch', wrong, person)).status).toBe(400)
  })
})

/** The answer to bots. */
const beep = { beep: 'boop', reason: 'bot' }
const google = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

describe('an answer', () => {
  it('contains only the ids and the token', async () => {
    const reply = await sendOne({ website: shared }, { authorization: 'Bearer None' })
    expect(reply).toMatchObject({ status: 200, body: stored })
    expect(Object.keys(reply.body)).toEqual(['cache', 'sessionId', 'visitId'])
    expect(reply.headers.get('set-cookie')).toBeNull()
    expect(reply.headers.get('cache-control')).toMatch(/no-store|no-cache/)
  })

  it('is a beep for a bot, whose event is not stored', async () => {
    const website = await newWebsite()
    for (const userAgent of [curl, 'node', google]) {
      expect(await sendOne({ website }, { 'user-agent': userAgent })).toMatchObject({ status: 200, body: beep })
      expect(await sendOne({ website, userAgent })).toMatchObject({ status: 200, body: beep })
    }
    expect(await withoutUserAgent(JSON.stringify({ type: 'event', payload: { website } }))).toEqual(beep)
    // The User-Agent of the visitor in the payload decides, not the program's.
    expect((await sendOne({ website, userAgent: firefox }, { 'user-agent': curl })).body).toEqual(stored)
    refused(await sendOne({ website, url: 5 }, { 'user-agent': curl }), 'payload.url')
    expect((await sendOne({ website: randomUUID() }, { 'user-agent': curl })).status).toBe(400)
    await eventsOf(website, 1)
  })

  const withoutUserAgent = (body: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const call = request(`${running.url}/api/send`, { method: 'POST' }, async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve(JSON.parse(text))
      })
      call.once('error', reject)
      call.end(body)
    })

  it('can be read from all origins; preflights allow all headers that scripts send', async () => {
    for (const path of ['/api/send', '/api/batch']) {
      const preflight = await fetch(running.url + path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://shop.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,x-umami-cache,x-umami-hostname,x-umami-website-id',
        },
      })
      expect(preflight.status).toBe(204)
      expect(Object.fromEntries(preflight.headers)).toMatchObject({
        ...{ 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
        ...{ 'access-control-allow-methods': 'POST,OPTIONS', 'access-control-max-age': '86400' },
      })
      for (const body of ['[]', '{}', '{']) {
        const reply = await raw(path, body, { origin: 'https://shop.example' })
        expect(reply.headers.get('access-control-allow-origin')).toBe('*')
      }
    }
  })
})

describe('a session', () => {
  it('ignores an unreadable token', async () => {
    const [website, other] = [await newWebsite(), await newWebsite()]
    const asked = async (payload: object, token: string) =>
      (await sendOne({ website, ...payload }, { 'x-umami-cache': token })).body
    const plain = await asked({}, '')
    expect((await asked({ id: 'ada' }, plain.cache)).sessionId).toBe(plain.sessionId)
    const bob = await asked({ id: 'bob' }, plain.cache)
    expect(bob.sessionId).not.toBe(plain.sessionId)
    const under = async (token: string) => (await asked({}, token)).sessionId
    expect(await under(bob.cache)).toBe(bob.sessionId)
    expect(await under(JSON.stringify(bob))).toBe(bob.sessionId)
    // Without a token, the last session from the address continues.
    expect(await under(plain.cache)).toBe(plain.sessionId)
    const foreign = (await sendOne({ website: other, id: 'bob' })).body.cache
    const forged = `${bob.cache[0] === 'A' ? 'B' : 'A'}${bob.cache.slice(1)}`
    const elsewhere = (await sendOne({ website, id: 'bob' }, { 'cf-connecting-ip': '192.0.2.77' })).body.cache
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzZXNzaW9uSWQiOiJ4In0.c2lnbmF0dXJl'
    for (const token of ['', foreign, forged, elsewhere, jwt, '{', '{"cache":5}', 'x'.repeat(5000), 'undefined']) {
      expect(await under(token), token).toBe(plain.sessionId)
    }
  })
})

describe('what is stored', () => {
  it.concurrent('includes every column about the page', async () => {
    const website = await newWebsite()
    await sendOne({
      ...{ website, hostname: 'www.Example.com', language: 'de-CH', screen: '1920x1080', title: 'Caf%C3%A9 & more' },
      url: '/caf%C3%A9/x%2Fy?utm_source=news&utm_medium=a+b&utm_campaign=c%C3%A9&utm_content=d&utm_term=e&gclid=1&fbclid=2&msclkid=3&ttclid=4&li_fat_id=5&twclid=6&q=%20#h%C3%A4',
      ...{ referrer: 'https://www.Google.com/search%20me?q=weir', tag: 'A', id: 'ada' },
    })
    const [row] = await eventsOf(website, 1)
    expect(row).toEqual({
      ...{ website_id: website, session_id: row!.session_id, visit_id: row!.visit_id, event_id: row!.event_id },
      ...{
        ...{ created_at: row!.created_at, event_type: 1, event_name: '', hostname: 'www.example.com' },
        browser: 'firefox',
      },
      ...{ os: 'Linux', device: 'laptop', screen: '1920x1080', language: 'de-CH', country: '', region: '', city: '' },
      url_path: '/café/x%2Fy#hä',
      url_query:
        'utm_source=news&utm_medium=a+b&utm_campaign=c%C3%A9&utm_content=d&utm_term=e&gclid=1&fbclid=2&msclkid=3&ttclid=4&li_fat_id=5&twclid=6&q=%20',
      ...{ utm_source: 'news', utm_medium: 'a b', utm_campaign: 'cé', utm_content: 'd', utm_term: 'e' },
      ...{ referrer_path: '/search%20me', referrer_query: 'q=weir', referrer_domain: 'google.com' },
      ...{ page_title: 'Café & more', tag: 'A', distinct_id: 'ada' },
      ...{ gclid: '1', fbclid: '2', msclkid: '3', ttclid: '4', li_fat_id: '5', twclid: '6' },
      ...{ lcp: null, inp: null, cls: null, fcp: null, ttfb: null, properties: [] },
    })
    expect(Math.abs(Date.parse(`${row!.created_at}Z`) - Date.now())).toBeLessThan(60_000)
  })

  it.concurrent('includes the measurements of web vitals, with all dimensions of their page', async () => {
    const website = await newWebsite()
    const page = {
      website,
      url: 'https://a.example/x?y=1',
      ...{ title: 'T', tag: 'A', id: 'ada', screen: '1920x1080', language: 'de' },
    }
    await sendOne({ ...page, name: 'no', data: { a: 1 }, lcp: 60_000, cls: 0, ttfb: 1.5 }, {}, 'performance')
    expect((await sendOne(page, {}, 'performance')).body).toEqual(stored)
    expect((await eventsOf(website, 1))[0]).toMatchObject({
      ...{ event_type: 5, event_name: '', lcp: 60_000, cls: 0, ttfb: 1.5, inp: null, fcp: null, properties: [] },
      ...{ hostname: 'a.example', url_path: '/x', url_query: 'y=1', page_title: 'T', tag: 'A', distinct_id: 'ada' },
      ...{ browser: 'firefox', os: 'Linux', device: 'laptop', screen: '1920x1080', language: 'de' },
    })
  })
})

describe('a link or a pixel', () => {
  const visit = (path: string, headers: Headers = {}, method = 'GET') =>
    fetch(running.url + path, { method, redirect: 'manual', headers: { ...person, ...headers } })

  it.concurrent.each([
    ['link', 'q', 3],
    ['pixel', 'p', 4],
  ] as const)('counts visits by people: %s', async (kind, path, event_type) => {
    const { id, slug } = await newSource(kind)
    const own = `/${path}/${slug}`
    const status = kind === 'link' ? 307 : 200
    const hit = await visit(`${own}?utm_source=mail`, { referer: 'https://www.news.example/today' })
    expect([hit.status, hit.headers.get('cache-control')]).toEqual([status, 'no-store'])
    if (kind === 'link') expect(hit.headers.get('location')).toBe('https://example.com/to?utm_source=mail')
    else expect((await hit.arrayBuffer()).byteLength).toBe(43)
    expect((await visit(own, { 'user-agent': curl })).status).toBe(status)
    expect((await visit(own, { 'sec-purpose': 'prefetch;prerender' })).status).toBe(status)
    expect((await visit(own, { purpose: 'prefetch' })).status).toBe(status)
    expect((await visit(own, {}, 'HEAD')).status).toBe(status)
    expect((await visit(own, { referer: 'nonsense' })).status).toBe(status)
    expect((await visit(`/${path}/${randomUUID()}`)).status).toBe(404)
    const direct = (await sendOne({ [kind]: id })).body
    // Web vitals belong to websites.
    expect((await sendOne({ [kind]: id, lcp: 1 }, {}, 'performance')).status).toBe(200)
    const rows = await eventsOf(id, 3)
    expect(rows.map((row) => row.event_type)).toEqual([event_type, event_type, event_type])
    expect(new Set(rows.map(({ session_id, visit_id }) => `${session_id} ${visit_id}`))).toEqual(
      new Set([`${direct.sessionId} ${direct.visitId}`]),
    )
    expect(rows[0]).toMatchObject({
      ...{ website_id: id, url_path: own, url_query: 'utm_source=mail', utm_source: 'mail' },
      ...{ referrer_domain: 'news.example', referrer_path: '/today', browser: 'firefox' },
    })
  })

  it.concurrent('is not found after its deletion, and then accepts no events', async () => {
    const { id, slug } = await newSource('link')
    expect((await visit(`/q/${slug}`)).status).toBe(307)
    await remove(`/api/links/${id}`)
    expect((await visit(`/q/${slug}`)).status).toBe(404)
    expect((await sendOne({ link: id })).status).toBe(400)
    await eventsOf(id, 1)
  })
})
