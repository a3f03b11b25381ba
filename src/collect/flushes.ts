import type { D1Database } from '@cloudflare/workers-types'
import { withoutQuoted } from '../clickhouse/masked.ts'
import type { LogState } from './candidate.ts'
import { Carrier, extend, type Flush, newFlush, storedBefore } from './carrier.ts'
import type { LogClock } from './clock.ts'
import { Delivery, Waiting } from './delivery.ts'
import { HeldFlushes } from './held.ts'
import { type Destination, eventTables, type WriteServer } from './insert.ts'
import { Packed } from './packed.ts'
import type { Patience } from './patience.ts'
import { WaitingRoom } from './room.ts'
import type { Commit, FoundCommit, LogStore } from './store.ts'

/** The maximum number of rows, and of bytes of JSON, in a flush. */
const mostRows = 20_000
const mostBytes = 8_000_000

/** The first and the maximum pause after failed flushes, in milliseconds. */
const firstPause = 1000
const longestPause = 15_000

/** After this many milliseconds without events since a flush, SQLite records that ClickHouse has everything. */
const noteAfter = 1000

/** How long commits are written to the same SQLite table, in milliseconds. */
const turnAfter = 10_000

/** The parts of the log object that flushes need. */
export interface FlushServices {
  readonly server: WriteServer
  readonly database: D1Database
  readonly patience: Patience
}

/** Sends a log's commits to ClickHouse in order. Refused commits wait separately. */
export class Flushes {
  readonly #clock: LogClock
  readonly #patience: Patience
  readonly #store: LogStore
  readonly #delivery: Delivery
  readonly #carrier: Carrier
  readonly #destination: Destination
  readonly #held: HeldFlushes
  /** Identifies this load of the object. Tokens contain it, so they never equal the tokens of an earlier load. */
  readonly #life = crypto.randomUUID()
  #count = 0
  /** ClickHouse has all commits up to and including this one. */
  #stored: number
  /** The value of `#stored` that SQLite has recorded. */
  #noted: number
  /** Oldest first. Commits are added to the last flush, unless it is closed. */
  readonly #open: Flush[] = []
  #isClosed = true
  readonly #room = new WaitingRoom()
  #turnedAt = 0
  /** When the next flush begins, by the steady clock, and a function that cancels it. */
  #due = Number.POSITIVE_INFINITY
  #callOff = (): void => {}
  #running: Promise<void> | undefined
  #retrying: Promise<void> | undefined
  #failures = 0
  /** Why the last flush failed. */
  #failure: string | undefined
  readonly #state = { flushes: 0, failedFlushes: 0, flushTime: 0 }

  constructor(store: LogStore, { server, database, patience }: FlushServices, destination: Destination = eventTables) {
    this.#clock = server.clock
    this.#patience = patience
    this.#destination = destination
    this.#store = store
    this.#noted = store.stored
    this.#stored = Math.max(this.#noted, storedBefore(store.lastFlush))
    this.#delivery = new Delivery(server, database)
    this.#carrier = new Carrier(destination, server, this.#delivery)
    this.#held = new HeldFlushes(store, this.#carrier, this.#delivery)
  }

  /** Adds a commit that was found when the object was loaded, if ClickHouse may lack it. */
  restore(commit: FoundCommit): void {
    if (commit.id <= this.#stored) return
    let flush = this.#open.at(-1)
    if (flush?.token !== commit.flush) flush = this.#newFlush(commit.flush, commit, true)
    extend(flush, commit.id, new Packed(commit.packed))
    this.#reserveAll(commit)
  }

  #reserveAll({ packed: bytes }: FoundCommit): void {
    const packed = new Packed(bytes)
    for (const start of packed.starts()) this.reserve(packed.sourceId(start), packed.bytes(start))
  }

