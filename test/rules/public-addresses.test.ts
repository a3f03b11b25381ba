import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { sections } from '../../src/access/opening.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { publicControl } from '../../src/serve/public-address.ts'
import { requestOf } from '../permissions/requests.ts'
import { newWorld, type World } from '../permissions/world.ts'
import { boardShare } from '../support/boards.ts'
import { type Headers, newShare, operator, post, remove } from '../support/callers.ts'
import { keyOf } from '../support/good-requests.ts'
import { isolate } from '../support/isolate.ts'
import { inTurn } from '../support/long.ts'
import { metadata } from '../support/metadata.ts'
import { websiteOf } from '../support/people.ts'
import { seed } from '../support/seed.ts'
import { sharedFor } from '../support/shared-cache.ts'
import { type Reply, running, send } from '../support/weir.ts'

/**
 * A URL with the parameter `share` has the same answer for everybody. Any cache may store it until the look-up that
 * allowed it expires. `wronglyShared` checks in all tests that shared caches may store no other answer.
 */

let world: World
/** The slug of a share that opens every section of the owner's website. */
let slug: string

beforeAll(async () => {
  world = await newWorld(metadata, readFileSync(`${running.dataDir}/auth-secret`, 'utf8'))
  const everything = Object.fromEntries([...sections, 'allowSessionProperties'].map((section) => [section, true]))
  ;({ slug } = await newShare(world.targets.own.websiteId, everything))
})

/** What a website share opens: all GET endpoints that have sections. */
const reads = endpoints.filter(
  ({ method, access }) => method === 'get' && access.to === 'website' && (access.sections ?? []).length > 0,
)

/** How many seconds a shared cache may store the answer. */
const secondsOf = (url: string, { status, headers }: Reply): number => sharedFor({ url }, { status, headers })

const named = (path: string, share: string): string => `${path}${path.includes('?') ? '&' : '?'}share=${share}`

const bytesOf = ({ status, headers, body }: Reply) => [
  status,
  headers.get('etag'),
  JSON.stringify(status === 200 ? body : body.error.code),
]

