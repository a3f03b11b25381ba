import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Agent, type Answered, Collection, type Sender, type Sent, type Token } from '../oracle/collect.ts'
import { id } from '../oracle/fixtures.ts'
import {
  type Course,
  courses,
  type Drawn,
  people,
  type Request,
  ticks,
  userAgents,
} from '../oracle/generate-collect.ts'
import { post } from '../support/callers.ts'
import {
  type Collecting,
  eventsOf,
  type Stored,
  type StoredCall,
  startCollecting,
  storedOf,
} from '../support/collecting.ts'
import { inTurn, runs } from '../support/long.ts'
import { seed } from '../support/seed.ts'
import { clickhouse, newWebsite, type Reply, running } from '../support/weir.ts'

/** The expected results of `detect-browser` and `ua-parser-js` for each User-Agent, written by hand. */
const agents = new Map<string, Agent>([
  [userAgents.firefox, { browser: 'firefox', os: 'Linux', device: 'desktop' }],
  [userAgents.chrome, { browser: 'chrome', os: 'Windows 10', device: 'desktop' }],
  [userAgents.edge, { browser: 'edge-chromium', os: 'Windows 10', device: 'desktop' }],
  [userAgents.iphone, { browser: 'ios', os: 'iOS', device: 'mobile' }],
  [userAgents.ipad, { browser: 'ios', os: 'iOS', device: 'tablet' }],
  [userAgents.mac, { browser: 'safari', os: 'Mac OS', device: 'desktop' }],
  [userAgents.curl, { browser: '', os: '', device: '', isBot: true }],
])

const hour = 3_600_000

const ignored = '192.0.2.66'

let worker: Collecting
/**
 * The evening of 31 January, so that a course continues into February. Each course starts after the one before it, and
 * those of a long run take years, none of which may be in ClickHouse's future.
 */
let now = Date.UTC(2020, 0, 31, 20)

beforeAll(async () => {
  worker = await startCollecting({ IGNORE_IP: ignored })
})

afterAll(() => worker.beside.close())

/** Creates the sources for a course. Returns their ids by the names that the generator uses. */
async function newSources(): Promise<Record<string, string>> {
  const made = async (kind: 'link' | 'pixel') => {
    const slug = randomUUID()
    const reply = await post(`/api/${kind}s`, {
      name: slug,
      slug,
      ...(kind === 'link' && { url: 'https://example.com' }),
    })
    return reply.body.id as string
  }
  const [website, other, link, pixel] = await Promise.all([newWebsite(), newWebsite(), made('link'), made('pixel')])
  return {
    ...{ $website: website, $other: other, $UPPER: website.toUpperCase(), $link: link, $pixel: pixel },
    $unknown: randomUUID(),
  }
}

/** Each lane has three senders: two browsers at the same address, and one at another address. */
function senderOf(lane: number, { sender, isKeyed }: Request): Sender & { readonly cf: object } {
  const kinds = Object.values(userAgents)
  const isElsewhere = sender === 2
  return {
    address: `198.51.${isElsewhere ? 1 : 0}.${lane}`,
    isKeyed,
    userAgent: kinds[(lane + sender) % (lane % 5 === 0 ? kinds.length : kinds.length - 1)]!,
    place: isElsewhere ? { country: '', region: '', city: '' } : { country: 'DE', region: 'DE-BE', city: 'Berlin' },
    cf: isElsewhere
      ? { country: 'T1', regionCode: 'X', city: 'Y' }
      : { country: 'DE', regionCode: 'BE', city: 'Berlin' },
  }
}

/** The incorrect answers of a course, and the stored rows. */
interface Ran {
  readonly mistakes: readonly string[]
  readonly rows: readonly string[]
  readonly expected: readonly string[]
}

