import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMetadata } from '../../src/local/commands/opened.ts'
import { openPurger } from '../../src/local/start/purger.ts'
import type { OpenMetadata } from '../../src/local/start/workerd.ts'
import { alone } from '../../src/local/storage/alone.ts'
import { createKey } from '../../src/local/storage/metadata.ts'
import { migrateMetadata } from '../../src/local/storage/migrations.ts'
import { metadata } from '../../src/metadata/metadata.ts'
import { ofOperator } from '../../src/metadata/websites.ts'
import { tables } from '../../src/query/tables/tables.ts'
import { forLong } from '../support/cache-times.ts'
import { weir } from '../support/commands.ts'
import { isolate } from '../support/isolate.ts'
import { inTurn } from '../support/long.ts'
import { everythingOf, insertInto, newSession } from '../support/one-person.ts'
import { ownEngine } from '../support/own-engine.ts'
import { seed } from '../support/seed.ts'
import { newId } from '../support/website.ts'

/** Tests the deletion of a person from every table, with a separate engine because a purge reads whole tables. */

const { dataDir, clickhouse } = await ownEngine()
let workerd: OpenMetadata

beforeAll(async () => {
  workerd = await openMetadata(dataDir)
  await migrateMetadata(workerd.metadata)
})

afterAll(() => workerd.close())

const own = () => metadata(workerd.metadata, Date.now())

const insert = (table: string, values: object[]) => clickhouse.client.insert({ table, values, format: 'JSONEachRow' })

async function select<Row>(query: string): Promise<Row[]> {
  return (await clickhouse.client.query({ query, format: 'JSONEachRow' })).json<Row>()
}

const [ada, adaToo, shared, bob] = [newSession(), newSession(), newSession(), newSession()]
const others = [everythingOf('shared', shared, 'ada', 'bob'), everythingOf('others', bob, 'bob')]
const hers = [everythingOf('hers', ada, 'ada'), everythingOf('hers too', adaToo, 'ada', '')]

/** Creates websites with these rows. All rows of a table share an insert, because each takes a tenth of a second. */
async function websitesWith(...each: (readonly ReturnType<typeof everythingOf>[])[]): Promise<string[]> {
  const ids = each.map(() => newId())
  const tables = new Map<string, object[]>()
  for (const [place, id] of ids.entries()) {
    await own().websites.create({ id, name: 'x', domain: 'x.example', ...ofOperator })
    const inserted = async (table: string, rows: object[]) =>
      void tables.set(table, [...(tables.get(table) ?? []), ...rows])
    for (const rows of each[place]!) await insertInto(id, rows, inserted)
  }
  for (const [table, rows] of tables) await insert(table, rows)
  return ids
}

/** Everything that the tables contain about a website, once their rows are merged. */
async function contentOf(websiteId: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const { name, measure } of tables) {
    const columns = name === 'events' ? '* EXCEPT (website_id, ingested_at)' : '* EXCEPT website_id'
    const rows = await select<object>(
      `SELECT ${columns} FROM ${name}${measure ? ' FINAL' : ''} WHERE website_id = '${websiteId}'`,
    )
    found[name] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return found
}

const person = (what: 'export' | 'erase', ...words: string[]) =>
  weir(['person', what, ...words], { dataDir, database: workerd.metadata })

const everything = { action: null, actorId: null, subjectId: null, startAt: null, endAt: null, before: null }

