import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { D1Database } from '@cloudflare/workers-types'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sections } from '../../src/access/opening.ts'
import { openAlone } from '../../src/local/start/workerd.ts'
import { migrateMetadata } from '../../src/local/storage/migrations.ts'
import { post, remove } from '../support/callers.ts'
import { weir } from '../support/commands.ts'
import { inTurn } from '../support/long.ts'
import { metadata } from '../support/metadata.ts'
import { bearer } from '../support/people.ts'
import { startPostgres } from '../support/postgres.ts'
import { seed } from '../support/seed.ts'
import { newId } from '../support/website.ts'
import { type Reply, running, send } from '../support/weir.ts'
import { imported, newState } from './moving.ts'
import { newOrganisation, type Organisation, oldPassword, writeOrganisation } from './organisation.ts'
import { makeAllTables } from './people-tables.ts'
import { type Version, versions } from './tables.ts'

const postgres = await startPostgres()

/** Creates a source that contains this organisation. */
async function sourceOf(version: Version, change: (made: Organisation) => void = () => {}) {
  const made = newOrganisation(version)
  change(made)
  const { client, url } = await postgres.database()
  await makeAllTables(client, version)
  await writeOrganisation(client, made)
  return { ...made, client, url }
}

const range = 'startAt=1717200000000&endAt=1717286400000'

const login = (username: string): Promise<Reply> => post('/api/auth/login', { username, password: oldPassword }, {})

const hashOf = (id: string): Promise<string | null> =>
  metadata.prepare('SELECT password_hash FROM users WHERE id = ?1').bind(id).first('password_hash')

/** A share's open sections. */
const opened = async (slug: string) => (await send(`/api/share/${slug}`)).body

type Ask = (path: string) => Promise<Reply['body']>

async function expectWebsites({ ids, isLater }: Organisation, ask: Ask): Promise<void> {
  expect(await ask(`/api/websites/${ids.own}`)).toMatchObject({
    ...{ name: 'Own', domain: 'shop.example:8080', resetAt: '2024-03-05T01:02:03.000Z', userId: ids.ada },
    ...{ createdAt: '2024-03-01T12:00:00.123Z', teamId: null },
    replayConfig: isLater
      ? { replayEnabled: true, sampleRate: 0.5, maskLevel: 'strict', maxDuration: 60_000, blockSelector: '.x' }
      : null,
  })
  expect(await ask(`/api/websites/${ids.teams}`)).toMatchObject({ domain: '', userId: null, teamId: ids.team })
  expect((await ask(`/api/websites/${ids.deleted}`)).error.status).toBe(403)
  const { members } = await ask(`/api/teams/${ids.team}`)
  expect(members.map(({ userId }: { userId: string }) => userId).sort()).toStrictEqual([ids.ada, ids.bob].sort())
}

async function expectReports({ ids }: Organisation, ask: Ask): Promise<void> {
  const reports = (await ask(`/api/reports?websiteId=${ids.own}`)).data as { type: string; parameters: object }[]
  const steps = [
    { type: 'path', value: '/a' },
    { type: 'event', value: 'buy' },
  ]
  expect(reports.map(({ type, parameters }) => [type, parameters])).toEqual(
    expect.arrayContaining([
      ['funnel', { window: 60, steps }],
      ['breakdown', { fields: ['path', 'browser'] }],
      ['goal', { type: 'path', value: '/thanks' }],
      ['goal', { type: 'event', value: 'buy' }],
      ['attribution', { model: 'first-click', type: 'path', step: '/a', currency: 'EUR' }],
      ['retention', {}],
    ]),
  )
  expect(reports).toHaveLength(7)
}

async function expectSegments({ ids }: Organisation, ask: Ask): Promise<void> {
  const [segment] = (await ask(`/api/websites/${ids.own}/segments?type=segment`)).data
  expect(segment).toMatchObject({ name: 'Chrome', parameters: { match: 'any' } })
  const [cohort] = (await ask(`/api/websites/${ids.own}/segments?type=cohort`)).data
  expect(cohort.parameters).toMatchObject({ dateRange: '30day', action: { type: 'event', value: 'buy' } })
  const selected = `segment=${segment.id}&cohort=${cohort.id}`
  expect(await ask(`/api/websites/${ids.own}/stats?${range}&${selected}`)).toMatchObject({ pageviews: 0 })
}

