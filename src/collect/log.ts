import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState } from '@cloudflare/workers-types'
import { type Env, numberOr } from '../env.ts'
import type { Candidate, LogState, NewEvent, Refused, Verdict } from './candidate.ts'
import { utf8Length } from './characters.ts'
import { LogClock } from './clock.ts'
import { WebsiteCounts } from './counts.ts'
import { forget } from './forget.ts'
import { dayLasts } from './identity.ts'
import { IgnoredEvents } from './ignored.ts'
import { faultOf, writeServer } from './insert.ts'
import { Journal } from './journal.ts'
import { type HourState, LastHour } from './last-hour.ts'
import { noId, type Remembered } from './packed.ts'
import { mostPatience, Patience } from './patience.ts'
import type { Recording, RecordingState, RecordingVerdict } from './recording-candidate.ts'
import { RecordingLog } from './recordings.ts'
import { belongingIn } from './session.ts'
import { Sources } from './sources.ts'
import { RunningVisits } from './visits.ts'

/** Events that arrive within this many milliseconds share a commit. At busy times, they wait up to twice as long. */
const defaultWindow = 5

/**
 * The maximum number of bytes that may wait for ClickHouse in one object. Old events have a separate limit of the same
 * size.
 */
const defaultCapacity = 4_000_000_000

/** The log objects in this isolate whose files were found intact. */
const whole = new Set<string>()

/** The damage that SQLite finds in a log's file; undefined if there is none. Throws if the file cannot be read. */
function faultOfFile({ storage }: DurableObjectState): string | undefined {
  const { quick_check: found } = storage.sql.exec('PRAGMA quick_check(1)').one()
  return found === 'ok' ? undefined : String(found)
}

/**
 * Accepts the events of some websites, makes them durable before it responds, and sends them to ClickHouse. Writes
 * between two awaits form one SQLite transaction, and no response is sent before the transaction ends.
 */
