import { withoutQuoted } from '../clickhouse/masked.ts'
import { type Carrier, extend, type Flush, newFlush } from './carrier.ts'
import { type Delivery, noneFull, Waiting } from './delivery.ts'
import type { EntryTable } from './insert.ts'
import { Packed } from './packed.ts'
import type { FoundCommit, LogStore } from './store.ts'

/** The pause before a flush is retried even if its table has not accepted other rows since, in milliseconds. */
const pause = 15_000

/** A flush with rows that ClickHouse has refused. */
interface Held {
  readonly flush: Flush
  table: EntryTable
  /** Why ClickHouse refuses the flush; undefined until it has been retried row by row. */
  reason: string | undefined
  /** How many inserts into each table had succeeded when this flush was refused. */
  passed: (table: EntryTable) => number
  /** When the flush was last tried, by the steady clock; undefined if it never was. */
  triedAt: number | undefined
  /** Whether the flush failed although ClickHouse accepted other rows for its table. */
  isStubborn: boolean
  /** The websites, links and pixels that have no room left for refused rows. */
  full: ReadonlySet<string>
}

/** The flushes that wait separately, so that they do not block later ones. */
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

  /** Adds a commit that was found when the object was loaded. `table`: a table that may have refused it. */
  restore(commit: FoundCommit, table: EntryTable): void {
    let flush = this.#all.at(-1)?.flush
    if (flush?.token !== commit.flush) {
      flush = newFlush(commit.flush, commit, true)
      this.#add({ flush, table, triedAt: 0 })
    }
    extend(flush, commit.id, new Packed(commit.packed))
  }

  /** Moves a flush with refused rows aside, so that other flushes can proceed. */
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

  /** Why the oldest held flush is waiting. */
  get reason(): string | undefined {
    return this.#all.find(({ reason }) => reason !== undefined)?.reason
  }

  /** Whether there is no room left for refused rows of this website, link or pixel. */
  isFull(sourceId: string): boolean {
    return this.#all.some(({ full }) => full.has(sourceId))
  }

  /**
   * Retries flushes that may succeed now: new ones, those whose table has since accepted other rows, and, after a
   * pause, the oldest one. Calls `done` with each flush that succeeds.
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
      // No retry can succeed now. Later flushes report the reason.
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

  /** Whether ClickHouse has accepted other rows for the table since it refused these. */
  #mayPass({ table, passed }: Held): boolean {
    return this.#delivery.passes()(table) > passed(table)
  }

  /** Tries a flush. Returns why ClickHouse does not have all of it; undefined if it does. */
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
