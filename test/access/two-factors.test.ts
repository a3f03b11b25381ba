import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { stepOf } from '../../src/access/codes.ts'
import { holderStatements } from '../../src/metadata/holder.ts'
import { metadata as weirMetadata } from '../../src/metadata/metadata.ts'
import { codeAt, wrongCodes } from '../support/codes.ts'
import { isolate } from '../support/isolate.ts'
import { metadata } from '../support/metadata.ts'
import { officialClient } from '../support/official.ts'
import {
  bearer,
  join,
  keyOf,
  newPerson,
  newTeam,
  type Person,
  password,
  signedIn,
  websiteOf,
} from '../support/people.ts'
import { planOf } from '../support/query-plan.ts'
import { tokenOf } from '../support/signed-in.ts'

/** The global rule has a different name here, so that it does not affect other tests. */
const rule = `'of a test ${crypto.randomUUID()}'`
const ownRule = (query: string) => query.replaceAll("'two-factor-required'", rule)
const database: object = {
  ...{ withSession: () => database, getBookmark: () => null },
  prepare: (query: string) => metadata.prepare(ownRule(query)),
  batch: (statements: Parameters<typeof metadata.batch>[0]) => metadata.batch(statements),
}

const ask = isolate(undefined, { METADATA: database })

let now = Date.now()
beforeEach(() => {
  now += 3_600_000
  vi.useFakeTimers({ toFake: ['Date'], now })
})
afterAll(() => void vi.useRealTimers())

/** Advances the clock by this many milliseconds. */
function pass(time: number): void {
  now += time
  vi.setSystemTime(now)
}

type Headers = Readonly<Record<string, string>>
type Ask = ReturnType<typeof isolate>

