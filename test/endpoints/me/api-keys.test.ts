import { describe, expect, it } from 'vitest'
import { forbidden, type Headers, moment, notFound, post, remove, unauthorized } from '../../support/callers.ts'
import { weir as command } from '../../support/commands.ts'
import { bearer, database, keyOf, member, newPerson, newTeam, websiteOf } from '../../support/people.ts'
import { failed, refused } from '../../support/refusals.ts'
import { newId } from '../../support/website.ts'
import { type Reply, send } from '../../support/weir.ts'

const keysPath = '/api/me/api-keys'

const owner = await newPerson()
const websiteId = await websiteOf({ userId: owner.id })
const another = await websiteOf({ userId: owner.id })

const make = (body: object = {}, headers: Headers = owner.headers): Promise<Reply> =>
  post(keysPath, { name: 'a', ...body }, headers)

const list = async (headers: Headers = owner.headers): Promise<Record<string, unknown>[]> => {
  const { status, body } = await send(keysPath, { headers })
  expect(status).toBe(200)
  return body
}

const statusOf = async (headers: Headers, id = websiteId): Promise<number> =>
  (await send(`/api/websites/${id}`, { headers })).status

describe('a user’s own API key', () => {
  it('is shown once on creation, and then listed without its secret, newest first', async () => {
    const person = await newPerson()
    expect(await list(person.headers)).toStrictEqual([])
    const first = await make({ name: ' É “x” ' }, person.headers)
    const { key, ...shown } = first.body
    expect([first.status, shown]).toStrictEqual([
      200,
      {
        id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
        name: 'É “x”',
        keyPrefix: key.slice(0, 12),
        ...{ createdAt: moment, lastUsedAt: null, access: 'write', websiteIds: null, expiresAt: null, origins: null },
      },
    ])
    expect(key).toMatch(/^api_[\w-]{43}$/)
    const own = await websiteOf({ userId: person.id })
    const options = {
      ...{ access: 'read', websiteIds: [own.toUpperCase(), own], expiresAt: '2999-01-01T00:00:00+01:00' },
      origins: ['https://www.example.com'],
    }
    const second = await make(options, person.headers)
    expect(second.body).toMatchObject({ ...options, websiteIds: [own], expiresAt: '2998-12-31T23:00:00.000Z' })
    const { key: secondKey, ...secondShown } = second.body
    expect(secondKey).not.toBe(key)
    const listed = await list(person.headers)
    expect(listed).toHaveLength(2)
    expect(listed).toEqual(expect.arrayContaining([shown, secondShown]))
  })

  it('may have null for restrictions that do not apply', async () => {
    const nulls = { websiteIds: null, expiresAt: null, origins: null }
    expect((await make(nulls)).body).toMatchObject(nulls)
  })

  it('can be deleted by its owner, and then no longer gives access to anything', async () => {
    const { id, key } = (await make()).body
    expect(await statusOf(bearer(key))).toBe(200)
    const path = `${keysPath}/${id}`
    const stranger = await newPerson({ role: 'admin' })
    failed(await remove(path, stranger.headers), notFound)
    expect(await statusOf(bearer(key))).toBe(200)
    const deleted = await remove(path.toUpperCase().replace('/API/ME/API-KEYS', keysPath), owner.headers)
    expect([deleted.status, deleted.body]).toStrictEqual([200, { ok: true }])
    failed(await send(`/api/websites/${websiteId}`, { headers: bearer(key) }), unauthorized)
    failed(await remove(path, owner.headers), notFound)
    failed(await remove(`${keysPath}/${newId()}`, owner.headers), notFound)
    expect((await list()).map((one) => one.id)).not.toContain(id)
  })

  it('is deleted along with its list of websites', async () => {
    const { id } = (await make({ websiteIds: [websiteId, another] })).body
    expect((await remove(`${keysPath}/${id}`, owner.headers)).status).toBe(200)
    const left = await (await database())
      .prepare('SELECT count(*) AS left FROM api_key_websites WHERE key_id = ?')
      .bind(id)
      .first('left')
    expect(left).toBe(0)
  })

  it.each<[string, object, string]>([
    ['an unknown website', { websiteIds: [newId()] }, 'websiteIds.0'],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an expiry without a time', { expiresAt: '2999-01-01' }, 'expiresAt'],
    ['an expiry in seconds', { expiresAt: 4_000_000_000 }, 'expiresAt'],
    ['an origin with a path', { origins: ['https://a.example/x'] }, 'origins.0'],
    ['any origin', { origins: ['https://*.example'] }, 'origins.0'],
  ])('is not created with %s', async (_, body, path) => {
    refused(await make(body), path)
  })

  it('is limited to websites that its owner may see; a refusal lists all others', async () => {
    const team = await newTeam(await newPerson())
    const ofTeam = await websiteOf({ teamId: team.id })
    const theirs = await websiteOf({ userId: (await newPerson()).id })
    const gone = await websiteOf({ userId: owner.id })
    expect((await remove(`/api/websites/${gone}`)).status).toBe(200)
    const seer = await member(team, 'team-view-only')
    expect((await make({ websiteIds: [ofTeam] }, seer.headers)).body.websiteIds).toStrictEqual([ofTeam])
    refused(
      await make({ websiteIds: [ofTeam, websiteId, theirs, gone] }),
      'websiteIds.0',
      'websiteIds.2',
      'websiteIds.3',
    )
    const admin = await newPerson({ role: 'admin' })
    expect((await make({ websiteIds: [theirs, websiteId] }, admin.headers)).status).toBe(200)
  })
})

