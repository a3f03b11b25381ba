import type { SqlStorage } from '@cloudflare/workers-types'
import { type Env, numberOr } from '../env.ts'
import { believed } from '../request/believed.ts'
import { dayLength } from '../request/time-zone.ts'
import { utf8Length } from './characters.ts'
import type { LogClock } from './clock.ts'
import { DailyBytes } from './daily-bytes.ts'
import { EventIds } from './event-ids.ts'
import { Flushes, type FlushServices } from './flushes.ts'
import { Fragments, type Piece } from './fragments.ts'
import { gzipped } from './gzipped.ts'
import { noOwner } from './identity.ts'
import { noId, Packed, pack, type Remembered } from './packed.ts'
import { assembled, type ChunkPart } from './recording.ts'
import type { Recording, RecordingState, RecordingVerdict } from './recording-candidate.ts'
import { timeText } from './row.ts'
import { LogStore } from './store.ts'
import { type VisitCounts, VisitTotals } from './visit-totals.ts'

/** For how long repeated requests are recognised, and visits remembered, in milliseconds. */
const recordedLasts = dayLength

/** How many bytes of recordings, measured as JSON, may wait for ClickHouse in one object. */
const capacity = 1_000_000_000

/** The maximum number of bytes of JSON that a website may record per UTC day. */
const defaultDaily = 20_000_000_000

/** The limits for a visit. */
const mostOfVisit = { chunks: 1000, bytes: 50_000_000, heatmapEvents: 5000 } as const

/** A visit's requests may arrive up to this many milliseconds after its maximum duration. */
const arrivalGrace = 10_000

/** The maximum number of bytes of JSON in one SQLite row. */
const longestCommit = 1_000_000

/** If this bit of `weight` is set, the other bits count heatmap events; otherwise, they count bytes. */
const heatmapBit = 2 ** 31

const destination = { tables: ['ingest_replay_chunks', 'ingest_heatmap_events'], beats: false } as const

/**
 * A log object's recordings. Like events, they are made durable before the response and then sent to ClickHouse. A
 * request is checked and written without an await, so no other request can interfere.
 */
export class RecordingLog {
  readonly #store: LogStore
  readonly #flushes: Flushes
  readonly #ids = new EventIds(recordedLasts)
  readonly #visits = new VisitTotals(recordedLasts)
  readonly #fragments = new Fragments()
  readonly #today = new DailyBytes()
  readonly #daily: number
  readonly #clock: LogClock
  readonly #counts = { chunks: 0, heatmapEvents: 0, repeats: 0, full: 0, spent: 0, crowded: 0 }

