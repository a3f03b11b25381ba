import { randomUUID } from 'node:crypto'
import { UmamiClient } from '@umami/api-client'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  forbidden,
  type Headers,
  moment,
  notFound,
  operator,
  post,
  remove as removed,
  unauthorized,
} from '../../support/callers.ts'
import { inTurn } from '../../support/long.ts'
import {
  database,
  join,
  keyOf,
  member,
  newPerson,
  newTeam,
  password,
  signedIn,
  websiteOf,
} from '../../support/people.ts'
import { failed } from '../../support/refusals.ts'
import { seed } from '../../support/seed.ts'
import { pathOf, type Reply, running, send } from '../../support/weir.ts'

const admin = await newPerson({ role: 'admin' })

const create = (body: object, headers: Headers = admin.headers): Promise<Reply> => post('/api/users', body, headers)
const update = (id: string, body: unknown, headers: Headers = admin.headers): Promise<Reply> =>
  post(`/api/users/${id}`, body, headers)
const read = (id: string, headers: Headers = admin.headers): Promise<Reply> => send(`/api/users/${id}`, { headers })
const remove = (id: string, headers: Headers = admin.headers): Promise<Reply> => removed(`/api/users/${id}`, headers)
const me = (headers: Headers): Promise<Reply> => send('/api/me', { headers })
const login = (username: string, given = password): Promise<Reply> =>
  post('/api/auth/login', { username, password: given }, {})

const newName = () => `user ${randomUUID()}`

/** Creates a user through the API. */
async function newUser(more: object = {}): Promise<{ id: string; username: string; role: string }> {
  const { status, body } = await create({ username: newName(), password, role: 'user', ...more })
  expect(status).toBe(200)
  return body
}

function exists({ status, body }: Reply, path: 'username' | 'id'): void {
  expect([status, body.error.code, body.error.message]).toStrictEqual([400, 'bad-request', 'User already exists'])
  expect(body.error.issues).toStrictEqual([{ path, message: 'User already exists' }])
}

