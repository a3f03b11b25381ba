import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Headers, operator } from '../support/callers.ts'
import { type Collecting, startCollecting } from '../support/collecting.ts'
import { keyOf, member, newPerson, newTeam, websiteOf } from '../support/people.ts'

const most = 3

let worker: Collecting
beforeAll(async () => {
  worker = await startCollecting({ MOST_OWNED: String(most) })
})
afterAll(() => worker.beside.close())

const sent = (path: string, body: object, headers: Headers) =>
  worker.post(path, body, { 'content-type': 'application/json', ...headers })

const deleted = (path: string, headers: Headers) =>
  worker.beside.dispatch(path, {}, { method: 'DELETE', headers: { ...headers } })

/** Builds a request that creates something for this website's owner. */
type Make = (websiteId: string) => readonly [path: string, body: object]

const goal = { type: 'path', value: '/' }
const parameters = { filters: [{ name: 'path', operator: 'eq', value: '/' }] }

const ofWebsites: readonly (readonly [string, Make])[] = [
  ['segment', (of) => [`/api/websites/${of}/segments`, { type: 'segment', name: 'x', parameters }]],
  ['annotation', (of) => [`/api/websites/${of}/annotations`, { date: '2026-01-01', note: 'x' }]],
  ['saved report', (websiteId) => ['/api/reports', { websiteId, type: 'goal', name: 'x', parameters: goal }]],
  ['saved report', (of) => [`/api/websites/${of}/goals`, { name: 'x', parameters: goal }]],
  ['share', (of) => [`/api/websites/${of}/shares`, { name: 'x' }]],
]

const ofOwners: readonly (readonly [string, Make])[] = [
  ['board', () => ['/api/boards', { name: 'x', type: 'mixed' }]],
  ['API key', () => ['/api/me/api-keys', { name: 'x', access: 'read' }]],
  ['link', () => ['/api/links', { name: 'x', slug: randomUUID(), url: 'https://example.com' }]],
  ['pixel', () => ['/api/pixels', { name: 'x', slug: randomUUID() }]],
]

const statuses = (replies: readonly { readonly status: number }[]) => replies.map(({ status }) => status).sort()

it.each([...ofWebsites, ...ofOwners])(
  '%s: an owner may have at most MOST_OWNED, however many are created together',
  async (of, make) => {
    const [owner, other] = [await newPerson(), await newPerson()]
    const [first, second, foreign] = [
      await websiteOf({ userId: owner.id }),
      await websiteOf({ userId: owner.id }),
      await websiteOf({ userId: other.id }),
    ]
    const replies = await Promise.all(
      Array.from({ length: most + 3 }, (_, index) => sent(...make(index % 2 === 0 ? first : second), owner.headers)),
    )
    expect(statuses(replies)).toEqual([...Array(most).fill(200), 409, 409, 409])
    const refused = replies.find(({ status }) => status === 409)!
    expect(refused.body.error).toMatchObject({
      code: 'conflict',
      message: `An owner may have at most 3 ${of}s (MOST_OWNED). Delete some, or ask the operator for more.`,
    })
    expect((await sent(...make(foreign), other.headers)).status).toBe(200)

    const [path] = make(first)
    const made = replies.find(({ status }) => status === 200)!.body
    const own = path.startsWith('/api/websites/') ? path.replace(/[^/]+(?=\/\w+$)/, made.websiteId) : path
    expect((await deleted(`${of === 'share' ? '/api/share/id' : own}/${made.id}`, owner.headers)).status).toBe(200)
    expect((await sent(...make(first), owner.headers)).status).toBe(200)
    expect((await sent(...make(first), owner.headers)).status).toBe(409)
  },
)

it.each(ofWebsites)('%s: admins may create more', async (_, make) => {
  const website = await websiteOf({ userId: (await newPerson()).id })
  const admin = await newPerson({ role: 'admin' })
  for (let made = 0; made <= most; made++) {
    for (const headers of [operator, admin.headers]) {
      expect((await sent(...make(website), headers)).status).toBe(200)
    }
  }
})

