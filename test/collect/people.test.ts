import { randomUUID } from 'node:crypto'
import { it as alone, describe, expect } from 'vitest'
import { type Headers, operator } from '../support/callers.ts'
import { eventsOf, sendMany, sendOne, storedOf } from '../support/collecting.ts'
import { newWebsite, read } from '../support/weir.ts'

/**
 * Checks which events belong to one person, and that callers learn nothing about other people (sections 15.3 and 15.6
 * of the contract).
 */

/** Each test has its own website. Together, their events take one insert. */
const it = alone.extend<{ website: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads it
  website: async ({}, use) => use(await newWebsite()),
}).concurrent

interface Told {
  readonly cache: string
  readonly sessionId: string
  readonly visitId: string
}

const under = (cache?: string): Headers => (cache === undefined ? {} : { 'x-umami-cache': cache })
const view = async (website: string, cache?: string, more: object = {}): Promise<Told> =>
  (await sendOne({ website, url: '/', ...more }, under(cache))).body
const identify = async (website: string, id: string, cache?: string): Promise<Told> =>
  (await sendOne({ website, id, data: { name: id } }, under(cache), 'identify')).body

const range = { startAt: 0, endAt: 9_999_999_999_999 }

/** The website's number of visitors, once this many events and calls can be read. */
async function visitors(website: string, events: number, calls: number): Promise<number> {
  await storedOf([website], events, calls)
  return (await read(website, 'stats', range)).body.visitors
}

async function namesOfPeople(website: string): Promise<string[]> {
  const { body } = await read(website, 'session-data/values', { ...range, propertyName: 'name' })
  return body.map(({ value }: { value: string }) => value).sort()
}

describe('one person', () => {
  it('stays in the same session when signing in after a view, or on the next page before its view', async ({
    website,
  }) => {
    const first = await view(website)
    expect((await identify(website, 'A', first.cache)).sessionId).toBe(first.sessionId)
    expect(await view(website, undefined, { id: 'A' })).toMatchObject({
      sessionId: first.sessionId,
      visitId: first.visitId,
    })
    expect(await visitors(website, 2, 1)).toBe(1)
  })
})

it('an identify call that is not stored does not begin a visit', async ({ website }) => {
  const { body } = await sendOne({ website }, {}, 'identify')
  const first = await view(website)
  expect(first.visitId).not.toBe(body.visitId)
  expect((await sendOne({ website }, {}, 'identify')).body).toMatchObject({ visitId: first.visitId })
})

describe('two people with the same address and browser', () => {
  it('have separate sessions and properties, even on a later page without a token', async ({ website }) => {
    const a = await view(website)
    expect((await identify(website, 'A', a.cache)).sessionId).toBe(a.sessionId)
    const b = await view(website)
    const signedIn = await identify(website, 'B', b.cache)
    expect(signedIn.sessionId).not.toBe(a.sessionId)
    expect((await view(website, signedIn.cache)).sessionId).toBe(signedIn.sessionId)
    expect((await identify(website, 'A')).sessionId).toBe(a.sessionId)
    expect(await visitors(website, 3, 3)).toBe(2)
    expect(await namesOfPeople(website)).toEqual(['A', 'B'])
  })
})

describe('an event id that others may know', () => {
  const stranger = {
    'cf-connecting-ip': '198.51.100.200',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/131.0',
  }

  it('gives strangers who repeat it a different answer, and stores nothing', async ({ website }) => {
    const eventId = randomUUID()
    const first = await view(website, undefined, { eventId, name: 'buy' })
    const { body } = await sendOne({ website, eventId, name: 'forged' }, stranger)
    expect(body.sessionId).not.toBe(first.sessionId)
    expect(body.visitId).not.toBe(first.visitId)
    // The stranger's token does not give access to the visitor's session, either.
    const next = await sendOne({ website, name: 'next' }, { ...stranger, 'x-umami-cache': body.cache })
    expect(next.body.sessionId).toBe(body.sessionId)
    const rows = await eventsOf(website, 2)
    expect(rows.map(({ event_name }) => event_name).sort()).toEqual(['buy', 'next'])
  })

  it('returns the first answer again to its original sender', async ({ website }) => {
    const eventId = randomUUID()
    const first = await view(website, undefined, { eventId })
    expect(await view(website, undefined, { eventId })).toMatchObject({
      sessionId: first.sessionId,
      visitId: first.visitId,
    })
    expect(await eventsOf(website, 1)).toHaveLength(1)
  })

  it('gives strangers no access even if its event is old', async ({ website }) => {
    const [eventId, timestamp] = [randomUUID(), Math.floor(Date.now() / 1000) - 7200]
    const first = await view(website, undefined, { eventId, timestamp })
    const { body } = await sendOne({ website, eventId, timestamp }, stranger)
    expect(body.sessionId).not.toBe(first.sessionId)
    expect(await eventsOf(website, 1)).toHaveLength(1)
  })
})

