import { describe, expect, it } from 'vitest'
import { anId, forbidden, type Headers, moment, notFound, operator, post, remove } from '../../support/callers.ts'
import { join, keyOf, member, newPerson, newTeam, type Person, type Team, websiteOf } from '../../support/people.ts'
import { failed, refused } from '../../support/refusals.ts'
import { newId } from '../../support/website.ts'
import { pathOf, type Reply, send } from '../../support/weir.ts'

const get = (path: string, headers: Headers, query: Record<string, string> = {}): Promise<Reply> =>
  send(pathOf(path, query), { headers })

const ok = async (asked: Promise<Reply>): Promise<Reply['body']> => {
  const { status, body } = await asked
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const namesOf = async (path: string, headers: Headers, query: Record<string, string> = {}): Promise<string[]> =>
  (await ok(get(path, headers, query))).data.map(({ name }: { name: string }) => name)

const rolesIn = async (team: Pick<Team, 'id'>): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await ok(get(`/api/teams/${team.id}/users`, operator))).data.map(
      ({ userId, role }: { userId: string; role: string }) => [userId, role],
    ),
  )

const memberPath = (team: Pick<Team, 'id'>, { id }: Pick<Person, 'id'>): string => `/api/teams/${team.id}/users/${id}`

const admin = await newPerson({ role: 'admin' })
const outsider = await newPerson()

/** Creates a team with a member in every role. */
async function wholeTeam() {
  const owner = await newPerson()
  const team = await newTeam(owner)
  return {
    ...{ team, owner, manager: await member(team, 'team-manager'), plain: await member(team, 'team-member') },
    viewer: await member(team, 'team-view-only'),
  }
}

describe('a new team', () => {
  it('belongs to its creator', async () => {
    const person = await newPerson()
    for (const headers of [person.headers, await keyOf(person)]) {
      const [team, owner] = await ok(post('/api/teams', { name: " Ours, isn't it? 日本 " }, headers))
      expect(team).toStrictEqual({
        id: anId,
        name: "Ours, isn't it? 日本",
        accessCode: expect.stringMatching(/^team_\w{16}$/),
        ...{ logoUrl: null, twoFactorRequired: false, createdAt: moment, updatedAt: team.createdAt, deletedAt: null },
      })
      expect(owner).toStrictEqual({
        ...{ id: anId, teamId: team.id, userId: person.id, role: 'team-owner', createdAt: team.createdAt },
        updatedAt: team.createdAt,
      })
      const user = { id: person.id, username: person.username }
      expect(await ok(get(`/api/teams/${team.id}`, headers))).toStrictEqual({ ...team, members: [{ ...owner, user }] })
    }
  })

  it('can be created for somebody else only by admins', async () => {
    for (const headers of [admin.headers, operator]) {
      const [team, owner] = await ok(
        post('/api/teams', { name: 'Theirs', ownerId: outsider.id.toUpperCase() }, headers),
      )
      expect([owner.userId, owner.role]).toStrictEqual([outsider.id, 'team-owner'])
      expect((await ok(get(`/api/teams/${team.id}`, outsider.headers))).id).toBe(team.id)
      refused(await post('/api/teams', { name: 'Theirs', ownerId: newId() }, headers), 'ownerId')
    }
    refused(await post('/api/teams', { name: 'Nobody’s' }, operator), 'ownerId')
    for (const ownerId of [admin.id, newId()]) {
      failed(await post('/api/teams', { name: 'x', ownerId }, outsider.headers), forbidden)
    }
    expect((await ok(post('/api/teams', { name: 'x', ownerId: outsider.id }, outsider.headers)))[1].userId).toBe(
      outsider.id,
    )
  })
})

