import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { boardShare, listedShares, statusOf } from '../support/boards.ts'
import { type Headers, newShare, notFound, operator, post, remove } from '../support/callers.ts'
import { member, newPerson, newTeam, websiteOf } from '../support/people.ts'
import { failed, refused } from '../support/refusals.ts'
import { pathOf, send } from '../support/weir.ts'

const head = await newPerson()
const team = await newTeam(head)

const made = async (path: string, body: object, headers: Headers) => {
  const reply = await post(path, body, headers)
  expect(reply).toMatchObject({ status: 200 })
  return reply.body
}

/** Creates a board and its share through the API. */
async function shared(parameters: object, headers: Headers, { teamId }: { teamId?: string } = {}) {
  const board = await made('/api/boards', { name: 'b', type: 'mixed', parameters, ...(teamId && { teamId }) }, headers)
  return { board, ...(await sharedBoard(board.id, headers)) }
}

async function sharedBoard(boardId: string, headers: Headers, parameters: object = { overview: true }) {
  const share = await made(`/api/boards/${boardId}/shares`, { name: 's', parameters }, headers)
  const { token } = (await send(`/api/share/${share.slug}`)).body
  return { share, headers: { 'x-weir-share-token': token } }
}

const newLink = async (kind: 'link' | 'pixel', headers: Headers, more: object = {}): Promise<string> => {
  const url = kind === 'link' ? { url: 'https://example.com' } : {}
  return (await made(`/api/${kind}s`, { name: 'l', slug: randomUUID(), ...url, ...more }, headers)).id
}

const listed = async (path: string): Promise<string[]> => (await listedShares(path)).map(({ id }) => id)

describe('a board share', () => {
  it('publishes no team data if its owner may only read it, and neither does a dashboard share', async () => {
    const reader = await member(team, 'team-view-only')
    const websiteId = await websiteOf({ teamId: team.id })
    const { headers } = await shared({ websiteId }, reader.headers)
    const dashboard = await made('/api/dashboard', { parameters: { websiteId } }, reader.headers)
    const other = await sharedBoard(dashboard.id, reader.headers, {})
    for (const one of [headers, other.headers]) {
      expect(await statusOf(websiteId, one)).toBe(403)
      expect((await send(`/api/websites/${websiteId}`, { headers: one })).status).toBe(403)
    }
    expect(await listed(`/api/websites/${websiteId}`)).toEqual([])
    const theirs = await websiteOf({ teamId: team.id })
    const board = await made('/api/boards', { name: 'b', type: 'mixed', teamId: team.id }, head.headers)
    await made(`/api/boards/${board.id}`, { parameters: { websiteId: theirs } }, head.headers)
    expect((await post(`/api/boards/${board.id}/clone`, {}, reader.headers)).status).toBe(403)
  })

  it('follows the rights of the board’s owner', async () => {
    const person = await member(team, 'team-member')
    const own = await websiteOf({ userId: person.id })
    const ofTeam = await websiteOf({ teamId: team.id })
    const { headers, share } = await shared({ a: { websiteId: own }, b: { websiteId: ofTeam } }, person.headers)
    const opened = async () => [await statusOf(own, headers), await statusOf(ofTeam, headers)]
    const lists = async () =>
      Promise.all([own, ofTeam].map(async (id) => (await listed(`/api/websites/${id}`)).includes(share.id)))
    const inTeam = `/api/teams/${team.id}/users/${person.id}`
    expect([await opened(), await lists()]).toEqual([
      [200, 200],
      [true, true],
    ])
    await made(inTeam, { role: 'team-view-only' }, head.headers)
    expect([await opened(), await lists()]).toEqual([
      [200, 403],
      [true, false],
    ])
    failed(await remove(`/api/share/id/${share.id}`, head.headers), notFound)
    await made(inTeam, { role: 'team-manager' }, head.headers)
    expect(await opened()).toEqual([200, 200])
    await made(`/api/users/${person.id}`, { role: 'view-only' }, operator)
    expect([await opened(), await lists()]).toEqual([
      [403, 403],
      [false, false],
    ])
    await made(`/api/users/${person.id}`, { role: 'admin' }, operator)
    await remove(inTeam, head.headers)
    expect(await opened()).toEqual([200, 200])
    await made(`/api/users/${person.id}`, { role: 'user' }, operator)
    expect([await opened(), await lists()]).toEqual([
      [200, 403],
      [true, false],
    ])
    await remove(`/api/users/${person.id}`)
    expect((await send('/api/me', { headers })).status).toBe(401)
  })

  it('opens a member’s website on a team’s board only if that member added it and still has the right', async () => {
    const person = await member(team, 'team-member')
    const own = await websiteOf({ userId: person.id })
    const board = await made('/api/boards', { name: 'b', type: 'mixed', teamId: team.id }, head.headers)
    const { headers } = await sharedBoard(board.id, head.headers)
    const path = `/api/boards/${board.id}`
    refused(await post(path, { parameters: { websiteId: own } }, head.headers), 'parameters.websiteId')
    // An admin may add it to the board, but this does not publish it.
    await made(path, { parameters: { websiteId: own } }, operator)
    expect(await statusOf(own, headers)).toBe(403)
    await made(path, { parameters: { a: { websiteId: own } } }, person.headers)
    expect(await statusOf(own, headers)).toBe(200)
    // It stays published after another user saves the board.
    await made(path, { parameters: { b: { websiteId: own } } }, operator)
    expect(await statusOf(own, headers)).toBe(200)
    const inTeam = `/api/teams/${team.id}/users/${person.id}`
    await made(inTeam, { role: 'team-view-only' }, head.headers)
    expect([await statusOf(own, headers), await listed(`/api/websites/${own}`)]).toEqual([403, []])
    await made(inTeam, { role: 'team-member' }, head.headers)
    expect(await statusOf(own, headers)).toBe(200)
    const clone = await made(`${path}/clone`, {}, operator)
    expect(await statusOf(own, (await sharedBoard(clone.id, operator)).headers)).toBe(403)
    await remove(inTeam, person.headers)
    expect(await statusOf(own, headers)).toBe(403)
  })

  it('can be deleted by the owner of a website that it opens', async () => {
    const [person, other] = [await member(team, 'team-member'), await member(team, 'team-member')]
    const websiteId = await websiteOf({ teamId: team.id })
    const { board, share, headers } = await shared({ websiteId }, person.headers)
    const seen = (await listedShares(`/api/websites/${websiteId}`, other.headers)).find(({ id }) => id === share.id)
    expect(seen).toMatchObject({ boardId: board.id, slug: '' })
    const own = (await listedShares(`/api/websites/${websiteId}`, person.headers)).find(({ id }) => id === share.id)
    expect(own).toStrictEqual({ ...share, boardId: board.id })
    expect((await remove(`/api/share/id/${share.id}`, other.headers)).body).toStrictEqual({ ok: true })
    expect((await send('/api/me', { headers })).status).toBe(401)
    expect((await send(`/api/boards/${board.id}`, person)).status).toBe(200)
  })

  it('appears among the website’s own shares when they are searched, sorted and counted', async () => {
    const websiteId = await websiteOf({ userId: head.id })
    const own = await newShare(websiteId, {}, head.headers)
    const boards = [await shared({ websiteId }, head.headers), await shared({ x: [{ websiteId }] }, head.headers)]
    const expired = await boardShare([{ id: websiteId }], {}, { expiresAt: '2020-01-01T00:00:00.000Z' })
    const path = `/api/websites/${websiteId}/shares`
    const { count, data } = (await send(pathOf(path, { pageSize: 2 }), head)).body
    expect([count, data.map(({ id }: { id: string }) => id)]).toEqual([4, [own.id, boards[0]!.share.id]])
    const found = (await send(pathOf(path, { search: 's', orderBy: 'name' }), head)).body
    expect(found.data.map(({ id }: { id: string }) => id).sort()).toEqual(
      [own.id, ...boards.map(({ share }) => share.id), expired.id].sort(),
    )
    expect((await send(pathOf(path, { search: 'of a test' }), head)).body.count).toBe(1)
  })
})

