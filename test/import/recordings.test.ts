import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Database, startPostgres } from '../support/postgres.ts'
import { clickhouse, insert, newWebsite, read } from '../support/weir.ts'
import { makeClickHouse } from './clickhouse-origin.ts'
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

/** Stores a replay chunk that arrived at this time. */
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
  it('keep their arrival time, are masked, and are imported only once', async () => {
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

  it('are omitted and counted if they are too old, unless somebody saved them', async () => {
    const source = await newSource()
    const [saved] = [await part(source, ago(60 * day)), await part(source, ago(61 * day))]
    const young = await part(source, ago(day))
    const row = { saved_replay_id: randomUUID(), name: 'kept', website_id: source.websiteId, visit_id: saved.visit_id }
    await insertInto(source.client, 'session_replay_saved', [row])
    const state = newState()
    const told = await imported(source.url, '--state', state)
    expect(told).toContain('parts of replays: 1 left out, too old to be kept here\n')
    expect(told).toContain('parts of replays: 2 imported\n')
    const stored = await partsOf(source.websiteId)
    expect(stored.map(({ visit_id }) => visit_id)).toEqual([saved.visit_id, young.visit_id])
    expect(await imported(source.url, '--state', state)).toContain('Nothing is new: all 2 rows')
  })

  it('are refused if they cannot be read', async () => {
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
    ).toEqual(['events are not a JSON list', 'events are not gzip, or longer than 50 MB'])
  })

  it('have no texts if the website’s mask level is strict', async () => {
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

type HeatmapRow = Readonly<Record<string, unknown>>

/** Stores a website's heatmap events, and returns the arguments that specify the source. */
const heatmapStores = {
  async PostgreSQL(make: (websiteId: string) => readonly HeatmapRow[]) {
    const { client, url, websiteId } = await newSource()
    await insertInto(client, 'heatmap_event', make(websiteId))
    return { websiteId, from: url, words: [] }
  },
  /** ClickHouse stores whole seconds, and 0 for missing values. */
  async ClickHouse(make: (websiteId: string) => readonly HeatmapRow[]) {
    const { url, websiteId } = await newSource()
    const name = `umami_${randomUUID().replaceAll('-', '')}`
    const from = await makeClickHouse(name, false)
    onTestFinished(() => void clickhouse(`DROP DATABASE ${name}`))
    await clickhouse(
      `CREATE TABLE ${name}.heatmap_event (heatmap_event_id UUID, website_id UUID, session_id UUID, visit_id UUID,
         url_path String, event_type UInt8, x Int32, y Int32, page_x Int32, page_y Int32, page_w Int32, page_h Int32,
         viewport_w Int32, viewport_h Int32, scroll_pct UInt8, created_at DateTime('UTC'))
       ENGINE = MergeTree PARTITION BY toYYYYMM(created_at) ORDER BY (website_id, url_path, event_type, created_at)`,
    )
    const rows = make(websiteId).map((row) => ({ ...row, created_at: columnText(String(row.created_at)).slice(0, 19) }))
    await insert(`${name}.heatmap_event`, rows)
    return { websiteId, from, words: ['--metadata', url] }
  },
}

describe('heatmap events', () => {
  it.each(Object.entries(heatmapStores))(
    'become clicks and scroll depths under their decoded path, and are imported only once: %s',
    async (_, store) => {
      const wholeSecond = Math.floor(Date.now() / 1000) * 1000
      const created_at = new Date(wholeSecond - 3 * day).toISOString()
      const figures = { viewport_w: 1000, viewport_h: 800, page_w: 1000, page_h: 3000, created_at }
      const click = { event_type: 1, x: 1, y: 2, page_x: 3, page_y: 4 }
      const { websiteId, from, words } = await store((website_id) => {
        const row = (url_path: string, changes: object) => ({
          ...{ heatmap_event_id: randomUUID(), website_id, session_id: randomUUID(), visit_id: randomUUID(), url_path },
          ...{ ...figures, ...changes },
        })
        return [
          row('/caf%C3%A9', click),
          row('/', { event_type: 2, scroll_pct: 250 }),
          row('/', { event_type: 3 }),
          row('/', { ...click, created_at: ago(500 * day) }),
          ...Array.from({ length: 3 }, () => row('/same', click)),
        ]
      })
      const state = newState()
      // Each page has one row, so that events of the same second are on several pages.
      const told = await imported(from, ...words, '--state', state, '--rows', '1')
      expect(told).toContain('heatmap events: 1 left out, too old to be kept here\n')
      expect(told).toContain('heatmap events: 5 imported, 1 refused\n')
      expect(refusedIn(state).map(({ reason }) => reason)).toEqual(['event_type 3 is neither click nor scroll'])
      expect(await imported(from, ...words, '--state', state)).toContain('Nothing is new: all 6 rows')
      expect(await imported(from, ...words, '--state', newState())).toContain('0 imported, 5 were there already')
      const rows = await clickhouse(
        `SELECT type, url_path, x, page_y, page_h, scroll_pct, toString(arrived_at) AS at FROM heatmap_events
       WHERE website_id = '${websiteId}' ORDER BY type, url_path`,
      )
      const clicked = { type: 1, x: 1, page_y: 4, page_h: 3000, scroll_pct: null, at: columnText(created_at) }
      expect(rows).toEqual([
        { ...clicked, url_path: '/café' },
        ...Array(3).fill({ ...clicked, url_path: '/same' }),
        { ...clicked, type: 2, url_path: '/', x: null, page_y: null, scroll_pct: 100 },
      ])
    },
  )
})
