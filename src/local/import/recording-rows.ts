import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { MaskLevel } from '../../collect/masking.ts'
import { chunkParts, heatmapRows } from '../../collect/recording.ts'
import { timeText } from '../../collect/row.ts'
import { believed } from '../../request/believed.ts'
import { brokenBound } from '../../request/json-cost.ts'
import { type EntryRow, idsIn, timeIn, Unusable } from './made-rows.ts'
import type { SourceRow } from './source.ts'
import { instantOf } from './texts.ts'

/** The maximum length of a replay chunk's JSON, in bytes. */
const longestChunk = 50_000_000

/** The limits for its JSON: those of `POST /api/record`, scaled to this length. */
const bounds = { depth: 200, values: 10_000_000, shapes: 200_000 } as const

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The row for `ingest_replay_chunks`, or none if there are no events. The text is masked like a recorder's. */
export function chunkRows(row: SourceRow, level: MaskLevel, now: number): readonly EntryRow[] {
  const ids = idsIn(row, ['website_id', 'visit_id', 'session_id'])
  const created_at = timeIn(row.created_at, now)
  const parts = chunkParts(eventsIn(row.events ?? ''), level).flatMap((part) => ('text' in part ? [part] : []))
  if (parts.length === 0) return []
  const events = parts.map(({ text }) => text).join('\n')
  const times = parts.map(({ time }) => time)
  const known = times.map((time) => believed(time, instantOf(created_at)))
  const chunk_index = Math.max(0, Math.min(Math.trunc(Number(row.chunk_index)) || 0, 2 ** 32 - 1))
  const [first, last] = [Math.min(...known), Math.max(...known)]
  return [
    {
      ...ids,
      created_at,
      chunk_index,
      hash: sha256(events),
      first_at: timeText(first),
      last_at: timeText(last),
      times,
      events,
    },
  ]
}

/** PostgreSQL returns gzip in hexadecimal, ClickHouse the JSON itself. */
function eventsIn(stored: string): readonly unknown[] {
  const json = stored.startsWith('\\x') ? inflated(Buffer.from(stored.slice(2), 'hex')) : stored
  if (json.length > longestChunk) throw new Unusable('events are longer than 50 MB')
  const broken = brokenBound(json, bounds)
  if (broken) throw new Unusable('events are not recorder JSON')
  try {
    const events: unknown = JSON.parse(json)
    if (Array.isArray(events)) return events
  } catch {}
  throw new Unusable('events are not a JSON list')
}

function inflated(bytes: Uint8Array): string {
  try {
    return new TextDecoder().decode(gunzipSync(bytes, { maxOutputLength: longestChunk }))
  } catch {
    throw new Unusable('events are not gzip, or longer than 50 MB')
  }
}

/** The row of `ingest_heatmap_events`. Its request is derived from its id, so that it is counted only once. */
export function clickRows(row: SourceRow, now: number): readonly EntryRow[] {
  const ids = idsIn(row, ['website_id', 'visit_id', 'session_id'])
  const { heatmap_event_id } = idsIn(row, ['heatmap_event_id'])
  const arrived_at = timeIn(row.created_at, now)
  const type = { 1: 'click', 2: 'scroll' }[row.event_type ?? '']
  if (type === undefined) throw new Unusable(`event_type ${row.event_type ?? 'NULL'} is neither click nor scroll`)
  const sent = {
    ...{ type, url: row.url_path ?? '', timestamp: instantOf(arrived_at) },
    ...{ x: row.x, y: row.y, pageX: row.page_x, pageY: row.page_y, scrollPct: row.scroll_pct },
    ...{ pageW: row.page_w, pageH: row.page_h, viewportW: row.viewport_w, viewportH: row.viewport_h },
  }
  const [columns] = heatmapRows([sent], instantOf(arrived_at))
  if (!columns) throw new Unusable('url_path is not a path')
  return [{ ...ids, arrived_at, request: sha256(heatmap_event_id).slice(0, 16), place: 0, ...columns }]
}
