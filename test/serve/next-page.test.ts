import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { AnyReport, Endpoint } from '../../src/endpoints/endpoint.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { places } from '../../src/local/paths.ts'
import { requestOf } from '../permissions/requests.ts'
import { type Caller, newWorld } from '../permissions/world.ts'
import { forLong } from '../support/cache-times.ts'
import { operator, post } from '../support/callers.ts'
import { forEach } from '../support/concurrently.ts'
import { goodRequest, keyOf } from '../support/good-requests.ts'
import { isolate } from '../support/isolate.ts'
import { inTurn } from '../support/long.ts'
import { metadata } from '../support/metadata.ts'
import { sessionId } from '../support/organisation.ts'
import { newPerson, newTeam, websiteOf } from '../support/people.ts'
import { takes } from '../support/reports.ts'
import { seed } from '../support/seed.ts'
import { columnTime, day } from '../support/website.ts'
import { ingest, insert, newWebsite, pathOf, type Reply, running, send } from '../support/weir.ts'

/** Every endpoint whose answer is a page. New ones are covered as soon as they are declared. */
const paged = endpoints.filter(({ method, answer }) => {
  const schema = method === 'get' ? answer() : undefined
  return schema instanceof z.ZodObject && 'pageSize' in schema.shape
})

const reports = paged.filter((one): one is AnyReport => one.kind === 'report')
const lists = paged.filter(({ kind }) => kind === 'action')
const named = (some: readonly Endpoint[]) => some.map((endpoint) => [keyOf(endpoint), endpoint] as const)

const nextOf = ({ headers }: Pick<Reply, 'headers'>): string | undefined => {
  const link = headers.get('link')
  return link === null ? undefined : /^<([^<>]+)>; rel="next"$/.exec(link)![1]!
}

/** This page and all pages after it. */
async function follow(path: string, headers: Readonly<Record<string, string>>): Promise<Reply[]> {
  const replies: Reply[] = []
  for (let next: string | undefined = path; next !== undefined; next = nextOf(replies.at(-1)!)) {
    expect(replies.length).toBeLessThan(100)
    if (replies.length > 0) expect(next.startsWith(running.url)).toBe(true)
    replies.push(await send(next.replace(running.url, ''), { headers }))
    expect(replies.at(-1)!.body).not.toHaveProperty('error')
  }
  return replies
}

const rowsOf = (replies: readonly Reply[]): unknown[] => replies.flatMap(({ body }) => body.data)

const marker = randomUUID()

const callerOf = ({ access }: Endpoint): Caller => (access.to === 'admin' ? 'admin' : 'owner')

/** The path of a list with this query, and the headers. Lists of everything also get a search for this file's rows. */
function asked(endpoint: Endpoint, more: Readonly<Record<string, string | number>>) {
  const request = requestOf(
    keyOf(endpoint),
    callerOf(endpoint),
    { ...world, memberId: world.ownerId },
    world.targets.own,
  )
  const found = endpoint.access.to === 'admin' ? { search: marker } : {}
  const query = pathOf('', { ...found, ...more })
  return {
    path: request.path + (request.path.includes('?') ? query.replace('?', '&') : query),
    headers: request.headers,
  }
}

/** Adds a row to a list, at the list's path or in the same list of the team. */
async function makeRow(list: Endpoint): Promise<void> {
  const own = endpoints.find(({ method, path }) => method === 'post' && path === list.path)
  const ofTeam = endpoints.find(
    ({ method, path }) => method === 'post' && path === `/api/${list.path.split('/').at(-1)}`,
  )
  const maker = own ?? (list.path.startsWith('/api/teams/') ? ofTeam : undefined)
  if (!maker) return
  const newcomerId = list.path.endsWith('/users') ? (await newPerson()).id : world.newcomerId
  const { teamId } = world.targets.own
  const { path, headers } = requestOf(keyOf(maker), callerOf(maker), world, world.targets.own)
  const { body } = goodRequest(keyOf(maker), { ...world, ...world.targets.own, newcomerId, isOperator: false })
  const { status } = await post(path, { ...(body as object), ...(!own && { teamId }) }, headers)
  expect([keyOf(list), status]).toEqual([keyOf(list), 200])
}

/** Saves three replays of a session. */
async function saveReplays(): Promise<void> {
  const { websiteId } = world.targets.own
  const at = columnTime(day.startAt)
  const visits = [randomUUID(), randomUUID(), randomUUID()]
  const chunks = visits.map((visit_id) => ({
    ...{ website_id: websiteId, visit_id, session_id: sessionId, created_at: at, chunk_index: 1 },
    ...{ hash: '0'.repeat(64), first_at: at, last_at: at, times: [day.startAt], events: '{}' },
  }))
  await insert('ingest_replay_chunks', chunks)
  for (const visit of visits) {
    const { status } = await post(
      `/api/websites/${websiteId}/replays/saved/${visit}`,
      { isSaved: true, name: visit },
      operator,
    )
    expect(status).toBe(200)
  }
}

const world = await newWorld(metadata, readFileSync(places(running.dataDir).authSecret, 'utf8'), marker)
await saveReplays()
await forEach(lists, async (list) => {
  for (let row = 0; row < 3; row++) await makeRow(list)
})