export class EventLog extends DurableObject<Env> {
  readonly #visits = new RunningVisits()
  readonly #sources: Sources
  readonly #journal: Journal
  /** For events so late that they needed a key. They are separate, so that other events never wait for them. */
  readonly #old: Journal
  /** An object accepts either events or recordings. The first call decides which. */
  readonly #recordings: RecordingLog
  readonly #capacity: number
  #alarmAt = 0
  #forgotAt = 0
  /** Why nothing is being collected; undefined if events are. */
  #fault: string | undefined
  readonly #counts = { repeats: 0, refused: 0, full: 0, ignored: 0 }
  readonly #bots = new WebsiteCounts()
  readonly #warnings = new WebsiteCounts()
  readonly #ignored = new IgnoredEvents()
  readonly #clock = new LogClock()
  readonly #patience = new Patience(this.#clock, this.env.COLLECT_PATIENCE)
  readonly #lastHour = new LastHour(this.#clock.wall())

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const id = String(ctx.id)
    const fault = env.CHECK_LOGS && !whole.has(id) ? faultOfFile(ctx) : undefined
    if (fault !== undefined) throw new Error(fault)
    whole.add(id)
    this.#capacity = numberOr(defaultCapacity, env.COLLECT_CAPACITY)
    this.#sources = new Sources(env.METADATA)
    const server = writeServer(env, this.#clock, ctx.id.name)
    // A server that does not respond may be the right one, so the events wait for it.
    void faultOf(server).then(
      (fault) => {
        this.#fault = fault
      },
      () => {},
    )
    const around = {
      ...{ sql: ctx.storage.sql, server, database: env.METADATA, patience: this.#patience },
      window: numberOr(defaultWindow, env.COLLECT_WINDOW),
      committed: () => this.#setAlarm(),
      failed: (error: unknown) => this.#begunAgain(error),
    }
    this.#journal = new Journal('', around, (packed) => this.#visits.restore(packed))
    this.#old = new Journal('old_', around, () => {})
    this.#recordings = new RecordingLog(around, env)
    if (!this.#isEmpty()) this.#setAlarm()
  }

  /** Stores a recorder's request. Resolves once it is durable. */
  async record(recording: Recording): Promise<RecordingVerdict> {
    if (this.#fault !== undefined) throw new Error(this.#fault)
    try {
      const verdict = this.#recordings.append(recording)
      if (!this.#recordings.isEmpty()) this.#setAlarm()
      return verdict
    } catch (error) {
      throw this.#begunAgain(error)
    }
  }

  /** Checks the candidates in order. Resolves once everything to be stored is durable. */
  async append(candidates: readonly Candidate[]): Promise<Verdict[]> {
    const ids = candidates.map(({ source }) => source.id)
    const kinds = await this.#sources.look(ids, this.#clock.wall())
    if (this.#fault !== undefined) throw new Error(this.#fault)
    const moment = this.#clock.wall()
    const verdicts = candidates.map((candidate) => this.#judge(candidate, kinds.get(candidate.source.id), moment))
    // A repeat receives the first event's answer, so it waits for that event's commit.
    await Promise.all([this.#journal.committed, this.#old.committed])
    return verdicts
  }

  /** Counts events that the Worker has refused. */
  async countRefused(all: readonly Refused[]): Promise<void> {
    const ids = all.map(({ source }) => source.id)
    const kinds = await this.#sources.look(ids, this.#clock.wall())
    for (const { source, fields } of all) {
      if (kinds.get(source.id) !== source.kind) continue
      for (const field of fields) this.#lastHour.add(source.id, `refused.${field}`, this.#clock.wall())
    }
  }

  /** What happened to a website's events in the last hour. */
  async lastHour(websiteId: string): Promise<HourState> {
    return this.#lastHour.of(websiteId, this.#clock.wall())
  }

  /** Must be called after a website, link or pixel has been created or deleted. */
  async forget(): Promise<void> {
    this.#sources.forget()
  }

  async state(): Promise<LogState> {
    const [own, old] = [this.#journal.flushes.state(), this.#old.flushes.state()]
    return {
      ...this.#counts,
      oldest: own.oldest,
      rows: own.rows + old.rows,
      bytes: own.bytes + old.bytes,
      oldRows: old.rows,
      accepted: this.#journal.accepted + this.#old.accepted,
      setAside: own.setAside + old.setAside,
      flushes: own.flushes + old.flushes,
      failedFlushes: own.failedFlushes + old.failedFlushes,
      failure: own.failure ?? old.failure,
      flushTime: own.flushTime + old.flushTime,
      writtenRows: this.#journal.writtenRows + this.#old.writtenRows,
      bots: this.#bots.most(),
      warnings: this.#warnings.most(),
    }
  }

  async recordingState(): Promise<RecordingState> {
    return this.#recordings.state()
  }

  /** The damage in the object's file; undefined if there is none. */
  async fault(): Promise<string | undefined> {
    return faultOfFile(this.ctx)
  }

  async alarm(): Promise<void> {
    this.#alarmAt = 0
    await Promise.all([this.#flush(), this.#forget(this.#clock.wall())])
    if (!this.#isEmpty()) this.#setAlarm()
  }

  /** Must be called when somebody asks about current events. Resolves once all waiting rows have been sent. */
  async asked(): Promise<void> {
    this.#patience.asked()
    await this.#flush()
  }

  async #flush(): Promise<void> {
    await Promise.all([this.#journal.flush(), this.#old.flush(), this.#recordings.flush()])
  }

  #isEmpty(): boolean {
    return [this.#journal.flushes, this.#old.flushes, this.#recordings].every((one) => one.isEmpty())
  }

  /** Runs once a day while events arrive. If no events arrive, the daily purge does this. */
  async #forget(now: number): Promise<void> {
    if (now - this.#forgotAt < dayLasts) return
    this.#forgotAt = now
    await forget(this.env, this.env.METADATA, now).catch(() => {
      this.#forgotAt = 0
    })
  }

  /** `kind`: the kind of the source with this id, if it exists. */
  #judge({ source, event, warnings = [] }: Candidate, kind: string | undefined, now: number): Verdict {
    if (kind !== source.kind) {
      this.#counts.refused++
      return 'unknown'
    }
    if (event === 'blocked') {
      this.#lastHour.add(source.id, 'blocked', now)
      return 'ignored'
    }
    if (event === 'bot') {
      this.#bots.add(source.id, 1)
      this.#lastHour.add(source.id, 'bots', now)
      return 'ignored'
    }
    if (warnings.length > 0) this.#warnings.add(source.id, warnings.length)
    for (const field of warnings) this.#lastHour.add(source.id, `warnings.${field}`, now)
    if (event.isIgnored) {
      this.#counts.ignored++
      this.#lastHour.add(source.id, 'blocked', now)
      return this.#ignored.answer(source.id, event, now)
    }
    const ids = { sourceId: source.id, eventId: event.eventId ?? noId }
    const steady = this.#clock.steady()
    const first = ids.eventId === noId ? undefined : this.#find(ids, steady)
    if (first && first.anonymousId === event.sender.anonymousId) {
      this.#counts.repeats++
      const { sessionId, visitId, owner, isNow, at } = first
      return { sessionId, visitId, owner, at: isNow ? at + now - steady : undefined }
    }
    const belonging = belongingIn(this.#visits, event, now)
    // Lists show the ids of events. A sender who repeats the id of another sender's event learns nothing and stores
    // nothing.
    if (first) this.#counts.repeats++
    else if (event.row && !this.#store(event.row, event, { ...ids, ...belonging, at: steady })) return 'full'
    return { ...belonging, at: event.lateAt === undefined ? now : undefined }
  }

  /** Stores a row and remembers its visit. Returns false if there is no room. */
  #store(row: NonNullable<NewEvent['row']>, event: NewEvent, seen: SeenEvent): boolean {
    const { sessionId, visitId } = seen
    const now = this.#clock.wall()
    const visit = row.table === 'ingest' ? `,"visit_id":"${visitId}"` : ''
    const json = `${row.json.slice(0, -1)},"session_id":"${sessionId}"${visit}}`
    const bytes = utf8Length(json) + lineBreak
    const journal = event.isOld ? this.#old : this.#journal
    if (!journal.flushes.hasRoom(seen.sourceId, bytes, this.#capacity)) {
      this.#counts.full++
      journal.flushes.tellFull(seen.sourceId)
      this.#lastHour.add(seen.sourceId, 'full', now)
      return false
    }
    this.#lastHour.add(seen.sourceId, 'stored', now)
    const isNow = event.lateAt === undefined
    const remembered: Remembered = { ...seen, anonymousId: event.sender.anonymousId, bytes, isNow }
    journal.add({ table: row.table, json }, remembered)
    if (isNow) this.#visits.set({ ...remembered, at: now })
    return true
  }

  #find(ids: Pick<Remembered, 'sourceId' | 'eventId'>, now: number): Remembered | undefined {
    return this.#journal.find(ids, now) ?? this.#old.find(ids, now)
  }

  /** Restarts the object from disk, because its memory no longer matches the disk. Returns the error. */
  #begunAgain(error: unknown): unknown {
    this.ctx.abort(`The log cannot be written: ${String(error)}`)
    return error
  }

  /**
   * An alarm wakes an object whose timers were lost. Setting one writes a row, so at most one is set at a time. An
   * alarm that is due is not set again, because a busy object would otherwise postpone it forever.
   */
  #setAlarm(): void {
    const now = this.#clock.wall()
    // An alarm further away than this was set before the clock was changed.
    if (Math.abs(this.#alarmAt - now) <= mostPatience) return
    this.#alarmAt = now + mostPatience
    void this.ctx.storage.setAlarm(this.#alarmAt)
  }
}

const lineBreak = 1

type SeenEvent = Omit<Remembered, 'anonymousId' | 'bytes' | 'isNow'>
