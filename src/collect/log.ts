import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState } from '@cloudflare/workers-types'
import { type Env, numberOr } from '../env.ts'
import type { Candidate, LogState, Verdict } from './candidate.ts'
import { utf8Length } from './characters.ts'
import { Flushes } from './flushes.ts'
import { visitLasts } from './identity.ts'
import { faultOf, writeServer } from './insert.ts'
import { idLasts, Memory } from './memory.ts'
import { noId, Packed, pack, type Remembered } from './packed.ts'
import type { Recording, RecordingState, RecordingVerdict } from './recording-candidate.ts'
import { RecordingLog } from './recordings.ts'
import { Sources } from './sources.ts'
import { LogStore } from './store.ts'

/** Events that arrive within this many milliseconds share a commit; busy times wait up to twice as long. */
const defaultWindow = 5

/** The most bytes of JSON of a row of SQLite. */
const longestCommit = 1_000_000

/** The most bytes that wait for ClickHouse in one object. One website may take half of them. */
const defaultCapacity = 4_000_000_000

/** An alarm looks after an object this many milliseconds after its last events, should its timers be gone. */
const alarmAfter = 60_000

/** Milliseconds since 1970. */
const clock = (): number => Date.now()

/** Events that wait for their commit, and what the log will remember of them. */
class Pending {
  readonly events: string[] = []
  readonly calls: string[] = []
  readonly remembered: Remembered[] = []
  bytes = 0

  constructor(readonly at: number) {}
}

/**
 * Takes the events of some websites, makes them durable before it answers, and carries them to ClickHouse. Between two
 * awaits it does everything or nothing: SQLite writes all of it at once, and no answer leaves before that.
 */
export class EventLog extends DurableObject<Env> {
  readonly #memory = new Memory()
  readonly #sources: Sources
  readonly #store: LogStore
  readonly #flushes: Flushes
  /** An object takes events or recordings; it learns which by what it is asked. */
  readonly #recordings: RecordingLog
  readonly #window: number
  readonly #capacity: number
  /** Commits that are full, and the one that takes events. */
  #pending: Pending[] = []
  #committed: Promise<void> | undefined
  #alarmAt = 0
  /** Why nothing is collected. */
  #fault: string | undefined
  readonly #counts = { accepted: 0, repeats: 0, refused: 0, full: 0 }
  readonly #bots = new Map<string, number>()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#window = numberOr(defaultWindow, env.COLLECT_WINDOW)
    this.#capacity = numberOr(defaultCapacity, env.COLLECT_CAPACITY)
    this.#sources = new Sources(env.METADATA)
    this.#store = new LogStore(ctx.storage.sql)
    for (const { last, packed } of this.#store.archive()) this.#memory.restore(packed, last)
    const server = writeServer(env)
    // A server that does not answer may be the right one: the events wait for it.
    void faultOf(server).then(
      (fault) => {
        this.#fault = fault
      },
      () => {},
    )
    this.#flushes = new Flushes(this.#store, server, env.METADATA, clock)
    for (const commit of this.#store.commits()) {
      this.#memory.restore(commit.packed, commit.id)
      this.#flushes.restore(commit)
    }
    this.#flushes.begin()
    this.#recordings = new RecordingLog(ctx.storage.sql, server, env, clock)
  }

