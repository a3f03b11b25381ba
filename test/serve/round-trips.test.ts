import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../../src/access/api-key.ts'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { bundled } from '../../src/local/start/workerd.ts'
import { inTurn } from '../support/long.ts'
import { bearer, insert, keyOf, member, newPerson, newTeam, signer, websiteOf } from '../support/people.ts'
import { eventName, eventReports, events } from '../support/reports.ts'
import { pathTo } from '../support/requests.ts'
import { isRead, type Observed, observed } from '../support/round-trips.ts'
import { rowlessServer } from '../support/rowless.ts'
import { seed } from '../support/seed.ts'
import { soon } from '../support/soon.ts'
import { running } from '../support/weir.ts'

/** The Worker as shipped, without earlier requests. Writes to its D1 wait for `answered`. */
let worker: Observed
let answered: Promise<void> = Promise.resolve()

const isWrite = (statements: readonly string[]): boolean => !isRead(statements)

beforeAll(async () => {
  worker = await observed(bundled(running.dataDir, 0, rowlessServer), async (statements) => {
    if (isWrite(statements)) await answered
  })
})
afterAll(() => worker.close())

type Headers = Readonly<Record<string, string>>

/** Requests a report. Returns the number of statements in each D1 round trip that reads. */
async function reads(
  websiteId: string,
  headers: Headers,
  {
    report = events,
    status = 200,
    share = {},
  }: { report?: AnyReport; status?: number; share?: { readonly share?: string } } = {},
): Promise<number[]> {
  worker.look()
  const path = pathTo(report, { websiteId }, share)
  const response = await fetch(worker.url + path, { headers })
  await response.text()
  expect(response.status).toBe(status)
  return worker
    .look()
    .filter(isRead)
    .map(({ length }) => length)
}

/** Creates an admin's board with this website, and shares it. */
async function newBoardShare(websiteId: string): Promise<{ token: string }> {
  const [id, owner] = [randomUUID(), await newPerson({ role: 'admin' })]
  const texts = { type: 'mixed', name: 'b', name_key: 'b', description: '', description_key: '', parameters: '{}' }
  const times = { created_at: Date.now(), updated_at: Date.now() }
  await insert('boards', { id, ...texts, user_id: owner.id, ...times })
  await insert('board_subjects', { board_id: id, subject_id: websiteId, kind: 'website' })
  return newShare(id, 4)
}

async function newShare(entityId: string, share_type = 1): Promise<{ slug: string; token: string }> {
  const [id, slug] = [randomUUID(), randomUUID()]
  const opened = { name: 'of a test', slug, parameters: JSON.stringify({ events: true }) }
  const row = { id, website_id: entityId, share_type, ...opened }
  await insert('shares', { ...row, created_at: Date.now(), updated_at: Date.now() })
  return { slug, token: await (await signer()).make({ typ: 'share', jti: id, slug }) }
}

/** All kinds of access to the website, each of them newly created. */
const callers: readonly (readonly [string, (websiteId: string) => Promise<{ headers?: Headers; share?: object }>])[] = [
  ['the admin key', async () => ({ headers: await keyOf(undefined) })],
  ['a key of the website', async (id) => ({ headers: await keyOf(undefined, { websiteIds: [id] }) })],
  ['a key of an admin', async () => ({ headers: await keyOf(await newPerson({ role: 'admin' })) })],
  ['a sign-in', async () => ({ headers: (await newPerson({ role: 'admin' })).headers })],
  ['the token of a share', async (id) => ({ headers: { 'x-weir-share-token': (await newShare(id)).token } })],
  [
    'the token of a share, as Umami sends it',
    async (id) => ({ headers: { 'x-umami-share-token': (await newShare(id)).token, 'x-umami-share-context': '1' } }),
  ],
  [
    'the token of a board’s share',
    async (id) => ({ headers: { 'x-weir-share-token': (await newBoardShare(id)).token } }),
  ],
  ['the slug of a share', async (id) => ({ share: { share: (await newShare(id)).slug } })],
  [
    'the slug and the token of a share',
    async (id) => {
      const { slug, token } = await newShare(id)
      return { headers: { 'x-weir-share-token': token }, share: { share: slug } }
    },
  ],
]

/** The credential and the website, in one round trip of two statements. */
const both = [2]

describe('a request makes one D1 round trip of two statements if cold and none if warm', () => {
  it.each(callers)('with %s', async (_, caller) => {
    const websiteId = await websiteOf()
    const { headers = {}, share = {} } = await caller(websiteId)
    expect([await reads(websiteId, headers, { share }), await reads(websiteId, headers, { share })]).toEqual([both, []])
  })

  it('with a team member’s sign-in', async () => {
    const team = await newTeam(await newPerson())
    const websiteId = await websiteOf({ teamId: team.id })
    const { headers } = await member(team, 'team-view-only')
    expect([await reads(websiteId, headers), await reads(websiteId, headers)]).toEqual([both, []])
  })

  it('without a credential, for a public website', async () => {
    const websiteId = await websiteOf({}, { public: JSON.stringify({ events: true }) })
    expect([await reads(websiteId, {}), await reads(websiteId, {})]).toEqual([[1], []])
  })

  it.each(inTurn(eventReports, seed, 4).map((report) => [report.name, report] as const))(
    'for %s',
    async (_, report) => {
      const [websiteId, headers] = [await websiteOf(), await keyOf(undefined)]
      const counts = [await reads(websiteId, headers, { report }), await reads(websiteId, headers, { report })]
      expect(counts).toEqual([both, []])
    },
  )

  it('if only the key or only the website is new', async () => {
    const [websites, key] = [[await websiteOf(), await websiteOf()] as const, await keyOf(undefined)]
    expect(await reads(websites[0], key)).toEqual(both)
    expect(await reads(websites[1], key)).toEqual([1])
    expect(await reads(websites[1], await keyOf(undefined))).toEqual([1])
  })

  it('even when it is refused', async () => {
    const websiteId = await websiteOf()
    const key = await keyOf(undefined)
    expect(await reads(randomUUID(), key, { status: 403 })).toEqual(both)
    expect(await reads(websiteId, bearer(newKey()), { status: 401 })).toEqual(both)
    expect(await reads(await websiteOf(), {}, { status: 401 })).toEqual([1])
  })
})

describe('a key’s last use', () => {
  it('is stored only occasionally, after the answer', async () => {
    const [websiteId, key] = [await websiteOf(), await keyOf(undefined)]
    let release = (): void => {}
    answered = new Promise((resolve) => {
      release = resolve
    })
    worker.look()
    for (let count = 0; count < 3; count++) {
      const path = pathTo(events, { websiteId })
      const response = await fetch(worker.url + path, { headers: key })
      expect([response.status, (await response.text()).includes(eventName)]).toEqual([200, false])
    }
    release()
    const writes: (readonly string[])[] = []
    await soon(() => {
      writes.push(...worker.look().filter(isWrite))
      expect(writes).not.toEqual([])
    })
    expect(writes).toEqual([[expect.stringMatching(/^UPDATE api_keys SET last_used_at/)]])
  })
})
