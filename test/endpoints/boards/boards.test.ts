import { randomUUID } from 'node:crypto'
import { UmamiClient } from '@umami/api-client'
import { describe, expect, it } from 'vitest'
import { forbidden, type Headers, moment, notFound, operator, post, remove } from '../../support/callers.ts'
import { member, newPerson, newTeam, websiteOf } from '../../support/people.ts'
import { failed, refused } from '../../support/refusals.ts'
import { day } from '../../support/website.ts'
import { get, pathOf, running, send } from '../../support/weir.ts'

const range = { startAt: day.startAt, endAt: day.endAt }

const owner = await newPerson()
const websiteId = await websiteOf({ userId: owner.id })
const link = { name: 'l', url: 'https://example.com', slug: randomUUID() }
const linkId = (await post('/api/links', link, owner.headers)).body.id
const pixelId = (await post('/api/pixels', { name: 'p', slug: randomUUID() }, owner.headers)).body.id

const newBoard = async (change: object = {}, headers: Headers = owner.headers) => {
  const { status, body } = await post('/api/boards', { name: 'Board', type: 'mixed', ...change }, headers)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

/** Parameters nested like those of a dashboard. */
const nested = (...ids: object[]) => ({ rows: [{ columns: [{ component: { props: ids } }] }] })

describe('a board', () => {
  it('can be created, read, changed, cloned and deleted with the official client', async () => {
    const client = new UmamiClient({ baseUrl: `${running.url}/api`, apiKey: running.adminKey })
    const made = await client.createBoard({ name: ' Sales ', type: 'open', parameters: { websiteId, linkId } })
    expect(made).toStrictEqual({
      id: expect.any(String),
      ...{ type: 'mixed', name: 'Sales', description: '' },
      parameters: { websiteId, linkId },
      ...{ userId: null, teamId: null, createdAt: moment, updatedAt: moment },
    })
    const boardId = made.id
    const changed = await client.updateBoard({ boardId, description: 'of 2025' })
    expect(changed).toStrictEqual({ ...made, description: 'of 2025', updatedAt: moment })
    const copy = await client.cloneBoard({ boardId, name: 'Copy' })
    expect(copy).toStrictEqual({
      ...changed,
      id: expect.any(String),
      ...{ name: 'Copy', createdAt: moment, updatedAt: moment },
    })
    expect(copy.id).not.toBe(boardId)
    expect(await client.deleteBoard({ boardId })).toStrictEqual({ ok: true })
    await expect(client.getBoard({ boardId })).rejects.toMatchObject({ status: 404 })
    expect((await client.getBoard({ boardId: copy.id })).parameters).toStrictEqual({ websiteId, linkId })
  })

  it('may refer only to what its author may see, at any depth', async () => {
    const theirs = await websiteOf()
    const none = randomUUID()
    const parameters = nested({ websiteId: theirs }, { websiteId }, { linkId: none, pixelId: websiteId }, { linkId: 7 })
    const board = await newBoard({ parameters: nested({ websiteId }) })
    const at = (index: number, name: string) => `parameters.rows.0.columns.0.component.props.${index}.${name}`
    for (const reply of [
      await post('/api/boards', { name: 'b', type: 'mixed', parameters }, owner.headers),
      await post(`/api/boards/${board.id}`, { name: 'changed', parameters }, owner.headers),
      await post(`/api/boards/${board.id}/clone`, { parameters }, owner.headers),
      await post('/api/dashboard', { parameters }, owner.headers),
    ]) {
      expect(reply.body.error.issues.map(({ path }: { path: string }) => path).sort()).toEqual(
        [at(0, 'websiteId'), at(2, 'linkId'), at(2, 'pixelId'), at(3, 'linkId')].sort(),
      )
      expect(reply.status).toBe(400)
    }
    expect((await send(`/api/boards/${board.id}`, owner)).body).toStrictEqual(board)
    expect((await send('/api/dashboard', owner)).body).toBeNull()
    await newBoard({ parameters: nested({ websiteId: linkId.toUpperCase(), pixelId: '' }, { linkId: null }) })
  })

  it('limits pageSize so that a list of boards fits into one answer', async () => {
    const { id: teamId } = await newTeam(owner)
    const parameters = { text: 'x'.repeat(99_000) }
    for (let made = 0; made < 26; made++) await newBoard({ teamId, parameters })
    const path = `/api/teams/${teamId}/boards`
    const first = (await send(path, owner)).body
    expect([first.count, first.data.length]).toStrictEqual([26, 20])
    refused(await send(pathOf(path, { pageSize: 1000 }), owner), 'pageSize')
    const rest = (await send(pathOf(path, { page: 2 }), owner)).body
    expect(rest.data).toHaveLength(6)
    expect((await send(pathOf(path, { pageSize: 1000, page: 2 }), owner)).body).toMatchObject({ count: 26, data: [] })
  })

  it('has a maximum size and depth, and a refusal has at most 20 error messages', async () => {
    const board = await newBoard()
    let deep: object = { websiteId }
    for (let depth = 0; depth < 60; depth++) deep = { deep }
    failed(await post(`/api/boards/${board.id}`, { parameters: deep }, owner.headers), {
      status: 400,
      code: 'bad-request',
    })
    const long = { text: 'x'.repeat(100_000) }
    failed(await post(`/api/boards/${board.id}`, { parameters: long }, owner.headers), {
      status: 413,
      code: 'payload-too-large',
    })
    const many = { parameters: { ids: Array.from({ length: 1000 }, () => ({ websiteId })) } }
    expect((await post(`/api/boards/${board.id}`, many, owner.headers)).status).toBe(200)
    const others = { parameters: { ids: Array.from({ length: 1000 }, () => ({ websiteId: randomUUID() })) } }
    expect((await post(`/api/boards/${board.id}`, others, owner.headers)).body.error.issues).toHaveLength(20)
  })

  it('belongs to the owner in the request if the caller may set it, and is deleted with its team', async () => {
    const [team, stranger] = [await newTeam(owner), await newPerson()]
    const board = await newBoard({ teamId: team.id })
    expect(board).toMatchObject({ userId: null, teamId: team.id })
    const path = `/api/boards/${board.id}`
    failed(await post('/api/boards', { name: 'b', type: 'mixed', teamId: team.id }, stranger.headers), forbidden)
    refused(await post('/api/boards', { name: 'b', type: 'mixed', userId: randomUUID() }), 'userId')
    const foreign = { name: 'b', type: 'mixed', userId: owner.id }
    failed(await post('/api/boards', foreign, stranger.headers), forbidden)
    expect((await post('/api/boards', foreign)).body.userId).toBe(owner.id)
    await remove(`/api/teams/${team.id}`, owner.headers)
    failed(await get(path), notFound)
  })
})

describe('a board share', () => {
  it('opens its sections for the objects on the board, as long as the board’s owner may share them', async () => {
    const team = await newTeam(await newPerson())
    const ours = await member(team, 'team-member')
    const ofTeam = await websiteOf({ teamId: team.id })
    const own = await websiteOf({ userId: ours.id })
    const parameters = nested({ websiteId: own }, { websiteId: ofTeam }, { websiteId: own })
    const board = await newBoard({ parameters }, ours.headers)
    const body = { name: 's', parameters: { overview: true } }
    const { body: share } = await post(`/api/boards/${board.id}/shares`, body, ours.headers)
    expect(share).toMatchObject({ entityId: board.id, shareType: 4 })
    expect((await send(`/api/boards/${board.id}/shares`, ours)).body.data).toStrictEqual([share])
    const opened = (await send(`/api/share/${share.slug}`)).body
    expect(opened).toMatchObject({
      ...{ shareType: 4, boardId: board.id, websiteIds: [own, ofTeam].sort(), linkIds: [], pixelIds: [] },
    })
    expect(opened).not.toHaveProperty('websiteId')
    const headers = { 'x-weir-share-token': opened.token }
    const statusOf = async (id: string, report = 'stats') =>
      (await send(pathOf(`/api/websites/${id}/${report}`, range), { headers })).status
    expect([await statusOf(own), await statusOf(ofTeam), await statusOf(websiteId)]).toEqual([200, 200, 403])
    expect(await statusOf(own, 'events')).toBe(403)
    expect((await send(`/api/websites/${own}`, { headers })).body).toMatchObject({ id: own, userId: null })
    const read = await send(`/api/boards/${board.id}`, { headers })
    expect(read.body).toStrictEqual({ ...board, userId: null, teamId: null })
    expect((await send('/api/me', { headers })).body.shareToken).toMatchObject({ shareType: 4, boardId: board.id })
    failed(await post(`/api/boards/${board.id}`, { name: 'theirs' }, headers), forbidden)
    failed(await send(`/api/boards/${(await newBoard()).id}`, { headers }), notFound)
    // After the owner has left the team, the board no longer opens the team's website.
    await remove(`/api/teams/${team.id}/users/${ours.id}`)
    expect([await statusOf(own), await statusOf(ofTeam)]).toEqual([200, 403])
    await post(`/api/boards/${board.id}`, { parameters: {} }, ours.headers)
    expect(await statusOf(own)).toBe(403)
    await remove(`/api/boards/${board.id}`, ours.headers)
    expect((await send(`/api/share/${share.slug}`)).status).toBe(404)
    expect((await send('/api/me', { headers })).status).toBe(401)
  })

  it('works the same for boards owned by teams and by the operator, and for links and pixels', async () => {
    const head = await newPerson()
    const team = await newTeam(head)
    const ofTeam = await websiteOf({ teamId: team.id })
    const theirs = await websiteOf({ userId: head.id })
    const parameters = { a: { websiteId: ofTeam }, b: [{ websiteId: theirs }] }
    const board = await newBoard({ teamId: team.id, parameters }, head.headers)
    const all = await newBoard({ parameters: { websiteId: theirs, linkId, pixelId } }, operator)
    const shared = async (entityId: string) => {
      const body = { entityId, shareType: 4, name: 's', parameters: { overview: true } }
      const { slug } = (await post('/api/share', body)).body
      const opened = (await send(`/api/share/${slug}`)).body
      return { opened, headers: { 'x-weir-share-token': opened.token } }
    }
    const statusOf = async (id: string, { headers }: { headers: Headers }) =>
      (await send(pathOf(`/api/websites/${id}/stats`, range), { headers })).status
    const [one, other] = [await shared(board.id), await shared(all.id)]
    expect([await statusOf(ofTeam, one), await statusOf(theirs, one)]).toEqual([200, 200])
    expect(other.opened).toMatchObject({ websiteIds: [theirs], linkIds: [linkId], pixelIds: [pixelId] })
    for (const id of [theirs, linkId, pixelId]) expect(await statusOf(id, other)).toBe(200)
    expect((await send(`/api/links/${linkId}`, other)).body).toMatchObject({ id: linkId, userId: null })
    expect(await statusOf(ofTeam, other)).toBe(403)
    const charts = await send(pathOf('/api/links/charts', { ids: `${linkId},${pixelId}`, ...range }), other)
    expect(Object.keys(charts.body.data)).toEqual([linkId])
    failed(await post('/api/share', { entityId: websiteId, shareType: 4, name: 's', parameters: {} }), forbidden)
    failed(await post('/api/share', { entityId: board.id, shareType: 1, name: 's', parameters: {} }), forbidden)
  })
})

describe('the dashboard', () => {
  it('is null before the first POST, and always the same board afterwards', async () => {
    const person = await newPerson()
    const read = async () => (await send('/api/dashboard', person)).body
    expect(await read()).toBeNull()
    const replies = await Promise.all(
      ['a', 'b', 'c'].map((name) => post('/api/dashboard', { name, parameters: { websiteId: null } }, person.headers)),
    )
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
    const made = await read()
    expect(made).toMatchObject({ type: 'dashboard', userId: person.id, teamId: null, description: '' })
    const { body } = await post('/api/dashboard', { description: 'mine' }, person.headers)
    expect(body).toStrictEqual({ ...made, description: 'mine', updatedAt: moment })
    expect(await read()).toStrictEqual(body)
    expect((await send('/api/dashboard', await newPerson())).body).toBeNull()
    expect((await post('/api/dashboard', {}, (await newPerson()).headers)).body.name).toBe('Dashboard')
    refused(await post('/api/dashboard', { parameters: [] }, person.headers), 'parameters')
  })
})
