import { withoutQuoted } from '../clickhouse/masked.ts'
import { type Carrier, extend, type Flush, newFlush } from './carrier.ts'
import { type Delivery, noneFull, Waiting } from './delivery.ts'
import type { EntryTable } from './insert.ts'
import { Packed } from './packed.ts'
import type { FoundCommit, LogStore } from './store.ts'

/** Milliseconds until a flush is tried again that may not pass now. */
const pause = 15_000

/** A flush of which ClickHouse refused something. */
interface Held {
  readonly flush: Flush
  table: EntryTable
  /** Why ClickHouse refuses it; undefined until it was looked at row by row. */
  reason: string | undefined
  /** How many inserts into each table had passed when this flush was refused. */
  passed: (table: EntryTable) => number
  /** When it was last tried, by the steady clock; undefined if it was not. */
  triedAt: number | undefined
  /** Whether other rows of its table passed, and it failed all the same. */
  isStubborn: boolean
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
      this.#add({ flush, table, triedAt: 0 })
    }
    extend(flush, commit.id, new Packed(commit.packed))
  }

  /** Takes a flush of which ClickHouse refused something out of the way of others. */
  hold(flush: Flush, { table }: Waiting): void {
    this.#store.hold(flush.first, flush.last)
    this.#add({ flush, table, triedAt: undefined })
  }

  #add(held: Pick<Held, 'flush' | 'table' | 'triedAt'>): void {
    const passed = this.#delivery.passes()
    this.#all = [...this.#all, { ...held, passed, reason: undefined, isStubborn: false, full: noneFull }]
  }

  get flushes(): readonly Flush[] {
    return this.#all.map(({ flush }) => flush)
  }

  /** Why the oldest waits. */
  get reason(): string | undefined {
    return this.#all.find(({ reason }) => reason !== undefined)?.reason
  }

  /** Whether refused rows of this website, link or pixel find no room. */
  isFull(sourceId: string): boolean {
    return this.#all.some(({ full }) => full.has(sourceId))
  }

  /**
   * Tries what may pass now: new flushes, those for whose table others passed, and after a pause the oldest one. Calls
   * `done` with each that ClickHouse has then.
   */
  async retry(now: () => number, done: (flush: Flush) => void): Promise<void> {
    for (let held = this.#next(now()); held; held = this.#next(now())) {
      held.triedAt = now()
      const { flush } = held
      const failure = await this.#failureOf(held)
      if (failure === undefined) {
        this.#all = this.#all.filter((one) => one.flush !== flush)
        this.#store.dropHeld(flush.token, this.#all.length === 0)
        done(flush)
        continue
      }
      held.isStubborn ||= this.#mayPass(held)
      if (!held.isStubborn) held.passed = this.#delivery.passes()
      // Nobody can be asked now; later flushes say so.
      if (!(failure instanceof Waiting)) return
      this.#learn(held, failure)
    }
  }

  #next(now: number): Held | undefined {
    return this.#all.find((held, place) => {
      if (held.triedAt === undefined || (!held.isStubborn && this.#mayPass(held))) return true
      return now - held.triedAt >= pause && (place === 0 || held.isStubborn)
    })
  }

  /** Whether ClickHouse took other rows of the table since it refused these. */
  #mayPass({ table, passed }: Held): boolean {
    return this.#delivery.passes()(table) > passed(table)
  }

  /** Tries a flush. Returns why ClickHouse does not have all of it. */
  #failureOf({ flush, passed }: Held): Promise<unknown> {
    const takesOthers = (table: EntryTable) => this.#delivery.passes()(table) > passed(table)
    return this.#carrier.carry(flush, this.#store.heldJson(flush.token), takesOthers).then(
      () => undefined,
      (error: unknown) => error,
    )
  }

  #learn(held: Held, { message, table, full }: Waiting): void {
    const waiting = held.flush.rows
    if (held.reason === undefined) this.#delivery.tell('insert', message.slice(0, 300), { table, waiting })
    Object.assign(held, { reason: withoutQuoted(message), table, full })
  }
}