/** Runs a course. `grows` maps ticks to the number of log objects that the sources have from then on. */
async function run({ advances, lanes }: Course, grows: Grows): Promise<Ran> {
  const sources = await newSources()
  const known = ['website $website', 'website $other', 'link $link', 'pixel $pixel'].map((name) =>
    name.replace(/\$.*/, (one) => sources[one]!),
  )
  const oracle = new Collection(known, agents)
  const tokens: { readonly real: string; readonly answer: string; readonly model: Token }[][] = lanes.map(() => [])
  const names = new Names()
  const mistakes: string[] = []
  let marks = 0
  const began = now

  const step = async (lane: number, request: Request, others: readonly (typeof tokens)[number][]): Promise<void> => {
    const sender = senderOf(lane, request)
    const named: Record<string, string> = { ...sources, $address: sender.address, $elsewhere: `203.0.113.${lane}` }
    // The ids change every hour, because the ids that a log remembers do not age if the clock is changed while rows
    // wait.
    const hours = Math.floor((now - began) / hour)
    for (const number of [0, 1]) {
      const own = id(1000 + 10 * lane + number + 1_000_000 * hours)
      named[`$event${number}`] = own
      named[`$EVENT${number}`] = own.toUpperCase()
    }
    const isBatch = Array.isArray(request.body)
    const drawn: readonly Drawn[] = isBatch ? request.body : [request.body as Drawn]
    const sent = drawn.map((one) => (isBatch ? marked(written(one, named, now), ++marks) : written(one, named, now)))
    const [real, model] = tokenOf(request, tokens[lane]!, others[(lane + 1) % others.length]!)
    const expected = isBatch ? oracle.batch(sent, sender, model, now) : [oracle.send(sent[0]!, sender, model, now)]
    const headers = {
      'user-agent': sender.userAgent,
      'cf-connecting-ip': sender.address,
      ...(real !== undefined && { 'x-umami-cache': real }),
      ...(sender.isKeyed && { authorization: `Bearer ${running.adminKey}` }),
    }
    const send = () => worker.post(isBatch ? '/api/batch' : '/api/send', isBatch ? sent : sent[0], headers, sender.cf)
    let reply = await send()
    // On a busy machine, a log object may not answer another one in time. Nothing is stored then.
    for (let again = 0; reply.status === 503 && again < 20; again++) reply = await send()
    const wrong = isBatch ? names.wrongInBatch(reply, expected) : names.wrongIn(reply, expected[0]!)
    if (wrong) mistakes.push(`${wrong}: ${JSON.stringify({ sent, headers, reply: reply.body, expected })}`)
    const stored = expected.find((one) => one.kind === 'stored')
    if (stored && reply.body.cache) {
      tokens[lane]!.push({
        real: reply.body.cache,
        answer: inAscii(isBatch ? { cache: reply.body.cache } : reply.body),
        model: stored.token,
      })
    }
  }

  for (let tick = 0; tick < ticks; tick++) {
    now += advances[tick]!
    await worker.setClock(now)
    const objects = grows[tick]
    if (objects !== undefined) await worker.setSpread(Object.values(sources), { version: tick, objects })
    const before = tokens.map((own) => [...own])
    const steps = lanes.flatMap((lane, number) => {
      const request = lane[tick]
      return request ? [step(number, request, before)] : []
    })
    await Promise.all(steps)
  }
  await worker.setClock()
  now += 86_400_000
  if (mistakes.length > 0) return { mistakes, rows: [], expected: [] }

  const all = [...new Set(Object.values(sources).map((one) => one.toLowerCase()))]
  const { events, calls } = await storedOf(all, oracle.events.length, oracle.records.length)
  mistakes.push(...names.learn(oracle, events, calls))
  const given = new Set(oracle.events.map(({ event_id }) => event_id))
  const rows = [
    ...events.map((row) => ({
      ...row,
      ...{ event_id: given.has(row.event_id) ? row.event_id : '', visit_id: names.visit(row.visit_id) },
    })),
    ...calls,
  ].map((row) => textOf({ ...row, session_id: names.session(row.session_id) }))
  const expected = [...oracle.events, ...oracle.records].map((row) => textOf(shown(row)))
  return { mistakes, rows: rows.sort(), expected: expected.sort() }
}

const textOf = (row: object): string =>
  JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)))

/** An oracle row in the form that ClickHouse returns. */
function shown(row: Collection['events'][number]): object {
  const properties = (row.properties as readonly (readonly [string, number, string, string | null, string | null])[])
    .map(([key, type, text, number, date]) => [
      ...[key, type, text],
      number === null ? null : number.replace(/\.?0+$/, '').replace(/^-0$/, '0'),
      date === null ? null : date.replace('T', ' ').replace('Z', ''),
    ])
    .sort(([one], [other]) => Buffer.compare(Buffer.from(one as string), Buffer.from(other as string)))
  return { ...row, properties }
}

/** The payload for a generated event. */
function written({ type, payload, delta }: Drawn, named: Readonly<Record<string, string>>, at: number): Sent {
  const replaced = Object.entries(payload).map(([name, value]) => [name, named[value as string] ?? value])
  const timestamp = delta === undefined ? {} : { timestamp: Math.floor(at / 1000) + delta }
  return { type, payload: { ...Object.fromEntries(replaced), ...timestamp } }
}

