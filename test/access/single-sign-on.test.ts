import { randomInt } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { configuredIssuers, isOfOneTenant } from '../../src/access/issuers.ts'
import { workerVariables } from '../../src/local/start/worker-variables.ts'
import { isolate } from '../support/isolate.ts'
import { clientId, clientSecret, startIssuer, type TestIssuer } from '../support/issuer.ts'
import { metadata } from '../support/metadata.ts'
import { officialClient } from '../support/official.ts'
import { bearer, insert, join, newPerson, newTeam, password } from '../support/people.ts'

const home = 'https://weir.example.com'
const addressOf = (name: string) => `${home}/oidc/${name}`

let issuer: TestIssuer
let other: TestIssuer

beforeAll(async () => {
  const addresses = ['main', 'other'].map(addressOf)
  ;[issuer, other] = await Promise.all([
    startIssuer(addresses, `${home}/websites`),
    startIssuer(addresses, `${home}/websites`),
  ])
})
afterAll(() => {
  issuer.close()
  other.close()
})
afterEach(() => void vi.useRealTimers())

type Headers = Readonly<Record<string, string>>
type Settings = Readonly<Record<string, unknown>>

/** A Worker with two issuers. The settings apply to `main`. */
function worker(settings: Settings = {}, bindings: Settings = {}) {
  const scope = 'openid profile email groups'
  const known = { clientId, clientSecret: 'SECRET_OF_CLIENT', scope }
  const issuers = [
    { name: 'main', issuer: issuer.url, ...known, ...settings },
    { name: 'other', issuer: other.url, ...known, signUp: true },
  ]
  const ask = isolate(undefined, {
    PUBLIC_URL: home,
    SECRET_OF_CLIENT: clientSecret,
    OIDC_ISSUERS: issuers,
    ...bindings,
  })
  const call = async (path: string, headers: Headers = {}, body?: unknown, method = 'POST') => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const reply = await ask(
      path,
      { ...headers, ...type },
      method,
      body === undefined ? undefined : JSON.stringify(body),
    )
    // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies
    return { ...reply, body: (reply.text === '' ? undefined : JSON.parse(reply.text)) as any }
  }
  /** Starts a sign-in at an issuer. Returns the URL of the issuer's page, and the browser's cookie. */
  const depart = async (name = 'main', headers?: Headers) => {
    const path = headers ? '/api/me/identities' : '/api/auth/oidc'
    const { status, body, headers: answered } = await call(path, headers, { issuer: name })
    expect(status).toBe(200)
    const cookie = answered.get('set-cookie')!
    expect(cookie).toMatch(/^__Host-weir-oidc=[\w.-]+; Path=\/; Max-Age=600; Secure; HttpOnly; SameSite=Lax$/)
    return { url: body.url as string, cookie: cookie.split(';')[0]! }
  }
  /** Follows this URL, which leads back from the issuer. Returns the target of the redirect. */
  const comeBack = async ({ pathname, search }: URL, cookie: string) => {
    const { status, headers } = await call(pathname + search, { cookie }, undefined, 'GET')
    expect([status, headers.get('set-cookie')]).toEqual([
      307,
      expect.stringContaining('__Host-weir-oidc=; Path=/; Max-Age=0;'),
    ])
    return headers.get('location')!
  }
  /** Signs somebody in at the issuer, and returns to Weir. */
  const through = async (name: string, headers?: Headers, at = { name: 'main', issuer }) => {
    const { url, cookie } = await depart(at.name, headers)
    return comeBack(await at.issuer.signIn(url, name), cookie)
  }
  const codeIn = (place: string): Headers => bearer(/^\/websites#sign-in=([\w.-]+)$/.exec(place)?.[1] ?? place)
  const signIn = async (name: string) => {
    const { status, body } = await call('/api/auth/sso', codeIn(await through(name)))
    expect(status).toBe(200)
    return { headers: bearer(body.token), user: body.user }
  }
  return { ask, call, depart, comeBack, through, codeIn, signIn }
}