  constructor({ sql, ...services }: FlushServices & { readonly sql: SqlStorage }, env: Env) {
    this.#clock = services.server.clock
    this.#daily = numberOr(defaultDaily, env.RECORD_DAILY)
    this.#store = new LogStore(sql, 'recorded_', gzipped)
    for (const { last, packed } of this.#store.archive()) this.#restore(packed, last)
    this.#flushes = new Flushes(this.#store, services, destination)
    for (const commit of this.#store.commits()) {
      this.#restore(commit.packed, commit.id)
      this.#flushes.restore(commit)
    }
    this.#flushes.begin()
  }

  /** Accepts a request, or returns the reason for refusing it. */
  append(recording: Recording): RecordingVerdict {
    const now = this.#clock.wall()
    const { websiteId, visitId } = recording
    const commit = this.#ids.commitOf({ sourceId: websiteId, eventId: recording.id })
    if (commit !== undefined && this.#isIn(commit, recording, now)) {
      this.#counts.repeats++
      return 'taken'
    }
    const before = this.#visits.of(websiteId, visitId) ?? nothingYet
    const verdict = this.#judge(recording, before, now)
    if (verdict === 'crowded' && recording.kind === 'replay')
      this.#fragments.reopen(recording, piecesOf(recording.parts), now)
    else this.#fragments.end()
    if (verdict === 'full' || verdict === 'spent' || verdict === 'crowded') this.#counts[verdict]++
    if (typeof verdict === 'string') return verdict
    this.#take(recording, verdict, now)
    return 'taken'
  }

  /** Decides what to store for a request, or why nothing is stored. */
  #judge(recording: Recording, before: VisitCounts, now: number): Wanted {
    if (isFull(recording, before, now)) return 'full'
    const { websiteId } = recording
    if (this.#today.of(websiteId, now) >= this.#daily) return 'spent'
    const wanted = recording.kind === 'replay' ? this.#chunk(recording, before, now) : heatmap(recording, before, now)
    if (typeof wanted === 'string') return wanted
    if (this.#flushes.hasRoom(websiteId, utf8Length(wanted.lines), capacity)) return wanted
    this.#flushes.tellFull(websiteId)
    return 'crowded'
  }

  #take(recording: Recording, { lines, weight, after }: Writing, now: number): void {
    const { websiteId, visitId, sessionId, id: eventId } = recording
    const [isNow, bytes] = [true, utf8Length(lines)]
    this.#write(recording.kind, lines, {
      ...{ sourceId: websiteId, eventId, sessionId, visitId, at: now, bytes, isNow, weight },
      ...{ anonymousId: noId, owner: noOwner },
    })
    this.#visits.set(websiteId, visitId, after, now)
    this.#today.add(websiteId, sentBytes(weight, bytes), now)
    if (recording.kind === 'replay') this.#counts.chunks++
    else this.#counts.heatmapEvents += recording.rows.length
  }

  #isIn(commit: number, { websiteId, id }: Recording, now: number): boolean {
    const bytes = this.#store.packedOf(commit)
    const packed = bytes && new Packed(bytes)
    return packed?.find({ sourceId: websiteId, eventId: id }, now - recordedLasts) !== undefined
  }

  /** The row for a replay request. It includes the events that this request completes. */
  #chunk(recording: Extract<Recording, { kind: 'replay' }>, before: VisitCounts, now: number): Wanted {
    const { parts, websiteId } = recording
    if (!this.#fragments.hasRoom(websiteId, piecesOf(parts), now)) return 'crowded'
    const events = parts.flatMap((part) => ('text' in part ? [part] : this.#whole(recording, part, now)))
    if (events.length === 0) return 'taken'
    const text = events.map((event) => event.text).join('\n')
    const bytes = utf8Length(text)
    if (before.bytes + bytes > mostOfVisit.bytes) return 'full'
    const times = events.map(({ time }) => time)
    const known = times.map((time) => believed(time, now))
    const { visitId, sessionId, index, hash } = recording
    const row = {
      website_id: websiteId,
      visit_id: visitId,
      session_id: sessionId,
      created_at: timeText(now),
      chunk_index: index ?? Math.floor(now / 1000),
      hash,
      first_at: timeText(Math.min(...known)),
      last_at: timeText(Math.max(...known)),
      times,
      events: text,
    }
    return {
      lines: `${JSON.stringify(row)}\n`,
      weight: bytes,
      after: withChunk(before, bytes, now),
    }
  }

  #whole(recording: Extract<Recording, { kind: 'replay' }>, piece: Piece, now: number): TextPart[] {
    const text = this.#fragments.add(recording, piece, now)
    if (text === undefined) return []
    const parts = assembled(text, recording.level).filter((part): part is TextPart => 'text' in part)
    if (parts.length === 0) this.#fragments.dropped++
    return parts
  }

  /** Stores the lines of one request, which may be too long for one SQLite row. */
  #write(kind: Recording['kind'], lines: string, remembered: Remembered): void {
    const bytes = new TextEncoder().encode(lines)
    const commits = Math.ceil(bytes.length / longestCommit)
    const nothing = new Uint8Array(0)
    const id = this.#store.nextId + commits - 1
    this.#flushes.reserve(remembered.sourceId, remembered.bytes)
    this.#flushes.append(
      ...Array.from({ length: commits }, (_, place) => {
        const part = bytes.slice(place * longestCommit, (place + 1) * longestCommit)
        const [events, calls] = kind === 'replay' ? [part, null] : [null, part]
        return { at: remembered.at, events, calls, packed: place === commits - 1 ? pack([remembered]) : nothing }
      }),
    )
    this.#ids.setCommit(remembered, id, remembered.at)
  }

  /** Restores the visits' totals from a row of the log. */
  #restore(bytes: Uint8Array, commit: number): void {
    const packed = new Packed(bytes)
    for (const start of packed.starts()) {
      const [websiteId, visitId, at] = [packed.sourceId(start), packed.visitId(start), packed.at(start)]
      this.#ids.setCommit({ sourceId: websiteId, eventId: packed.eventId(start) }, commit, at)
      const before = this.#visits.of(websiteId, visitId) ?? nothingYet
      const weight = packed.weight(start)
      this.#today.add(websiteId, sentBytes(weight, packed.bytes(start)), at)
      const after =
        weight >= heatmapBit
          ? { ...before, heatmapEvents: before.heatmapEvents + weight - heatmapBit }
          : withChunk(before, weight, at)
      this.#visits.set(websiteId, visitId, after, at)
    }
  }

  async flush(): Promise<void> {
    await this.#flushes.flush()
    this.#flushes.tidy()
    this.#fragments.dropOld(this.#clock.wall())
    this.#store.forgetBefore(this.#clock.wall() - recordedLasts)
  }

  isEmpty(): boolean {
    return this.#flushes.isEmpty()
  }

  state(): RecordingState {
    const { oldest, rows, bytes, failedFlushes, setAside } = this.#flushes.state()
    const fragments = this.#fragments.dropped
    return { ...this.#counts, fragments, oldest, rows, bytes, failedFlushes, refusedRows: setAside }
  }
}

