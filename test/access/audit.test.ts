import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { metadata as weirMetadata } from '../../src/metadata/metadata.ts'
import { nameKeyOf } from '../../src/metadata/users.ts'
import { type Headers, operator, post, remove } from '../support/callers.ts'
import { codeAt } from '../support/codes.ts'
import { isolate } from '../support/isolate.ts'
import { metadata } from '../support/metadata.ts'
import { bearer, newPerson, password, websiteOf } from '../support/people.ts'
import { pathOf, send } from '../support/weir.ts'

/** An audit entry without its id and time. */
const said = ({ actor, action, subjects, fields }: Record<string, unknown>) => ({ actor, action, subjects, fields })

const logOf = async (query: Readonly<Record<string, string>>) =>
  (await send(pathOf('/api/admin/audit', query), { headers: operator })).body

it('the audit log records who changed what, with field names but never field values', async () => {
  const person = await newPerson()
  const websiteId = await websiteOf({ userId: person.id })
  const actor = { kind: 'user', id: person.id, name: expect.any(String) }
  const secret = `s3cret-${randomUUID()}`
  await post(`/api/websites/${websiteId}`, { name: secret, domain: 'a.example' }, person.headers)
  const { body: key } = await post('/api/me/api-keys', { name: secret, access: 'read' }, person.headers)
  expect(key.error).toBeUndefined()
  await post(`/api/websites/${websiteId}`, { name: '' }, person.headers)
  await remove(`/api/websites/${websiteId}`, person.headers)
  const { data, count } = await logOf({ actorId: person.id })
  expect(data.map(said)).toEqual([
    { actor, action: 'deleteWebsite', subjects: { websiteId }, fields: [] },
    { actor, action: 'createMyApiKey', subjects: { id: key.id }, fields: expect.arrayContaining(['name', 'access']) },
    { actor, action: 'updateWebsite', subjects: { websiteId }, fields: ['name', 'domain'] },
  ])
  expect(count).toBe(3)
  expect(JSON.stringify(data)).not.toContain(secret)
  expect((await logOf({ subjectId: websiteId, action: 'deleteWebsite' })).data).toHaveLength(1)
  expect((await logOf({ actorId: person.id, startAt: '0', endAt: '100000000000' })).data).toEqual([])
  const lines = await isolate()(pathOf('/api/admin/audit', { actorId: person.id }), {
    ...operator,
    accept: 'application/x-ndjson',
  })
  expect(
    lines.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(data)
})

it('failed sign-ins are counted per minute, name and network; names without an account are not stored', async () => {
  const { id } = await newPerson()
  const { username } = (await metadata.prepare('SELECT username FROM users WHERE id = ?').bind(id).first<{
    username: string
  }>())!
  // Networks are stored without leading zeros.
  const address = `2001:db8:a${randomUUID().slice(0, 3)}:1::1`
  const from: Headers = { 'cf-connecting-ip': address }
  const signIn = (name: string) => post('/api/auth/login', { username: name, password: 'wrong wrong' }, from)
  const typed = `password-${randomUUID()}`
  for (const name of [username, username.toUpperCase(), typed]) expect((await signIn(name)).status).toBe(401)
  const { data } = await logOf({ action: 'failedSignIn', pageSize: '1000' })
  const ours = data.filter(({ network }: { network: string }) => network.startsWith(address.slice(0, 13)))
  const times = (name: string | null) =>
    ours
      .filter(({ actor }: { actor: { name: string | null } }) => actor.name === name)
      .reduce((sum: number, one: { times: number }) => sum + one.times, 0)
  expect([times(username), times(null)]).toEqual([2, 1])
  expect(JSON.stringify(data)).not.toContain(typed)
  expect(nameKeyOf(username)).toBe(username.toLowerCase())
})

it('reads are not recorded', async () => {
  const person = await newPerson()
  const websiteId = await websiteOf({ userId: person.id })
  const paths = [`/api/websites/${websiteId}/stats?period=24h`]
  expect((await post('/api/read', { paths }, person.headers)).status).toBe(200)
  expect((await post('/api/auth/verify', undefined, person.headers)).status).toBe(200)
  expect((await logOf({ actorId: person.id })).data).toEqual([])
  // A request without a user’s credential has no actor.
  expect((await logOf({ action: 'read' })).data).toEqual([])
})

it('a wrong second-factor code counts as a failed sign-in, under its user’s name', async () => {
  const person = await newPerson()
  const { body } = await post('/api/2fa/setup/initiate', undefined, person.headers)
  const code = codeAt(body.manualKey, Date.now())
  expect((await post('/api/2fa/setup/confirm', { token: code }, person.headers)).status).toBe(200)
  const { username } = person
  const { partialToken } = (await post('/api/auth/login', { username, password }, {})).body
  const from: Headers = { ...bearer(partialToken), 'cf-connecting-ip': '203.0.113.9' }
  // This code has already been used, for the confirmation.
  for (const status of [400, 400]) expect((await post('/api/2fa/verify', { token: code }, from)).status).toBe(status)
  const { data } = await logOf({ search: username, action: 'failedSignIn' })
  expect(data.reduce((sum: number, { times }: { times: number }) => sum + times, 0)).toBe(2)
  expect(data[0]).toMatchObject({ actor: { kind: 'nobody', name: username }, network: '203.0.113.0/24' })
})

it('the audit log rejects updates, and deletion of entries from the last 30 days', async () => {
  const person = await newPerson()
  await post('/api/me/api-keys', { name: 'x', access: 'read' }, person.headers)
  for (const statement of ["UPDATE audit_entries SET action = 'x'", 'DELETE FROM audit_entries']) {
    const change = metadata.prepare(`${statement} WHERE actor_id = ?1`).bind(person.id).run()
    await expect(change).rejects.toThrow('The audit log')
  }
  expect((await logOf({ actorId: person.id })).count).toBe(1)
})

it('beyond 1,000 rows a day, failed sign-ins are counted per minute; users have rows of their own', async () => {
  const username = `user ${randomUUID()}`
  await newPerson({ username })
  // Uses a day in the distant past, so that other tests do not reach the limit.
  const { audit, store } = weirMetadata(metadata, Date.now() - 100 * 86_400_000)
  const network = randomUUID()
  const fill = (name: string | null) =>
    store.note(
      `INSERT INTO audit_entries (created_at, actor_kind, actor_name, action, subjects, fields, network)
       SELECT ?1, 'nobody', ?4, 'failedSignIn', '{}', '[]', ?2 || value FROM json_each(?3)`,
      ...[store.now, network, JSON.stringify([...Array(1000).keys()]), name],
    )
  const counted = () =>
    store.all(
      `SELECT actor_name AS name, network, times FROM audit_entries
       WHERE action = 'failedSignIn' AND created_at = ?1 AND (network IS NULL OR network = ?2)
       ORDER BY network`,
      ...[Math.floor(store.now / 60_000) * 60_000, network],
    )
  await fill(null)
  for (const name of ['', 'x', username]) await audit.addFailure(nameKeyOf(name), network)
  const ofUser = { name: username, network, times: 1 }
  expect(await counted()).toEqual([{ name: null, network: null, times: 2 }, ofUser])
  await fill(username)
  await audit.addFailure(nameKeyOf(username), network)
  expect(await counted()).toEqual([{ name: null, network: null, times: 3 }, ofUser])
})
