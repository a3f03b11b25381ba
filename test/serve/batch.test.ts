import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AnyReport, Endpoint } from '../../src/endpoints/endpoint.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { event, id, number, string } from '../oracle/fixtures.ts'
import { callers, newWorld, targetOf, type World } from '../permissions/world.ts'
import { alone, type Batch, batch, comparable, type InBatch, statuses } from '../support/batch.ts'
import { newShare, operator } from '../support/callers.ts'
import { goodRequest, keyOf as keyOfEndpoint } from '../support/good-requests.ts'
import { inTurn, isLong, runs } from '../support/long.ts'
import { metadata } from '../support/metadata.ts'
import { bearer, keyOf, newPerson, websiteOf } from '../support/people.ts'
import { failed } from '../support/refusals.ts'
import { eventId, eventName, eventReports, events, propertyName, reportOf } from '../support/reports.ts'
import { pathTo } from '../support/requests.ts'
import { seed } from '../support/seed.ts'
import { websiteWith } from '../support/website.ts'
import { newWebsite, pathOf, running, send } from '../support/weir.ts'

const purchases = [...Array(30).keys()].map((index) =>
  event(
    { event_id: id(index + 2), event_name: eventName, visit_id: id(200 + index), browser: `böwser ${index % 3} "\\` },
    [string(propertyName, `plan ${index}`), number('price', `${index}.5`)],
  ),
)
const view = event({ event_id: eventId, event_name: eventName }, [string(propertyName, 'pro')])
const websiteId = await websiteWith(view, ...purchases)

const full = (report: AnyReport, more: Readonly<Record<string, string>> = {}): string =>
  pathTo(report, { websiteId, eventId, ...report.example.ids }, more)

const stats = reportOf({ endpoint: 'event-data/stats' })

/** Asserts that every answer in the batch has the same bytes as the answer to a single GET. */
async function sameAsAlone(paths: readonly string[], headers = operator): Promise<readonly InBatch[]> {
  const { answers, text } = await batch(paths, headers)
  for (const [index, path] of paths.entries()) {
    const one = await alone(path, headers)
    expect(comparable(answers[index]!)).toStrictEqual(comparable(one))
    if (one.status === 200) expect(text).toContain(`"body":${one.text}}`)
  }
  return answers
}

describe('a path in a batch is answered like a single request', () => {
  it.each(inTurn(eventReports, seed, 6).map((report) => [report.name, report] as const))('%s', async (_, report) => {
    const [first] = await sameAsAlone([full(report), full(report, { browser: 'c.BÖWSER 1', match: 'any' })])
    expect(first!.status).toBe(200)
    expect(first!.body).not.toEqual([])
  })

  let world: World
  beforeAll(async () => {
    world = await newWorld(metadata, readFileSync(`${running.dataDir}/auth-secret`, 'utf8'))
  })

  it.each(callers)('for every GET endpoint and the caller %s', async (caller) => {
    // Other tests change the operator's lists at the same time.
    const isOfAll = ({ kind, query }: Endpoint) =>
      caller === 'operator' && kind === 'action' && 'search' in query.parameters
    const paths = endpoints
      .filter(({ method, path }) => method === 'get' && /^\/api\/(?!admin)/.test(path))
      // Realtime answers contain the time of the request.
      .filter(({ name }) => name !== 'getRealtime')
      // Each caller requests a sixteenth of the endpoints, which changes in each run.
      .filter((_, place) => isLong || (place + callers.indexOf(caller) + seed) % 16 === 0)
      .map((endpoint) => [endpoint, goodPath(endpoint, world, world.targets[targetOf(caller)])] as const)
      .map(([endpoint, path]) =>
        isOfAll(endpoint) ? `${path}${path.includes('?') ? '&' : '?'}search=${websiteId}` : path,
      )
    expect(paths.length).toBeGreaterThan(3)
    for (let start = 0; start < paths.length; start += 20) {
      await sameAsAlone(paths.slice(start, start + 20), world.headers[caller])
    }
  })

  it('whatever its query string contains', async () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.constant('../x?y=1#z'))
    const pairs = fc.array(fc.tuple(fc.oneof(fc.constantFrom('browser', 'path', 'filters', 'epf0'), text), text))
    const texts = fc.array(pairs, { minLength: 1, maxLength: 20 })
    const isText = (one: string): boolean => one.isWellFormed()
    await fc.assert(
      fc.asyncProperty(texts, async (queries) => {
        const base = full(stats)
        const paths = queries.map((query) => {
          const given = query.filter((pair) => pair.every(isText))
          return `${base}&${pathOf('', given).slice(1)}`
        })
        await sameAsAlone(paths)
      }),
      { numRuns: runs(1, 20), endOnFailure: true },
    )
  })
})

