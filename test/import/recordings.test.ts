import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Database, startPostgres } from '../support/postgres.ts'
import { clickhouse, newWebsite, read } from '../support/weir.ts'
import { imported, newState, refusedIn } from './moving.ts'
import { websiteRows } from './origin.ts'
import { insertInto, makeTables } from './tables.ts'

const postgres = await startPostgres()
const day = 86_400_000
const ago = (milliseconds: number): string => new Date(Date.now() - milliseconds).toISOString()

interface Source extends Database {
  readonly websiteId: string
}

async function newSource(config: object = {}): Promise<Source> {
  const database = await postgres.database()
  await makeTables(database.client, 'late')
  const websiteId = await newWebsite()
  await insertInto(database.client, 'website', [{ ...websiteRows([websiteId])[0], replay_config: config }])
  return { ...database, websiteId }
}

/** A part of a replay, which arrived at that time. */
async function part({ client, websiteId }: Source, created_at: string, changes: object = {}, json?: string) {
  const at = Date.parse(created_at)
  const typed = { type: 3, timestamp: at, data: { source: 5, id: 7, text: 'secret' } }
  const events =
    json ?? JSON.stringify([{ type: 4, timestamp: at - 500, data: { href: 'https://example.com/' } }, typed])
  const row = {
    ...{ replay_id: randomUUID(), website_id: websiteId, visit_id: randomUUID(), session_id: randomUUID() },
    ...{ chunk_index: Math.floor(at / 1000), event_count: 2, started_at: created_at, ended_at: created_at, created_at },
    ...changes,
  }
  await insertInto(client, 'session_replay', [{ ...row, events: `\\x${gzipSync(events).toString('hex')}` }])
  return row
}

const partsOf = (websiteId: string) =>
  clickhouse<{ visit_id: string; created_at: string; events: string }>(
    `SELECT toString(visit_id) AS visit_id, toString(created_at) AS created_at, events FROM replay_chunks
     WHERE website_id = '${websiteId}' ORDER BY created_at`,
  )

const columnText = (iso: string): string => iso.replace('T', ' ').slice(0, -1)

describe('replays', () => {
  it('keep the time of their arrival, are masked, and come once', async () => {
    const source = await newSource()
    const visit_id = randomUUID()
    const first = await part(source, ago(2 * day), { visit_id })
    const second = await part(source, ago(2 * day - 5000), { visit_id, session_id: first.session_id })
    const state = newState()
    expect(await imported(source.url, '--state', state)).toContain('parts of replays: 2 imported\n')
    expect(await imported(source.url, '--state', state)).toContain('Nothing is new')
    expect(await imported(source.url, '--state', newState())).toContain('0 imported, 2 were there already')
    const stored = await partsOf(source.websiteId)
    expect(stored.map(({ created_at }) => created_at)).toEqual([first, second].map((one) => columnText(one.created_at)))
    expect(stored[0]!.events).toContain('******')
    expect(stored[0]!.events).not.toContain('secret')
    const { body } = await read(source.websiteId, 'replays', { startAt: Date.now() - 3 * day, endAt: Date.now() })
    expect(body.data).toMatchObject([{ id: visit_id, sessionId: first.session_id, chunkCount: 2 }])
  })

  it('are left out and counted when they are too old, but not if somebody has saved them', async () => {
    const source = await newSource()
    const [saved] = [await part(source, ago(60 * day)), await part(source, ago(61 * day))]
    const young = await part(source, ago(day))
    const row = { saved_replay_id: randomUUID(), name: 'kept', website_id: source.websiteId, visit_id: saved.visit_id }
    await insertInto(source.client, 'session_replay_saved', [row])
    const state = newState()
    const told = await imported(source.url, '--state', state)
    expect(told).toContain('parts of replays: 1 are too old to be kept here, and left out\n')
    expect(told).toContain('parts of replays: 2 imported\n')
    const stored = await partsOf(source.websiteId)
    expect(stored.map(({ visit_id }) => visit_id)).toEqual([saved.visit_id, young.visit_id])
    expect(await imported(source.url, '--state', state)).toContain('Nothing is new: all 2 rows')
  })

  it('that cannot be read are refused', async () => {
    const source = await newSource()
    await part(source, ago(day), {}, '{"no":"list"}')
    await part(source, ago(day), {}, 'no JSON')
    await part(source, ago(day))
    await source.client.query(
      "UPDATE session_replay SET events = 'no gzip' WHERE replay_id IN (SELECT replay_id FROM session_replay LIMIT 1)",
    )
    const state = newState()
    await imported(source.url, '--state', state)
    expect(
      refusedIn(state)
        .map(({ reason }) => reason)
        .sort(),
    ).toEqual(['events are no gzip, or longer than 50 MB', 'events are no list in JSON'])
  })

  it('of a website that hides all texts have none', async () => {
    const source = await newSource({ maskLevel: 'strict' })
    const text = {
      type: 3,
      timestamp: Date.now(),
      data: { source: 0, texts: [{ id: 1, value: 'words' }], attributes: [], removes: [], adds: [] },
    }
    await part(source, ago(1000), {}, JSON.stringify([text]))
    await imported(source.url, '--state', newState())
    expect((await partsOf(source.websiteId))[0]!.events).toContain('"value":"*****"')
  })
})

describe('heatmap events', () => {
  it('are clicks and depths of the pages, by their decoded path, and come once', async () => {
    const source = await newSource()
    const created_at = ago(3 * day)
    const ids = () => ({ heatmap_event_id: randomUUID(), website_id: source.websiteId, session_id: randomUUID() })
    const figures = { viewport_w: 1000, viewport_h: 800, page_w: 1000, page_h: 3000, created_at }
    await insertInto(source.client, 'heatmap_event', [
      {
        ...ids(),
        visit_id: randomUUID(),
        url_path: '/caf%C3%A9',
        event_type: 1,
        x: 1,
        y: 2,
        page_x: 3,
        page_y: 4,
        ...figures,
      },
      { ...ids(), visit_id: randomUUID(), url_path: '/', event_type: 2, scroll_pct: 250, ...figures },
      { ...ids(), visit_id: randomUUID(), url_path: '/', event_type: 3, ...figures },
      { ...ids(), visit_id: randomUUID(), url_path: '/', event_type: 1, ...figures, created_at: ago(500 * day) },
    ])
    const state = newState()
    const told = await imported(source.url, '--state', state)
    expect(told).toContain('heatmap events: 1 are too old to be kept here, and left out\n')
    expect(told).toContain('heatmap events: 2 imported, 1 refused\n')
    expect(await imported(source.url, '--state', newState())).toContain('0 imported, 2 were there already')
    const rows = await clickhouse(
      `SELECT type, url_path, x, page_y, page_h, scroll_pct, toString(arrived_at) AS at FROM heatmap_events
       WHERE website_id = '${source.websiteId}' ORDER BY type`,
    )
    expect(rows).toEqual([
      { type: 1, url_path: '/café', x: 1, page_y: 4, page_h: 3000, scroll_pct: null, at: columnText(created_at) },
      { type: 2, url_path: '/', x: null, page_y: null, page_h: 3000, scroll_pct: 100, at: columnText(created_at) },
    ])
  })
})