describe('a team', () => {
  it('is shown to members and admins, but its access code only to those who may change the team', async () => {
    const { team, owner, manager, plain, viewer } = await wholeTeam()
    const viewOnlyManager = await newPerson({ role: 'view-only' })
    await join(team, viewOnlyManager, 'team-manager')
    for (const headers of [owner.headers, manager.headers, admin.headers, operator, await keyOf(manager)]) {
      expect((await ok(get(`/api/teams/${team.id}`, headers))).accessCode).toBe(team.accessCode)
    }
    const readers = [plain.headers, viewer.headers, viewOnlyManager.headers, await keyOf(owner, { access: 'read' })]
    for (const headers of readers) {
      expect(await ok(get(`/api/teams/${team.id}`, headers))).toMatchObject({ id: team.id, accessCode: null })
      expect((await ok(get('/api/teams', headers))).data).toMatchObject([{ id: team.id, accessCode: null }])
    }
    const listed = await keyOf(owner, { websiteIds: [newId()] })
    for (const headers of [outsider.headers, listed]) {
      const [there, nowhere] = [
        await get(`/api/teams/${team.id}`, headers),
        await get(`/api/teams/${newId()}`, headers),
      ]
      failed(there, forbidden)
      expect({ ...nowhere.body.error, requestId: '' }).toStrictEqual({ ...there.body.error, requestId: '' })
    }
    failed(await get(`/api/teams/${newId()}`, admin.headers), notFound)
    refused(await get("/api/teams/'", admin.headers), 'teamId')
  })

  it('has a unique access code', async () => {
    const { headers, id } = await newPerson()
    const [one, other] = [await newTeam({ id }), await newTeam({ id })]
    refused(await post(`/api/teams/${one.id}`, { name: 'Lost', accessCode: other.accessCode }, headers), 'accessCode')
    const kept = { name: one.name, accessCode: one.accessCode }
    expect(await ok(get(`/api/teams/${one.id}`, headers))).toMatchObject(kept)
    expect(await ok(post(`/api/teams/${one.id}`, { accessCode: one.accessCode }, headers))).toMatchObject(kept)
  })

  it('is deleted together with its websites', async () => {
    const { team, owner, viewer } = await wholeTeam()
    const [own, teams] = [await websiteOf({ userId: owner.id }), await websiteOf({ teamId: team.id })]
    expect(await ok(remove(`/api/teams/${team.id}`, owner.headers))).toStrictEqual({ ok: true })
    for (const { headers } of [owner, viewer]) {
      failed(await get(`/api/teams/${team.id}`, headers), forbidden)
      failed(await get(`/api/websites/${teams}`, headers), forbidden)
      expect(await namesOf('/api/teams', headers)).toStrictEqual([])
    }
    failed(await get(`/api/websites/${teams}`, operator), forbidden)
    expect((await get(`/api/websites/${own}`, owner.headers)).status).toBe(200)
    failed(await post('/api/teams/join', { accessCode: team.accessCode }, outsider.headers), {
      status: 404,
      code: 'team-not-found',
    })
  })
})

describe('joining a team', () => {
  it('requires its access code', async () => {
    const { team } = await wholeTeam()
    for (const person of [await newPerson(), await newPerson({ role: 'view-only' })]) {
      const joined = await ok(post('/api/teams/join', { accessCode: team.accessCode }, person.headers))
      expect(joined).toStrictEqual({
        ...{ id: anId, teamId: team.id, userId: person.id, role: 'team-member', createdAt: moment },
        updatedAt: joined.createdAt,
      })
      expect((await ok(get(`/api/teams/${team.id}`, person.headers))).members).toContainEqual({
        ...joined,
        user: { id: person.id, username: person.username },
      })
      refused(await post('/api/teams/join', { accessCode: team.accessCode }, person.headers), 'accessCode')
    }
  })

  it('requires the complete code, unchanged', async () => {
    const { team } = await wholeTeam()
    const wrong = [newId(), '', ' ', "' OR '1'='1", team.accessCode.slice(0, -1), `${team.accessCode} `, '%', team.id]
    for (const accessCode of [...wrong, team.accessCode.toUpperCase()]) {
      failed(await post('/api/teams/join', { accessCode }, outsider.headers), { status: 404, code: 'team-not-found' })
    }
    failed(await get(`/api/teams/${team.id}`, outsider.headers), forbidden)
  })
})

