import type { D1Database } from '@cloudflare/workers-types'
import type { LogState } from './candidate.ts'
import { Delivery } from './delivery.ts'
import { type Destination, eventTables, insertHeartbeat, knowsTokensSince, type WriteServer } from './insert.ts'
import { joined } from './lines.ts'
import { Packed } from './packed.ts'
import type { Commit, FoundCommit, LogStore } from './store.ts'
import { leavesRoom } from './table.ts'

/** Rows go to ClickHouse this many milliseconds after the first of them. */
const patience = 1000

/** The most rows and bytes of JSON of a flush. */
const mostRows = 20_000
const mostBytes = 8_000_000

/** The pause after a failed flush: the first, and the longest. */
const firstPause = 1000
const longestPause = 15_000

/** Milliseconds after which ClickHouse may no longer know a token: it forgets one after 10,000 blocks. */
const tokenLasts = 600_000

/** Commits share a table of SQLite for this many milliseconds. */
const turnAfter = 10_000

/** Commits that are sent to ClickHouse together. Their numbers are consecutive. */
interface Flush {
  /**
   * The deduplication token of its inserts. Each commit stores it, so it outlives the object. It ends in the number of
   * the last commit that ClickHouse had before.
   */
  readonly token: string
  readonly first: number
  last: number
  rows: number
  bytes: number
  /** The first arrival, in milliseconds since 1970. */
  readonly at: number
  readonly bytesBySource: Map<string, number>
  /** Whether it may have been sent before: ClickHouse may have parts of it. */
  isRepeated: boolean
}

/** Carries the commits of a log to ClickHouse, in their order. */
export class Flushes {
  /** Milliseconds since 1970. */
  readonly #now: () => number
  readonly #store: LogStore
  readonly #server: WriteServer
  readonly #delivery: Delivery
  readonly #destination: Destination
  /** Identifies this instance of the object, so that its tokens never equal those of an earlier instance. */
  readonly #life = crypto.randomUUID()
  #count = 0
  /** ClickHouse has all commits up to this one. */
  #stored: number
  /** The value of `#stored` that is written down. */
  #noted: number
  /** Oldest first. The last takes commits, unless it is closed. */
  readonly #open: Flush[] = []
  #isClosed = true
  readonly #waiting = new Map<string, number>()
  #bytes = 0
  #turnedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | undefined
  #failures = 0
  readonly #state = { flushes: 0, failedFlushes: 0, flushTime: 0 }

  constructor(
    store: LogStore,
    server: WriteServer,
    database: D1Database,
    now: () => number,
    destination: Destination = eventTables,
  ) {
    this.#now = now
    this.#destination = destination
    this.#store = store
    this.#noted = store.stored
    this.#stored = Math.max(this.#noted, storedBefore(store.lastFlush))
    this.#server = server
    this.#delivery = new Delivery(destination, server, database, now)
  }

  /** Takes over a commit found when the object was loaded, if ClickHouse may lack it. */
  restore(commit: FoundCommit): void {
    if (commit.id <= this.#stored) return
    let flush = this.#open.at(-1)
    if (flush?.token !== commit.flush) flush = this.#newFlush(commit.flush, commit, true)
    const packed = new Packed(commit.packed)
    this.#extend(flush, commit.id, packed)
    for (const start of packed.starts()) this.reserve(packed.sourceId(start), packed.bytes(start))
  }

  /** Starts to send the restored commits. */
  begin(): void {
    if (!this.isEmpty()) this.#schedule(0)
  }

  /** Drops commits that ClickHouse has, if none waits. */
  tidy(): void {
    if (this.isEmpty()) this.#store.dropAll()
  }

  isEmpty(): boolean {
    return this.#open.length === 0
  }

  /** Whether an object of this capacity, in bytes, has room for more of a website. */
  hasRoom(sourceId: string, bytes: number, capacity: number): boolean {
    const own = this.#waiting.get(sourceId) ?? 0
    return leavesRoom(own + bytes, this.#bytes - own, capacity)
  }

  /** Counts these bytes as waiting from now on. */
  reserve(sourceId: string, bytes: number): void {
    this.#bytes += bytes
    this.#waiting.set(sourceId, (this.#waiting.get(sourceId) ?? 0) + bytes)
  }

  /** Writes commits down, all in one flush. */
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
      this.#extend(flush, id, new Packed(commit.packed))
    }
    this.#schedule(patience)
  }

