import { withoutQuoted } from '../clickhouse/masked.ts'
import { type Carrier, extend, type Flush, newFlush } from './carrier.ts'
import { type Delivery, nobody, Waiting } from './delivery.ts'
import type { EntryTable } from './insert.ts'
import { Packed } from './packed.ts'
import type { FoundCommit, LogStore } from './store.ts'

/** Milliseconds until a flush is tried again that may not pass now. */
const pause = 15_000

/** A flush of which ClickHouse refuses all rows of a table, or whose refused rows find no room. */
interface Held {
  readonly flush: Flush
  table: EntryTable
  /** ClickHouse's words. */
  reason: string
  /** How many inserts into each table had passed when this flush was refused. */
  passed: (table: EntryTable) => number
  /** When it was last tried, by the steady clock. */
  triedAt: number
  /** The websites, links and pixels whose refused rows find no room. */
  full: ReadonlySet<string>
}

/** The flushes that wait apart, so that later ones need not wait for them. */
export class HeldFlushes {
  readonly #store: LogStore
  readonly #carrier: Carrier
  readonly #delivery: Delivery
  /** Oldest first. */
  #all: readonly Held[] = []

  constructor(store: LogStore, carrier: Carrier, delivery: Delivery) {
    this.#store = store
    this.#carrier = carrier
    this.#delivery = delivery
  }

  /** Learns of a commit that was found when the object was loaded. `table`: one that may have refused it. */
  restore(commit: FoundCommit, table: EntryTable): void {
    let flush = this.#all.at(-1)?.flush
    if (flush?.token !== commit.flush) {
      flush = newFlush(commit.flush, commit, true)
      this.#add({ flush, table, reason: '', triedAt: 0, full: nobody })
    }
    extend(flush, commit.id, new Packed(commit.packed))
  }

  /** Takes a flush out of the way of others. */
  hold(flush: Flush, { message, table, full }: Waiting, now: number): void {
    this.#store.hold(flush.first, flush.last)
    this.#add({ flush, table, reason: withoutQuoted(message), triedAt: now, full })
    this.#delivery.tell('insert', message.slice(0, 300), { table, waiting: flush.rows })
  }

  #add(held: Omit<Held, 'passed'>): void {
    this.#all = [...this.#all, { ...held, passed: this.#delivery.passes() }]
  }

  get flushes(): readonly Flush[] {
    return this.#all.map(({ flush }) => flush)
  }

  /** Why the oldest waits. */
  get reason(): string | undefined {
    return this.#all[0]?.reason
  }

  /** Whether refused rows of this website, link or pixel find no room. */
  isFull(sourceId: string): boolean {
    return this.#all.some(({ full }) => full.has(sourceId))
  }

  /**
   * Tries again what may pass now: each flush for whose table other rows passed, and after a pause the oldest one.
   * Calls `done` with each that ClickHouse has then.
   */
  async retry(now: () => number, done: (flush: Flush) => void): Promise<void> {
    for (const held of this.#all) {
      const isDue = now() - held.triedAt >= pause
      const mayPass = this.#delivery.passes()(held.table) > held.passed(held.table) && held.full.size === 0
      if (!mayPass && !(isDue && (held === this.#all[0] || held.full.size > 0))) continue
      if (!(await this.#passes(held))) {
        held.triedAt = now()
        continue
      }
      this.#all = this.#all.filter((one) => one !== held)
      this.#store.dropHeld(held.flush.token, this.#all.length === 0)
      done(held.flush)
    }
  }

  async #passes(held: Held): Promise<boolean> {
    const { flush } = held
    const takesOthers = (table: EntryTable) => this.#delivery.passes()(table) > held.passed(table)
    try {
      await this.#carrier.carry(flush, this.#store.heldJson(flush.token), takesOthers)
      return true
    } catch (error) {
      if (!(error instanceof Waiting)) throw error
      held.table = error.table
      held.reason = withoutQuoted(error.message)
      held.full = error.full
      if (error.full.size === 0) held.passed = this.#delivery.passes()
      return false
    }
  }
}