  /** Starts sending the restored commits. */
  begin(): void {
    for (const commit of this.#store.held()) {
      this.#held.restore(commit, this.#destination.tables[0])
      this.#reserveAll(commit)
    }
    if (!this.isEmpty()) this.#schedule(0)
  }

  /** Deletes all commits from SQLite if none is waiting for ClickHouse. */
  tidy(): void {
    if (this.#open.length === 0) this.#store.dropAll()
  }

  isEmpty(): boolean {
    return this.#open.length + this.#held.flushes.length === 0
  }

  /** Whether an object with this capacity, in bytes, has room for more of a website's rows. */
  hasRoom(sourceId: string, bytes: number, capacity: number): boolean {
    return this.#room.has(sourceId, bytes, capacity) && !this.#held.isFull(sourceId)
  }

  /** Logs that there is no room for a website, and why, at most once a minute. */
  tellFull(website: string): void {
    if (!this.#room.isToTell(website, this.#clock.steady())) return
    const cause = this.#reason ?? 'Events arrive faster than ClickHouse stores them.'
    this.#delivery.tell('room', cause, { website, waiting: this.#room.of(website) })
  }

  /** From now on, counts these bytes as waiting for ClickHouse. */
  reserve(sourceId: string, bytes: number): void {
    this.#room.reserve(sourceId, bytes)
  }

  /** Writes commits to SQLite, all as part of one flush. */
  append(...commits: readonly NewCommit[]): void {
    const [rows, bytes] = [total(commits, rowsOf), total(commits, sizeOf)]
    let flush = this.#open.at(-1)
    if (!flush || this.#isClosed || flush.rows + rows > mostRows || flush.bytes + bytes > mostBytes) {
      const { at } = commits[0]!
      flush = this.#newFlush(this.#newToken(), { at, id: this.#store.nextId }, false)
      this.#isClosed = false
    }
    for (const commit of commits) {
      const id = this.#store.nextId
      this.#store.append({ ...commit, flush: flush.token })
      extend(flush, id, new Packed(commit.packed))
    }
    // After a failure, the commits wait until the pause is over.
    if (this.#failures === 0 || this.#due === Number.POSITIVE_INFINITY) this.#schedule(this.#patience.of(flush))
  }

  #newToken(): string {
    return `${this.#life}-${++this.#count}-${this.#stored}`
  }

  #newFlush(token: string, commit: Pick<Commit, 'id' | 'at'>, isRepeated: boolean): Flush {
    const flush = newFlush(token, commit, isRepeated)
    this.#open.push(flush)
    return flush
  }

  /** Schedules a flush after this many milliseconds, unless one is already due earlier. */
  #schedule(delay: number): void {
    const due = this.#clock.steady() + delay
    if (this.#due <= due) return
    this.#callOff()
    this.#due = due
    this.#callOff = this.#clock.after(delay, () => {
      this.#due = Number.POSITIVE_INFINITY
      void this.flush()
    })
  }

  /** Sends everything that is waiting now. Resolves once that has succeeded or failed. */
  flush(): Promise<void> {
    this.#running ??= this.#flushAll().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #flushAll(): Promise<void> {
    this.#callOff()
    this.#due = Number.POSITIVE_INFINITY
    try {
      if (this.#open.length === 0) this.#note()
      this.#retryHeld()
      for (let flush = this.#open[0]; flush; flush = this.#open[0]) {
        if (this.#open.length === 1) this.#close()
        await this.#carry(flush)
        this.#retryHeld()
        const next = this.#open[0]
        // Commits that arrived in the meantime wait separately, so that there is at most one insert per second.
        const waits = next ? next.at + this.#patience.of(next) - this.#clock.steady() : 0
        if (next && this.#open.length === 1 && next.bytes < mostBytes / 2 && waits > 0) {
          return this.#schedule(Math.min(waits, this.#patience.of(next)))
        }
      }
      this.#succeeded()
      const flushNothing = () => void (this.#open.length === 0 && this.flush())
      if (this.#stored > this.#noted) this.#clock.after(noteAfter, flushNothing)
      if (!this.isEmpty()) this.#schedule(longestPause)
    } catch (error) {
      this.#failures++
      this.#state.failedFlushes++
      // Commits that arrived in the meantime also wait until the pause is over.
      this.#callOff()
      this.#due = Number.POSITIVE_INFINITY
      this.#schedule(Math.min(firstPause * 2 ** (this.#failures - 1), longestPause))
      this.#failure = withoutQuoted(String(error))
      this.#delivery.tell('flush', this.#failure, { failures: this.#failures })
    }
  }

  /**
   * After a second without events, records in SQLite that ClickHouse has everything. At busy times, the token of the
   * next flush records this.
   */
  #note(): void {
    if (this.#stored === this.#noted) return
    this.#noted = this.#stored
    this.#store.noteStored(this.#stored)
  }

  /** Closes the flush. Later commits join another one, so the bytes of this flush never change again. */
  #close(): void {
    this.#isClosed = true
    const now = this.#clock.steady()
    if (now - this.#turnedAt < turnAfter) return
    this.#turnedAt = now
    this.#store.turn()
  }

  /** Sends a flush. Holds it back if ClickHouse refuses rows. */
  async #carry(flush: Flush): Promise<void> {
    const [since, { isRepeated }] = [this.#clock.steady(), flush]
    const carried = this.#carrier.carry(flush, this.#store.jsonOf(flush.first, flush.last))
    const refusal = await carried.catch((error: unknown) => {
      if (error instanceof Waiting) return error
      throw error
    })
    this.#open.shift()
    this.#stored = flush.last
    // ClickHouse stores nothing from a refused insert.
    if (refusal) this.#hold(Object.assign(flush, { isRepeated }), refusal)
    else this.#release(flush)
    this.#store.dropOther(flush.last)
    this.#succeeded()
    this.#state.flushTime += this.#clock.steady() - since
  }

  #succeeded(): void {
    this.#failures = 0
    this.#failure = undefined
  }

  #hold(flush: Flush, refusal: Waiting): void {
    this.#held.hold(flush, refusal)
    this.#noted = flush.last
    this.#state.failedFlushes++
  }

  /** Retries the held flushes, in parallel with other flushes. */
  #retryHeld(): void {
    const now = () => this.#clock.steady()
    this.#retrying ??= this.#held
      .retry(now, (flush) => this.#release(flush))
      .finally(() => {
        this.#retrying = undefined
      })
  }

  /** Records that ClickHouse has the whole flush. */
  #release(flush: Flush): void {
    this.#state.flushes++
    this.#room.release(flush.bytesBySource)
  }

  /** Why inserts are failing; undefined if they are not. */
  get #reason(): string | undefined {
    return this.#failure ?? this.#held.reason
  }

  state(): Pick<
    LogState,
    'oldest' | 'rows' | 'bytes' | 'flushes' | 'failedFlushes' | 'failure' | 'flushTime' | 'setAside'
  > {
    const waiting = [...this.#held.flushes, ...this.#open]
    const [age] = waiting.map(({ at }) => Math.max(0, this.#clock.steady() - at))
    return {
      ...this.#state,
      failure: this.#reason,
      setAside: this.#delivery.setAsideRows,
      oldest: age === undefined ? undefined : this.#clock.wall() - age,
      rows: waiting.reduce((sum, flush) => sum + flush.rows, 0),
      bytes: this.#room.bytes,
    }
  }
}

type NewCommit = Omit<Commit, 'id' | 'flush'>

const sizeOf = ({ events, calls }: NewCommit): number => (events?.length ?? 0) + (calls?.length ?? 0)
const rowsOf = ({ packed }: NewCommit): number => new Packed(packed).count

const total = (commits: readonly NewCommit[], of: (commit: NewCommit) => number): number =>
  commits.reduce((sum, commit) => sum + of(commit), 0)