describe('every metadata list', () => {
  it('is covered by the lists above', () => {
    expect(lists.length).toBeGreaterThan(25)
  })

  it.each(named(lists))('links to its next page until the last one: %s', async (_name, list) => {
    const { path, headers } = asked(list, { pageSize: 1 })
    const whole = asked(list, { pageSize: 1000 })
    const [all, ...none] = await follow(whole.path, whole.headers)
    expect(none).toEqual([])
    const pages = await follow(path, headers)
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.map(({ body }) => body.page)).toEqual(pages.map((_, index) => index + 1))
    expect(rowsOf(pages)).toEqual(all!.body.data)
  })

  it.each(named(inTurn(lists, seed, 4)))('ends after maxResults rows: %s', async (_name, list) => {
    for (const [maxResults, pageSize] of [
      [2, 1],
      [1, 1],
      [2, 2],
    ] as const) {
      const { path, headers } = asked(list, { pageSize, maxResults })
      const pages = await follow(path, headers)
      expect([pages.length, rowsOf(pages).length]).toEqual([maxResults / pageSize, maxResults])
    }
  })

  it('keeps the other parameters in the link, but no credential', async () => {
    const { id: owner } = await newPerson()
    const [one, two] = [await websiteOf({ userId: owner }), await websiteOf({ userId: owner })]
    const query = { search: 'WEBSITE', orderBy: 'createdAt', sortDescending: 'true', pageSize: 1, page: 1, share: 'x' }
    const reply = await send(pathOf(`/api/users/${owner}/websites`, { ...query }), { headers: operator })
    expect(reply.status).toBe(401)
    const { share: _, ...rest } = query
    const first = await send(pathOf(`/api/users/${owner}/websites`, rest), { headers: operator })
    const next = new URL(nextOf(first)!)
    expect(Object.fromEntries(next.searchParams)).toEqual({ ...rest, pageSize: '1', page: '2' })
    const second = await send(next.pathname + next.search, { headers: operator })
    expect(
      rowsOf([first, second])
        .map((row) => (row as { id: string }).id)
        .sort(),
    ).toEqual([one, two].sort())
  })
})

it('every paged report is covered by test/rules/paging.test.ts', () => {
  expect(reports.length).toBeGreaterThan(3)
  expect(reports.filter((report) => !takes(report, 'page', 'pageSize')).map(({ name }) => name)).toEqual([])
})

describe('a link’s host', () => {
  const env = { PUBLIC_URL: 'https://stats.example.com' }

  /** The links in the answers to one question, requested twice with each of these hosts. */
  async function linksAt(hosts: readonly string[], path: string, bindings: object): Promise<(string | undefined)[]> {
    const ask = isolate(forLong, { ...bindings })
    const links: (string | undefined)[] = []
    const kept: (string | null)[] = []
    for (const host of [...hosts, ...hosts]) {
      const { status, cache, headers } = await ask(`http://${host}${path}`, operator)
      expect(status).toBe(200)
      kept.push(cache)
      links.push(nextOf({ headers })?.replace(/cursor=.*/, 'cursor='))
    }
    // Metadata lists are never cached.
    const [, ...later] = kept
    expect(later).toEqual(later.map(() => (path.includes('/admin/') ? null : 'HIT')))
    return links
  }

  it('is the configured one, whatever host is requested, even in cached answers', async () => {
    const websiteId = await newWebsite()
    const row = { website_id: websiteId, created_at: '2025-10-15 12:00:00', event_type: 2, event_name: 'eee' }
    await ingest([row, row] as never)
    const list = pathOf('/api/admin/websites', { search: websiteId.slice(0, 4), pageSize: 1 })
    // Each setting in this process uses a separate question, because cached answers assume one setting.
    const report = (part: number) =>
      pathOf(`/api/websites/${websiteId}/events`, { ...day, pageSize: 1, search: 'e'.repeat(part) })
    await websiteOf({}, { search: websiteId })
    const hosts = ['weir', 'evil.example', 'weir.evil.example:81']
    const link = (origin: string, path: string, end: string) => `${origin}${path}${end}`
    const repeated = (one: string) => hosts.concat(hosts).map(() => one)
    expect(await linksAt(hosts, list, env)).toEqual(repeated(link(env.PUBLIC_URL, list, '&page=2')))
    const withSlash = { PUBLIC_URL: 'https://a.example/weir/' }
    expect(await linksAt(hosts, report(1), env)).toEqual(repeated(link(env.PUBLIC_URL, report(1), '&cursor=')))
    expect(await linksAt(hosts, report(2), withSlash)).toEqual(
      repeated(link('https://a.example/weir', report(2), '&cursor=')),
    )
    // Without a configured host, each request gets back its own host, never another request's.
    const own = hosts.map((host) => link(`http://${host}`, report(3), '&cursor='))
    expect(await linksAt(hosts, report(3), {})).toEqual([...own, ...own])
  })

  it.each(['weir.example', 'ftp://weir.example', 'https://weir.example?a=b', 'https://a b'])(
    'is never guessed from a setting that is not a URL: %s',
    async (PUBLIC_URL) => {
      const ask = isolate(forLong, { PUBLIC_URL })
      const owner = await newPerson()
      await newTeam(owner)
      expect((await ask('/api/teams?pageSize=1', owner.headers)).status).toBe(200)
      await newTeam(owner)
      expect((await ask('/api/teams?pageSize=1', owner.headers)).status).toBe(500)
    },
  )
})
