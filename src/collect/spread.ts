import type { SqlStorage } from '@cloudflare/workers-types'
import { type Env, numberOr } from '../env.ts'

/** How many log objects share the events of a website: a power of two. A higher version replaces a lower one. */
export interface Spread {
  readonly version: number
  readonly objects: number
}

type SpreadRow = { source: string; version: number; objects: number }

/** The spread of a website that never had several objects. */
export const unspread: Spread = { version: 0, objects: 1 }

/** The maximum number of objects per website: one for each possible last hexadecimal digit of a visitor's id. */
const mostObjects = 16

const minuteLasts = 60_000

/**
 * If a website's first object stores new events of this many requests a minute, the website's number of objects is
 * doubled.
 */
const defaultBusy = 30_000

/** The index of a visitor's object among those of the website. `anonymousId`: the session without a distinct id. */
export const objectIndex = ({ objects }: Spread, anonymousId: string): number =>
  Number.parseInt(anonymousId.slice(-1), 16) % objects

/** The minimum number of objects per website: the setting, rounded down to a power of two. */
const fewestOf = ({ COLLECT_SPREAD }: Env): number =>
  2 ** Math.floor(Math.log2(Math.min(mostObjects, Math.max(1, numberOr(1, COLLECT_SPREAD)))))

/**
 * The spreads that a log object knows, stored in SQLite. The first object of a log sets them; the others learn them
 * from questions and events. An object refuses events with an older version than the one it knows.
 */
export class Spreads {
  readonly #sql: SqlStorage
  readonly #all = new Map<string, Spread>()
  readonly fewest: number
  readonly #busy: number
  /** The requests that brought each website new events since `#begun`, by the steady clock. */
  readonly #requests = new Map<string, number>()
  #begun = 0

  constructor(sql: SqlStorage, env: Env) {
    this.#sql = sql
    this.fewest = fewestOf(env)
    // All objects of `npm start` share a thread, so more objects would only write more.
    this.#busy = numberOr(env.LOG_IS_BESIDE ? Number.POSITIVE_INFINITY : defaultBusy, env.COLLECT_BUSY)
    sql.exec(
      `CREATE TABLE IF NOT EXISTS spreads
       (source TEXT PRIMARY KEY, version INTEGER NOT NULL, objects INTEGER NOT NULL)`,
    )
    for (const { source, ...spread } of sql.exec<SpreadRow>('SELECT * FROM spreads')) this.#all.set(source, spread)
  }

  of(sourceId: string): Spread {
    return this.#all.get(sourceId) ?? unspread
  }

  /** The highest number of objects that any website has. */
  get most(): number {
    return [...this.#all.values()].reduce((most, { objects }) => Math.max(most, objects), 1)
  }

  /** The websites with more objects than the minimum. */
  wide(): readonly string[] {
    return [...this.#all].filter(([, { objects }]) => objects > this.fewest).map(([sourceId]) => sourceId)
  }

  /** Stores a spread, unless the same or a newer one is already stored. */
  hear(sourceId: string, { version, objects }: Spread): void {
    if (version <= this.of(sourceId).version) return
    this.#all.set(sourceId, { version, objects })
    this.#sql.exec(
      'INSERT OR REPLACE INTO spreads (source, version, objects) VALUES (?, ?, ?)',
      sourceId,
      version,
      objects,
    )
  }

  /** Gives these websites the minimum number of objects. */
  begin(sourceIds: ReadonlySet<string>): void {
    for (const sourceId of sourceIds) this.#grow(sourceId, this.fewest)
  }

  /**
   * Counts a request that brought new events of these websites, and gives busy websites more objects. `now`: by the
   * steady clock.
   */
  count(sourceIds: ReadonlySet<string>, now: number): void {
    const minutes = (now - this.#begun) / minuteLasts
    if (minutes >= 1) {
      for (const [sourceId, requests] of this.#requests)
        if (requests >= this.#busy * minutes) this.#grow(sourceId, 2 * this.of(sourceId).objects)
      this.#requests.clear()
      this.#begun = now
    }
    for (const sourceId of sourceIds) this.#requests.set(sourceId, (this.#requests.get(sourceId) ?? 0) + 1)
  }

  #grow(sourceId: string, wanted: number): void {
    const { version, objects } = this.of(sourceId)
    const more = Math.min(wanted, mostObjects)
    if (more > objects) this.hear(sourceId, { version: version + 1, objects: more })
  }
}