  /** Stores a request of a recorder. Resolves once it is durable. */
  async record(recording: Recording): Promise<RecordingVerdict> {
    if (this.#fault !== undefined) throw new Error(this.#fault)
    try {
      const verdict = this.#recordings.append(recording)
      if (!this.#recordings.isEmpty()) this.#setAlarm(clock())
      return verdict
    } catch (error) {
      throw this.#begunAgain(error)
    }
  }

  /** Judges the candidates in their order. Resolves once everything that is to be stored is durable. */
  async append(candidates: readonly Candidate[]): Promise<Verdict[]> {
    const ids = candidates.map(({ source }) => source.id)
    const kinds = await this.#sources.look(ids, clock())
    if (this.#fault !== undefined) throw new Error(this.#fault)
    const moment = clock()
    const verdicts = candidates.map((candidate) => this.#judge(candidate, kinds.get(candidate.source.id), moment))
    // A repeat is answered with its first, so it waits for the first one's commit.
    await this.#committed
    return verdicts
  }

  /** Some website, link or pixel was made or deleted. */
  async forget(): Promise<void> {
    this.#sources.forget()
  }

  async state(): Promise<LogState> {
    return {
      ...this.#counts,
      ...this.#flushes.state(),
      writtenRows: this.#store.writtenRows,
      bots: [...this.#bots].sort(([, one], [, other]) => other - one).slice(0, 100),
    }
  }

  async recordingState(): Promise<RecordingState> {
    return this.#recordings.state()
  }

  async alarm(): Promise<void> {
    this.#alarmAt = 0
    await Promise.all([this.#flushes.flush(), this.#recordings.flush()])
    this.#flushes.tidy()
    this.#store.forgetBefore(clock() - idLasts)
    if (!this.#flushes.isEmpty() || !this.#recordings.isEmpty()) this.#setAlarm(clock())
  }

  /** `kind`: of the source with this id, if there is one. */
  #judge({ source, event }: Candidate, kind: string | undefined, now: number): Verdict {
    if (kind !== source.kind) {
      this.#counts.refused++
      return 'unknown'
    }
    if (event === 'blocked') return 'ignored'
    if (event === 'bot') {
      this.#countBot(source.id)
      return 'ignored'
    }
    const { eventId = noId, sessionId, token, fixedVisitId, row } = event
    const earlier = eventId === noId ? undefined : this.#find({ sourceId: source.id, eventId }, now)
    if (earlier) {
      this.#counts.repeats++
      return { sessionId: earlier.sessionId, visitId: earlier.visitId, at: earlier.isNow ? earlier.at : undefined }
    }
    const visitId = fixedVisitId ?? this.#visitOf(sessionId, token, now)
    if (row) {
      const json = row.table === 'ingest' ? `${row.json.slice(0, -1)},"visit_id":"${visitId}"}` : row.json
      const bytes = utf8Length(json) + lineBreak
      if (!this.#flushes.hasRoom(source.id, bytes, this.#capacity)) {
        this.#counts.full++
        return 'full'
      }
      const isNow = fixedVisitId === undefined
      this.#add(row.table, json, { sourceId: source.id, eventId, sessionId, visitId, at: now, bytes, isNow })
    }
    if (fixedVisitId !== undefined) return { sessionId, visitId, at: undefined }
    this.#memory.setVisit(sessionId, visitId, now)
    return { sessionId, visitId, at: now }
  }

  #countBot(websiteId: string): void {
    // Only websites that exist are counted.
    this.#bots.set(websiteId, (this.#bots.get(websiteId) ?? 0) + 1)
  }

  /** The visit that goes on, by the log's memory or the token, whichever saw the session later; else a new one. */
  #visitOf(
    sessionId: string,
    token: { readonly visitId: string; readonly at: number } | undefined,
    now: number,
  ): string {
    const known = this.#memory.visitOf(sessionId, now)
    const isTokenRecent = token !== undefined && now - token.at <= visitLasts
    if (known && !(isTokenRecent && token.at > known.at)) return known.visitId
    return isTokenRecent ? token.visitId : crypto.randomUUID()
  }

  /** The event of the last hour with this id. */
  #find(event: Pick<Remembered, 'sourceId' | 'eventId'>, now: number): Remembered | undefined {
    const commit = this.#memory.commitOf(event)
    if (commit === undefined) return undefined
    const waiting = this.#pending[commit - this.#store.nextId]
    if (waiting) {
      return waiting.remembered.find(
        ({ sourceId, eventId }) => sourceId === event.sourceId && eventId === event.eventId,
      )
    }
    const bytes = this.#store.packedOf(commit)
    if (!bytes) return undefined
    return new Packed(bytes).find(event, now - idLasts)
  }

  #add(table: 'ingest' | 'ingest_session_data', json: string, event: Remembered): void {
    if (this.#pending.length === 0) this.#committed = this.#commitAfterWindow()
    let last = this.#pending.at(-1)
    if (!last || last.bytes + event.bytes > longestCommit) {
      last = new Pending(event.at)
      this.#pending.push(last)
    }
    last.bytes += event.bytes
    last.remembered.push(event)
    ;(table === 'ingest' ? last.events : last.calls).push(json)
    this.#flushes.reserve(event.sourceId, event.bytes)
    if (event.eventId !== noId) {
      this.#memory.setCommit(event, this.#store.nextId + this.#pending.length - 1, event.at)
    }
    this.#counts.accepted++
  }

  /** Waits for one window, or for two if more events came in the first: a written row costs more than the wait. */
  async #commitAfterWindow(): Promise<void> {
    const window = this.#pause()
    await undefined
    // All events of the first request are there.
    const { accepted } = this.#counts
    await window
    if (this.#counts.accepted > accepted && this.#pending.length === 1) await this.#pause()
    const pending = this.#pending
    this.#pending = []
    try {
      for (const { at, events, calls, remembered } of pending) {
        this.#flushes.append({ at, events: linesOf(events), calls: linesOf(calls), packed: pack(remembered) })
      }
      this.#setAlarm(clock())
    } catch (error) {
      throw this.#begunAgain(error)
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.#window))
  }

  /** What the memory knows is not on the disk: the object begins again with what is. Returns the error. */
  #begunAgain(error: unknown): unknown {
    this.ctx.abort(`The log cannot be written: ${String(error)}`)
    return error
  }

  /**
   * An alarm is a written row, so there is at most one in its time. One that is due is not set again: that would put it
   * off, on a busy object for ever.
   */
  #setAlarm(now: number): void {
    if (this.#alarmAt > now - alarmAfter) return
    this.#alarmAt = now + alarmAfter
    void this.ctx.storage.setAlarm(this.#alarmAt)
  }
}

const encoder = new TextEncoder()

const lineBreak = 1

const linesOf = (lines: readonly string[]): Uint8Array<ArrayBuffer> | null =>
  lines.length === 0 ? null : encoder.encode(`${lines.join('\n')}\n`)
