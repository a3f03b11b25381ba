import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { hashPassword, isPassword } from '../../src/access/password.ts'
import { signInLasts, tokens } from '../../src/access/tokens.ts'
import { places } from '../../src/local/paths.ts'
import { isolate } from '../support/isolate.ts'
import { inTurn } from '../support/long.ts'
import {
  bearer,
  database,
  insert,
  join,
  keyOf,
  newPerson,
  newTeam,
  type Person,
  password,
  signedIn,
  signer,
  websiteOf,
} from '../support/people.ts'
import { failed, refused } from '../support/refusals.ts'
import { seed } from '../support/seed.ts'
import { type Reply, running, send } from '../support/weir.ts'

type Headers = Readonly<Record<string, string>>

const unauthorized = { status: 401, code: 'unauthorized' }
const incorrect = { status: 401, code: 'incorrect-username-password' }

const post = (path: string, body?: unknown, headers: Headers = {}): Promise<Reply> =>
  send(path, {
    method: 'POST',
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const login = (username: unknown, given: unknown = password): Promise<Reply> =>
  post('/api/auth/login', { username, password: given })

const me = (headers: Headers): Promise<Reply> => send('/api/me', { headers })

async function tokenOf({ username }: Pick<Person, 'username'>): Promise<string> {
  const { status, body } = await login(username)
  expect(status).toBe(200)
  return body.token
}

const withoutId = ({ body }: Reply) => ({ ...body.error, requestId: '' })

const rowsOf = async ({ id }: Pick<Person, 'id'>): Promise<{ id: string; expires_at: number }[]> =>
  (
    await (
      await database()
    )
      .prepare('SELECT id, expires_at FROM sign_ins WHERE user_id = ?1 ORDER BY expires_at')
      .bind(id)
      .all<{ id: string; expires_at: number }>()
  ).results

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())

describe('signing in', () => {
  it('returns a token and the user, with their teams sorted by name', async () => {
    const person = await newPerson()
    const [second, first, gone] = [
      await newTeam(person, `b ${randomUUID()}`),
      await newTeam(await newPerson(), `A ${randomUUID()}`),
      await newTeam(person),
    ]
    await join(first, person, 'team-view-only')
    const d1 = await database()
    await d1.prepare("UPDATE teams SET logo_url = 'https://logo.example/' WHERE id = ?1").bind(first.id).run()
    await d1.prepare('UPDATE teams SET deleted_at = 1 WHERE id = ?1').bind(gone.id).run()
    const { status, body } = await login(person.username)
    const user = {
      ...{ id: person.id, username: person.username, role: 'user', isAdmin: false },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      teams: [
        { id: first.id, name: first.name, logoUrl: 'https://logo.example/' },
        { id: second.id, name: second.name, logoUrl: null },
      ],
    }
    expect([status, body]).toStrictEqual([200, { token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/), user }])
    const verified = await post('/api/auth/verify', undefined, bearer(body.token))
    expect([verified.status, verified.body]).toStrictEqual([200, user])
  })

  it.each(['admin', 'view-only'] as const)('returns the role: %s', async (role) => {
    const person = await newPerson({ role })
    const { body } = await login(person.username)
    expect(body.user).toMatchObject({ role, isAdmin: role === 'admin', teams: [] })
    expect((await me(bearer(body.token))).body).toStrictEqual({
      authType: 'session',
      user: { id: person.id, username: person.username, role, isAdmin: role === 'admin' },
    })
  })

  it('ignores the case of the name, even beyond ASCII, and blanks around the name', async () => {
    const person = await newPerson({ username: `Žofie ${randomUUID()}` })
    for (const name of [person.username.toUpperCase(), person.username.toLowerCase(), ` ${person.username}\n`]) {
      const { status, body } = await login(name)
      expect([status, body.user?.username]).toStrictEqual([200, person.username])
    }
  })

  it('creates a token and a database row that both expire after a week', async () => {
    const person = await newPerson()
    const before = Date.now()
    const { jti, typ, exp, ...rest } = claimsOf(await tokenOf(person))
    const after = Date.now()
    expect({ typ, rest }).toStrictEqual({ typ: 'sign-in', rest: {} })
    const row = (await rowsOf(person)).find(({ id }) => id === jti)!
    expect(row.expires_at).toBeGreaterThanOrEqual(before + signInLasts)
    expect(row.expires_at).toBeLessThanOrEqual(after + signInLasts)
    expect(exp).toBe(Math.floor(row.expires_at / 1000))
    expect(signInLasts).toBe(604_800_000)
  })

  it('deletes the user’s expired sign-ins, but not those of other users', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    for (const one of [person, other]) await signedIn(one, Date.now() - 1)
    const [expired, valid] = (await rowsOf(person)).map(({ id }) => id)
    const { jti } = claimsOf(await tokenOf(person))
    expect((await rowsOf(person)).map(({ id }) => id)).toStrictEqual([valid, jti])
    expect((await rowsOf(person)).map(({ id }) => id)).not.toContain(expired)
    expect(await rowsOf(other)).toHaveLength(2)
  })

  it('ignores other credentials in the request', async () => {
    const person = await newPerson()
    const init = { username: person.username, password }
    for (const headers of [bearer('wrong'), { 'x-weir-share-token': 'x' }, { ...bearer('a'), 'x-weir-api-key': 'b' }]) {
      expect((await post('/api/auth/login', init, headers as Headers)).status).toBe(200)
    }
  })

  it('is refused with the same error for every kind of mistake', async () => {
    const person = await newPerson()
    const deleted = await newPerson()
    const d1 = await database()
    await d1.prepare('UPDATE users SET deleted_at = 1 WHERE id = ?1').bind(deleted.id).run()
    const unknown = [`${person.username}x`, person.id, '%', "' OR name_key LIKE '%' --", '__proto__']
    // Checking a password takes a quarter of a second, even for unknown users. Each `npm test` run checks one of
    // these names.
    const replies = [
      await login(person.username, `${password} `),
      await login(person.username, password.toUpperCase()),
      await login(person.username, 'x'),
      await login(person.username, 'x'.repeat(256)),
      ...(await Promise.all(inTurn(unknown, seed, unknown.length).map((name) => login(name)))),
      await login(deleted.username),
    ]
    for (const reply of replies) {
      failed(reply, incorrect)
      expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="Weir"')
      expect(withoutId(reply)).toStrictEqual(withoutId(replies[0]!))
    }
    expect(await rowsOf(person)).toHaveLength(1)
  })

  it('refuses a body with the wrong shape', async () => {
    const person = await newPerson()
    const { username } = person
    for (const wrong of [undefined, null, 1, '', ' ', 'x'.repeat(256), '\ud800', ['a'], {}]) {
      refused(await login(wrong), 'username')
    }
    for (const wrong of [undefined, null, 12_345_678, '', 'x'.repeat(257), '\ud800', [password], { $ne: '' }]) {
      refused(await post('/api/auth/login', { username, password: wrong }), 'password')
    }
    refused(await post('/api/auth/login', {}), 'username', 'password')
    refused(await post('/api/auth/login', { username, password, role: 'admin' }), 'role')
    refused(await post('/api/auth/login?username=a', { username, password }), 'username')
    for (const body of [[], null, 'x', 1]) expect((await post('/api/auth/login', body)).status).toBe(400)
    failed(await post('/api/auth/login'), { status: 400, code: 'bad-request' })
    const form = await send('/api/auth/login', { method: 'POST', body: new URLSearchParams({ username, password }) })
    failed(form, { status: 400, code: 'bad-request' })
    failed(await send('/api/auth/login'), { status: 405, code: 'method-not-allowed' })
  })
})