describe('an address that is only given in a payload', () => {
  const elsewhere = { 'cf-connecting-ip': '198.51.100.7' }
  const named = { ip: '192.0.2.1' }

  it('never leads to its visitor’s session, with or without an id', async ({ website }) => {
    const [own, signedIn] = [await view(website), await view(website, undefined, { id: 'A' })]
    for (const more of [{}, { id: 'A' }, { id: 'B' }]) {
      const { body } = await sendOne({ website, ...named, ...more }, elsewhere)
      expect([own.sessionId, signedIn.sessionId]).not.toContain(body.sessionId)
      expect(body.visitId).not.toBe(own.visitId)
    }
    const { body } = await sendOne({ website, userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/132.0' })
    expect(body.sessionId).not.toBe(own.sessionId)
    expect((await sendOne({ website, userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/132.0' })).body).toMatchObject(
      { sessionId: body.sessionId, visitId: body.visitId },
    )
  })

  it('leads to that session if a server sends a key that may change the website', async ({ website }) => {
    const own = await view(website)
    expect((await sendOne({ website, ...named }, { ...elsewhere, ...operator })).body.sessionId).toBe(own.sessionId)
  })

  it('leads to that session despite an extra bearer token, and for several websites of a batch', async ({
    website,
  }) => {
    const [own, other] = [await view(website), await newWebsite()]
    const key = operator.authorization!.slice('Bearer '.length)
    const server = { ...elsewhere, authorization: 'Bearer None', 'x-umami-api-key': key }
    expect((await sendOne({ website, ...named }, server)).body.sessionId).toBe(own.sessionId)
    const { body } = await sendMany(
      [
        { website, ...named },
        { website: other, ...named },
      ],
      server,
    )
    expect(body).toMatchObject({ processed: 2 })
    const sessions = (await eventsOf(website, 3)).map(({ session_id }) => session_id)
    expect(new Set(sessions)).toEqual(new Set([own.sessionId]))
  })

  it('leads to the same session however it is spelled', async ({ website }) => {
    const spellings = ['2001:db8:1::1', '2001:DB8:1:0:0:0:0:1', '2001:0db8:1::0001']
    const replies = await Promise.all(spellings.map((ip) => sendOne({ website, ip }, elsewhere)))
    expect(new Set(replies.map(({ body }) => body.sessionId)).size).toBe(1)
    const mapped = await Promise.all(
      ['::ffff:192.0.2.55', '192.0.2.55'].map((ip) => sendOne({ website, ip }, elsewhere)),
    )
    expect(new Set(mapped.map(({ body }) => body.sessionId)).size).toBe(1)
  })

  it('leads to that session only for senders with its token', async ({ website }) => {
    const own = await view(website)
    const server = { ...elsewhere, 'x-umami-cache': own.cache }
    const passedOn = await sendOne({ website, ...named }, server)
    expect(passedOn.body).toMatchObject({ sessionId: own.sessionId, visitId: own.visitId })
    expect((await sendOne({ website, ...named }, elsewhere)).body.sessionId).not.toBe(own.sessionId)
  })

  it.for([
    ['no key', {}],
    ['an unknown key', { authorization: `Bearer api_${'x'.repeat(43)}` }],
    ['a word', { authorization: 'Bearer None' }],
    ['two words', { authorization: 'Bearer None', 'x-umami-api-key': 'other' }],
  ] as const)('does not lead to that session with %s', async ([_, headers], { website }) => {
    const own = await view(website)
    const { status, body } = await sendOne({ website, ...named }, { ...elsewhere, ...headers })
    expect(status).toBe(200)
    expect(body.sessionId).not.toBe(own.sessionId)
  })
})