describe('a team’s members', () => {
  it('can list each other, with pages, order and search', async () => {
    const owner = await newPerson({ username: `Änne ${newId()}` })
    const team = await newTeam(owner)
    const berta = await newPerson({ username: `berta ${newId()}` })
    await join(team, berta, 'team-view-only')
    const path = `/api/teams/${team.id}/users`
    const names = async (query: Record<string, string>): Promise<string[]> =>
      (await ok(get(path, berta.headers, query))).data.map(({ user }: { user: { username: string } }) => user.username)
    const whole = await ok(get(path, berta.headers))
    expect(whole).toStrictEqual({
      data: [berta, owner].map(({ id, username }) => ({
        ...{ id: anId, teamId: team.id, userId: id },
        role: id === owner.id ? 'team-owner' : 'team-view-only',
        createdAt: moment,
        updatedAt: moment,
        user: { id, username },
      })),
      ...{ count: 2, page: 1, pageSize: 20 },
    })
    expect(await names({ orderBy: 'role' })).toStrictEqual([owner.username, berta.username])
    expect(await names({ orderBy: 'createdAt', sortDescending: 'true' })).toStrictEqual([
      berta.username,
      owner.username,
    ])
    expect(await names({ search: 'ÄNNE' })).toStrictEqual([owner.username])
    expect(await names({ search: "'" })).toStrictEqual([])
    expect(await names({ page: '2', pageSize: '1' })).toStrictEqual([owner.username])
    expect(await ok(get(path, berta.headers, { maxResults: '1' }))).toMatchObject({ count: 1, isCapped: true })
  })

  it('can be added only once, and must be existing users', async () => {
    const { team, owner, manager } = await wholeTeam()
    const path = `/api/teams/${team.id}/users`
    refused(await post(path, { userId: manager.id, role: 'team-view-only' }, owner.headers), 'userId')
    refused(await post(path, { userId: owner.id, role: 'team-view-only' }, manager.headers), 'userId')
    refused(await post(path, { userId: newId(), role: 'team-member' }, owner.headers), 'userId')
    expect(await rolesIn(team)).toMatchObject({ [manager.id]: 'team-manager', [owner.id]: 'team-owner' })
    for (const role of ['team-owner', 'admin', '', null, "'"]) {
      refused(await post(path, { userId: outsider.id, role }, owner.headers), 'role')
      refused(await post(memberPath(team, manager), { role }, owner.headers), 'role')
    }
    refused(await post(path, {}, owner.headers), 'userId', 'role')
    refused(await post(memberPath(team, manager), { role: 'team-member', userId: owner.id }, owner.headers), 'userId')
  })

  it('can be given other roles, except for the last owner', async () => {
    const { team, owner, manager, plain } = await wholeTeam()
    for (const role of ['team-view-only', 'team-manager', 'team-member']) {
      expect(await ok(post(memberPath(team, plain), { role }, manager.headers))).toMatchObject({
        userId: plain.id,
        role,
      })
    }
    failed(await post(memberPath(team, owner), { role: 'team-member' }, manager.headers), forbidden)
    for (const headers of [owner.headers, admin.headers, operator]) {
      refused(await post(memberPath(team, owner), { role: 'team-member' }, headers), 'userId')
    }
    refused(await post(memberPath(team, outsider), { role: 'team-member' }, owner.headers), 'userId')
    expect(await rolesIn(team)).toMatchObject({ [owner.id]: 'team-owner', [plain.id]: 'team-member' })
  })

  it('have the rights of a new role immediately, and no others', async () => {
    const { team, owner, plain } = await wholeTeam()
    const websiteId = await websiteOf({ teamId: team.id })
    const rename = () => post(`/api/websites/${websiteId}`, { name: 'x' }, plain.headers)
    expect((await rename()).status).toBe(200)
    await ok(post(memberPath(team, plain), { role: 'team-view-only' }, owner.headers))
    failed(await rename(), forbidden)
    await ok(remove(memberPath(team, plain), owner.headers))
    failed(await get(`/api/websites/${websiteId}`, plain.headers), forbidden)
  })

  it('can be removed by owners, managers and admins, and can leave', async () => {
    const { team, owner, manager, plain, viewer } = await wholeTeam()
    for (const { headers } of [plain, viewer, outsider])
      failed(await remove(memberPath(team, manager), headers), forbidden)
    failed(await remove(memberPath(team, owner), plain.headers), forbidden)
    failed(await remove(memberPath(team, owner), manager.headers), forbidden)
    for (const headers of [owner.headers, admin.headers, operator]) {
      refused(await remove(memberPath(team, owner), headers), 'userId')
      const person = await member(team, 'team-manager')
      expect(await ok(remove(memberPath(team, person), headers))).toStrictEqual({ ok: true })
      failed(await get(`/api/teams/${team.id}`, person.headers), forbidden)
    }
    failed(await remove(memberPath(team, plain), await keyOf(plain, { access: 'read' })), forbidden)
    const viewOnlyMember = await newPerson({ role: 'view-only' })
    await join(team, viewOnlyMember, 'team-member')
    for (const person of [plain, viewer, viewOnlyMember]) {
      expect(await ok(remove(memberPath(team, person), person.headers))).toStrictEqual({ ok: true })
      failed(await remove(memberPath(team, person), person.headers), forbidden)
    }
    refused(await remove(memberPath(team, plain), manager.headers), 'userId')
    expect(await rolesIn(team)).toStrictEqual({ [owner.id]: 'team-owner', [manager.id]: 'team-manager' })
  })

  it('can include several owners, of whom the last one cannot leave', async () => {
    const owners = [await newPerson(), await newPerson()] as const
    const team = await newTeam(owners[0])
    await join(team, owners[1], 'team-owner')
    expect(await ok(remove(memberPath(team, owners[0]), owners[0].headers))).toStrictEqual({ ok: true })
    refused(await remove(memberPath(team, owners[1]), owners[1].headers), 'userId')
    expect(await rolesIn(team)).toStrictEqual({ [owners[1].id]: 'team-owner' })
  })
})