/** An object of a batch, marked because the answer does not contain its session. */
function marked({ type, payload }: Sent, mark: number): Sent {
  const { eventId, data = {} } = payload
  if (type !== 'identify') return { type, payload: { ...payload, eventId: eventId || id(100_000 + mark) } }
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data)
  return isObject ? { type, payload: { ...payload, data: { mark, ...data } } } : { type, payload }
}

/** The answer's JSON as received, in ASCII. */
const inAscii = (body: object): string =>
  JSON.stringify(body).replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

type Kept = readonly { readonly real: string; readonly answer: string; readonly model: Token }[]

/** The header with the chosen token, and the same token for the oracle. */
function tokenOf({ token }: Request, own: Kept, others: Kept): [string | undefined, Token | undefined] {
  const last = own.at(-1)
  if (token === 'empty') return ['', undefined]
  if (token === 'other') return [others.at(-1)?.real, others.at(-1)?.model]
  if (token === 'none' || !last) return [undefined, undefined]
  if (token === 'first') return [own[0]!.real, own[0]!.model]
  if (token === 'answer') return [last.answer, last.model]
  if (token === 'forged') return [`${last.real[0] === 'A' ? 'B' : 'A'}${last.real.slice(1)}`, undefined]
  return [last.real, last.model]
}

/** A one-to-one mapping between the Worker's ids and the oracle's names. */
class Names {
  readonly #sessions = new Map<string, string>()
  readonly #visits = new Map<string, string>()

  session = (real: string): string => this.#sessions.get(real) ?? real
  visit = (real: string): string => this.#visits.get(real) ?? real

  /** Records the ids in rows of batches, and returns those that are wrong. */
  learn({ events, records }: Collection, rows: readonly Stored[], calls: readonly StoredCall[]): string[] {
    const withoutSession = (row: object) => textOf({ ...row, session_id: '' })
    const keyOf = ({ website_id, event_id, created_at }: Readonly<Record<string, unknown>>) =>
      `${website_id} ${event_id} ${created_at}`
    const byKey = new Map(rows.map((row) => [keyOf(row), row]))
    const texts = calls.map(withoutSession)
    return [
      ...events.flatMap((event) => {
        const row = byKey.get(keyOf(event))
        if (!row) return []
        return [
          this.#wrongName(this.#sessions, row.session_id, event.session_id as string),
          this.#wrongName(this.#visits, row.visit_id, event.visit_id as string),
        ]
      }),
      ...records.map((record) => {
        // Most rows have a mark. A row without one is certain only if no other one equals it.
        const text = withoutSession(shown(record))
        const place = texts.indexOf(text)
        return place !== -1 && place === texts.lastIndexOf(text)
          ? this.#wrongName(this.#sessions, calls[place]!.session_id, record.session_id as string)
          : undefined
      }),
    ].filter((wrong) => wrong !== undefined)
  }

  /** Describes what is wrong with an answer of `/api/send`. Returns undefined if it is correct. */
  wrongIn({ status, body }: Pick<Reply, 'status' | 'body'>, expected: Answered): string | undefined {
    if (expected.kind === 'refused') return this.#wrongRefusal(status, body, expected.paths)
    if (status !== 200) return `status ${status}`
    if (expected.kind === 'bot') return JSON.stringify(body) === '{"beep":"boop","reason":"bot"}' ? undefined : 'a bot'
    const { cache: _, sessionId: __, visitId: ___, warnings = [], ...others } = body
    if (Object.keys(others).length > 0) return 'the keys of the answer'
    return (
      wrongWarnings(warnings, expected.warnings) ??
      this.#wrongName(this.#sessions, body.sessionId, expected.session) ??
      this.#wrongName(this.#visits, body.visitId, expected.visit)
    )
  }

  wrongInBatch({ status, body }: Reply, expected: readonly Answered[]): string | undefined {
    if (status !== 200) return `status ${status}`
    const refused = expected.flatMap((one, index) => (one.kind === 'refused' ? [{ index, one }] : []))
    const figures = {
      ...{ size: expected.length, processed: expected.length - refused.length, errors: refused.length },
      ignored: expected.filter(({ kind }) => kind === 'bot').length,
    }
    const { details, cache, ...rest } = body
    if (JSON.stringify(rest) !== JSON.stringify(figures)) return 'the figures'
    if ((cache === null) === expected.some(({ kind }) => kind === 'stored')) return 'the cache'
    const told = expected.flatMap((one, index) =>
      one.kind === 'refused' || (one.kind === 'stored' && one.warnings.length > 0) ? [{ index, one }] : [],
    )
    if (details.map(({ index }: { index: number }) => index).join() !== told.map(({ index }) => index).join()) {
      return 'the places of the details'
    }
    for (const [place, { one }] of told.entries()) {
      const { response } = details[place]
      const wrong =
        one.kind === 'refused'
          ? this.#wrongRefusal(response.error.status, response, one.paths)
          : wrongWarnings(response.warnings, one.warnings)
      if (wrong) return wrong
    }
    return undefined
  }