async function call(path: string, headers: Headers, body?: unknown, method = 'POST', through: Ask = ask) {
  const json = { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const reply = await through(path, json, method, body === undefined ? undefined : JSON.stringify(body))
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies
  return { status: reply.status, headers: reply.headers, body: JSON.parse(reply.text) as any }
}

const get = (path: string, headers: Headers) => call(path, headers, undefined, 'GET')

/** Test sign-ins expire after a day by default. These last longer, because the tests advance the clock. */
const person = async (role: 'user' | 'admin' = 'user'): Promise<Person> => {
  const made = await newPerson({ role })
  return { ...made, headers: await signedIn(made, now + 86_400_000_000) }
}

async function begin(headers: Headers): Promise<string> {
  const { status, body } = await call('/api/2fa/setup/initiate', headers)
  expect([status, body.qrCodeDataUrl]).toEqual([200, expect.stringMatching(/^data:image\/svg\+xml;base64,/)])
  return body.manualKey
}

/** Creates a user with a second factor. Returns its secret and backup codes, too. */
async function personWithFactor() {
  const one = await person()
  const secret = await begin(one.headers)
  const { status, body } = await call('/api/2fa/setup/confirm', one.headers, { token: codeAt(secret, now) })
  expect(status).toBe(200)
  pass(60_000)
  return { ...one, secret, backupCodes: body.backupCodes as string[] }
}

async function firstStep({ username }: Pick<Person, 'username'>): Promise<Headers> {
  const { body } = await call('/api/auth/login', {}, { username, password })
  expect(body).toEqual({ requiresTwoFactor: true, partialToken: expect.any(String) })
  return bearer(body.partialToken)
}

const verify = (headers: Headers, body: object, through?: Ask) =>
  call('/api/2fa/verify', headers, body, 'POST', through)

const statuses = (replies: readonly { status: number }[]) => replies.map(({ status }) => status).sort()

describe('a second factor', () => {
  it('accepts the codes of RFC 6238 within 30 seconds before and after, and no others', async () => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    const vectors = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [2_000_000_000, '279037'],
    ] as const
    for (const [seconds, code] of vectors) {
      const step = Math.floor(seconds / 30)
      expect(codeAt(secret, seconds * 1000)).toBe(code)
      for (const later of [-30, 0, 30]) expect(await stepOf(code, secret, (seconds + later) * 1000)).toBe(step)
      expect(await stepOf(code, secret, (seconds + 61) * 1000)).toBeUndefined()
    }
    for (const wrong of ['', '28708', '2870822', '28708a', '２８７０８２']) {
      expect(await stepOf(wrong, secret, 59_000)).toBeUndefined()
    }
  })

  it('is set up with a code; each password sign-in then requires it', async () => {
    const one = await person()
    const [other, key] = [await signedIn(one, now + 86_400_000_000), await keyOf(one)]
    const of = async (headers: Headers) => (await get('/api/2fa/status', headers)).body
    const without = { isRequired: false, requiredReason: null, globalRequired: false, isConfigured: true }
    expect(await of(one.headers)).toEqual({ ...without, isEnabled: false })
    await begin(one.headers)
    const secret = await begin(one.headers)
    expect((await call('/api/auth/login', {}, { username: one.username, password })).body).toHaveProperty('token')
    const wrong = await call('/api/2fa/setup/confirm', one.headers, { token: wrongCodes(secret, now)[0] })
    expect([wrong.status, wrong.body.error.issues[0].path]).toEqual([400, 'token'])
    const typed = codeAt(secret, now).replace(/^.../, '$& ')
    const { status, body } = await call('/api/2fa/setup/confirm', one.headers, { token: typed })
    expect([status, new Set(body.backupCodes).size]).toEqual([200, 10])
    expect(await of(one.headers)).toEqual({ ...without, isEnabled: true })
    expect((await get('/api/me', other)).status).toBe(401)
    expect((await get('/api/me', key)).status).toBe(200)
    expect((await call('/api/2fa/setup/initiate', one.headers)).status).toBe(409)
    const partial = await firstStep(one)
    for (const path of ['/api/me', '/api/websites', '/api/2fa/status']) {
      expect((await get(path, partial)).status).toBe(401)
    }
    pass(30_000)
    const signed = await verify(partial, { token: codeAt(secret, now) })
    expect([signed.status, signed.body.user.username]).toEqual([200, one.username])
    expect((await get('/api/me', bearer(signed.body.token))).status).toBe(200)
    for (const headers of [bearer(signed.body.token), partial, {}]) {
      expect((await verify(headers, { token: codeAt(secret, now) })).status).toBe(401)
    }
  })

  it('can be set up, used and switched off through the official client', async () => {
    const one = await person()
    const client = officialClient(ask, tokenOf(one))
    const { manualKey } = await client.initiateTwoFactorSetup()
    const confirmed = await client.confirmTwoFactorSetup({ token: codeAt(manualKey, now) })
    const {
      backupCodes: [backupCode],
    } = confirmed as { backupCodes: string[] }
    const { partialToken } = (await client.login({ username: one.username, password })) as { partialToken: string }
    const steps = client.withToken(partialToken)
    await expect(steps.verifyTwoFactor({ token: 'wrong' })).rejects.toMatchObject({ status: 400 })
    const { token, user } = (await steps.verifyTwoFactor({ backupCode: backupCode! })) as {
      token: string
      user: object
    }
    expect(user).toMatchObject({ id: one.id, isAdmin: false })
    const again = client.withToken(token)
    expect(await again.getTwoFactorStatus()).toMatchObject({ isEnabled: true })
    expect(await again.getSubscription()).toMatchObject({ hasSubscription: true, isNoBilling: true })
    pass(30_000)
    expect(await again.disableTwoFactor({ password, token: codeAt(manualKey, now) })).toEqual({ ok: true })
    await again.initiateTwoFactorSetup()
    expect(await again.cancelTwoFactorSetup()).toEqual({ ok: true })
  })

  it('can be switched off with the password and a code, and set up again', async () => {
    const one = await personWithFactor()
    const off = (given: object) =>
      call('/api/2fa/disable', one.headers, { password, token: codeAt(one.secret, now), ...given })
    expect((await off({ password: 'wrong' })).body.error.issues[0].path).toBe('password')
    expect((await off({ token: wrongCodes(one.secret, now)[0] })).body.error.issues[0].path).toBe('token')
    expect((await off({})).status).toBe(200)
    expect((await call('/api/auth/login', {}, { username: one.username, password })).body).toHaveProperty('token')
    expect((await off({})).status).toBe(409)
    await begin(one.headers)
    expect((await call('/api/2fa/setup/cancel', one.headers)).status).toBe(200)
    expect((await call('/api/2fa/setup/confirm', one.headers, { token: '123456' })).status).toBe(409)
  })

  it('needs a server secret (503 without one), and stops working if the secret changes', async () => {
    const one = await personWithFactor()
    const partial = await firstStep(one)
    const withKey = isolate(undefined, { METADATA: database, TWO_FACTOR_KEY: 'another secret of 32 characters!' })
    const token = codeAt(one.secret, now)
    expect((await verify(partial, { token }, withKey)).status).toBe(409)
    const tooShort = isolate(undefined, { METADATA: database, TWO_FACTOR_KEY: 'short' })
    expect((await call('/api/2fa/setup/initiate', (await person()).headers, undefined, 'POST', tooShort)).status).toBe(
      503,
    )
    expect((await verify(partial, { token })).status).toBe(200)
  })
})

