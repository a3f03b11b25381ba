import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { AnyAction, Endpoint } from '../../src/endpoints/endpoint.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { places } from '../../src/local/paths.ts'
import { requestOf } from '../permissions/requests.ts'
import { type Caller, newWorld, targetOf } from '../permissions/world.ts'
import { boardShare } from '../support/boards.ts'
import { operator, post } from '../support/callers.ts'
import { goodRequest, keyOf } from '../support/good-requests.ts'
import { inTurn } from '../support/long.ts'
import { metadata } from '../support/metadata.ts'
import { join, newPerson, newTeam, password, websiteOf } from '../support/people.ts'
import { seed } from '../support/seed.ts'
import { pathOf, type Reply, running, send } from '../support/weir.ts'

type Fields = Readonly<Record<string, unknown>>

/** The GET endpoint for this path. */
const readerOf = ({ path }: Endpoint): Endpoint | undefined =>
  endpoints.find((one) => one.method === 'get' && one.kind === 'action' && one.path === path)

/** The fields of the endpoint's single record, or undefined for pages and bare lists. */
function shapeOf({ answer }: Endpoint): z.ZodRawShape | undefined {
  const schema = answer()
  const inner = schema instanceof z.ZodNullable ? schema.unwrap() : schema
  return inner instanceof z.ZodObject && !('pageSize' in inner.shape) ? inner.shape : undefined
}

/** Every change to a record that can be read at the same path. New ones are covered as soon as they are declared. */
const changes = endpoints.filter((endpoint): endpoint is AnyAction => {
  const reader = endpoint.kind === 'action' && endpoint.method === 'post' ? readerOf(endpoint) : undefined
  const shape = reader && shapeOf(reader)
  // Saved replays and second factors are switches, not records.
  return shape !== undefined && !('isSaved' in shape || 'isEnabled' in shape)
})

/** The list that contains the record as a row. */
const listOf = ({ path }: Endpoint): Endpoint | undefined =>
  endpoints.find((one) => one.method === 'get' && one.path === path.replace(/\/:\w+$/, '') && one.path !== path)

const bodyFields = (schema: z.ZodType): string[] =>
  schema instanceof z.ZodObject
    ? Object.keys(schema.shape)
    : schema instanceof z.ZodUnion
      ? schema.options.flatMap((one) => bodyFields(one as z.ZodType))
      : []

const secret = readFileSync(places(running.dataDir).authSecret, 'utf8')
const world = await newWorld(metadata, secret)

const ownerOf = ({ access }: Endpoint): Caller => (access.to === 'admin' ? 'admin' : 'owner')

/** A caller's request. A GET goes to the same path. */
async function ask(endpoint: Endpoint, caller: Caller, body?: Fields): Promise<Reply> {
  const { path, headers } = requestOf(keyOf(endpoint), caller, world, world.targets[targetOf(caller)])
  return body ? post(path, body, headers) : send(path, { headers })
}

/** The record as its GET returns it. A dashboard does not exist before its first change. */
async function recordAt(endpoint: AnyAction): Promise<Fields> {
  const reader = readerOf(endpoint)!
  const caller = ownerOf(endpoint)
  let read = await ask(reader, caller)
  if (read.body === null) {
    const { body } = goodRequest(keyOf(endpoint), { ...world, ...world.targets.own, isOperator: false })
    expect((await ask(endpoint, caller, body as Fields)).status).toBe(200)
    read = await ask(reader, caller)
  }
  expect(read.status).toBe(200)
  return read.body
}

/** The record as its list returns it, or undefined if there is no such list. */
async function rowAt(endpoint: AnyAction, record: Fields): Promise<Fields | undefined> {
  const list = listOf(endpoint)
  if (!list) return undefined
  const caller = ownerOf(endpoint)
  const { path, headers } = requestOf(keyOf(list), caller, world, world.targets.own)
  // Other tests also create users.
  const { username } = record
  const more = pathOf('', { pageSize: 1000, ...(username !== undefined && { search: String(username) }) })
  const { status, body } = await send(path + (path.includes('?') ? more.replace('?', '&') : more), { headers })
  expect(status).toBe(200)
  const row = (body.data as Fields[]).find(({ id }) => id === record.id)
  expect(row).toBeDefined()
  return row
}

const withoutUpdatedAt = ({ updatedAt: _, ...rest }: Fields): Fields => rest

/** A different value of the same kind. */
function otherThan(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return /^[\da-f-]{36}$/.test(value) ? randomUUID() : `${value}x`
  return randomUUID()
}

