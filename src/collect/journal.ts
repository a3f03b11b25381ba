import type { SqlStorage } from '@cloudflare/workers-types'
import type { NewEvent } from './candidate.ts'
import { EventIds, idLasts } from './event-ids.ts'
import { Flushes, type FlushServices } from './flushes.ts'
import { type Destination, eventTables } from './insert.ts'
import { noId, Packed, pack, type Remembered } from './packed.ts'
import { LogStore } from './store.ts'

/** The maximum number of bytes of JSON in one SQLite row. */
const longestCommit = 1_000_000

/** Events waiting for their commit, and what the log remembers about them afterwards. */
class Pending {
  readonly events: string[] = []
  readonly calls: string[] = []
  readonly remembered: Remembered[] = []
  bytes = 0

  constructor(readonly at: number) {}
}

interface Surroundings extends FlushServices {
  readonly sql: SqlStorage
  /** Events that arrive within this many milliseconds share a commit. */
  readonly window: number
  /** Called after each commit. */
  readonly committed: () => void
  /** Called if a commit cannot be written. Returns the error for the waiting callers. */
  readonly failed: (error: unknown) => unknown
}

/** Makes rows durable, remembers their ids, and sends them to ClickHouse. */
export class Journal {
  readonly flushes: Flushes
  readonly #ids = new EventIds()
  readonly #store: LogStore
  readonly #around: Surroundings
  /** The commits that are full, and the one that receives new events. */
  #pending: Pending[] = []
  #committed: Promise<void> | undefined
  #accepted = 0

  /** Calls `found` with each row of the log, oldest first. */
  constructor(prefix: '' | 'old_', around: Surroundings, found: (packed: Packed) => void) {
    this.#around = around
    this.#store = new LogStore(around.sql, prefix)
    const learn = (bytes: Uint8Array, commit: number) => {
      const packed = new Packed(bytes)
      this.#ids.restore(packed, commit)
      found(packed)
    }
    for (const { last, packed } of this.#store.archive()) learn(packed, last)
    const destination: Destination = { ...eventTables, beats: prefix === '' }
    this.flushes = new Flushes(this.#store, around, destination)
    for (const commit of this.#store.commits()) {
      learn(commit.packed, commit.id)
      this.flushes.restore(commit)
    }
    this.flushes.begin()
  }

  /** Resolves once everything added so far is durable. */
  get committed(): Promise<void> | undefined {
    return this.#committed
  }

  /** How many rows have been added since the object was loaded. */
  get accepted(): number {
    return this.#accepted
  }

  /** Whether no event is waiting and none is remembered. */
  isBlank(): boolean {
    return this.#pending.length === 0 && this.#store.isBlank()
  }

  get writtenRows(): number {
    return this.#store.writtenRows
  }

  /** The event with this id, if it arrived within the last hour. `now` is by the steady clock. */
  find(event: Pick<Remembered, 'sourceId' | 'eventId'>, now: number): Remembered | undefined {
    const commit = this.#ids.commitOf(event)
    if (commit === undefined) return undefined
    const waiting = this.#pending[commit - this.#store.nextId]
    if (waiting) {
      return waiting.remembered.find(
        ({ sourceId, eventId }) => sourceId === event.sourceId && eventId === event.eventId,
      )
    }
    const bytes = this.#store.packedOf(commit)
    return bytes && new Packed(bytes).find(event, now - idLasts)
  }

  add({ table, json }: NonNullable<NewEvent['row']>, event: Remembered): void {
    if (this.#pending.length === 0) this.#committed = this.#commitAfterWindow()
    let last = this.#pending.at(-1)
    if (!last || last.bytes + event.bytes > longestCommit) {
      last = new Pending(event.at)
      this.#pending.push(last)
    }
    last.bytes += event.bytes
    last.remembered.push(event)
    ;(table === 'ingest' ? last.events : last.calls).push(json)
    this.flushes.reserve(event.sourceId, event.bytes)
    if (event.eventId !== noId) this.#ids.setCommit(event, this.#store.nextId + this.#pending.length - 1, event.at)
    this.#accepted++
  }

  /**
   * Waits for one window, or for two if more events arrived during the first: writing a row costs more than waiting.
   */
  async #commitAfterWindow(): Promise<void> {
    const window = this.#pause()
    await undefined
    // By now, all events in the first request have been added.
    const accepted = this.#accepted
    await window
    if (this.#accepted > accepted && this.#pending.length === 1) await this.#pause()
    const pending = this.#pending
    this.#pending = []
    try {
      for (const { at, events, calls, remembered } of pending) {
        this.flushes.append({ at, events: linesOf(events), calls: linesOf(calls), packed: pack(remembered) })
      }
      this.#around.committed()
    } catch (error) {
      throw this.#around.failed(error)
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#around.server.clock.after(this.#around.window, resolve))
  }

  /** Sends everything that is waiting now, and drops what ClickHouse has stored. */
  async flush(): Promise<void> {
    await this.flushes.flush()
    this.flushes.tidy()
    this.#store.forgetBefore(this.#around.server.clock.steady() - idLasts)
  }
}

const encoder = new TextEncoder()

const linesOf = (lines: readonly string[]): Uint8Array<ArrayBuffer> | null =>
  lines.length === 0 ? null : encoder.encode(`${lines.join('\n')}\n`)