describe('a URL with the parameter share', () => {
  // `npm test` uses a different seventh of the endpoints in each run.
  const some = inTurn(reads, seed, 7).map((endpoint) => [endpoint.name, endpoint] as const)

  it.each(some)('has the same answer for everybody, which any cache may store: %s', async (_, endpoint) => {
    const { own, public: open } = world.targets
    const isLive = endpoint.kind === 'report' && endpoint.isLive === true
    const usesSaved = endpoint.kind === 'report' && endpoint.saved !== undefined
    const others: Headers[] = [{}, world.headers.owner, world.headers.wrong, world.headers.share, operator]
    for (const [target, share] of [
      [own, slug],
      [open, 'public'],
    ] as const) {
      const { path } = requestOf(keyOf(endpoint), 'none', world, target)
      const replies = []
      for (const headers of others) replies.push(await send(named(path, share), { headers }))
      expect(new Set(replies.map(({ status }) => status)).size).toBe(1)
      const first = replies[0]!
      // The example’s event, goal or session is not on any of these websites.
      expect([200, 404]).toContain(first.status)
      for (const reply of replies) {
        if (!isLive) expect(bytesOf(reply)).toEqual(bytesOf(first))
        const seconds = secondsOf(named(path, share), reply)
        if (isLive || usesSaved || reply.status !== 200) expect(seconds).toBe(0)
        else {
          expect(reply.headers.get('cache-control')).toMatch(
            /^public, s-maxage=(?:[3-9]|10), max-age=0, must-revalidate$/,
          )
          expect(reply.headers.get('cache-tag')).toContain(`weir-website-${target.websiteId}`)
        }
      }
    }
  })

  it('keeps other answers out of shared caches: other requests, refusals, and origin-limited shares', async () => {
    const { websiteId } = world.targets.own
    const stats = `/api/websites/${websiteId}/stats?period=last_30_days`
    const bound = await newShare(websiteId, { overview: true, origins: ['https://a.example'] })
    const { websiteId: open } = world.targets.public
    const boundToo = await newShare(open, { events: true, origins: ['https://a.example'] })
    const parameters = { filters: [{ name: 'browser', operator: 'eq', value: 'chrome' }] }
    const saved = await post(`/api/websites/${websiteId}/segments`, { type: 'segment', name: 'Chrome', parameters })
    expect(saved.status).toBe(200)
    const page = await fetch(`${running.url}/share/${slug}`)
    expect(page.headers.get('cache-control')).toContain('public, s-maxage=')
    const asked: [string, Headers][] = [
      [stats, world.headers.share],
      [stats, operator],
      [named(stats, `${slug}&dryRun=1`), {}],
      [named(stats, `${slug}&deadline=0`), {}],
      [named(stats, 'nobody'), {}],
      [named(stats, 'public'), {}],
      [named(stats, bound.slug), { origin: 'https://a.example' }],
      [named(`/api/websites/${open}/stats?period=last_30_days`, boundToo.slug), { origin: 'https://a.example' }],
      [named(`${stats}&segment=${saved.body.id}`, slug), {}],
      [
        named(`/api/websites/${websiteId}/metrics/expanded?type=path&period=last_30_days`, slug),
        { accept: 'text/csv' },
      ],
      [named(`/api/realtime/${websiteId}`, slug), {}],
      [`/api/share/${slug}`, {}],
      [`/share/${bound.slug}`, {}],
      [named('/api/me', slug), {}],
    ]
    for (const [url, headers] of asked) {
      const { status, headers: received } = await fetch(running.url + url, { headers })
      expect([url, sharedFor({ url }, { status, headers: received })]).toEqual([url, 0])
    }
  })

  it('opens nothing else, even if the request has a key', async () => {
    const { websiteId } = world.targets.own
    const headers = world.headers.owner
    expect((await send(`/api/websites/${websiteId}/shares`, { headers })).status).toBe(200)
    expect((await send(named(`/api/websites/${websiteId}/shares`, slug), { headers })).status).toBe(403)
    const renamed = await post(named(`/api/websites/${websiteId}`, slug), { name: 'x' }, headers)
    expect(renamed.status).toBe(403)
    expect((await remove(named(`/api/websites/${websiteId}`, slug), headers)).status).toBe(403)
  })

  it('is purged from the cache in front of the Worker when its website, link, board or share changes', async () => {
    const { websiteId } = world.targets.own
    const [ask, json] = [isolate(), { 'content-type': 'application/json' }]
    const share = await newShare(websiteId, { overview: true })
    const url = named(`/api/websites/${websiteId}/stats?period=last_30_days`, share.slug)
    const page = await fetch(`${running.url}/share/${share.slug}`)
    for (const { headers } of [await ask(url, {}), page]) {
      expect(headers.get('cache-tag')).toBe(`weir-website-${websiteId},weir-share-${share.id}`)
    }
    const { boardId } = await boardShare([{ id: websiteId }])
    const link = await websiteOf({}, { kind: 'link', slug: randomUUID(), url: 'https://a.example/' })
    const change = (path: string, body: object) => ask(path, { ...operator, ...json }, 'POST', JSON.stringify(body))
    const replies = [
      await change(`/api/websites/${websiteId}`, { name: 'x' }),
      await change(`/api/websites/${websiteId}/annotations`, { date: '2025-10-01', note: 'Nothing public' }),
      await change(`/api/links/${link}`, { name: 'x' }),
      await ask(`/api/boards/${boardId}`, operator, 'DELETE'),
      await ask(`/api/share/id/${share.id}`, operator, 'DELETE'),
      await ask(`/api/share/id/${share.id}`, operator, 'DELETE'),
      await change(`/api/websites/${websiteId}`, { shareId: null }),
    ]
    expect(replies.map(({ status, purged }) => [status, purged])).toEqual([
      [200, [`weir-website-${websiteId}`]],
      [200, []],
      [200, [`weir-website-${link}`]],
      [200, [`weir-website-${boardId}`]],
      [200, [`weir-share-${share.id}`]],
      [404, []],
      [200, [`weir-website-${websiteId}`]],
    ])
  })

  it('is logged if the cache in front refuses to remove it', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => {})
    const ask = isolate(undefined, { refusesPurges: true })
    const path = `/api/websites/${world.targets.own.websiteId}`
    const headers = { ...operator, 'content-type': 'application/json' }
    expect(await ask(path, headers, 'POST', '{"name":"x"}')).toMatchObject({ status: 200, purged: [] })
    const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)))
    written.mockRestore()
    expect(lines).toMatchObject([{ endpoint: 'updateWebsite', purging: 'Rate limit reached.' }])
  })

  it('is cached for less time if the share ends sooner, and not at all after it ended', async () => {
    const { websiteId } = world.targets.own
    const parameters = { overview: true, expiresAt: new Date(Date.now() + 5000).toISOString() }
    const { slug } = await newShare(websiteId, parameters)
    const url = named(`/api/websites/${websiteId}/stats?period=last_30_days`, slug)
    expect(secondsOf(url, await send(url))).toBeLessThanOrEqual(5)
    expect([10_000, 9999, 1000, 999, 0, -5].map((left) => publicControl({ until: 1e12 + left }, 1e12))).toEqual(
      [10, 9, 1, 0, 0, 0].map((seconds) => `public, s-maxage=${seconds}, max-age=0, must-revalidate`),
    )
  })
})