function goodPath(endpoint: (typeof endpoints)[number], world: World, target: World['targets']['own']): string {
  const ids: Readonly<Record<string, string>> = { ...target, userId: world.memberId, keyId: world.keyId }
  const { query } = goodRequest(keyOfEndpoint(endpoint), { ...world, ...target, isOperator: false })
  return pathOf(
    endpoint.path.replace(/:(\w+)/g, (_, name: string) => ids[name]!),
    query,
  )
}

describe('each path in a batch', () => {
  it('fails individually, in its own place', async () => {
    const other = randomUUID()
    const answered = await batch(
      [
        full(stats),
        `/api/websites/${await newWebsite()}`,
        '/api/nothing',
        full(stats, { page: '0' }),
        '/api/me/api-keys/x/y',
        full(stats),
        `/api/websites/${other}`,
      ],
      await keyOf(undefined, { websiteIds: [websiteId] }),
    )
    expect(statuses(answered)).toEqual([200, 403, 404, 400, 404, 200, 403])
    const { answers } = answered
    expect(answers[0]!.body).toEqual(answers[5]!.body)
    expect(answers[3]!.body.error.issues.map(({ path }: { path: string }) => path)).toEqual(['page'])
  })

  it('has the batch’s request id', async () => {
    const { headers, answers } = await batch(['/api/nothing', full(stats, { page: '0' })], {
      ...operator,
      'x-request-id': 'one-for-all',
    })
    expect([headers.get('x-request-id'), ...answers.map(({ body }) => body.error.requestId)]).toEqual(
      Array(3).fill('one-for-all'),
    )
    const { headers: given, answers: others } = await batch(['/api/nothing'])
    expect(others[0]!.body.error.requestId).toBe(given.get('x-request-id'))
  })

  it('has only the headers of its own answer', async () => {
    const { answers } = await batch([full(events, { pageSize: '1' }), full(stats), '/api/nothing'])
    const names = answers.flatMap(({ headers }) => Object.keys(headers))
    expect(names).toContain('link')
    expect(names.filter((name) => /^(access-control|cache-control|content|vary|x-request-id)/.test(name))).toEqual([])
  })

  it('is complete JSON, whatever Accept and cache validators are sent with the batch', async () => {
    const paths = [full(stats), full(events)]
    const known = await Promise.all(paths.map((path) => alone(path)))
    for (const more of [
      { accept: 'text/csv' },
      { accept: 'application/x-ndjson' },
      { 'if-none-match': known[0]!.headers.etag ?? '"x"' },
      { 'if-none-match': '*' },
      { 'if-modified-since': 'Sat, 01 Jan 2050 00:00:00 GMT' },
      { range: 'bytes=0-3' },
    ]) {
      const { answers } = await batch(paths, { ...operator, ...(more as Record<string, string>) })
      expect(answers.map((one) => [one.status, one.body])).toStrictEqual(known.map(({ body }) => [200, body]))
    }
  })
})