describe('a transfer to another owner', () => {
  it('revokes a website’s shares, and removes the website from board shares', async () => {
    const person = await member(team, 'team-owner')
    const [websiteId, kept] = [await websiteOf({ userId: person.id }), await websiteOf({ userId: person.id })]
    const own = await newShare(websiteId, { overview: true }, person.headers)
    const named = { a: { websiteId }, b: { websiteId: kept } }
    const board = await shared(named, person.headers)
    const path = `/api/websites/${websiteId}`
    const transfer = (to: object, headers: Headers = person.headers) => made(`${path}/transfer`, to, headers)
    expect((await transfer({ userId: person.id })).shareId).toBe(own.slug)
    refused(await post(`${path}/transfer`, { userId: randomUUID() }), 'userId')
    expect([await statusOf(websiteId, own.headers), await statusOf(websiteId, board.headers)]).toEqual([200, 200])
    expect((await transfer({ teamId: team.id })).shareId).toBeNull()
    expect([await statusOf(websiteId, own.headers), await statusOf(websiteId, board.headers)]).toEqual([401, 403])
    expect(await statusOf(kept, board.headers)).toBe(200)
    expect((await send(`/api/share/${board.share.slug}`)).body.websiteIds).toEqual([kept])
    // Transferring it back does not publish it again, but saving the board does.
    await transfer({ userId: person.id })
    expect([await statusOf(websiteId, board.headers), await listed(path)]).toEqual([403, []])
    await made(`/api/boards/${board.board.id}`, { parameters: named }, person.headers)
    expect(await statusOf(websiteId, board.headers)).toBe(200)
  })

  it.each(['link', 'pixel'] as const)('revokes the shares of a %s', async (kind) => {
    const id = await newLink(kind, head.headers)
    const parameters = { overview: true }
    const share = await made(`/api/${kind}s/${id}/shares`, { name: 's', parameters }, head.headers)
    const { token } = (await send(`/api/share/${share.slug}`)).body
    const headers = { 'x-weir-share-token': token }
    const board = await shared({ [`${kind}Id`]: id }, head.headers)
    const path = `/api/${kind}s/${id}`
    await made(path, { name: 'other' }, head.headers)
    expect([await statusOf(id, headers), await statusOf(id, board.headers)]).toEqual([200, 200])
    await made(path, { teamId: team.id }, head.headers)
    expect([await statusOf(id, headers), await statusOf(id, board.headers)]).toEqual([401, 403])
    expect(await listed(path)).toEqual([])
  })
})