it.each(ofOwners)('%s: admins may have more', async (_, make) => {
  const admin = await newPerson({ role: 'admin' })
  for (let made = 0; made <= most; made++) expect((await sent(...make(''), admin.headers)).status).toBe(200)
})

it('a team’s boards are counted together for all members, and separately from each member’s own', async () => {
  const owner = await newPerson()
  const team = await newTeam(owner)
  const inTeam = await member(team, 'team-manager')
  const board = (headers: Headers, teamId: string | null) =>
    sent('/api/boards', { name: 'x', type: 'mixed', teamId }, headers)
  for (const { headers } of [owner, inTeam, owner]) expect((await board(headers, team.id)).status).toBe(200)
  expect((await board(inTeam.headers, team.id)).status).toBe(409)
  const own = await board(owner.headers, null)
  expect(own.status).toBe(200)

  const { body } = await board(operator, team.id)
  expect((await sent(`/api/boards/${body.id}/clone`, {}, owner.headers)).status).toBe(409)
  expect((await sent(`/api/boards/${own.body.id}/clone`, {}, owner.headers)).status).toBe(200)
})

it('a link or pixel cannot be transferred to an owner who has the maximum', async () => {
  const owner = await newPerson()
  const team = await newTeam(owner)
  for (const kind of ['links', 'pixels']) {
    const body = (teamId: string | null) => ({
      ...{ name: 'x', slug: randomUUID(), teamId },
      ...(kind === 'links' && { url: 'https://example.com' }),
    })
    for (let made = 0; made < most; made++) {
      expect((await sent(`/api/${kind}`, body(team.id), owner.headers)).status).toBe(200)
    }
    const { id } = (await sent(`/api/${kind}`, body(null), owner.headers)).body
    expect((await sent(`/api/${kind}/${id}`, { teamId: team.id }, owner.headers)).status).toBe(409)
    expect((await sent(`/api/${kind}/${id}`, { name: 'y' }, owner.headers)).body).toMatchObject({ teamId: null })
    expect((await sent(`/api/${kind}/${id}`, { teamId: team.id }, operator)).status).toBe(200)
    // A change without a transfer does not count towards the owner's maximum.
    expect((await sent(`/api/${kind}/${id}`, { name: 'z', teamId: team.id }, owner.headers)).status).toBe(200)
  }
})

it('a key for some websites is stored either together with its list or not at all', async () => {
  const owner = await newPerson()
  const websiteIds = [await websiteOf({ userId: owner.id })]
  const keys = await Promise.all(
    Array.from({ length: most + 1 }, () => sent('/api/me/api-keys', { name: 'x', websiteIds }, owner.headers)),
  )
  expect(statuses(keys)).toEqual([200, 200, 200, 409])
  const made = keys.find(({ status }) => status === 200)!
  expect(made.body.websiteIds).toEqual(websiteIds)
  // An operator's key that is limited to some websites is not an admin key.
  const limited = await keyOf(undefined, { websiteIds })
  const annotated = () => sent(`/api/websites/${websiteIds[0]}/annotations`, { date: '2026-01-01', note: 'x' }, limited)
  for (let count = 0; count < most; count++) expect((await annotated()).status).toBe(200)
  expect((await annotated()).status).toBe(409)
})

it('shares of an owner’s websites, links, pixels and boards are counted together', async () => {
  const { id: userId, headers } = await newPerson()
  const website = await websiteOf({ userId })
  const { id: board } = (await sent('/api/boards', { name: 'x', type: 'mixed' }, headers)).body
  const { id: pixel } = (await sent('/api/pixels', { name: 'x', slug: randomUUID() }, headers)).body
  const share = (path: string) => sent(`/api/${path}/shares`, { name: 'x' }, headers)
  for (const path of [`websites/${website}`, `boards/${board}`, `pixels/${pixel}`]) {
    expect((await share(path)).status).toBe(200)
  }
  expect((await share(`boards/${board}`)).status).toBe(409)
  const body = { entityId: website, shareType: 1, name: 'x', parameters: {} }
  expect((await sent('/api/share', body, headers)).status).toBe(409)
})