const isIgnored = (name: string, value: unknown): boolean =>
  name.endsWith('At') || (typeof value === 'object' && value !== null)

const named = changes.map((endpoint) => [keyOf(endpoint), endpoint] as const)

/** Each of these takes hundreds of requests. */
const some = inTurn(named, seed, 6)

describe('a record can be written back as it was read', () => {
  it('at every endpoint that changes one', () => {
    expect(changes.length).toBeGreaterThanOrEqual(13)
    expect(changes.filter(({ path }) => !/\/:\w+$/.test(path)).map(({ path }) => path)).toEqual(['/api/dashboard'])
    const withId = endpoints.filter(
      ({ kind, method, path }) => kind === 'action' && method === 'post' && /\/:\w+$/.test(path),
    )
    expect(withId.filter((one) => !changes.includes(one as AnyAction)).map(keyOf)).toEqual([
      'POST /api/websites/:websiteId/replays/saved/:replayId',
    ])
  })

  it.each(named)('so that only updatedAt changes: %s', async (_name, endpoint) => {
    const record = await recordAt(endpoint)
    const row = await rowAt(endpoint, record)
    expect((await ask(endpoint, ownerOf(endpoint), record)).body).not.toHaveProperty('error')
    if (row) expect((await ask(endpoint, ownerOf(endpoint), row)).body).not.toHaveProperty('error')
    const now = await recordAt(endpoint)
    expect(withoutUpdatedAt(now)).toEqual(withoutUpdatedAt(record))
    if (row) expect(withoutUpdatedAt((await rowAt(endpoint, now))!)).toEqual(withoutUpdatedAt(row))
  })

  it.each(some)('but not with another value of a field that cannot change there: %s', async (_name, endpoint) => {
    const record = await recordAt(endpoint)
    const whole: Fields = { ...(await rowAt(endpoint, record)), ...record }
    const changed = bodyFields(endpoint.body!())
    const unchanging = Object.entries(whole).filter(([name]) => !changed.includes(name))
    expect(unchanging.length).toBeGreaterThan(2)
    for (const [name, value] of unchanging) {
      for (const other of [otherThan(value), { id: randomUUID() }, [null]]) {
        const reply = await ask(endpoint, ownerOf(endpoint), { ...whole, [name]: other })
        const paths = reply.body.error?.issues?.map(({ path }: { path: string }) => path)
        const expected = isIgnored(name, value) ? [200, undefined] : [400, [name]]
        expect([name, reply.status, paths]).toEqual([name, ...expected])
      }
    }
    expect(withoutUpdatedAt(await recordAt(endpoint))).toEqual(withoutUpdatedAt(record))
  })

  it.each(some)('with times and related records that Umami sends, but no other fields: %s', async (_name, endpoint) => {
    const record = await recordAt(endpoint)
    const foreign = ['createdAt', 'updatedAt', 'resetAt', 'deletedAt', 'members', 'website', 'user', 'team', '_count']
    const more = Object.fromEntries(foreign.map((name) => [name, [{ id: 1 }]]))
    expect((await ask(endpoint, ownerOf(endpoint), { ...record, ...more })).status).toBe(200)
    for (const unknown of ['surprise', 'userID', 'createdat', 'owner', 'constructor']) {
      const { status, body } = await ask(endpoint, ownerOf(endpoint), { ...record, ...more, [unknown]: null })
      expect([status, body.error.issues.map(({ path }: { path: string }) => path)]).toEqual([400, [unknown]])
    }
    expect(withoutUpdatedAt(await recordAt(endpoint))).toEqual(withoutUpdatedAt(record))
  })

  it.each(named)('only by callers who may change it, while others learn nothing: %s', async (_name, endpoint) => {
    const record = await recordAt(endpoint)
    const others: readonly Caller[] = ['outsider', 'team-view-only', 'other', 'read', 'share', 'none']
    // In `npm test`, a third of them try.
    for (const caller of inTurn(others, seed + changes.indexOf(endpoint), 3)) {
      // The path's ids are not secret, and are checked earlier.
      const fields = Object.fromEntries(Object.entries(record).filter(([name]) => !endpoint.path.includes(`:${name}`)))
      const altered = Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          /^id$|userId|createdBy/.test(name) ? randomUUID() : value,
        ]),
      )
      const [right, wrong] = [await ask(endpoint, caller, fields), await ask(endpoint, caller, altered)]
      const seen = ({ status, body }: Reply) => [caller, status, body.error?.code, body.error?.message]
      // Callers without a right to this dashboard have one of their own.
      if (endpoint.path === '/api/dashboard' && ['outsider', 'team-view-only'].includes(caller)) {
        expect([right.status, wrong.status]).toEqual([400, 400])
      } else {
        expect([401, 403, 404]).toContain(right.status)
        expect(seen(wrong)).toEqual(seen(right))
      }
    }
  })
})