describe('a key’s rights', () => {
  const share = (headers: Headers, id: string) => post(`/api/websites/${id}/shares`, { name: 'a' }, headers)

  it('are its owner’s rights, minus the key’s own restrictions', async () => {
    const keys = {
      whole: bearer((await make()).body.key),
      reading: bearer((await make({ access: 'read' })).body.key),
      listed: bearer((await make({ websiteIds: [websiteId] })).body.key),
      both: bearer((await make({ websiteIds: [websiteId], access: 'read' })).body.key),
    }
    const theirs = await websiteOf({ userId: (await newPerson()).id })
    const statuses = async (headers: Headers) => [
      await statusOf(headers),
      await statusOf(headers, another),
      await statusOf(headers, theirs),
      (await share(headers, websiteId)).status,
      (await share(headers, another)).status,
      (await share(headers, theirs)).status,
    ]
    expect(await statuses(keys.whole)).toStrictEqual([200, 200, 403, 200, 200, 403])
    expect(await statuses(keys.reading)).toStrictEqual([200, 200, 403, 403, 403, 403])
    expect(await statuses(keys.listed)).toStrictEqual([200, 403, 403, 200, 403, 403])
    expect(await statuses(keys.both)).toStrictEqual([200, 403, 403, 403, 403, 403])
  })

  it('are read-only for a view-only user', async () => {
    const viewer = await newPerson({ role: 'view-only' })
    const own = await websiteOf({ userId: viewer.id })
    const key = bearer((await make({ access: 'write' }, viewer.headers)).body.key)
    expect(await statusOf(key, own)).toBe(200)
    failed(await share(key, own), forbidden)
    failed(await remove(`/api/websites/${own}`, key), forbidden)
  })

  it('end when the key expires, or it or its owner is deleted; it is then refused like an unknown key', async () => {
    const leaver = await newPerson()
    const open = await websiteOf({ userId: leaver.id }, { public: '{"events":true}' })
    const orphan = await keyOf(leaver)
    await (await database()).prepare('UPDATE users SET deleted_at = 1 WHERE id = ?').bind(leaver.id).run()
    const unknown = await send(`/api/websites/${open}`, { headers: bearer(`api_${'x'.repeat(43)}`) })
    failed(unknown, unauthorized)
    for (const headers of [
      orphan,
      await keyOf(owner, { expiresAt: Date.now() - 1 }),
      await keyOf(undefined, { expiresAt: 0 }),
    ]) {
      const { status, body } = await send(`/api/websites/${open}`, { headers })
      expect([status, body.error]).toStrictEqual([401, { ...unknown.body.error, requestId: body.error.requestId }])
    }
    expect(await statusOf(await keyOf(owner, { expiresAt: Date.now() + 3_600_000 }))).toBe(200)
  })
})