/** The fields that each of a user's sign-ins at an issuer changed, according to the audit log. */
async function returnsOf(userId: string): Promise<unknown[]> {
  const read = "SELECT fields FROM audit_entries WHERE actor_id = ?1 AND action = 'returnFromIssuer' ORDER BY id"
  const { results } = await metadata.prepare(read).bind(userId).all<{ fields: string }>()
  return results.map(({ fields }) => JSON.parse(fields))
}

const nameOf = (word: string) => `${word}-${crypto.randomUUID()}`

describe('a sign-in at an issuer', () => {
  it('creates an account, which is found again even if the person’s name at the issuer changes', async () => {
    const weir = worker({ signUp: true })
    const name = nameOf('jane')
    issuer.people.set(name, { preferred_username: `Jane ${name}` })
    const first = await weir.signIn(name)
    expect(first.user).toMatchObject({ username: `Jane ${name}`, role: 'user', teams: [] })
    issuer.people.set(name, { preferred_username: 'admin' })
    expect((await weir.signIn(name)).user).toEqual(first.user)
    expect(await returnsOf(first.user.id)).toEqual([['user', 'identity'], []])
    const [identity, none] = (
      await weir.call(`/api/users/${first.user.id}/identities`, first.headers, undefined, 'GET')
    ).body
    expect([identity, none]).toEqual([expect.objectContaining({ issuer: issuer.url, subject: name }), undefined])
    // The same subject at another issuer is a different person.
    const elsewhere = await weir.call(
      '/api/auth/sso',
      weir.codeIn(await weir.through(name, undefined, { name: 'other', issuer: other })),
    )
    expect(elsewhere.body.user.id).not.toBe(first.user.id)
    const login = await weir.call('/api/auth/login', {}, { username: first.user.username, password: '' })
    expect(login.status).toBe(400)
    const { body } = await weir.call('/api/auth/logout', first.headers)
    const signOut = new URL(body.url)
    expect([signOut.origin, signOut.searchParams.get('post_logout_redirect_uri')]).toEqual([
      issuer.url,
      `${home}/websites`,
    ])
    expect((await weir.call('/api/me', first.headers, undefined, 'GET')).status).toBe(401)
  })

  it('is refused for unknown people if the settings do not allow sign-up', async () => {
    const weir = worker()
    expect(await weir.through(nameOf('nobody'))).toBe('/websites#sign-in-failed=no-account')
    const network = ['2001', 'db8', ...[1, 2].map(() => randomInt(1, 65_536).toString(16))].join(':')
    const { url, cookie } = await weir.depart()
    const { pathname, search } = await issuer.signIn(url, nameOf('nobody'))
    for (const _ of [1, 2]) {
      await weir.call(pathname + search, { cookie, 'cf-connecting-ip': `${network}::1` }, undefined, 'GET')
    }
    const read = "SELECT sum(times) AS times FROM audit_entries WHERE network = ?1 AND action = 'failedSignIn'"
    expect(await metadata.prepare(read).bind(network).first('times')).toBe(2)
  })

  it('grants the role and teams for the user’s groups, and removes them when the user leaves the groups', async () => {
    const owner = await newPerson({ role: 'admin' })
    const [team, own] = [await newTeam(owner), await newTeam(owner)]
    const teams = { analysts: { team: team.id, role: 'team-view-only' }, leads: { team: own.id, role: 'team-member' } }
    const weir = worker({
      signUp: true,
      roles: { admins: 'admin', readers: 'view-only' },
      teams: JSON.stringify(teams),
    })
    const name = nameOf('grouped')
    let username = ''
    const as = async (...groups: string[]) => {
      issuer.people.set(name, { groups })
      const { user } = await weir.signIn(name)
      username = user.username
      return [user.role, user.teams.map(({ id }: { id: string }) => id), user.id]
    }
    const [, , id] = await as('admins', 'readers', 'analysts')
    expect(await as('admins', 'readers', 'analysts')).toEqual(['admin', [team.id], id])
    expect(await as('readers')).toEqual(['view-only', [], id])
    expect(await as()).toEqual(['user', [], id])
    const made = ['user', 'identity', 'role', 'teams']
    expect(await returnsOf(id)).toEqual([made, [], ['role', 'teams'], ['role']])
    await join(own, { id }, 'team-owner')
    expect(await as('admins')).toEqual(['admin', [own.id], id])
    const kept = worker({ roles: { admins: 'admin' } }, { PASSWORD_ONLY_FOR: username })
    issuer.people.set(name, {})
    expect((await kept.signIn(name)).user.role).toBe('admin')
    expect(await as()).toEqual(['user', [own.id], id])
  })

  it('is completed with the one-time code from the return page, also through the official client', async () => {
    const weir = worker({ signUp: true })
    const code = weir.codeIn(await weir.through(nameOf('once')))
    const [, cookie] = [code, { cookie: '__Host-weir-oidc=x' }]
    for (const headers of [{}, cookie, bearer('x')])
      expect((await weir.call('/api/auth/sso', headers)).status).toBe(401)
    const both = await Promise.all([1, 2].map(() => weir.call('/api/auth/sso', code)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    const late = weir.codeIn(await weir.through(nameOf('late')))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect((await weir.call('/api/auth/sso', late)).status).toBe(401)
    vi.useRealTimers()
    const third = weir.codeIn(await weir.through(nameOf('third')))
    const { token } = await officialClient(weir.ask, third.authorization!.slice('Bearer '.length)).sso()
    expect((await weir.call('/api/me', bearer(token), undefined, 'GET')).status).toBe(200)
  })
})

describe('an attack on the way back from an issuer', () => {
  const ended = '/websites#sign-in-failed=ended'

  it('fails with a state or cookie that was already used, has expired or belongs to another sign-in', async () => {
    const weir = worker({ signUp: true })
    const [mine, theirs] = [await weir.depart(), await weir.depart()]
    const back = await issuer.signIn(mine.url, nameOf('me'))
    expect(await weir.comeBack(back, '')).toBe(ended)
    expect(await weir.comeBack(back, theirs.cookie)).toBe(ended)
    expect(await weir.comeBack(back, `${mine.cookie}x`)).toBe(ended)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
    expect(await weir.comeBack(back, mine.cookie)).toBe(ended)
    vi.useRealTimers()
    const both = await Promise.all([1, 2].map(() => weir.comeBack(back, mine.cookie)))
    expect(both.filter((place) => place === ended)).toHaveLength(1)
    expect(await weir.comeBack(back, mine.cookie)).toBe(ended)
  })

  it('fails with somebody else’s code, because of its verifier and its nonce', async () => {
    const weir = worker({ signUp: true })
    const [mine, theirs] = [await weir.depart(), await weir.depart()]
    const back = await issuer.signIn(mine.url, nameOf('me'))
    const stolen = await issuer.signIn(theirs.url, nameOf('victim'))
    back.searchParams.set('code', stolen.searchParams.get('code')!)
    expect(await weir.comeBack(back, mine.cookie)).toBe('/websites#sign-in-failed=failed')
  })

  it('fails if the return comes from a different issuer than the one where the sign-in started', async () => {
    const weir = worker({ signUp: true })
    const { url, cookie } = await weir.depart('main')
    const back = await issuer.signIn(url, nameOf('me'))
    expect(await weir.comeBack(new URL(back.href.replace('/oidc/main', '/oidc/other')), cookie)).toBe(ended)
    const named = new URL(back)
    named.searchParams.set('iss', other.url)
    expect(await weir.comeBack(named, cookie)).toBe('/websites#sign-in-failed=failed')
  })

  it('cannot redirect to other sites, whatever the URL and the issuer contain', async () => {
    const weir = worker()
    const { url, cookie } = await weir.depart()
    const state = new URL(url).searchParams.get('state')!
    const refused = `${addressOf('main')}?error=%0d%0aevil&error_description=//evil.example&redirect=https://evil.example&state=${state}&iss=${issuer.url}`
    expect(await weir.comeBack(new URL(refused), cookie)).toBe('/websites#sign-in-failed=failed')
    expect((await weir.call('/oidc/main?x=%0d%0aset-cookie:a=b', {}, undefined, 'GET')).headers.get('location')).toBe(
      ended,
    )
    const unknown = await weir.call('/api/auth/oidc', {}, { issuer: 'evil' })
    expect([unknown.status, unknown.body.error.issues[0].path]).toEqual([400, 'issuer'])
  })
})

describe('an identity of an existing user', () => {
  it('is linked by a sign-in of the user or by an admin, and only to one user', async () => {
    const weir = worker()
    const [one, another, admin] = [await newPerson(), await newPerson(), await newPerson({ role: 'admin' })]
    const [mine, given] = [nameOf('mine'), nameOf('given')]
    expect(await weir.through(mine, one.headers)).toBe('/account')
    expect((await weir.signIn(mine)).user.id).toBe(one.id)
    expect(await weir.through(mine, one.headers)).toBe('/account')
    expect(await weir.through(mine, another.headers)).toBe('/websites#sign-in-failed=taken')
    expect([await returnsOf(one.id), await returnsOf(another.id)]).toEqual([[['identity'], [], ['identity']], []])
    const path = `/api/users/${another.id}/identities`
    const identity = { issuer: issuer.url, subject: given }
    expect((await weir.call(path, another.headers, identity)).status).toBe(403)
    expect((await weir.call(path, admin.headers, identity)).status).toBe(200)
    expect((await weir.call(path, admin.headers, { ...identity, subject: mine })).status).toBe(400)
    expect(
      (
        await weir.call(path.replace(another.id, crypto.randomUUID()), admin.headers, {
          ...identity,
          subject: nameOf('x'),
        })
      ).status,
    ).toBe(404)
    const elsewhere = await weir.signIn(given)
    expect(elsewhere.user.id).toBe(another.id)
    const [{ id }] = (await weir.call(path, another.headers, undefined, 'GET')).body
    expect((await weir.call(`${path}/${id}`, one.headers, undefined, 'DELETE')).status).toBe(403)
    expect((await weir.call(`${path}/${id}`, another.headers, undefined, 'DELETE')).status).toBe(200)
    expect((await weir.call(`${path}/${id}`, another.headers, undefined, 'DELETE')).status).toBe(404)
    expect(await weir.through(given)).toBe('/websites#sign-in-failed=no-account')
    expect((await weir.call('/api/me', elsewhere.headers, undefined, 'GET')).status).toBe(401)
    expect((await weir.call('/api/me', another.headers, undefined, 'GET')).status).toBe(200)
  })

  it('is not linked by a sign-in that has been revoked in the meantime', async () => {
    const weir = worker()
    const one = await newPerson()
    const { url, cookie } = await weir.depart('main', one.headers)
    const back = await issuer.signIn(url, nameOf('late'))
    await weir.call('/api/auth/logout', one.headers)
    expect(await weir.comeBack(back, cookie)).toBe('/websites#sign-in-failed=ended')
  })

  it('is not linked to a user who must set up a second factor first', async () => {
    const weir = worker()
    const one = await newPerson()
    const { url, cookie } = await weir.depart('main', one.headers)
    await metadata.prepare('UPDATE users SET two_factor_required = 1 WHERE id = ?1').bind(one.id).run()
    const back = await issuer.signIn(url, nameOf('late'))
    expect(await weir.comeBack(back, cookie)).toBe('/websites#sign-in-failed=ended')
  })

  const byEmail = { join: 'email', singleTenant: true }
  it.each([
    ['a verified one', byEmail, { email_verified: true }, 'user', true],
    ['an unverified one', byEmail, { email_verified: false }, 'user', false],
    ['one whose email_verified is a string', byEmail, { email_verified: 'true' }, 'user', false],
    ['one from an issuer that is not single-tenant', { join: 'email' }, { email_verified: true }, 'user', false],
    ['one with the setting off', { singleTenant: true }, { email_verified: true }, 'user', false],
    ['an admin’s', byEmail, { email_verified: true }, 'admin', false],
    ['one of a user with a second factor', byEmail, { email_verified: true }, 'factor', false],
  ] as const)('may be linked by e-mail address: %s', async (_, settings, claims, kind, joins) => {
    const email = `${crypto.randomUUID()}@example.com`
    const person = await newPerson({ role: kind === 'admin' ? 'admin' : 'user', username: email })
    const factor = { user_id: person.id, secret: 'sealed', created_at: 1, confirmed_at: 1 }
    if (kind === 'factor') await insert('two_factors', factor)
    const name = nameOf('mailed')
    issuer.people.set(name, { email: email.toUpperCase(), preferred_username: email, ...claims })
    const weir = worker({ ...settings, signUp: true })
    const { user } = await weir.signIn(name)
    expect(user.id === person.id).toBe(joins)
    // A new account's name must not be an address that may belong to somebody else.
    if (!joins && claims.email_verified !== true) expect(user.username).not.toContain('@')
  })
})

describe('signing in with a password', () => {
  it('can be limited to one admin, and is then refused for everybody else', async () => {
    const [admin, user, other] = [
      await newPerson({ role: 'admin' }),
      await newPerson(),
      await newPerson({ role: 'admin' }),
    ]
    const login = async (allowed: string, username: string, given = password) =>
      (await worker({}, { PASSWORD_ONLY_FOR: allowed }).call('/api/auth/login', {}, { username, password: given }))
        .status
    expect(await login(admin.username, admin.username.toUpperCase())).toBe(200)
    for (const name of [user.username, other.username, 'nobody']) expect(await login(admin.username, name)).toBe(403)
    expect(await login(admin.username, admin.username, 'wrong')).toBe(401)
    expect(await login(user.username, user.username)).toBe(401)
  })

  it('is the only way to sign in that needs a second factor, because issuers have their own', async () => {
    const weir = worker()
    const [one, name] = [await newPerson(), nameOf('factor')]
    await weir.through(name, one.headers)
    await metadata.prepare('UPDATE users SET two_factor_required = 1 WHERE id = ?1').bind(one.id).run()
    const { headers } = await weir.signIn(name)
    expect((await weir.call('/api/me', headers, undefined, 'GET')).status).toBe(200)
    expect((await weir.call('/api/me', (await newPerson()).headers, undefined, 'GET')).status).toBe(200)
  })
})

describe('issuer settings', () => {
  it.each([
    [{ issuer: 'http://issuer.example' }, 'issuer'],
    [{ clientSecret: 'MISSING' }, 'MISSING'],
    [{ roles: { a: 'owner' } }, 'roles.a'],
    [{ teams: '{' }, 'JSON'],
    [{ name: 'other' }, 'the same name'],
    [{ colour: 'red' }, 'entry 1'],
  ])('are refused with a log message that identifies them: %j', async (settings, named) => {
    const told = vi.spyOn(console, 'error').mockReturnValue()
    expect((await worker(settings).call('/api/config', {}, undefined, 'GET')).status).toBe(500)
    expect(told.mock.calls.flat().join()).toContain(named)
    told.mockRestore()
  })

  it.each([
    ['https://accounts.google.com', false],
    ['https://login.microsoftonline.com/common/v2.0', false],
    ['https://login.microsoftonline.com/2f0ff54c-5b1f-4f0b-a3a5-1c2d3e4f5a6b/v2.0', true],
  ])('do not treat an issuer that serves everybody as single-tenant: %s', (OIDC_ISSUER, isSingle) => {
    const [one] = configuredIssuers({ OIDC_ISSUER, OIDC_CLIENT_ID: 'x', OIDC_SINGLE_TENANT: '1' })
    expect(isOfOneTenant(one!)).toBe(isSingle)
  })

  it('may also be given as separate variables for a single issuer', async () => {
    const single = {
      OIDC_ISSUERS: '',
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
    }
    const weir = worker({}, { ...single, OIDC_BUTTON: 'Sign in with Acme', OIDC_SIGN_UP: '1' })
    const { body } = await weir.call('/api/config', {}, undefined, 'GET')
    expect(body.issuers).toEqual([{ name: 'main', button: 'Sign in with Acme' }])
    expect(workerVariables({ ...process.env, ...single, OTHER: 'x' })).toMatchObject({ OIDC_CLIENT_ID: clientId })
    expect(workerVariables({ OTHER: 'x', OIDC_BUTTON: '' })).toEqual({})
    await weir.signIn(nameOf('single'))
  })
})