  #newToken(): string {
    return `${this.#life}-${++this.#count}-${this.#stored}`
  }

  #newFlush(token: string, { id, at }: Pick<Commit, 'id' | 'at'>, isRepeated: boolean): Flush {
    const flush = { token, first: id, last: id, rows: 0, bytes: 0, at, bytesBySource: new Map(), isRepeated }
    this.#open.push(flush)
    return flush
  }

  #extend(flush: Flush, id: number, packed: Packed): void {
    flush.last = id
    flush.rows += packed.count
    for (const start of packed.starts()) {
      const [sourceId, bytes] = [packed.sourceId(start), packed.bytes(start)]
      flush.bytes += bytes
      flush.bytesBySource.set(sourceId, (flush.bytesBySource.get(sourceId) ?? 0) + bytes)
    }
  }

  #schedule(delay: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, delay)
  }

  /** Sends everything that waits now. Resolves when that succeeded or failed. */
  flush(): Promise<void> {
    this.#running ??= this.#flushAll().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #flushAll(): Promise<void> {
    try {
      if (this.isEmpty()) this.#note()
      for (let flush = this.#open[0]; flush; flush = this.#open[0]) {
        if (this.#open.length === 1) this.#close()
        const since = this.#now()
        await this.#carry(flush)
        this.#done(flush)
        this.#failures = 0
        this.#state.flushes++
        this.#state.flushTime += this.#now() - since
        const next = this.#open[0]
        // Later commits wait for their own second, so that there is one insert a second.
        const waits = next ? next.at + patience - this.#now() : 0
        if (next && this.#open.length === 1 && next.bytes < mostBytes / 2 && waits > 0) {
          // Nobody waits longer after the clock was set back.
          return this.#schedule(Math.min(waits, patience))
        }
      }
      if (this.#stored > this.#noted) this.#schedule(patience)
    } catch (error) {
      this.#failures++
      this.#state.failedFlushes++
      // Commits that came in the meantime wait for the pause too.
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#schedule(Math.min(firstPause * 2 ** (this.#failures - 1), longestPause))
      this.#delivery.tell('flush', String(error), { failures: this.#failures })
    }
  }

  /**
   * After a second without events, writes down that ClickHouse has everything. In busy times the token of the next
   * flush records that.
   */
  #note(): void {
    if (this.#stored === this.#noted) return
    this.#noted = this.#stored
    this.#store.noteStored(this.#stored)
  }

  /** Later commits join another flush: the bytes of this one never change again. */
  #close(): void {
    this.#isClosed = true
    const now = this.#now()
    if (now - this.#turnedAt < turnAfter) return
    this.#turnedAt = now
    this.#store.turn()
  }

  async #carry(flush: Flush): Promise<void> {
    const commits = this.#store.jsonOf(flush.first, flush.last)
    const isRepeated = flush.isRepeated
    const isOld = isRepeated && this.#now() - flush.at > tokenLasts
    flush.isRepeated = true
    const [first, second] = this.#destination.tables
    for (const [table, suffix, column] of [
      [first, 'e', 'events'],
      [second, 'c', 'calls'],
    ] as const) {
      const parts = commits.flatMap((commit) => commit[column] ?? [])
      if (parts.length === 0) continue
      const [rows, token] = [joined(parts), `${flush.token}-${suffix}`]
      if (isOld && !(table === 'ingest' && (await knowsTokensSince(this.#server, flush.at))))
        await this.#delivery.deliverOld(table, rows, token)
      else await this.#delivery.deliver(table, rows, token, isRepeated)
    }
    if (this.#destination.beats) await insertHeartbeat(this.#server)
  }

  /** ClickHouse has all of the flush. */
  #done(flush: Flush): void {
    this.#open.shift()
    this.#stored = flush.last
    for (const [sourceId, bytes] of flush.bytesBySource) {
      this.#bytes -= bytes
      const left = this.#waiting.get(sourceId)! - bytes
      if (left > 0) this.#waiting.set(sourceId, left)
      else this.#waiting.delete(sourceId)
    }
    this.#store.dropOther(flush.last)
  }

  state(): Pick<LogState, 'oldest' | 'rows' | 'bytes' | 'flushes' | 'failedFlushes' | 'flushTime' | 'setAside'> {
    const rows = this.#open.reduce((sum, flush) => sum + flush.rows, 0)
    return {
      ...this.#state,
      setAside: this.#delivery.setAsideRows,
      oldest: this.#open[0]?.at,
      rows,
      bytes: this.#bytes,
    }
  }
}

type NewCommit = Omit<Commit, 'id' | 'flush'>

/**
 * The last commit that ClickHouse had when a flush with this token began. Tokens of older versions do not contain it.
 */
const storedBefore = (token: string): number => Number(/^.{36}-\d+-(\d+)$/.exec(token)?.[1] ?? 0)

const sizeOf = ({ events, calls }: NewCommit): number => (events?.length ?? 0) + (calls?.length ?? 0)
const rowsOf = ({ packed }: NewCommit): number => new Packed(packed).count

const total = (commits: readonly NewCommit[], of: (commit: NewCommit) => number): number =>
  commits.reduce((sum, commit) => sum + of(commit), 0)
