import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState } from '@cloudflare/workers-types'
import { type Env, numberOr } from '../env.ts'
import { dayLength } from '../request/time-zone.ts'
import type { Candidate, LogState, Refused, Verdict } from './candidate.ts'
import { LogClock } from './clock.ts'
import type { EventQuestion, KnownEvent } from './event-question.ts'
import { forget } from './forget.ts'
import { faultOf, writeServer } from './insert.ts'
import { Journal } from './journal.ts'
import { Judge } from './judge.ts'
import type { HourState } from './last-hour.ts'
import type { LogPlace } from './objects.ts'
import { mostPatience, Patience } from './patience.ts'
import type { Recording, RecordingState, RecordingVerdict } from './recording-candidate.ts'
import { RecordingLog } from './recordings.ts'
import { Siblings } from './siblings.ts'
import { Sources } from './sources.ts'
import { type Spread, Spreads, unspread } from './spread.ts'
import { RunningVisits } from './visits.ts'

/** Events that arrive within this many milliseconds share a commit. At busy times, they wait up to twice as long. */
const defaultWindow = 5

/**
 * The maximum number of bytes that may wait for ClickHouse in one object. Old events have a separate limit of the same
 * size.
 */
const defaultCapacity = 4_000_000_000

/** The log objects in this isolate for which a check found the file intact. */
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
  /**
   * For events so late that their senders needed an API key. They are separate, so that other events never wait for
   * them.
   */
  readonly #old: Journal
  /** An object accepts either events or recordings. The first call decides which. */
  readonly #recordings: RecordingLog
  readonly #judge: Judge
  #alarmAt = 0
  #forgotAt = 0
  /** Why no events are being collected; undefined if they are. */
  #fault: string | undefined
  readonly #clock = new LogClock()
  readonly #patience = new Patience(this.#clock, this.env.COLLECT_PATIENCE)
  readonly #spreads: Spreads
  readonly #siblings: Siblings

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const id = String(ctx.id)
    const fault = env.CHECK_LOGS && !whole.has(id) ? faultOfFile(ctx) : undefined
    if (fault !== undefined) throw new Error(fault)
    whole.add(id)
    this.#sources = new Sources(env.METADATA)
    this.#spreads = new Spreads(ctx.storage.sql, env)
    this.#siblings = new Siblings(env, this.#clock, this.#spreads)
    const server = writeServer(env, this.#clock, ctx.id.name)
    // If the server does not respond, it may still be the right one, so the events wait for it.
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
    this.#judge = new Judge({
      ...{ clock: this.#clock, visits: this.#visits, journal: this.#journal, old: this.#old, spreads: this.#spreads },
      capacity: numberOr(defaultCapacity, env.COLLECT_CAPACITY),
    })
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

  /** Checks the candidates in order. Resolves once everything that is to be stored is durable. */
  async append(candidates: readonly Candidate[], place: LogPlace): Promise<Verdict[]> {
    const ids = candidates.map(({ source }) => source.id)
    const kinds = await this.#sources.look(ids, this.#clock.wall())
    if (this.#fault !== undefined) throw new Error(this.#fault)
    for (const { source, spread } of candidates) if (spread) this.#spreads.hear(source.id, spread)
    if (place.index === 0) this.#lead(place, new Set(ids.filter((id) => kinds.get(id) !== undefined)))
    const verdicts = await this.#siblings.decide(place, candidates, (answers) => {
      const moment = this.#clock.both()
      const stored = new Set<string>()
      const all = candidates.map((one, number) => {
        const before = this.#accepted
        const verdict = this.#judge.judge(one, kinds.get(one.source.id), answers[number]!, moment)
        if (this.#accepted > before) stored.add(one.source.id)
        return verdict
      })
      if (place.index === 0) this.#spreads.count(stored, moment.steady)
      return all
    })
    // A repeat gets the same answer as the first event, so it waits for that event's commit.
    await this.#committed
    return verdicts
  }

  /** How many rows have been added since the object was loaded. */
  get #accepted(): number {
    return this.#journal.accepted + this.#old.accepted
  }

  get #committed(): Promise<unknown> {
    return Promise.all([this.#journal.committed, this.#old.committed])
  }

  /** The first object of a log decides how many objects each website has. */
  #lead(place: LogPlace, sourceIds: ReadonlySet<string>): void {
    this.#spreads.begin(sourceIds)
    // If an object does not respond, the next attempt is in an hour.
    this.#siblings.narrow(place, this.#clock.steady()).catch(() => {})
  }

  /** The highest number of objects that any website has. Only the first object of a log knows this. */
  async objects(): Promise<number> {
    return this.#spreads.most
  }

  /**
   * The spread of a website. Only the first object of a log knows it. `known`: the newest one that the caller knows.
   */
  async spreadOf(sourceId: string, known: Spread): Promise<Spread> {
    this.#spreads.hear(sourceId, known)
    return this.#spreads.of(sourceId)
  }

  /**
   * What this object knows about events that other objects received. From now on, it refuses events sent by older
   * spreads.
   */
  async known(askings: readonly EventQuestion[]): Promise<(KnownEvent | undefined)[]> {
    const now = this.#clock.both()
    const all = askings.map((one): KnownEvent | undefined => {
      this.#spreads.hear(one.sourceId, one.spread)
      const { first = this.#siblings.isUndecided(one) ? 'undecided' : undefined, visits } = this.#judge.known(one, now)
      return first || visits.length > 0 ? { first, visits } : undefined
    })
    if (all.some((one) => one?.first)) await this.#committed
    return all
  }

  /**
   * Whether no event is waiting here and none is remembered. From now on, the object refuses events of the website that
   * were sent by an older spread than `fence`.
   */
  async isBlank(sourceId?: string, fence = unspread): Promise<boolean> {
    await this.#flush()
    if (sourceId !== undefined) this.#spreads.hear(sourceId, fence)
    return this.#journal.isBlank() && this.#old.isBlank()
  }

  /** Counts events that the Worker has refused. */
  async countRefused(all: readonly Refused[]): Promise<void> {
    const ids = all.map(({ source }) => source.id)
    const kinds = await this.#sources.look(ids, this.#clock.wall())
    for (const { source, fields } of all) {
      if (kinds.get(source.id) !== source.kind) continue
      for (const field of fields) this.#judge.lastHour.add(source.id, `refused.${field}`, this.#clock.wall())
    }
  }

  /** What happened to a website's events in the last hour. */
  async lastHour(websiteId: string): Promise<HourState> {
    return this.#judge.lastHour.of(websiteId, this.#clock.wall())
  }

  /** Must be called after a website, link or pixel has been created or deleted. */
  async forget(): Promise<void> {
    this.#sources.forget()
  }

  async state(): Promise<LogState> {
    const [own, old] = [this.#journal.flushes.state(), this.#old.flushes.state()]
    return {
      ...this.#judge.counts,
      oldest: own.oldest,
      rows: own.rows + old.rows,
      bytes: own.bytes + old.bytes,
      oldRows: old.rows,
      accepted: this.#accepted,
      setAside: own.setAside + old.setAside,
      flushes: own.flushes + old.flushes,
      failedFlushes: own.failedFlushes + old.failedFlushes,
      failure: own.failure ?? old.failure,
      flushTime: own.flushTime + old.flushTime,
      writtenRows: this.#journal.writtenRows + this.#old.writtenRows,
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

  /** Call this when somebody queries current events. Resolves once they have been sent, or in a minute. */
  async asked(): Promise<void> {
    this.#patience.asked()
    await this.#flush()
  }

  /**
   * Sends what is waiting. Resolves after a minute at the latest, because sending does not end while events arrive as
   * fast as ClickHouse stores them, and the platform restarts an object whose alarm takes 15 minutes.
   */
  async #flush(): Promise<void> {
    let callOff = (): void => {}
    const isLong = new Promise<void>((resolve) => {
      callOff = this.#clock.after(mostPatience, resolve)
    })
    const sent = Promise.all([this.#journal.flush(), this.#old.flush(), this.#recordings.flush()])
    await Promise.race([isLong, sent]).finally(() => callOff())
  }

  #isEmpty(): boolean {
    return [this.#journal.flushes, this.#old.flushes, this.#recordings].every((one) => one.isEmpty())
  }

  /** Runs once a day while events arrive. If no events arrive, the daily purge does this. */
  async #forget(now: number): Promise<void> {
    if (now - this.#forgotAt < dayLength) return
    this.#forgotAt = now
    await forget(this.env, this.env.METADATA, now).catch(() => {
      this.#forgotAt = 0
    })
  }

  /** Restarts the object from the disk, because its memory differs from the disk. Returns the error. */
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
