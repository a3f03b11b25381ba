import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { hashOf, newKey, prefixOf } from '../../src/access/api-key.ts'
import { api } from '../../src/app.ts'
import { openAlone } from '../../src/local/start/workerd.ts'
import { migrateMetadata } from '../../src/local/storage/migrations.ts'
import { metadata as weirMetadata } from '../../src/metadata/metadata.ts'

/** A D1 with these admins, each with a website and a sign-in, and an operator's key. */
async function startWith(...ids: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'weir-admins-'))
  const { metadata: database, close } = await openAlone(folder)
  onTestFinished(async () => {
    await close()
    rmSync(folder, { recursive: true })
  })
  await migrateMetadata(database)
  const { users, websites, signIns } = weirMetadata(database, Date.now())
  for (const id of ids) {
    await users.create({ id, username: id, role: 'admin', passwordHash: id })
    const website = { id: `${id}-website`, name: id, domain: '', userId: id, teamId: null, createdBy: id }
    await websites.create(website)
  }
  const key = newKey()
  const row = ['key', 'x', await hashOf(key), prefixOf(key)]
  await database
    .prepare(`INSERT INTO api_keys (id, name, key_hash, key_prefix, is_admin, created_at, access, all_websites)
      VALUES (?1, ?2, ?3, ?4, 1, 1, 'write', 1)`)
    .bind(...row)
    .run()
  return { database, users, websites, signIns, headers: { authorization: `Bearer ${key}` } }
}

it('two admins who demote or delete each other at the same time leave one admin', async () => {
  const { users, websites } = await startWith('one', 'two')
  const outcomes = await Promise.all([
    users.update('one', { role: 'user' }),
    users.update('two', { role: 'view-only' }),
  ])
  expect(outcomes.sort()).toEqual(['last-admin', undefined])
  const last = (await users.firstAdmin())!.id
  expect(await users.update(last, { role: 'user', username: 'x', passwordHash: 'x' })).toBe('last-admin')
  expect(await users.account(last)).toMatchObject({ username: last, role: 'admin', passwordHash: last })
  expect(await users.update(last, { role: 'admin', passwordHash: 'new' })).toBeUndefined()
  expect(await users.giveRole(last, 'user')).toBe(false)

  const other = last === 'one' ? 'two' : 'one'
  expect(await users.giveRole(other, 'admin')).toBe(true)
  expect((await Promise.all([users.delete('one'), users.delete('two')])).sort()).toEqual([false, true])
  const left = (await users.firstAdmin())!.id
  expect(await users.delete(left)).toBe(false)
  expect(await users.account(left)).toMatchObject({ role: 'admin' })
  expect(await websites.read(`${left}-website`)).toMatchObject({ userId: left })
  expect(await websites.read(`${left === 'one' ? 'two' : 'one'}-website`)).toBeUndefined()
})

it('the last admin cannot be demoted or deleted through the API: 409', async () => {
  const { database, users, headers } = await startWith('11111111-1111-4111-8111-111111111111')
  const env = { METADATA: database, AUTH_SECRET: 'x'.repeat(32) }
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }
  const [id] = (await users.list({ search: '', limit: 9, offset: 0, orderBy: 'username', descending: false })).data.map(
    (user) => user.id,
  )
  const path = `http://weir/api/users/${id}`
  const json = { ...headers, 'content-type': 'application/json' }
  for (const init of [
    { method: 'POST', headers: json, body: JSON.stringify({ role: 'user' }) },
    { method: 'DELETE', headers },
  ]) {
    const answer = await api().request(path, init, env as never, context as never)
    expect([answer.status, ((await answer.json()) as { error: object }).error]).toMatchObject([
      409,
      { code: 'conflict', message: 'This is the last admin. Make another user an admin first.' },
    ])
  }
  expect(await users.read(id!)).toMatchObject({ role: 'admin' })
})
