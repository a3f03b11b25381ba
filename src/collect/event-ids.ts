import { eventKeyLength, eventKeyWords, type Packed, type Remembered } from './packed.ts'
import { keyOf, newSeed, RecentTable } from './table.ts'

/** An event that is repeated within this many milliseconds is counted once. */
export const idLasts = 3_600_000

/** At least this many ids within `idLasts` are remembered. */
const mostIds = 1_000_000

/** If the ids are divided into three parts, a million of them take at most 32 MB. Undivided, they would take 64 MB. */
const partsOfIds = 3

type Ids = Pick<Remembered, 'sourceId' | 'eventId'>

/** Maps each event of the last hour to its commit in the log. */
export class EventIds {
  readonly #seed = newSeed()
  /** A commit number, stored as two words. */
  readonly #commits: RecentTable

  /** `lasts`: how long ids are remembered, in milliseconds. */
  constructor(lasts = idLasts) {
    this.#commits = new RecentTable(2, lasts, mostIds, partsOfIds)
  }

  /** The number of a commit in the last hour that may contain the event; undefined if there is none. */
  commitOf(event: Ids): number | undefined {
    const words = this.#commits.get(keyOf(this.#seed, eventKeyWords(event)))
    return words && words[0]! * 2 ** 32 + words[1]!
  }

  setCommit(event: Ids, commit: number, now: number): void {
    this.#commits.set(keyOf(this.#seed, eventKeyWords(event)), wordsOfCommit(commit), now)
  }

  /** Restores the ids from a row of the log. Must be called with older rows first. */
  restore(packed: Packed, commit: number): void {
    const own = wordsOfCommit(commit)
    for (const start of packed.starts()) {
      if (!packed.hasEventId(start)) continue
      this.#commits.set(keyOf(this.#seed, packed.words, start, eventKeyLength), own, packed.at(start))
    }
  }
}

const wordsOfCommit = (commit: number): readonly [number, number] => [Math.floor(commit / 2 ** 32), commit >>> 0]