describe('a sign-in token', () => {
  it('counts as one credential if several headers contain it, but is refused beside a different one', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const [token, another] = [await tokenOf(person), await tokenOf(other)]
    for (const headers of [
      { 'x-weir-api-key': token },
      { 'x-umami-api-key': token },
      { ...bearer(token), 'x-weir-api-key': token, 'x-umami-api-key': token },
    ]) {
      expect((await me(headers as Headers)).body).toMatchObject({ user: { id: person.id } })
    }
    failed(await me({ ...bearer(token), 'x-weir-api-key': another }), unauthorized)
    failed(await me({ ...bearer(token), 'x-umami-api-key': running.adminKey }), unauthorized)
    failed(await me({ ...bearer(token), 'x-weir-share-token': token }), unauthorized)
  })

  it('leads to the same error message no matter what is wrong with it', async () => {
    const person = await newPerson()
    const token = await tokenOf(person)
    const { jti } = claimsOf(token)
    const [header, payload, signature] = token.split('.') as [string, string, string]
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const secret = readFileSync(places(running.dataDir).authSecret, 'utf8')
    const signed = (head: object, claims: object, hash = 'sha256', key = secret) => {
      const text = `${json(head)}.${json(claims)}`
      return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`
    }
    const hs256 = { alg: 'HS256', typ: 'JWT' }
    const claims = { typ: 'sign-in', jti }
    const d1 = await database()
    const deleted = await newPerson()
    await d1.prepare('UPDATE users SET deleted_at = 1 WHERE id = ?1').bind(deleted.id).run()
    const other = signature.startsWith('A') ? 'B' : 'A'
    const wrong = {
      'another signature': `${header}.${payload}.${other}${signature.slice(1)}`,
      ...{ 'no signature': `${header}.${payload}.`, 'two parts': `${header}.${payload}` },
      ...{ 'cut short': token.slice(0, -4), 'cut in half': token.slice(0, token.length / 2) },
      'another payload': `${header}.${json({ ...claims, jti: randomUUID() })}.${signature}`,
      'alg none': `${json({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      'alg none, signed': `${json({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`,
      'alg None': signed({ alg: 'None', typ: 'JWT' }, claims),
      'alg HS512': signed({ alg: 'HS512', typ: 'JWT' }, claims, 'sha512'),
      'no alg': signed({ typ: 'JWT' }, claims),
      'a foreign secret': await tokens('x'.repeat(43)).make({ typ: 'sign-in', jti }),
      'an empty secret': signed(hs256, claims, 'sha256', ''),
      'the secret in upper case': signed(hs256, claims, 'sha256', secret.toUpperCase()),
      expired: await (await signer()).make({ typ: 'sign-in', jti }, Date.now() - 1000),
      'not valid yet': signed(hs256, { ...claims, nbf: 9_999_999_999 }),
      'an expired row': (await signedIn(person, Date.now() - 1)).authorization!.slice('Bearer '.length),
      'a row that never existed': await (await signer()).make({ typ: 'sign-in', jti: randomUUID() }),
      'the token of a deleted user': deleted.headers.authorization!.slice('Bearer '.length),
      'a share’s': await (await signer()).make({ typ: 'share', jti, slug: 'x' }),
      'no type': signed(hs256, { jti }),
      'another type': signed(hs256, { typ: 'admin', jti }),
      'no id': signed(hs256, { typ: 'sign-in' }),
      'an id that is not a text': signed(hs256, { typ: 'sign-in', jti: 1 }),
      'an id for SQL injection': signed(hs256, { typ: 'sign-in', jti: "' OR 1=1 --" }),
      'the id alone': jti,
      'the user’s id': person.id,
      'very long': `${header}.${'x'.repeat(5000)}.${signature}`,
      'no token at all': 'null',
    }
    const expected = withoutId(await me(bearer('api_nobodys')))
    for (const [name, text] of Object.entries(wrong)) {
      for (const path of ['/api/me', `/api/websites/${randomUUID()}`]) {
        const reply = await send(path, { headers: bearer(text) })
        failed(reply, unauthorized)
        expect([name, withoutId(reply)]).toStrictEqual([name, expected])
      }
    }
    expect((await me(bearer(token))).status).toBe(200)
    expect((await me(bearer(signed(hs256, claims)))).status).toBe(200)
  })

  it('stops working after a logout, while the user’s other sign-ins keep working', async () => {
    const person = await newPerson()
    const [first, second] = [await tokenOf(person), await tokenOf(person)]
    expect(first).not.toBe(second)
    const before = withoutId(await me(bearer('api_nobodys')))
    const { status, body } = await post('/api/auth/logout', undefined, bearer(first))
    expect([status, body]).toStrictEqual([200, { ok: true }])
    const after = await me(bearer(first))
    failed(after, unauthorized)
    expect(withoutId(after)).toStrictEqual(before)
    failed(await post('/api/auth/logout', undefined, bearer(first)), unauthorized)
    failed(await post('/api/auth/verify', undefined, bearer(first)), unauthorized)
    expect((await me(bearer(second))).status).toBe(200)
    expect((await me(person.headers)).status).toBe(200)
  })
})

/** The headers for a new share of the website. */
async function shareOf(websiteId: string, parameters: object, slug: string = randomUUID()): Promise<Headers> {
  const [id, now] = [randomUUID(), Date.now()]
  const json = JSON.stringify(parameters)
  await insert('shares', {
    ...{ id, website_id: websiteId, name: 'of a test', slug },
    ...{ parameters: json, created_at: now, updated_at: now },
  })
  return { 'x-weir-share-token': await (await signer()).make({ typ: 'share', jti: id, slug }) }
}

describe('/api/me', () => {
  it('shows the key’s owner, never the key', async () => {
    const person = await newPerson({ role: 'admin' })
    const headers = await keyOf(person, { access: 'read' })
    const { status, body } = await me(headers)
    expect([status, body]).toStrictEqual([
      200,
      {
        authType: 'api-key',
        user: { id: person.id, username: person.username, role: 'admin', isAdmin: true },
        apiKey: { id: expect.stringMatching(/^[\da-f-]{36}$/), name: 'of a test' },
      },
    ])
    expect(JSON.stringify(body)).not.toContain(headers.authorization!.slice('Bearer '.length))
    expect((await me(await keyOf(undefined))).body).toStrictEqual({
      authType: 'api-key',
      apiKey: { id: expect.stringMatching(/^[\da-f-]{36}$/), name: 'of a test' },
    })
  })

  it('shows what a share opens, but not its filters or origins', async () => {
    const websiteId = await websiteOf()
    const slug = `secret-${randomUUID()}`
    const parameters = {
      ...{ events: true, sessions: false, allowFilter: false, theme: 'dark' },
      filters: { path: '/locked' },
      expiresAt: '2100-01-01T00:00:00.000Z',
    }
    const headers = await shareOf(websiteId, parameters, slug)
    for (const reply of [await me(headers), await send(`/api/me?share=${slug}`)]) {
      expect([reply.status, reply.body]).toStrictEqual([
        200,
        {
          authType: 'share',
          shareToken: {
            shareId: expect.stringMatching(/^[\da-f-]{36}$/),
            shareType: 1,
            websiteId,
            parameters: { events: true, sessions: false, allowFilter: false, theme: 'dark' },
          },
        },
      ])
    }
  })
})

describe('changing your own password', () => {
  const next = 'quite another password'
  const change = (headers: Headers, currentPassword: unknown = password, newPassword: unknown = next) =>
    post('/api/me/password', { currentPassword, newPassword }, headers)

  // Hashing and checking a password take a fifth of a second each, so each `npm test` run tests only one role.
  it.each(inTurn(['admin', 'user'] as const, seed, 2))('revokes all other sign-ins of the user: %s', async (role) => {
    const [person, other] = [await newPerson({ role }), await newPerson()]
    const [mine, elsewhere] = [bearer(await tokenOf(person)), bearer(await tokenOf(person))]
    const key = await keyOf(person)
    expect((await me(elsewhere)).status).toBe(200)
    const { status, body } = await change(mine)
    expect([status, body]).toStrictEqual([
      200,
      { id: person.id, username: person.username, role, createdAt: expect.stringMatching(/Z$/) },
    ])
    failed(await me(elsewhere), unauthorized)
    failed(await me(person.headers), unauthorized)
    for (const headers of [mine, key, other.headers]) expect((await me(headers)).status).toBe(200)
    failed(await login(person.username), incorrect)
    expect((await login(person.username, next)).status).toBe(200)
    expect((await login(other.username)).status).toBe(200)
  })

  it('requires the current password', async () => {
    const person = await newPerson()
    const elsewhere = await signedIn(person)
    for (const wrong of ['x', password.toUpperCase(), next]) {
      const { status, body } = await change(person.headers, wrong)
      const message = 'Current password is incorrect'
      expect([status, body.error]).toMatchObject([400, { message, code: 'bad-request' }])
      expect(body.error.issues).toStrictEqual([{ path: 'currentPassword', message }])
    }
    for (const headers of [person.headers, elsewhere]) expect((await me(headers)).status).toBe(200)
    expect((await login(person.username)).status).toBe(200)
  })

  it('accepts short, long and unusual passwords', async () => {
    const person = await newPerson()
    const strange = ['12345678', '日本語のパスワード', `"'\\\0?1 {p0:String}`, ' blanks stay ', 'x'.repeat(256)]
    // Each `npm test` run tests a different one of them.
    const chosen = inTurn(strange, seed, strange.length)
    for (const [index, one] of chosen.entries()) {
      const before = chosen[index - 1] ?? password
      expect([one, (await change(person.headers, before, one)).status]).toEqual([one, 200])
      if (one.length > 10) failed(await login(person.username, one.slice(0, -1)), incorrect)
    }
    expect((await login(person.username, chosen.at(-1))).status).toBe(200)
  })
})

describe('a password', () => {
  it('is stored as a scrypt hash with its own salt, and may be sent in an equivalent Unicode spelling', async () => {
    const [one, two] = [await hashPassword('\u00e9te\u0301'), await hashPassword('\u00e9te\u0301')]
    expect(one).toMatch(/^scrypt\$16384\$8\$5\$[\da-f]{32}\$[\da-f]{64}$/)
    expect(one.split('$')[4]).not.toBe(two.split('$')[4])
    expect(await isPassword('e\u0301t\u00e9', one)).toBe(true)
    expect(await isPassword('\u00c9te\u0301', one)).toBe(false)
  })
})

describe('a server', () => {
  it.each([undefined, '', 'x'.repeat(31)])('cannot sign anybody in without a usable secret: %j', async (secret) => {
    const person = await newPerson()
    const logged = (['log', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name).mockReturnValue())
    onTestFinished(() => void vi.restoreAllMocks())
    const ask = isolate(undefined, { AUTH_SECRET: secret })
    for (const [username, given] of [
      [person.username, password],
      [person.username, 'a wrong secret word'],
      ['nobody', password],
    ] as const) {
      const json = { 'content-type': 'application/json' }
      const reply = await ask('/api/auth/login', json, 'POST', JSON.stringify({ username, password: given }))
      const { error } = JSON.parse(reply.text) as Reply['body']
      expect([reply.status, reply.headers.get('retry-after'), error.code]).toEqual([503, '3600', 'service-unavailable'])
      expect(error.message).toContain('AUTH_SECRET is not set')
    }
    expect((await ask('/api/me', person.headers)).status).toBe(401)
    expect((await ask('/api/me', bearer(running.adminKey))).status).toBe(200)
    const log = logged.flatMap(({ mock }) => mock.calls.flat()).join('\n')
    expect(log).toContain('"endpoint":"login"')
    expect(log).not.toMatch(/correct horse|a wrong secret word|scrypt\$/)
  })

  it('refuses all earlier tokens after its secret has changed', async () => {
    const person = await newPerson()
    const ask = isolate(undefined, { AUTH_SECRET: 'y'.repeat(43) })
    expect((await ask('/api/me', person.headers)).status).toBe(401)
  })
})

describe('answers', () => {
  it('never contain a password or its hash', async () => {
    const person = await newPerson({ role: 'admin' })
    const { headers, username } = person
    const secret = 'a very secret word'
    const created = await post('/api/users', { username: randomUUID(), password: secret, role: 'user' }, headers)
    const path = `/api/users/${created.body.id}`
    const replies = [
      created,
      await post('/api/users', { username: '', password: secret, role: 'x' }, headers),
      await post('/api/users', { username: created.body.username, password: secret, role: 'user' }, headers),
      await send(path, { headers }),
      await send(`/api/users?search=${created.body.username}`, { headers }),
      await post(path, { password: secret }, headers),
      await post(path, { password: secret, nonsense: secret }, headers),
      await login(username),
      await login(username, `${password}!`),
      await post('/api/auth/login', { username: 1, password: secret }),
      await post('/api/me/password', { currentPassword: secret, newPassword: secret }, headers),
      await post('/api/me/password', { currentPassword: password, newPassword: secret }, headers),
      await post('/api/auth/verify', undefined, headers),
      await me(headers),
    ]
    expect(replies.map(({ status }) => status)).toEqual([
      200, 400, 400, 200, 200, 200, 400, 200, 401, 400, 400, 200, 200, 200,
    ])
    for (const { headers, body } of replies) {
      expect(JSON.stringify([[...headers], body])).not.toMatch(/a very secret word|correct horse|scrypt|[\da-f]{64}/)
    }
  })
})