describe('a user', () => {
  // Hashing a password takes a quarter of a second, so each `npm test` run tests only one role.
  it.each(inTurn(['admin', 'user', 'view-only'] as const, seed, 3))(
    'can be created by an admin, with any name, and can sign in: %s',
    async (role) => {
      const strange = ["'; DROP TABLE users; --", '{p0:String}', '"\\`%_', '日本語\u2028𝒳', '?1', '__proto__']
      const username = [...strange, randomUUID(), ...strange].join('')
      const { status, body } = await create({ username: ` ${username}\t`, password, role })
      expect([status, body]).toStrictEqual([200, { id: expect.stringMatching(/^[\da-f-]{36}$/), username, role }])
      const known = await read(body.id)
      expect([known.status, known.body]).toStrictEqual([200, { ...body, createdAt: moment }])
      expect((await login(username)).body.user).toStrictEqual({ ...known.body, isAdmin: role === 'admin', teams: [] })
    },
  )

  it('can be created with an id in either case, the longest name and password, also by the operator', async () => {
    const id = randomUUID()
    const longest = { username: 'x'.repeat(219) + randomUUID(), password: 'x'.repeat(256) }
    const { status, body } = await create({ ...longest, id: id.toUpperCase(), role: 'admin' }, operator)
    expect([status, body]).toStrictEqual([200, { id, username: longest.username, role: 'admin' }])
    exists(await create({ id, username: newName(), password, role: 'user' }), 'id')
    expect((await read(id.toUpperCase(), operator)).body).toMatchObject(body)
  })

  it('has a unique name, ignoring case', async () => {
    const { username } = await newPerson({ username: `Çelik ${randomUUID()}` })
    for (const same of [username.toLowerCase(), ` ${username.toUpperCase()} `]) {
      exists(await create({ username: same, password, role: 'user' }), 'username')
    }
    const other = await newPerson()
    exists(
      await update(other.id, { username: username.toUpperCase(), password: 'quite another', role: 'admin' }),
      'username',
    )
    expect((await read(other.id)).body).toMatchObject({ username: other.username, role: 'user' })
    expect((await login(other.username)).status).toBe(200)
  })

  it('is created only once if two requests arrive simultaneously', async () => {
    const username = newName()
    const replies = await Promise.all(
      [username, username.toUpperCase()].map((name) => create({ username: name, password, role: 'user' })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('can be changed field by field; only a new password revokes all sign-ins', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const { id, username } = person
    const key = await keyOf(person)
    const more = await signedIn(person)
    const before = (await read(id)).body
    expect((await update(id, {})).body).toStrictEqual(before)
    expect((await update(id, { role: 'view-only' })).body).toStrictEqual({ ...before, role: 'view-only' })
    const renamed = newName()
    expect((await update(id, { username: renamed })).body).toStrictEqual({
      ...before,
      role: 'view-only',
      username: renamed,
    })
    expect((await update(id, { username: renamed.toUpperCase() })).body.username).toBe(renamed.toUpperCase())
    for (const headers of [person.headers, more, key]) expect((await me(headers)).status).toBe(200)
    expect((await update(id, { password: 'quite another' })).body.username).toBe(renamed.toUpperCase())
    for (const headers of [person.headers, more]) failed(await me(headers), unauthorized)
    for (const headers of [key, other.headers]) expect((await me(headers)).status).toBe(200)
    expect((await read(id)).body).toStrictEqual({ ...before, role: 'view-only', username: renamed.toUpperCase() })
    expect((await login(username, 'quite another')).status).toBe(401)
    expect((await login(renamed)).status).toBe(401)
    expect((await login(renamed, 'quite another')).status).toBe(200)
  })
})

describe('a role', () => {
  it('takes effect with the next request', async () => {
    const person = await newPerson()
    failed(await read(person.id, person.headers), forbidden)
    await update(person.id, { role: 'admin' })
    expect((await read(person.id, person.headers)).status).toBe(200)
    await update(person.id, { role: 'view-only' })
    failed(await read(person.id, person.headers), forbidden)
  })

  it('cannot be changed from admin by admins themselves, so that one admin always remains', async () => {
    const mine = await newPerson({ role: 'admin' })
    for (const role of ['user', 'view-only']) {
      const { status, body } = await update(mine.id, { role, username: newName() }, mine.headers)
      expect([status, body.error.message]).toStrictEqual([400, 'You cannot remove your own admin role.'])
    }
    expect((await read(mine.id, mine.headers)).body).toMatchObject({ username: mine.username, role: 'admin' })
    const { status, body } = await remove(mine.id, mine.headers)
    expect([status, body.error.message]).toStrictEqual([400, 'You cannot delete yourself.'])
    const renamed = newName()
    expect((await update(mine.id, { role: 'admin', username: renamed }, mine.headers)).body.username).toBe(renamed)
    expect((await update(mine.id, { role: 'user' })).status).toBe(200)
    expect((await remove(mine.id, operator)).status).toBe(200)
  })
})

it('users cannot be managed with an admin’s API key', async () => {
  const [target, headers] = [await newPerson(), await keyOf(admin)]
  failed(await create({ username: newName(), password, role: 'admin' }, headers), forbidden)
  for (const reply of [
    read(target.id, headers),
    update(target.id, { role: 'admin' }, headers),
    remove(target.id, headers),
  ])
    failed(await reply, forbidden)
  for (const path of ['/api/users', '/api/admin/users']) failed(await send(path, { headers }), forbidden)
  expect((await read(target.id)).body.role).toBe('user')
})

describe('a deleted user', () => {
  it('no longer exists, and neither do their sign-ins and keys', async () => {
    const person = await newPerson()
    const key = await keyOf(person)
    const { jti } = JSON.parse(Buffer.from(person.headers.authorization!.split('.')[1]!, 'base64url').toString())
    for (const headers of [person.headers, key]) expect((await me(headers)).status).toBe(200)
    const { status, body } = await remove(person.id)
    expect([status, body]).toStrictEqual([200, { ok: true }])
    for (const headers of [person.headers, key]) failed(await me(headers), unauthorized)
    failed(await login(person.username), { status: 401, code: 'incorrect-username-password' })
    failed(await read(person.id), notFound)
    failed(await update(person.id, { role: 'admin' }), notFound)
    failed(await remove(person.id), notFound)
    const d1 = await database()
    expect(await d1.prepare('SELECT id FROM sign_ins WHERE id = ?1').bind(jti).first()).toBeNull()
    expect(await d1.prepare('SELECT id FROM api_keys WHERE user_id = ?1').bind(person.id).first()).toBeNull()
    expect(await d1.prepare('SELECT password_hash FROM users WHERE id = ?1').bind(person.id).first()).toEqual({
      password_hash: '',
    })
  })

  it('no longer reserves the name, but still reserves the id', async () => {
    const { id, username } = await newPerson()
    await remove(id)
    exists(await create({ id, username: newName(), password, role: 'user' }), 'id')
    expect((await newUser({ username })).id).not.toBe(id)
  })

  it('is deleted along with everything that only they own, but nothing that others own', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const [alone, shared, theirs] = [await newTeam(person), await newTeam(person), await newTeam(other)]
    const mate = await member(alone, 'team-manager')
    await join(shared, other, 'team-owner')
    await join(theirs, person, 'team-manager')
    const gone = [await websiteOf({ userId: person.id }), await websiteOf({ teamId: alone.id })]
    const kept = [
      await websiteOf({ teamId: shared.id }),
      await websiteOf({ teamId: theirs.id }),
      await websiteOf({ userId: other.id }),
      await websiteOf({ userId: mate.id }),
      await websiteOf(),
    ]
    const status = async (websiteId: string) =>
      (await send(`/api/websites/${websiteId}`, { headers: admin.headers })).status
    for (const websiteId of [...gone, ...kept]) expect(await status(websiteId)).toBe(200)
    expect((await remove(person.id)).status).toBe(200)
    for (const websiteId of gone) expect(await status(websiteId)).toBe(403)
    for (const websiteId of kept) expect(await status(websiteId)).toBe(200)
    expect((await login(mate.username)).body.user.teams).toEqual([])
    const names = (await login(other.username)).body.user.teams.map(({ id }: { id: string }) => id)
    expect(names.sort()).toEqual([shared.id, theirs.id].sort())
    const d1 = await database()
    const left = 'SELECT count(*) AS n FROM team_members WHERE user_id = ?1'
    expect(await d1.prepare(left).bind(person.id).first('n')).toBe(0)
  })

  it('cannot be deleted a second time, so that nothing else is deleted', async () => {
    const person = await newPerson()
    await remove(person.id)
    const websiteId = await websiteOf({ userId: person.id })
    failed(await remove(person.id), notFound)
    expect((await send(`/api/websites/${websiteId}`, { headers: admin.headers })).status).toBe(200)
  })
})

describe('the user list', () => {
  const mark = randomUUID()
  const names = [`Bea ${mark}`, `anton ${mark}`, `Émile ${mark}`]

  beforeAll(async () => {
    const people = []
    for (const [index, role] of (['view-only', 'user', 'admin'] as const).entries())
      people.push(await newPerson({ username: names[index]!, role }))
    const d1 = await database()
    for (const [index, { id }] of people.entries())
      await d1
        .prepare('UPDATE users SET created_at = ?1 WHERE id = ?2')
        .bind(Date.now() + index, id)
        .run()
    await remove((await newPerson({ username: `gone ${mark}` })).id)
    for (const deleted_at of [null, null, 1]) await websiteOf({ userId: people[0]!.id }, { deleted_at })
  })

  const list = async (query: Record<string, string | number> = {}, path = '/api/users') => {
    const { status, body } = await send(pathOf(path, { search: mark, ...query }), { headers: admin.headers })
    expect(status).toBe(200)
    return { ...body, names: body.data.map(({ username }: { username: string }) => username) }
  }
  const [bea, anton, emile] = names

  it.each(['/api/users', '/api/admin/users'])('has a row for each existing user: %s', async (path) => {
    const { names: _, ...body } = await list({}, path)
    const row = (username: string | undefined, role: string, websites = 0) => ({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      ...{ username, role, createdAt: moment, twoFactorRequired: false },
      _count: { websites },
    })
    expect(body).toStrictEqual({
      data: [row(anton, 'user'), row(bea, 'view-only', 2), row(emile, 'admin')],
      ...{ count: 3, page: 1, pageSize: 20, search: mark },
    })
  })
})

describe('the official client', () => {
  const baseUrl = `${running.url}/api`
  const client = new UmamiClient({ baseUrl })

  it('signs in, reads its user, changes the password and signs out', async () => {
    const person = await newPerson()
    const { id, username } = person
    const answer = await client.login({ username, password })
    if (!('token' in answer)) throw new Error('A second factor was asked for.')
    expect(answer.user).toStrictEqual({ id, username, role: 'user', createdAt: moment, isAdmin: false, teams: [] })
    const mine = client.withToken(answer.token)
    expect(await mine.verify()).toStrictEqual(answer.user)
    expect(await mine.getMe()).toStrictEqual({
      authType: 'session',
      user: { id, username, role: 'user', isAdmin: false },
    })
    await expect(client.login({ username, password: 'quite another' })).rejects.toMatchObject({
      status: 401,
      code: 'incorrect-username-password',
    })
    const change = { currentPassword: password, newPassword: 'quite another' }
    expect(await mine.updateMyPassword(change)).toStrictEqual({ id, username, role: 'user', createdAt: moment })
    expect(await mine.logout()).toStrictEqual({ ok: true })
    await expect(mine.getMe()).rejects.toMatchObject({ status: 401, code: 'unauthorized' })
  })
})