describe('an attack on a second factor', () => {
  it('finds no readable secret in the database, and no row that works for another user', async () => {
    const [one, other] = [await personWithFactor(), await personWithFactor()]
    const read = 'SELECT * FROM two_factors WHERE user_id = ?1'
    const row = await metadata.prepare(read).bind(one.id).first<{ secret: string }>()
    for (const secret of [one.secret, ...one.backupCodes]) expect(JSON.stringify(row)).not.toContain(secret)
    await metadata.prepare('UPDATE two_factors SET secret = ?2 WHERE user_id = ?1').bind(other.id, row!.secret).run()
    expect((await verify(await firstStep(other), { token: codeAt(one.secret, now) })).status).toBe(409)
  })

  it('is locked out for 15 minutes after guessing codes, even in parallel or with new first steps', async () => {
    const one = await personWithFactor()
    const partials = [await firstStep(one), await firstStep(one), await firstStep(one)]
    const guesses = wrongCodes(one.secret, now).slice(0, 30)
    const replies = await Promise.all(guesses.map((token, place) => verify(partials[place % 3]!, { token })))
    expect(statuses(replies)).toEqual([...Array(5).fill(400), ...Array(25).fill(429)])
    const tried = [
      await verify(partials[0]!, { token: codeAt(one.secret, now) }),
      await verify(await firstStep(one), { backupCode: one.backupCodes[0] }),
      await call('/api/2fa/disable', one.headers, { password, token: codeAt(one.secret, now) }),
    ]
    for (const { status, headers, body } of tried) {
      expect([status, headers.get('retry-after')]).toEqual([429, '900'])
      expect(body.error.lockedUntil).toBe(new Date(now + 900_000).toISOString())
    }
    pass(899_000)
    expect((await verify(await firstStep(one), { token: codeAt(one.secret, now) })).status).toBe(429)
    pass(1000)
    expect((await verify(await firstStep(one), { token: wrongCodes(one.secret, now)[0] })).status).toBe(400)
    expect((await verify(await firstStep(one), { token: codeAt(one.secret, now) })).status).toBe(200)
  })

  it('fails with a code that is older or has been used, even with simultaneous requests', async () => {
    const one = await personWithFactor()
    const confirmed = codeAt(one.secret, now - 60_000)
    pass(-30_000)
    expect((await verify(await firstStep(one), { token: confirmed })).status).toBe(400)
    pass(60_000)
    const partials = await Promise.all([1, 2, 3, 4].map(() => firstStep(one)))
    const token = codeAt(one.secret, now)
    expect(statuses(await Promise.all(partials.map((partial) => verify(partial, { token }))))).toEqual([
      200, 400, 400, 400,
    ])
    expect((await verify(await firstStep(one), { token: codeAt(one.secret, now - 30_000) })).status).toBe(400)
  })

  it('fails with a used backup code, even with simultaneous requests', async () => {
    const one = await personWithFactor()
    const [first, second] = one.backupCodes as [string, string]
    const partials = await Promise.all([1, 2, 3].map(() => firstStep(one)))
    const backupCode = first.toUpperCase().replace('-', ' ')
    const replies = await Promise.all(partials.map((partial) => verify(partial, { backupCode })))
    expect(statuses(replies)).toEqual([200, 400, 400])
    expect((await verify(await firstStep(one), { token: second })).status).toBe(200)
    const other = await personWithFactor()
    expect((await verify(await firstStep(other), { backupCode: one.backupCodes[2] })).status).toBe(400)
  })

  it('fails with a password that was checked just before the second factor was switched on', async () => {
    const one = await person()
    const store = weirMetadata(metadata, now)
    const before = (await store.users.account(one.id))!
    const secret = await begin(one.headers)
    const begins = (step: 'code' | null) =>
      store.signIns.begin(before, { id: crypto.randomUUID(), expiresAt: now + 1000, step })
    expect([await begins(null), await begins('code')]).toEqual([true, false])
    await call('/api/2fa/setup/confirm', one.headers, { token: codeAt(secret, now) })
    expect([await begins(null), await begins('code')]).toEqual([false, true])
  })

  it('fails if the first step has been used, is five minutes old or was before a password change', async () => {
    const one = await personWithFactor()
    const [used, old] = [await firstStep(one), await firstStep(one)]
    expect((await verify(used, { backupCode: one.backupCodes[0] })).status).toBe(200)
    expect((await verify(used, { backupCode: one.backupCodes[1] })).status).toBe(401)
    pass(300_000)
    expect((await verify(old, { backupCode: one.backupCodes[1] })).status).toBe(401)
    const partial = await firstStep(one)
    const admin = await person('admin')
    await call(`/api/users/${one.id}`, admin.headers, { password: 'another good one' })
    expect((await verify(partial, { backupCode: one.backupCodes[1] })).status).toBe(401)
  })
})

