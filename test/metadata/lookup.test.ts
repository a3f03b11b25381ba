import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashOf, newKey } from '../../src/access/api-key.ts'
import { createKey } from '../../src/local/storage/metadata.ts'
import type { Credential } from '../../src/metadata/holder.ts'
import { forgetAll, type Purpose, type SharedLookups } from '../../src/metadata/look-ups.ts'
import { metadata as access } from '../../src/metadata/metadata.ts'
import { newShare } from '../support/callers.ts'
import { metadata } from '../support/metadata.ts'
import { newWebsite } from '../support/weir.ts'

/** A different time for each test, so that the entries of earlier tests have expired. */
const now = Date.now()

const at = (moment: number, credential: Credential | undefined, websiteId?: string, purpose: Purpose = 'figures') =>
  access(metadata, moment).lookUp(credential, websiteId, purpose)

const run = (query: string, id: string) => metadata.prepare(query).bind(id).run()

describe('a cached look-up', () => {
  it('is used for exactly ten seconds after a share is deleted elsewhere', async () => {
    const { id, slug } = await newShare(await newWebsite(), { events: true })
    for (const credential of [
      { kind: 'share', id, slug },
      { kind: 'slug', id: slug },
    ] as const) {
      expect((await at(now, credential)).holder).toMatchObject({ kind: 'share', id })
    }
    await run('DELETE FROM shares WHERE id = ?1', id)
    for (const credential of [
      { kind: 'share', id, slug },
      { kind: 'slug', id: slug },
    ] as const) {
      expect((await at(now + 9_999, credential)).holder).toMatchObject({ id })
      expect((await at(now + 10_000, credential)).holder).toBeUndefined()
    }
  })

  it('is used for exactly ten seconds after a key or website is deleted elsewhere', async () => {
    const websiteId = await newWebsite()
    const key = await createKey(metadata, 'short', { admin: false, access: 'read', websiteIds: [websiteId] }, now)
    const credential = { kind: 'key', id: await hashOf(key) } as const
    const found = await at(now, credential, websiteId)
    expect(found).toMatchObject({ holder: { kind: 'key', name: 'short' }, website: { id: websiteId }, isRead: true })
    await run('DELETE FROM api_keys WHERE key_hash = ?1', credential.id)
    await run('UPDATE websites SET deleted_at = 1 WHERE id = ?1', websiteId)
    expect(await at(now + 9_999, credential, websiteId)).toMatchObject({ website: { id: websiteId }, isRead: false })
    expect((await at(now + 9_999, credential, websiteId)).holder).toBeDefined()
    expect(await at(now + 10_000, credential, websiteId)).toMatchObject({ holder: undefined, website: undefined })
  })

  it('is not used by requests that write', async () => {
    const websiteId = await newWebsite()
    expect((await at(now, undefined, websiteId)).website).toBeDefined()
    await run('UPDATE websites SET deleted_at = 1 WHERE id = ?1', websiteId)
    expect((await at(now, undefined, websiteId, 'change')).website).toBeUndefined()
  })

  it('is used for an answer that caches store only if it lasts for three more seconds', async () => {
    const [websiteId, slug] = [await newWebsite(), randomUUID()]
    const credential = { kind: 'slug', id: slug } as const
    await run(`UPDATE shares SET slug = '${slug}' WHERE id = ?1`, (await newShare(websiteId, { events: true })).id)
    for (const [later, until] of [
      [0, 10_000],
      [6999, 10_000],
      [7000, 17_000],
      [13_999, 17_000],
    ] as const) {
      const found = await at(now + later, credential, websiteId, 'public')
      expect(found).toMatchObject({ website: { id: websiteId }, holder: { slug }, until: now + until })
    }
  })

  it('ends as soon as another request of this isolate finds that the share or website is gone', async () => {
    const [websiteId, other] = [await newWebsite(), await newWebsite()]
    const { id, slug } = await newShare(websiteId, { events: true })
    const credential = { kind: 'slug', id: slug } as const
    expect(await at(now, credential, other)).toMatchObject({ holder: { id }, website: { id: other } })
    await run('DELETE FROM shares WHERE id = ?1', id)
    await run('UPDATE websites SET deleted_at = 1 WHERE id = ?1', other)
    expect(await at(now + 1, credential, other)).toMatchObject({ holder: { id }, website: { id: other } })
    await at(now + 2, credential, other, 'change')
    expect(await at(now + 3, credential, other)).toMatchObject({ holder: undefined, website: undefined })
  })

  it('expires together with a key, to the millisecond', async () => {
    const key = newKey()
    const hash = await hashOf(key)
    await metadata
      .prepare(
        `INSERT INTO api_keys (id, name, key_hash, key_prefix, is_admin, created_at, expires_at)
         VALUES (?1, 'ends', ?2, 'api_', 1, ?3, ?4)`,
      )
      .bind(randomUUID(), hash, now, now + 500)
      .run()
    expect((await at(now, { kind: 'key', id: hash })).holder).toMatchObject({ name: 'ends' })
    expect((await at(now + 499, { kind: 'key', id: hash })).holder).toMatchObject({ name: 'ends' })
    expect((await at(now + 500, { kind: 'key', id: hash })).holder).toBeUndefined()
  })
})

describe('a look-up in a batch', () => {
  const together = (shared: SharedLookups, credential: Credential | undefined, websiteId: string) =>
    access(metadata, now, shared).lookUp(credential, websiteId, 'figures')

  it('is shared by concurrent paths, so that only one of them reads D1', async () => {
    const [shared, websiteId]: [SharedLookups, string] = [new Map(), await newWebsite()]
    const key = await createKey(metadata, 'batch', { admin: false, access: 'read', websiteIds: [websiteId] }, now)
    const credential = { kind: 'key', id: await hashOf(key) } as const
    const found = await Promise.all([1, 2, 3].map(() => together(shared, credential, websiteId)))
    expect(found.map(({ isRead, website }) => [isRead, website?.id])).toEqual(
      [true, false, false].map((isRead) => [isRead, websiteId]),
    )
  })

  it('is repeated once the cache is cleared, so that a long batch does not use outdated values', async () => {
    const [shared, websiteId]: [SharedLookups, string] = [new Map(), await newWebsite()]
    expect((await together(shared, undefined, websiteId)).website).toBeDefined()
    await run('UPDATE websites SET deleted_at = 1 WHERE id = ?1', websiteId)
    forgetAll()
    expect((await together(shared, undefined, websiteId)).website).toBeUndefined()
  })

  it('is not repeated if it has found nothing', async () => {
    const [shared, websiteId]: [SharedLookups, string] = [new Map(), randomUUID()]
    expect((await together(shared, undefined, websiteId)).website).toBeUndefined()
    await newWebsite(websiteId)
    expect((await together(shared, undefined, websiteId)).website).toBeUndefined()
    expect((await together(new Map(), undefined, websiteId)).website).toBeDefined()
  })
})