describe('a batch’s credential', () => {
  const codes = ({ answers }: Batch) => answers.map(({ status, body }) => body.error?.code ?? status)

  it('may be missing, because public websites are open', async () => {
    const open = await websiteOf({}, { public: JSON.stringify({ events: true }) })
    const answered = await batch([full(stats), full(stats).replace(websiteId, open), '/api/me'], {})
    expect(codes(answered)).toEqual(['unauthorized', 200, 'unauthorized'])
    expect(answered.answers[0]!.headers['www-authenticate']).toBe('Bearer realm="Weir"')
  })

  it('fails every path if it is wrong', async () => {
    const wrong = [bearer('api_nobody'), { ...operator, 'x-weir-share-token': 'x' }, { 'x-umami-share-token': 'x' }]
    for (const headers of wrong) {
      expect(codes(await batch([full(stats), '/api/me'], headers))).toEqual(['unauthorized', 'unauthorized'])
    }
  })

  it('may be a share’s token, or its slug in the query string of the batch or of a path', async () => {
    const share = await newShare(websiteId, { events: true })
    const paths = [
      full(stats),
      `/api/websites/${await newWebsite()}/events/stats?startAt=100000000000&endAt=100000000001`,
      '/api/me/websites',
    ]
    const expected = [200, 'forbidden', 'forbidden']
    expect(codes(await batch(paths, share.headers))).toEqual(expected)
    expect(codes(await batch(paths, {}, { query: `?share=${share.slug}` }))).toEqual(expected)
    expect(codes(await batch(['/api/me'], {}, { query: `?share=${share.slug}` }))).toEqual([200])
    const named = paths.map((path) => `${path}${path.includes('?') ? '&' : '?'}share=${share.slug}`)
    expect(codes(await batch([...named, paths[0]!], {}))).toEqual([...expected, 'unauthorized'])
    expect(codes(await batch(named, share.headers, { query: `?share=${share.slug}` }))).toEqual(expected)
  })

  it('is replaced by the share in a path; two different shares open nothing', async () => {
    const [share, other] = [await newShare(websiteId, { events: true }), await newShare(websiteId, { events: true })]
    const [path, named] = [full(stats), full(stats, { share: share.slug })]
    const both = ['unauthorized', 'unauthorized']
    expect(codes(await batch([path, named], operator, { query: `?share=${share.slug}` }))).toEqual([200, 200])
    expect(codes(await batch([path, named], {}, { query: `?share=${share.slug}&share=${other.slug}` }))).toEqual(both)
    expect(codes(await batch([path, named], {}, { query: `?share=${other.slug}` }))).toEqual([200, 'unauthorized'])
    expect(codes(await batch([path, named], operator))).toEqual([200, 200])
  })

  it('is not included in links', async () => {
    const share = await newShare(websiteId, { events: true })
    const path = full(events, { pageSize: '1' })
    for (const [one, query] of [
      [path, `?share=${share.slug}`],
      [`${path}&share=${share.slug}`, ''],
    ] as const) {
      const { answers } = await batch([one], {}, { query })
      expect(answers[0]!.headers.link).toMatch(/cursor=/)
      expect(answers[0]!.headers.link).not.toContain(share.slug)
    }
  })

  it('is accepted only from its allowed origins, if it has any', async () => {
    const person = await newPerson()
    const own = await websiteOf({ userId: person.id })
    const key = await keyOf(person, { origins: ['https://www.example.com'] })
    const paths = [`/api/websites/${own}`, '/api/me']
    expect(codes(await batch(paths, { ...key, origin: 'https://www.example.com' }))).toEqual([200, 200])
    const { headers, ...rest } = await batch(paths, { ...key, origin: 'https://other.example' })
    expect(codes({ headers, ...rest })).toEqual(['forbidden', 'forbidden'])
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(codes(await batch(paths, key))).toEqual(['forbidden', 'forbidden'])
  })
})

describe('POST /api/read', () => {
  it('accepts only POST', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const reply = await send('/api/read', { method, headers: operator })
      failed(reply, { status: 405, code: 'method-not-allowed' })
      expect(reply.headers.get('allow')).toBe('POST, OPTIONS')
    }
    expect((await fetch(`${running.url}/api/read`, { method: 'HEAD' })).status).toBe(405)
    const preflight = await fetch(`${running.url}/api/read`, {
      method: 'OPTIONS',
      headers: { origin: 'https://any.example', 'access-control-request-method': 'POST' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      expect.stringContaining('POST'),
    ])
  })
})
