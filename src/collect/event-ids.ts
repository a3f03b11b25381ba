import { eventKeyLength, eventKeyWords, type Packed, type Remembered } from './packed.ts'
import { keyOf, newSeed, RecentTable } from './table.ts'

/** An event that is repeated within this many milliseconds counts once. */
export const idLasts = 3_600_000

/** At least this many ids are remembered within `idLasts`. */
const mostIds = 1_000_000

/** In three parts, a million ids take at most 32 MB; in one part, 64. */
const partsOfIds = 3

type Ids = Pick<Remembered, 'sourceId' | 'eventId'>

/** Maps each event of the last hour to its commit in the log. */
export class EventIds {
  readonly #seed = newSeed()
  /** Two words for the commit's number. */
  readonly #commits: RecentTable

  /** `lasts`: how long ids are remembered, in milliseconds. */
  constructor(lasts = idLasts) {
    this.#commits = new RecentTable(2, lasts, mostIds, partsOfIds)
  }

  /** The number of the commit, in the last hour, that may hold the event; undefined if there is none. */
  commitOf(event: Ids): number | undefined {
    const words = this.#commits.get(keyOf(this.#seed, eventKeyWords(event)))
    return words && words[0]! * 2 ** 32 + words[1]!
  }

  setCommit(event: Ids, commit: number, now: number): void {
    this.#commits.set(keyOf(this.#seed, eventKeyWords(event)), wordsOfCommit(commit), now)
  }

  /** Restores the ids from a row of the log. Call it with older rows first. */
  restore(packed: Packed, commit: number): void {
    const own = wordsOfCommit(commit)
    for (const start of packed.starts()) {
      if (!packed.hasEventId(start)) continue
      this.#commits.set(keyOf(this.#seed, packed.words, start, eventKeyLength), own, packed.at(start))
    }
  }
}

const wordsOfCommit = (commit: number): readonly [number, number] => [Math.floor(commit / 2 ** 32), commit >>> 0]