/** Each `npm test` run uses one of these cases. */
const cases: Readonly<Record<string, () => Promise<void>>> = {
  async 'weir person prints everything about a person, and deletes it from every table as if it had never existed'() {
    const made = await websitesWith([...others, ...hers], others, hers)
    const [websiteId, without, elsewhere] = made as [string, string, string]
    const untouched = await contentOf(elsewhere)
    const { replays } = own()
    await replays.save(websiteId, ada.session_id, 'Ada')
    await replays.save(websiteId, bob.session_id, 'Bob')
    for (const session_id of [ada.session_id, bob.session_id]) {
      const row = JSON.stringify({ website_id: websiteId, session_id })
      await workerd.metadata
        .prepare("INSERT INTO set_aside_rows (entry_table, row, reason, created_at) VALUES ('ingest', ?1, 'x', 1)")
        .bind(row)
        .run()
    }
    const named = ['--website', websiteId, '--distinct-id', 'ada']
    const [head, ...lines] = (await person('export', ...named)).stdout.trim().split('\n')
    const sessions = [ada.session_id, adaToo.session_id].sort()
    expect(JSON.parse(head!)).toEqual({ distinctId: 'ada', sessions, shared: [shared.session_id] })
    expect(new Set(lines.map((line) => JSON.parse(line).session_id))).toEqual(new Set(sessions))
    expect(lines.join()).not.toMatch(/url_path (shared|others)/)

    expect((await person('erase', ...named)).stderr).toContain('Add --yes.')
    const ended = await person('erase', ...named, '--yes')
    expect(ended.code).toBe(0)
    expect(ended.stderr).toBe(
      `Left out: ${shared.session_id} is also linked to another distinct id. --shared includes it.\n`,
    )
    const receipt = Object.fromEntries(
      [...ended.stdout.matchAll(/^(\w+): (\d+) rows deleted$/gm)].map(([, table, rows]) => [table, Number(rows)]),
    )
    expect(receipt).toMatchObject({ events: 15, session_data: 2, replay_chunks: 2, heatmap_events: 2 })
    expect(receipt).toMatchObject({ set_aside_rows: 1, saved_replays: 1, deleted_sessions: 2 })
    expect(Object.keys(receipt)).toEqual(expect.arrayContaining(tables.map(({ name }) => name)))
    expect(await contentOf(websiteId)).toEqual(await contentOf(without))
    expect(await contentOf(elsewhere)).toEqual(untouched)
    expect(await replays.savedVisits(websiteId)).toEqual([bob.session_id])
    const { deletedSessions, cacheEpoch } = (await own().websites.read(websiteId))!
    expect([deletedSessions, cacheEpoch]).toEqual([[], 1])

    expect(await person('erase', ...named, '--yes')).toMatchObject({ code: 1, stdout: '' })
    const { data } = await own().audit.list(everything, { search: '', limit: 10, offset: 0 })
    expect(data.map(({ action, subjects, fields }) => [action, subjects, fields])).toEqual([
      ['weir person erase', { websiteId }, ['website', 'distinctId', 'yes']],
      ['weir person export', { websiteId }, ['website', 'distinctId']],
    ])
    expect(JSON.stringify(data)).not.toContain('ada')
  },

  async 'npm start deletes a person immediately, but only hides them while another purge is running'() {
    const purger = await openPurger(clickhouse.client)
    const key = await createKey(workerd.metadata, 'x', { admin: true, access: 'write' }, Date.now())
    const { url, username, password, database } = clickhouse.server
    const ask = isolate(forLong, {
      ...{ METADATA: workerd.metadata, CLICKHOUSE_URL: url, CLICKHOUSE_USER: username, CLICKHOUSE_PASSWORD: password },
      ...{ CLICKHOUSE_DATABASE: database, PURGER: purger.binding },
    })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const erase = async (websiteId: string, body: object) =>
      JSON.parse((await ask(`/api/websites/${websiteId}/people/erase`, headers, 'POST', JSON.stringify(body))).text)
    const views = async (websiteId: string) => {
      const { text } = await ask(`/api/websites/${websiteId}/stats?startAt=0&endAt=4000000000000`, headers)
      return JSON.parse(text).visitors as number
    }
    const [websiteId, without] = (await websitesWith([...others, ...hers], others)) as [string, string]
    // More than 1,000 deletions would wait, so the waiting ones are processed first.
    await workerd.metadata
      .prepare('INSERT INTO deleted_sessions SELECT ?1, value, 1 FROM json_each(?2)')
      .bind(websiteId, JSON.stringify([bob.session_id, ...Array.from({ length: 998 }, newId)]))
      .run()
    expect(await views(websiteId)).toBe(4)
    const { tables: rows, sessions } = await erase(websiteId, { sessionId: ada.session_id })
    expect(sessions).toHaveLength(2)
    expect(rows).toContainEqual({ table: 'events', rows: 15 })
    expect(await views(websiteId)).toBe(1)

    const busy = await alone(clickhouse.client, 'check', () => erase(without, { distinctId: 'bob' }))
    expect(busy).toMatchObject({ sessions: [bob.session_id], tables: null })
    expect((await own().websites.read(without))!.deletedSessions).toEqual([bob.session_id])
    expect(await views(without)).toBe(2)
    expect(await erase(without, { distinctId: 'ada' })).toMatchObject({ sessions: [], shared: [shared.session_id] })
    for (const authorization of ['', `Bearer ${'x'.repeat(43)}`]) {
      const refused = await fetch(purger.binding.url, { method: 'POST', headers: { authorization }, body: '{}' })
      expect(refused.status).toBe(403)
    }
    await purger.close()
  },
}

it.each(inTurn(Object.entries(cases), seed, 2))('%s', (_, isRight) => isRight())

describe('npm run weir -- person', () => {
  it.each([
    [[], 'Give one of --distinct-id and --session.'],
    [['--session', 'x'], '--session: '],
  ])('refuses %j', async (words, message) => {
    const ended = await person('export', '--website', (await websitesWith([]))[0]!, ...words)
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(message)])
  })
})