const nothingYet: VisitCounts = { firstAt: 0, chunks: 0, bytes: 0, heatmapEvents: 0 }

const withChunk = ({ firstAt, chunks, bytes, ...rest }: VisitCounts, more: number, at: number): VisitCounts => ({
  ...rest,
  firstAt: chunks === 0 ? at : firstAt,
  chunks: chunks + 1,
  bytes: bytes + more,
})

const piecesOf = (parts: readonly ChunkPart[]): Piece[] => parts.filter((part) => 'value' in part)

type TextPart = Extract<ChunkPart, { text: string }>

/** The lines to store, and the visit's totals afterwards. */
interface Writing {
  readonly lines: string
  readonly weight: number
  readonly after: VisitCounts
}

/** The lines to store, or the verdict if there is nothing to store. */
type Wanted = Writing | RecordingVerdict

/**
 * How many bytes of JSON count towards the daily limit. For a replay, only its events count, not the row around them.
 */
const sentBytes = (weight: number, bytes: number): number => (weight >= heatmapBit ? bytes : weight)

/** Whether the visit has reached a limit on this kind of recording. */
function isFull(recording: Recording, { firstAt, chunks, heatmapEvents }: VisitCounts, now: number): boolean {
  if (recording.kind === 'heatmap') return heatmapEvents >= mostOfVisit.heatmapEvents
  const isOver = chunks > 0 && now - firstAt > recording.maxDuration + arrivalGrace
  return isOver || chunks >= mostOfVisit.chunks
}

function heatmap(
  { rows, id, websiteId, visitId, sessionId }: Extract<Recording, { kind: 'heatmap' }>,
  before: VisitCounts,
  now: number,
): Wanted {
  if (rows.length === 0) return 'taken'
  const request = id.replaceAll('-', '').slice(0, 16)
  const ids = { website_id: websiteId, visit_id: visitId, session_id: sessionId }
  const lines = rows.map((row, place) => JSON.stringify({ ...ids, arrived_at: timeText(now), request, place, ...row }))
  return {
    lines: `${lines.join('\n')}\n`,
    weight: heatmapBit + rows.length,
    after: { ...before, heatmapEvents: before.heatmapEvents + rows.length },
  }
}