async function expectLater({ mark, ids }: Organisation, ask: Ask): Promise<void> {
  expect(await opened(`Ab-${mark}`)).toMatchObject({
    ...{ websiteId: ids.own, sections: ['overview'] },
    parameters: { overview: true, events: false, allowFilter: false, theme: 'dark' },
  })
  expect((await send(`/api/share/ab-${mark}`)).status).toBe(404)
  expect(await opened(`whole-${mark}`)).toMatchObject({ websiteId: ids.teams, sections: [...sections] })
  expect(await opened(`link-${mark}`)).toMatchObject({ linkId: ids.link, sections: [...sections] })
  const { websiteIds, pixelIds, token } = await opened(`board-${mark}`)
  expect([websiteIds.toSorted(), pixelIds]).toStrictEqual([[ids.own, ids.teams].sort(), [ids.pixel]])
  const headers = { 'x-weir-share-token': token }
  for (const id of [ids.own, ids.teams]) {
    expect((await send(`/api/websites/${id}/stats?${range}`, { headers })).status).toBe(200)
  }
  const redirect = await fetch(`${running.url}/q/s${mark}?utm_source=x`, { redirect: 'manual' })
  expect([redirect.status, redirect.headers.get('location')]).toStrictEqual([307, 'https://example.com/sale'])
  expect((await fetch(`${running.url}/p/p${mark}`)).status).toBe(200)
  expect(await ask(`/api/boards/${ids.board}`)).toMatchObject({ type: 'mixed', name: 'Board', teamId: ids.team })
  const saved = metadata.prepare('SELECT name FROM saved_replays WHERE website_id = ?1').bind(ids.own)
  expect(await saved.first('name')).toBe('A bug')
}

async function expectLate({ mark, ids, key }: Organisation, ask: Ask, said: string): Promise<void> {
  expect((await send('/api/me', { headers: bearer(key) })).body).toMatchObject({
    ...{ user: { id: ids.bob }, apiKey: { name: 'Of before' } },
  })
  expect((await ask(`/api/websites/${ids.own}/annotations`)).data).toMatchObject([
    { date: '2024-03-02T00:00:00.000Z', allDay: true, note: 'Release', userId: ids.ada },
  ])
  expect(said).toContain(`two factors are not imported: the password is enough: 1\n  bob-${mark}`)
  expect(said).toContain(`Ada ${mark}: Ada L.`)
}