describe('the parameters of a board', () => {
  it('refer to objects by entityType and entityId, at any depth', async () => {
    const websiteId = await websiteOf({ userId: head.id })
    const ids = { link: await newLink('link', head.headers), pixel: await newLink('pixel', head.headers) }
    const named = Object.entries({ website: websiteId, ...ids }).map(([entityType, entityId]) => ({
      config: [{ entityType, entityId: entityId.toUpperCase() }],
    }))
    const { headers, share } = await shared({ rows: named }, head.headers)
    expect((await send(`/api/share/${share.slug}`)).body).toMatchObject({
      ...{ websiteIds: [websiteId], linkIds: [ids.link], pixelIds: [ids.pixel] },
    })
    for (const id of [websiteId, ids.link, ids.pixel]) expect(await statusOf(id, headers)).toBe(200)
  })

  it('may only refer to objects that the author may see, which every write checks', async () => {
    const theirs = await websiteOf()
    const websiteId = await websiteOf({ userId: head.id })
    const link = await newLink('link', head.headers)
    const props = [
      { entityType: 'website', entityId: theirs },
      { entityType: 'link', entityId: websiteId },
      { entityType: 'pixel', entityId: link },
      { entityType: 'website', entityId: 7 },
      { entityType: 'website', entityId: link },
      { entityType: 'website', entityId: '' },
      { entityType: 'pixel', entityId: null },
      { entityType: 'text', entityId: theirs },
      { entityId: theirs },
      ['entityType', 'website', 'entityId', theirs],
    ]
    const parameters = { rows: [{ props }] }
    const { board } = await shared({ websiteId }, head.headers)
    const wrong = [0, 1, 2, 3].map((index) => `parameters.rows.0.props.${index}.entityId`)
    for (const reply of [
      await post('/api/boards', { name: 'b', type: 'mixed', parameters }, head.headers),
      await post(`/api/boards/${board.id}`, { parameters }, head.headers),
      await post(`/api/boards/${board.id}/clone`, { parameters }, head.headers),
      await post('/api/dashboard', { parameters }, head.headers),
    ]) {
      expect(reply.body.error.issues.map(({ path }: { path: string }) => path).sort()).toEqual(wrong)
    }
    await made(`/api/boards/${board.id}`, { parameters: { rows: props.slice(4) } }, head.headers)
    expect((await send(`/api/boards/${board.id}`, head)).body.parameters).toEqual({ rows: props.slice(4) })
    const { share } = await sharedBoard(board.id, head.headers)
    expect((await send(`/api/share/${share.slug}`)).body.websiteIds).toEqual([link])
  })
})

describe('a share’s sections', () => {
  it('are exactly those that are set to true, so a website share without any opens nothing', async () => {
    const websiteId = await websiteOf({ userId: head.id })
    const link = await newLink('link', head.headers)
    const board = await made('/api/boards', { name: 'b', type: 'mixed', parameters: { websiteId } }, head.headers)
    const cases = [
      [board.id, 4, { events: false }, []],
      [link, 2, { events: false, overview: true }, ['overview']],
      [websiteId, 1, {}, []],
      [websiteId, 1, { allowFilter: true, theme: 'dark' }, []],
    ] as const
    for (const [entityId, shareType, parameters, opened] of cases) {
      const { slug } = await made('/api/share', { entityId, shareType, name: 's', parameters }, head.headers)
      expect((await send(`/api/share/${slug}`)).body.sections).toEqual(opened)
    }
  })
})

it('board lists do not include dashboards', async () => {
  const person = await member(team, 'team-member')
  const name = randomUUID()
  const dashboard = await made('/api/dashboard', { name }, person.headers)
  const board = await made('/api/boards', { name, type: 'website' }, person.headers)
  await made('/api/boards', { name, type: 'dashboard', teamId: team.id }, person.headers)
  const listedBoards = async (path: string, headers: Headers) => {
    const { count, data } = (await send(pathOf(path, { search: name }), { headers })).body
    return { count, data }
  }
  for (const headers of [person.headers, operator]) {
    expect(await listedBoards('/api/boards', headers)).toStrictEqual({ count: 1, data: [board] })
  }
  expect(await listedBoards(`/api/teams/${team.id}/boards`, person.headers)).toStrictEqual({ count: 0, data: [] })
  expect((await send('/api/dashboard', person)).body).toStrictEqual(dashboard)
})