describe('a key’s last use', () => {
  const minutes = 60_000

  /** A change clears all cached look-ups, including those for the caller. */
  const forget = () => make({ name: 'forget' })

  const lastUse = async (id: string): Promise<unknown> => (await list()).find((one) => one.id === id)?.lastUsedAt

  const isUsed = async (id: string, after: number): Promise<void> => {
    await expect.poll(async () => Date.parse(String(await lastUse(id)))).toBeGreaterThan(after)
  }

  const usedAgo = async (id: string, milliseconds: number): Promise<number> => {
    const then = Date.now() - milliseconds
    const d1 = await database()
    await d1.prepare('UPDATE api_keys SET last_used_at = ?2 WHERE id = ?1').bind(id, then).run()
    return then
  }

  it('appears in the list', async () => {
    const before = Date.now() - 1
    const { id, key } = (await make()).body
    expect(await lastUse(id)).toBeNull()
    expect(await statusOf(bearer(key))).toBe(200)
    await isUsed(id, before)
    expect(await lastUse(id)).toEqual(moment)
  })

  it('is stored at most once in five minutes, whatever the answers are', async () => {
    const before = Date.now() - 1
    const [recent, old] = [(await make()).body, (await make()).body]
    const then = await usedAgo(recent.id, 4 * minutes)
    await usedAgo(old.id, 6 * minutes)
    await forget()
    for (const { key } of [recent, old]) failed(await send(keysPath, { headers: bearer(key) }), forbidden)
    await isUsed(old.id, before)
    const once = await lastUse(old.id)
    await forget()
    const barrier = (await make()).body
    for (const { key } of [recent, old, barrier]) expect(await statusOf(bearer(key))).toBe(200)
    await isUsed(barrier.id, before)
    expect(await lastUse(old.id)).toBe(once)
    expect(await lastUse(recent.id)).toBe(new Date(then).toISOString())
  })
})

describe('npm run weir', () => {
  const weir = (...words: string[]) => command(words)

  it('creates and lists keys with write access, an expiry date and origins', async () => {
    const origin = 'https://www.example.com'
    const website = ['--website', websiteId]
    const made = await weir(
      'key',
      'create',
      '--name',
      'writer',
      ...website,
      '--write',
      '--origin',
      origin,
      '--origin',
      'https://b.example',
      '--expires',
      '2999-01-01T00:00:00Z',
    )
    const key = bearer(made.stdout.trim())
    const share = (headers: Headers) => post(`/api/websites/${websiteId}/shares`, { name: 'a' }, headers)
    failed(await share(key), forbidden)
    expect((await share({ ...key, origin })).status).toBe(200)
    const reads = bearer((await weir('key', 'create', '--name', 'reader', ...website)).stdout.trim())
    failed(await share(reads), forbidden)
    expect(await statusOf(reads)).toBe(200)
    const mine = (await make({ name: 'of a person' })).body
    const { stdout } = await weir('key', 'list')
    const line = (name: string) => stdout.split('\n').find((one) => one.includes(`  ${name}  ${websiteId}  `))
    expect(line('writer')).toMatch(
      new RegExp(`  writer  ${websiteId}  write  expires 2999-01-01T00:00:00.000Z  last used \\d{4}-`),
    )
    expect(line('reader')).toContain(`  reader  ${websiteId}  read  expires never  last used `)
    expect(stdout).toContain(`${mine.id}  ${mine.keyPrefix}…  of a person  all of ${owner.username}  write`)
  })

  it('rejects the same input as the API', async () => {
    const create = (...words: string[]) => weir('key', 'create', '--name', 'x', '--admin', ...words)
    expect((await create('--expires', '2020-01-01T00:00:00Z')).stderr).toContain('--expires must be later than now')
    expect((await create('--expires', 'tomorrow')).stderr).toContain('--expires: Must be a date')
    expect((await create('--origin', 'https://a.example/')).stderr).toContain('Must be an origin as browsers send it')
  })
})