describe('a form in Umami’s dashboard', () => {
  it('may send an owner’s role unchanged, but cannot give it to anybody', async () => {
    const [owner, other] = [await newPerson(), await newPerson()]
    const team = await newTeam(owner)
    const path = (id: string) => `/api/teams/${team.id}/users/${id}`
    const read = await send(path(owner.id), { headers: owner.headers })
    expect((await post(path(owner.id), read.body, owner.headers)).body).toEqual(read.body)
    await post(`/api/teams/${team.id}/users`, { userId: other.id, role: 'team-member' }, owner.headers)
    const { status, body } = await post(path(other.id), { role: 'team-owner' }, owner.headers)
    expect([status, body.error.issues]).toEqual([
      400,
      [{ path: 'role', message: 'Must be one of: team-member, team-view-only, team-manager.' }],
    ])
  })

  it('may send a website that has a share whose slug is longer than a new shareId may be', async () => {
    const websiteId = await websiteOf()
    const slug = `${randomUUID()}-${randomUUID()}`
    await post('/api/share', { entityId: websiteId, shareType: 1, name: 'n', slug, parameters: { theme: 'dark' } })
    const shares = async () => (await ofOperator(`/api/websites/${websiteId}/shares`)).body.data
    const before = await shares()
    const { body: website } = await ofOperator(`/api/websites/${websiteId}`)
    expect(website.shareId).toBe(slug)
    expect((await post(`/api/websites/${websiteId}`, website)).body.shareId).toBe(slug)
    expect(await shares()).toEqual(before)
    const longer = await post(`/api/websites/${websiteId}`, { shareId: `${slug}x` })
    expect(longer.body.error.issues).toEqual([{ path: 'shareId', message: 'Must be at most 50 characters long.' }])
  })

  it('neither deletes nor creates a share by sending a website that was read earlier', async () => {
    const websiteId = await websiteOf()
    const path = `/api/websites/${websiteId}`
    const read = async () => (await ofOperator(path)).body
    const shares = async () => (await ofOperator(`${path}/shares`)).body.data.map(({ slug }: { slug: string }) => slug)
    const before = await read()
    const { body: share } = await post(`${path}/shares`, { name: 's', parameters: { goals: true } })
    const between = await read()
    expect([before.shareId, between.shareId]).toEqual([null, share.slug])
    expect((await post(path, { ...before, name: 'renamed' })).body).toMatchObject({
      name: 'renamed',
      shareId: share.slug,
    })
    expect(await shares()).toEqual([share.slug])

    await send(`/api/share/id/${share.id}`, { method: 'DELETE', headers: operator })
    const late = await post(path, { ...between, name: 'again' })
    expect([late.status, late.body.error.issues[0].path]).toEqual([400, 'shareId'])
    expect(await shares()).toEqual([])
    expect((await post(path, { ...(await read()), name: 'again' })).body).toMatchObject({
      name: 'again',
      shareId: null,
    })

    // Without the value as read, the request asks for a change.
    const slug = randomUUID()
    expect((await post(path, { name: 'x', domain: 'a.example', shareId: slug })).body.shareId).toBe(slug)
    expect((await post(path, { name: 'x', domain: 'a.example', shareId: null })).body.shareId).toBeNull()
  })

  it('may send a website as read, but with changed recorder settings in either of two fields', async () => {
    const path = `/api/websites/${await websiteOf()}`
    const change = async (body: object) => {
      const { status, body: website } = await post(path, { ...(await ofOperator(path)).body, ...body })
      expect(status).toBe(200)
      return [website.replayEnabled, website.replayConfig]
    }
    const isOn = { replayEnabled: true, sampleRate: 0.5 }
    expect(await change({ replayConfig: isOn })).toEqual([true, isOn])
    expect(await change({ replayEnabled: false })).toEqual([false, { ...isOn, replayEnabled: false }])
    expect(await change({ replayEnabled: true })).toEqual([true, isOn])
    expect(await change({ replayConfig: { ...isOn, replayEnabled: false } })).toEqual([
      false,
      { ...isOn, replayEnabled: false },
    ])
    expect(await change({ replayConfig: isOn })).toEqual([true, isOn])
    expect(await change({ replayConfig: null })).toEqual([false, null])
    const contradiction = { replayEnabled: true, replayConfig: { replayEnabled: false } }
    expect((await post(path, contradiction)).status).toBe(400)
  })

  it('may send a board share as a website’s list returns it', async () => {
    const { id, boardId } = await boardShare([{ id: await websiteOf() }])
    const { body: share } = await ofOperator(`/api/share/id/${id}`)
    expect((await post(`/api/share/id/${id}`, { ...share, boardId, name: 'renamed' })).body.name).toBe('renamed')
    const other = await post(`/api/share/id/${id}`, { ...share, boardId: randomUUID() })
    expect([other.status, other.body.error.issues[0].path]).toEqual([400, 'boardId'])
  })

  it('may send a team as members read it, without its code, which gets them a 403', async () => {
    const [owner, member] = [await newPerson(), await newPerson()]
    const team = await newTeam(owner)
    await join(team, member, 'team-member')
    const path = `/api/teams/${team.id}`
    const { body } = await send(path, { headers: member.headers })
    expect(body.accessCode).toBeNull()
    expect((await post(path, body, member.headers)).status).toBe(403)
    expect((await post(path, { ...body, name: 'renamed' }, owner.headers)).body.name).toBe('renamed')
  })

  it('may send replayEnabled next to settings without it, and reads it with the website', async () => {
    const websiteId = await websiteOf()
    const change = async (body: object) => {
      const { status, body: website } = await post(`/api/websites/${websiteId}`, body)
      expect(status).toBe(200)
      const listed = (await ofOperator(pathOf('/api/admin/websites', { search: websiteId }))).body.data[0]
      expect([listed.replayEnabled, listed.replayConfig]).toEqual([website.replayEnabled, website.replayConfig])
      return [website.replayEnabled, website.recorderEnabled, website.replayConfig]
    }
    expect(await change({})).toEqual([false, false, null])
    expect(await change({ replayEnabled: false, replayConfig: null })).toEqual([false, false, null])
    expect(await change({ replayEnabled: true, replayConfig: { sampleRate: 0.5 } })).toEqual([
      ...[true, true],
      { replayEnabled: true, sampleRate: 0.5 },
    ])
    expect(await change({ replayEnabled: false, replayConfig: { sampleRate: 1 } })).toEqual([
      ...[false, false],
      { replayEnabled: false, sampleRate: 1 },
    ])
    expect(await change({ replayConfig: { heatmapEnabled: true } })).toEqual([false, true, { heatmapEnabled: true }])
    const { body: website } = await ofOperator(`/api/websites/${websiteId}`)
    expect(await change(website)).toEqual([false, true, { heatmapEnabled: true }])
    expect((await post(`/api/websites/${websiteId}`, { ...website, recorderEnabled: false })).status).toBe(400)
  })

  it('may send the new password twice if both are the same', async () => {
    const person = await newPerson()
    const change = (confirmPassword: unknown) =>
      post(
        '/api/me/password',
        { currentPassword: password, newPassword: 'another good one', confirmPassword },
        person.headers,
      )
    for (const other of ['another good on', '', null, 1]) {
      const { status, body } = await change(other)
      expect([status, body.error.issues]).toEqual([
        400,
        [{ path: 'confirmPassword', message: 'Must be the same as newPassword, or left out.' }],
      ])
    }
    expect((await change('another good one')).status).toBe(200)
  })

  it('may send the dashboard’s type, even before the dashboard exists', async () => {
    const person = await newPerson()
    const save = (body: object) => post('/api/dashboard', { name: 'Mine', ...body }, person.headers)
    const refusedFor = async (body: object) =>
      (await save(body)).body.error.issues.map(({ path }: { path: string }) => path)
    expect(await refusedFor({ type: 'mixed' })).toEqual(['type'])
    expect(await refusedFor({ id: randomUUID(), userId: randomUUID(), teamId: null })).toEqual(['id', 'userId'])
    expect((await send('/api/dashboard', { headers: person.headers })).body).toBeNull()
    expect((await save({ type: 'dashboard', userId: person.id, teamId: null })).body.type).toBe('dashboard')
    expect((await save({ type: 'dashboard' })).status).toBe(200)
    expect(await refusedFor({ type: 'open' })).toEqual(['type'])
  })
})

const ofOperator = (path: string) => send(path, { headers: { authorization: `Bearer ${running.adminKey}` } })