  #wrongRefusal(status: number, body: Reply['body'], paths: readonly string[]): string | undefined {
    if (status !== 400) return `status ${status} instead of a refusal`
    if (paths.length === 0) return body.error.message === 'Website not found.' ? undefined : 'an unknown source'
    const named: string[] = body.error.issues.map(({ path }: { path: string }) =>
      path.replace(/^(payload\.data)\..*/s, '$1'),
    )
    return named.length > 0 && named.every((path) => paths.includes(path)) ? undefined : `the names ${named.join()}`
  }

  #wrongName(known: Map<string, string>, real: string, name: string): string | undefined {
    const isNew = !known.has(real) && ![...known.values()].includes(name)
    if (isNew) known.set(real, name)
    return known.get(real) === name ? undefined : `${real} is ${known.get(real)}, not ${name}`
  }
}

/** Describes what is wrong with the warnings, which must have these paths. All properties count as one path. */
function wrongWarnings(
  warnings: readonly { readonly path: string }[],
  expected: readonly string[],
): string | undefined {
  const paths = new Set(warnings.map(({ path }) => path.replace(/^(payload\.data)\..*/s, '$1')))
  const isRight = paths.size === expected.length && expected.every((path) => paths.has(path))
  return isRight ? undefined : `the warnings ${[...paths].join()}, not ${expected.join()}`
}

/** The number of log objects of each source, by the tick at which it takes effect. */
type Grows = Readonly<Record<number, number>>

const growing = { 2: 2, 4: 4, 7: 16 }

const cases: [string, fc.Arbitrary<Course>, Grows][] = [
  ['anything', courses(16), {}],
  ['two people with the same address', people(16), {}],
  ['two people with the same address, while log objects are added', people(16), growing],
  ['anything, while log objects are added', courses(16), growing],
]

it.each(inTurn(cases, seed, 4))('answers and stores events as the oracle does: %s', async (_, drawn, grows) => {
  let stored = 0
  await fc.assert(
    fc.asyncProperty(drawn, async (course) => {
      const { mistakes, rows, expected } = await run(course, grows)
      expect(mistakes.slice(0, 3)).toEqual([])
      const [right, found] = [new Set(expected), new Set(rows)]
      expect(rows.filter((row) => !right.has(row)).slice(0, 2)).toEqual(
        expected.filter((row) => !found.has(row)).slice(0, 2),
      )
      expect(rows).toHaveLength(expected.length)
      stored += rows.length
    }),
    // Shrinking a failing case would take hours.
    { numRuns: runs(1, 60), endOnFailure: true },
  )
  expect(stored).toBeGreaterThan(20)
})

it('stores an event again if its id is repeated more than an hour later', async () => {
  const website = await newWebsite()
  const payload = { website, url: '/', eventId: randomUUID() }
  const send = () => worker.post('/api/send', { type: 'event', payload })
  await send()
  await eventsOf(website, 1)
  const count = `SELECT count() AS events FROM events WHERE website_id = '${website}'`
  const laterAgain = async () => {
    now += hour + 1
    await worker.setClock(now)
    await send()
    return (await clickhouse<{ events: number }>(count))[0]!.events
  }
  // A clock step counts as elapsed time only if no rows are waiting.
  await expect.poll(laterAgain, { interval: 2500, timeout: 60_000 }).toBeGreaterThan(1)
  await worker.setClock()
})

it('events with an ignored address get the same ids when they are repeated, also with more log objects', async () => {
  const website = await newWebsite()
  const payloads = Array.from({ length: 12 }, (_, one) => ({
    website,
    ip: ignored,
    userAgent: `${userAgents.mac} ${one}`,
  }))
  const send = async (ids: readonly string[]) => {
    const sent = payloads.map((payload, one) => ({ type: 'event', payload: { ...payload, eventId: ids[one] } }))
    const replies = await Promise.all(sent.map((body) => worker.post('/api/send', body)))
    return replies.map(({ body }) => `${body.sessionId} ${body.visitId}`)
  }
  const ids = payloads.map(() => randomUUID())
  const before = await send(ids)
  await worker.setSpread([website], { version: 1, objects: 4 })
  expect([await send(ids), await send([])]).toEqual([before, before])
  expect(new Set(before).size).toBe(12)
})