describe('a user who must have a second factor', () => {
  /** The statuses of two kinds of requests: those that set up a second factor, and all others. */
  const may = async (headers: Headers, websiteId: string) => [
    (await get('/api/2fa/status', headers)).status,
    (await call('/api/auth/verify', headers)).status,
    ...(await Promise.all(
      ['/api/me', '/api/websites', '/api/me/api-keys', `/api/websites/${websiteId}`].map(
        async (path) => (await get(path, headers)).status,
      ),
    )),
  ]
  const all = [200, 200, 200, 200, 200, 200]
  const setUpAlone = [200, 200, 403, 403, 403, 403]

  it.each(['user', 'team', 'global'] as const)('may do nothing but set one up, due to a %s rule', async (reason) => {
    const [admin, one] = [await person('admin'), await person()]
    const team = await newTeam(one)
    await join(team, admin, 'team-member')
    const websiteId = await websiteOf({ userId: one.id })
    const path = { user: `users/${one.id}/2fa`, team: `teams/${team.id}/2fa`, global: '2fa/global' }[reason]
    const require = (required: boolean, headers = (adminWithFactor ?? admin).headers) =>
      call(`/api/admin/${path}`, headers, { required })
    let adminWithFactor: Person | undefined
    expect(await may(one.headers, websiteId)).toEqual(all)
    expect((await require(true, one.headers)).status).toBe(403)
    expect((await require(true)).status).toBe(200)
    expect(await may(one.headers, websiteId)).toEqual(setUpAlone)
    expect((await get('/api/2fa/status', one.headers)).body).toMatchObject({ isRequired: true, requiredReason: reason })
    expect((await get('/api/websites', await keyOf(one))).status).toBe(200)
    const secret = await begin(one.headers)
    expect((await call('/api/2fa/setup/confirm', one.headers, { token: codeAt(secret, now) })).status).toBe(200)
    expect(await may(one.headers, websiteId)).toEqual(all)
    if (reason === 'user') return
    // These rules also apply to the admin.
    expect((await require(false)).status).toBe(403)
    const ofAdmin = await begin(admin.headers)
    await call('/api/2fa/setup/confirm', admin.headers, { token: codeAt(ofAdmin, now) })
    adminWithFactor = admin
    expect((await require(false)).status).toBe(200)
    expect((await get('/api/2fa/status', one.headers)).body).toMatchObject({ isRequired: false })
  })

  it('is looked up together with the sign-in, without a table scan or an extra round trip', async () => {
    const plan = await planOf((store) => store.first(holderStatements['sign-in'], 'id', 0))
    expect(plan).toMatch(/SEARCH sign_ins/)
    expect(plan).not.toMatch(/SCAN (?!CONSTANT)/)
  })

  it('is shown to admins, who can switch the second factor off', async () => {
    const [admin, one] = [await person('admin'), await personWithFactor()]
    const path = `/api/admin/users/${one.id}/2fa`
    expect((await get(path, admin.headers)).body).toEqual({ isEnabled: true })
    await call(path, admin.headers, { required: true })
    const listed = await get(`/api/users?search=${one.username}`, admin.headers)
    expect(listed.body.data[0].twoFactorRequired).toBe(true)
    const reset = await call(path, admin.headers, undefined, 'DELETE')
    expect(reset.body).toEqual({ ok: true, userId: one.id, reset: { twoFactorAuth: true } })
    expect((await get('/api/websites', one.headers)).status).toBe(403)
    expect((await call('/api/auth/login', {}, { username: one.username, password })).body).toHaveProperty('token')
    for (const method of ['GET', 'DELETE']) {
      const missing = await call(path.replace(one.id, crypto.randomUUID()), admin.headers, undefined, method)
      expect(missing.status).toBe(404)
    }
  })
})