describe('team lists', () => {
  it('contain the caller’s own teams', async () => {
    const person = await newPerson()
    const [first, second] = [await newTeam(person, `béta ${newId()}`), await newTeam(outsider, `Alpha ${newId()}`)]
    await join(second, person, 'team-member')
    await newTeam(outsider)
    for (const path of ['/api/teams', '/api/me/teams', `/api/users/${person.id}/teams`]) {
      expect(await namesOf(path, person.headers)).toStrictEqual([second.name, first.name])
    }
    expect(await namesOf(`/api/users/${person.id}/teams`, admin.headers)).toStrictEqual([second.name, first.name])
    expect(await namesOf('/api/teams', admin.headers)).toStrictEqual([])
    for (const headers of [admin.headers, operator]) {
      expect(await namesOf('/api/admin/teams', headers, { search: first.name })).toStrictEqual([first.name])
    }
    expect(await namesOf('/api/teams', operator, { search: second.name })).toStrictEqual([second.name])
  })

  it('list the members, and count the members and websites', async () => {
    const { team, owner, viewer } = await wholeTeam()
    await websiteOf({ teamId: team.id })
    await websiteOf({ teamId: team.id }, { deleted_at: 1 })
    await websiteOf({ userId: owner.id })
    const [listed] = (await ok(get('/api/teams', viewer.headers))).data
    const { _count, ...rest } = listed
    expect(_count).toStrictEqual({ websites: 1, members: 4 })
    expect(rest).toStrictEqual(await ok(get(`/api/teams/${team.id}`, viewer.headers)))
    expect(rest.members).toHaveLength(4)
    expect(rest.members[0]).toMatchObject({ userId: owner.id, role: 'team-owner', user: { username: owner.username } })
  })
})