describe('users and objects of Umami', () => {
  // Each `npm test` run uses the last version and another one.
  const some = [...inTurn(versions.slice(0, -1), seed, 4), 'late'] as const

  it.each(some)('of %s are imported and work', async (version) => {
    const made = await sourceOf(version)
    const { mark, ids, isLater, url } = made
    const said = await imported(url, '--state', newState())
    expect(said).toContain('users: 2 imported, 1 left out')
    const { status, body } = await login(`ADA ${mark}`)
    expect([status, body.user]).toMatchObject([200, { id: ids.ada, username: `Ada ${mark}`, role: 'admin' }])
    expect(body.user.teams).toStrictEqual([{ id: ids.team, name: 'The team', logoUrl: 'https://logo.example/' }])
    expect(await hashOf(ids.ada)).toMatch(/^scrypt/)
    expect((await login(`gone-${mark}`)).status).toBe(401)
    const ask: Ask = async (path) => (await send(path, { headers: bearer(body.token) })).body
    await expectWebsites(made, ask)
    await expectReports(made, ask)
    if (isLater) await expectLater(made, ask)
    else expect(await opened(`old-${mark}`)).toMatchObject({ websiteId: ids.own, sections: ['overview'] })
    if (version !== '2.15' && version !== '2.18') await expectSegments(made, ask)
    if (version === 'late') await expectLate(made, ask, said)
  })

  it('are not changed by a second import, even if they were changed or deleted in the meantime', async () => {
    const { mark, ids, tables, url } = await sourceOf('late')
    await imported(url, '--state', newState())
    const { body } = await login(`Ada ${mark}`)
    const caller = bearer(body.token)
    const rename = await post(`/api/websites/${ids.own}`, { name: 'Renamed' }, caller)
    expect(rename.status).toBe(200)
    for (const { share_id } of tables.share as { share_id: string }[]) {
      expect((await remove(`/api/share/id/${share_id}`, caller)).status).toBe(200)
    }
    expect((await remove(`/api/boards/${ids.board}`, caller)).status).toBe(200)
    const before = await rowsOf(metadata, tables)
    const again = await imported(url, '--state', newState())
    expect(again).toContain('users: 2 there already, 1 left out')
    expect(again).toContain('There are no new users, websites or other objects.')
    expect(again).not.toMatch(/\d imported/)
    expect(await rowsOf(metadata, tables)).toStrictEqual(before)
    expect(before.shares).toStrictEqual([])
    expect((await send(`/api/share/Ab-${mark}`)).status).toBe(404)
  })

  it('are the same after an import with SQL files as after a direct one', async () => {
    const { tables, url } = await sourceOf('late', ({ tables }) => {
      const [website] = tables.website as { name: string }[]
      website!.name = "It's ?1; a name\nwith 'two' lines; -- no comment"
    })
    const folder = mkdtempSync(join(tmpdir(), 'weir-moved-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const said = await imported(url, '--state', newState(), '--sql-to', join(folder, 'sql'))
    expect(said).toContain('users: 2 written, 1 left out')
    expect(await rowsOf(metadata, tables)).toMatchObject({ users: [], websites: [], shares: [] })
    const { metadata: empty, close } = await openAlone(folder)
    onTestFinished(close)
    await migrateMetadata(empty)
    const files = readdirSync(join(folder, 'sql')).sort()
    // Each file is run twice, because wrangler may repeat it.
    for (const file of [...files, ...files]) await empty.prepare(readFileSync(join(folder, 'sql', file), 'utf8')).run()
    const last = await metadata.prepare('SELECT coalesce(max(id), 0) AS id FROM audit_entries').first('id')
    await imported(url, '--state', newState())
    const direct = await rowsOf(metadata, tables)
    expect(await rowsOf(empty, tables)).toStrictEqual(direct)
    const entries = "SELECT fields FROM audit_entries WHERE action = 'weir import umami' AND id > ?1 ORDER BY id DESC"
    expect(await empty.prepare(entries).bind(0).first('fields')).toBe('["from","state","sqlTo"]')
    // Other tests write entries to the same metadata meanwhile.
    const { results } = await metadata.prepare(entries).bind(last).all()
    expect(results).toContainEqual({ fields: '["from","state"]' })
    expect(direct.websites).toHaveLength(4)
    expect(direct.board_subjects).toHaveLength(3)
  })

  it('are complete after a series of imports that were each killed at a different batch', async () => {
    const { ids, tables, url } = await sourceOf('late')
    const words = ['import', 'umami', '--from', url, '--state', newState()]
    let runs = 0
    for (let code = 1; code !== 0; runs++) {
      let batches = 0
      const batch = async (statements: Parameters<typeof metadata.batch>[0]) => {
        // The batch at which it is killed may or may not have been written.
        const written = batches < runs || runs % 2 === 0 ? await metadata.batch(statements) : []
        if (batches++ === runs) throw new Error('killed')
        return written
      }
      code = (await weir(words, { database: { ...metadata, batch } as typeof metadata })).code
    }
    expect(runs).toBeGreaterThan(12)
    const { websites, shares, moved_in, board_subjects } = await rowsOf(metadata, tables)
    expect([websites, shares, board_subjects].map((rows) => rows!.length)).toStrictEqual([4, 4, 3])
    expect(moved_in!.filter(({ id }) => Object.values(ids).includes(id as string))).toHaveLength(8)
  })

  it('get a new API key, shown once, if the old one has a different kind of hash', async () => {
    const { mark, ids, url } = await sourceOf('late', ({ tables }) => {
      Object.assign(tables.api_key![0]!, { key_hash: 'a'.repeat(64), name: 'Of\u001b[2J before' })
    })
    const state = newState()
    const folder = mkdtempSync(join(tmpdir(), 'weir-keys-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const shown = (said: string) => said.match(/api_[\w-]{43}.*/g)
    const dry = await imported(url, '--state', state, '--dry-run')
    expect([dry.includes('API keys: 1 to import'), shown(dry)]).toStrictEqual([true, null])
    const inSql = shown(await imported(url, '--state', state, '--sql-to', join(folder, 'sql')))!
    const line = shown(await imported(url, '--state', state))!
    for (const { length } of [inSql, line]) expect(length).toBe(1)
    const [key] = line[0]!.split(' ')
    expect(line[0]).toBe(`${key}  Of\\u{1b}[2J before of bob-${mark}, shown only now`)
    expect((await send('/api/me', { headers: bearer(key!) })).body).toMatchObject({ user: { id: ids.bob } })
    const files = [state, `${state}.people`, ...readdirSync(join(folder, 'sql')).map((one) => join(folder, 'sql', one))]
    const written = files.map((file) => readFileSync(file, 'utf8')).join('')
    for (const secret of [key!, inSql[0]!.split(' ')[0]!]) expect(written).not.toContain(secret)
    expect(written).toContain('is replaced with a new key')
    const again = await imported(url, '--state', state)
    expect([again.includes('API keys: 1 there already'), shown(again)]).toStrictEqual([true, null])
  })

  it('are counted by a dry run, which writes nothing', async () => {
    const { tables, url } = await sourceOf('3.1')
    const said = await imported(url, '--state', newState(), '--dry-run')
    expect(said).toContain('users: 2 to import, 1 left out')
    expect(said).toContain('shares: 4 to import')
    expect(await rowsOf(metadata, tables)).toMatchObject({ users: [], websites: [], boards: [], reports: [] })
  })

  it('are not imported for other websites if websites are specified', async () => {
    const { ids, tables, url } = await sourceOf('3.1')
    const said = await imported(url, '--state', newState(), '--website', ids.own)
    expect(said).toContain('websites: 1 imported')
    expect(said).not.toMatch(/shares.*left out/)
    const { websites, shares, users } = await rowsOf(metadata, tables)
    expect(websites!.map(({ id }) => id)).toStrictEqual([ids.own])
    expect([shares!.length, users!.length]).toStrictEqual([2, 2])
  })
})

describe('conflicts, broken rows and unsupported fields', () => {
  it('are reported with the reason, and listed with their ids', async () => {
    const other = await sourceOf('late')
    await imported(other.url, '--state', newState())
    const broken = await sourceOf('late', ({ ids, tables, mark }) => breakIn(tables, ids, mark, other))
    const state = newState()
    const said = await imported(broken.url, '--state', state)
    const noted = readFileSync(`${state}.people`, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { family: string; id: string; reason?: string; remark?: string })
    const found = noted.map(({ family, reason, remark }) => `${family}: ${reason ?? remark}`)
    for (const [family, why] of expected) {
      expect(found).toContain(`${family}: ${why}`)
      expect(said).toContain(why)
    }
    expect(noted.every(({ id }) => /^[\da-f-]{36}/.test(id))).toBe(true)

    // The second of two users whose names differ only in case.
    const twin = `ada ${broken.mark}`
    const names = await metadata
      .prepare('SELECT username FROM users WHERE name_key LIKE ?1 ORDER BY length(username)')
      .bind(`${twin}%`)
      .all<{ username: string }>()
    expect(names.results.map(({ username }) => username)).toStrictEqual([
      `Ada ${broken.mark}`,
      expect.stringMatching(new RegExp(`^${twin} [\\da-f]{8}$`)),
    ])
    expect((await login(names.results[1]!.username)).status).toBe(200)
    expect((await login(`dear-${broken.mark}`)).status).toBe(401)
    const { teamId, userId } = (await send(`/api/websites/${broken.ids.own}`, { headers: bearer(running.adminKey) }))
      .body
    expect([teamId, userId]).toStrictEqual([null, null])
    expect(await opened(`whole-${other.mark}`)).toMatchObject({ websiteId: other.ids.teams })
  })
})

const expected: readonly (readonly [family: string, why: string])[] = [
  ['users', 'it is deleted in Umami'],
  ['users', 'the name is taken: signs in under another one'],
  ['users', 'the password cannot be imported: set a new one'],
  ['users', 'the picture of a user is not imported'],
  ['users', 'its role is unknown'],
  ['teams', 'has a new access code'],
  ['teams', 'has no owner: only an admin can change it'],
  ['members of teams', 'its user is not here'],
  ['members of teams', 'its team is not here'],
  ['websites', 'its owner is gone: the operator owns it'],
  ['websites', 'some recording settings are not imported'],
  ['links', 'its target is not an http or https address'],
  ['links', 'its slug is taken'],
  ['links', 'its slug is not valid in an address'],
  ['shares', 'its slug is taken'],
  ['shares', 'its type is unknown'],
  ['shares', 'its website, link, pixel or board is not here'],
  ['shares', 'some parameters are not imported'],
  ['boards', 'refers to objects that do not exist here'],
  ['segments and cohorts', 'its parameters are not supported'],
  ['saved reports', 'its type is unknown'],
  ['saved reports', 'its parameters are not supported'],
  ['saved reports', 'some goals are not imported'],
  ['API keys', 'is replaced with a new key: its hash is of another kind'],
  ['API keys', 'its user is not here'],
]

/** Breaks everything that can be invalid. */
function breakIn(tables: Organisation['tables'], ids: Organisation['ids'], mark: string, other: Organisation): void {
  const copy = (table: string, change: object, at = 0) => tables[table]!.push({ ...tables[table]![at], ...change })
  const later = { created_at: '2100-01-01 00:00:00+00' }
  copy('user', { user_id: newId(), username: `ada ${mark}`, logo_url: 'https://picture.example/', ...later })
  copy('user', { user_id: newId(), username: `dear-${mark}`, password: `$2b$13$${'a'.repeat(53)}` })
  copy('user', { user_id: newId(), username: `root-${mark}`, role: 'root' })
  copy('team', { team_id: newId(), access_code: `team_${other.mark}` })
  copy('team_user', { team_user_id: newId(), team_id: newId() })
  Object.assign(tables.website![0]!, { user_id: newId(), replay_config: { sampleRate: 7, surprise: 1 } })
  copy('link', { link_id: newId(), slug: `j${mark}`, url: 'javascript:alert(1)' })
  copy('link', { link_id: newId(), slug: `s${other.mark}` })
  copy('link', { link_id: newId(), slug: `ä ${mark}` })
  copy('share', { share_id: newId(), slug: `whole-${other.mark}` })
  copy('share', { share_id: newId(), slug: `five-${mark}`, share_type: 5 })
  copy('share', { share_id: newId(), slug: `none-${mark}`, entity_id: ids.deleted })
  copy('share', { share_id: newId(), slug: `more-${mark}`, parameters: { overview: true, surprise: 1 } })
  copy('board', { board_id: newId(), parameters: { websiteId: ids.deleted } })
  const filter = { name: 'browser', operator: 'gt', value: 'x' }
  copy('segment', { segment_id: newId(), parameters: { filters: [filter] } })
  copy('report', { report_id: newId(), type: 'event-data' })
  copy('report', { report_id: newId(), parameters: { window: 0, steps: [] } })
  const goals = [
    { type: 'event', value: 'x' },
    { type: 'event-data', value: 'y', property: 'p' },
  ]
  copy('report', { report_id: newId(), type: 'goals', parameters: { goals } })
  copy('api_key', { api_key_id: newId(), key_hash: 'x' })
  copy('api_key', { api_key_id: newId(), key_hash: 'f'.repeat(128), user_id: ids.gone })
}

/** The D1 rows with ids from the source, and the rows that depend on them, by table. */
async function rowsOf(database: D1Database, tables: Organisation['tables']) {
  const ids = JSON.stringify(Object.values(tables).flatMap((rows) => rows.flatMap((row) => Object.values(row))))
  const wanted = `IN (SELECT value FROM json_each(?1) WHERE type = 'text')`
  const found: Record<string, Record<string, unknown>[]> = {}
  for (const [table, column] of Object.entries({
    ...{
      users: 'id',
      teams: 'id',
      team_members: 'team_id',
      api_keys: 'id',
      websites: 'id',
      boards: 'id',
      shares: 'id',
    },
    ...{ board_subjects: 'board_id', segments: 'website_id', reports: 'website_id', annotations: 'website_id' },
    ...{ saved_replays: 'website_id', seen_replays: 'website_id', moved_in: 'id' },
  })) {
    const { results } = await database
      .prepare(`SELECT * FROM ${table} WHERE ${column} ${wanted} ORDER BY 1, 2`)
      .bind(ids)
      .all<Record<string, unknown>>()
    found[table] = results
  }
  return found
}
