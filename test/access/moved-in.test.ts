import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { hashSync } from 'bcryptjs'
import { describe, expect, it } from 'vitest'
import { isPassword, isToBeHashedAnew } from '../../src/access/password.ts'
import { bearer, database, insert, keyOf, newPerson, type Person } from '../support/people.ts'
import { failed } from '../support/refusals.ts'
import { type Reply, send } from '../support/weir.ts'

const incorrect = { status: 401, code: 'incorrect-username-password' }

/** The hash of `umami`, the initial password of every Umami installation. */
const umamis = '$2b$10$BUli0c.muyCW1ErNJc3jL.vFRFtFJWrT8/GcR4A.sUdCznaXiqFXa'

const login = ({ username }: Pick<Person, 'username'>, password: string): Promise<Reply> =>
  send('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })

/** Creates a user with this hash. */
async function userWith(hash: string): Promise<Person> {
  const person = await newPerson()
  await (await database()).prepare('UPDATE users SET password_hash = ?2 WHERE id = ?1').bind(person.id, hash).run()
  return person
}

const hashOf = async ({ id }: Pick<Person, 'id'>): Promise<string | null> =>
  (await database()).prepare('SELECT password_hash FROM users WHERE id = ?1').bind(id).first<string>('password_hash')

describe('a password imported from Umami', () => {
  it('works for sign-in, and is then rehashed with Weir’s own algorithm', async () => {
    const person = await userWith(umamis)
    failed(await login(person, 'Umami'), incorrect)
    failed(await login(person, umamis), incorrect)
    expect(await hashOf(person)).toBe(umamis)
    const { status, body } = await login(person, 'umami')
    expect([status, body.user?.id]).toStrictEqual([200, person.id])
    expect((await send('/api/me', { headers: bearer(body.token) })).body.user.id).toBe(person.id)
    const anew = await hashOf(person)
    expect(anew).toMatch(/^scrypt\$16384\$8\$5\$/)
    expect((await login(person, 'umami')).status).toBe(200)
    failed(await login(person, 'Umami'), incorrect)
    expect(await hashOf(person)).toBe(anew)
  })

  it('works for simultaneous sign-ins, no matter which of them rehashes it', async () => {
    const person = await userWith(hashSync('the same one', 4))
    const replies = await Promise.all([1, 2, 3].map(() => login(person, 'the same one')))
    expect(replies.map(({ status }) => status)).toStrictEqual([200, 200, 200])
    for (const { body } of replies) expect((await send('/api/me', { headers: bearer(body.token) })).status).toBe(200)
    expect(await isPassword('the same one', (await hashOf(person))!)).toBe(true)
  })

  it('is not rehashed if it is longer than 72 bytes, because bcrypt uses only the first 72', async () => {
    const long = 'ä'.repeat(36)
    const hash = hashSync(long, 4)
    const person = await userWith(hash)
    expect((await login(person, `${long} and a typing error`)).status).toBe(200)
    expect(await hashOf(person)).toBe(hash)
    expect((await login(person, long)).status).toBe(200)
    expect(await hashOf(person)).toMatch(/^scrypt/)
    expect(isToBeHashedAnew(hash, `${long}x`)).toBe(false)
  })

  it('can be changed by a user who sends it as the current password', async () => {
    const hash = hashSync('of before', 4)
    const person = await userWith(hash)
    const change = { currentPassword: 'of before', newPassword: 'of afterwards' }
    const reply = await send('/api/me/password', {
      method: 'POST',
      headers: { ...person.headers, 'content-type': 'application/json' },
      body: JSON.stringify(change),
    })
    expect(reply.status).toBe(200)
    failed(await login(person, 'of before'), incorrect)
    expect((await login(person, 'of afterwards')).status).toBe(200)
  })

  it('is wrong if its hash is malformed or too costly for Weir', async () => {
    const made = hashSync('x', 4)
    for (const hash of [made.replace('$04$', '$13$'), made.replace('$04$', '$31$'), made.slice(0, -1), '$2b$', '']) {
      expect(await isPassword('x', hash)).toBe(false)
    }
    expect(await isPassword('x', made.replace('$2b$', '$2y$'))).toBe(true)
    expect(await isPassword('y', made)).toBe(false)
  })
})

describe('a key imported from Umami', () => {
  const newUmamiKey = (): string => `umami_${randomBytes(16).toString('hex')}`

  async function movedIn(owner: Person, key: string): Promise<void> {
    await insert('api_keys', {
      ...{ id: randomUUID(), name: 'of before', key_prefix: key.slice(0, 14), user_id: owner.id },
      ...{ key_hash: createHash('sha512').update(key).digest('hex'), is_admin: 0, all_websites: 1, created_at: 1 },
    })
  }

  it('is accepted by its SHA-512 hash, in any of the headers', async () => {
    const [person, key] = [await newPerson(), newUmamiKey()]
    await movedIn(person, key)
    for (const headers of [bearer(key), { 'x-umami-api-key': key }, { 'x-weir-api-key': key }] as Record<
      string,
      string
    >[]) {
      const { body } = await send('/api/me', { headers })
      expect(body).toMatchObject({ authType: 'api-key', user: { id: person.id }, apiKey: { name: 'of before' } })
    }
    const unauthorized = { status: 401, code: 'unauthorized' }
    const others = [newUmamiKey(), `${key}x`, key.slice(0, -1), key.toUpperCase(), key.replace('umami_', 'api_')]
    for (const other of others) failed(await send('/api/me', { headers: bearer(other) }), unauthorized)
  })

  it('is not accepted by any other hash; Weir’s own keys still use SHA-256', async () => {
    const [person, key] = [await newPerson(), newUmamiKey()]
    await insert('api_keys', {
      ...{ id: randomUUID(), name: 'x', key_prefix: 'x', user_id: person.id, is_admin: 0, all_websites: 1 },
      ...{ key_hash: createHash('sha256').update(key).digest('hex'), created_at: 1 },
    })
    failed(await send('/api/me', { headers: bearer(key) }), { status: 401, code: 'unauthorized' })
    expect((await send('/api/me', { headers: await keyOf(person) })).status).toBe(200)
  })
})
