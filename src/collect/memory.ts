import { visitLasts } from './identity.ts'
import {
  eventKeyLength,
  eventKeyWords,
  Packed,
  type Remembered,
  sessionPlace,
  uuidOfWords,
  visitPlace,
  wordsOfUuid,
} from './packed.ts'
import { keyOf, RecentTable, type Seed } from './table.ts'

/** An event counts once if it comes again within this many milliseconds. */
export const idLasts = 3_600_000

/** How many ids and visits are remembered at least, if they are that many within their time. */
const mostIds = 1_000_000
const mostVisits = 250_000

/** A million ids take 32 MB at most; in one part, they would take 64. */
const partsOfIds = 3

/** A session's visit, and the moment of its last event. */
interface LastVisit {
  readonly visitId: string
  readonly at: number
}

/** The visits of the last half hour, and in which commit each event of the last hour lies. */
export class Memory {
  readonly #seed: Seed
  /** Four words for the visit's id, two for the moment. */
  readonly #visits = new RecentTable(6, visitLasts, mostVisits)
  /** Two words for the commit's number. */
  readonly #commits: RecentTable

  /** `lasts`: how long ids are remembered, in milliseconds. */
  constructor(lasts = idLasts) {
    const [first, second] = crypto.getRandomValues(new Uint32Array(2))
    this.#seed = [first!, second!]
    this.#commits = new RecentTable(2, lasts, mostIds, partsOfIds)
  }

  /** The visit that goes on, if the session's last event was at most half an hour ago. */
  visitOf(sessionId: string, now: number): LastVisit | undefined {
    const words = this.#visits.get(keyOf(this.#seed, wordsOfUuid(sessionId)))
    if (!words) return undefined
    const at = new Float64Array(words.slice(4).buffer)[0]!
    return now - at > visitLasts ? undefined : { visitId: uuidOfWords(words, 0), at }
  }

  setVisit(sessionId: string, visitId: string, at: number): void {
    const moment = new Uint32Array(new Float64Array([at]).buffer)
    this.#visits.set(keyOf(this.#seed, wordsOfUuid(sessionId)), [...wordsOfUuid(visitId), ...moment], at)
  }

  /** The number of the commit that may hold the event; undefined if none of the last hour does. */
  commitOf(event: Pick<Remembered, 'sourceId' | 'eventId'>): number | undefined {
    const words = this.#commits.get(keyOf(this.#seed, eventKeyWords(event)))
    return words && words[0]! * 2 ** 32 + words[1]!
  }

  setCommit(event: Pick<Remembered, 'sourceId' | 'eventId'>, commit: number, now: number): void {
    this.#commits.set(keyOf(this.#seed, eventKeyWords(event)), wordsOfCommit(commit), now)
  }

  /** Learns again what a row of the log holds. Older rows come first. */
  restore(bytes: Uint8Array, commit: number): void {
    const packed = new Packed(bytes)
    const { words } = packed
    const own = wordsOfCommit(commit)
    for (const start of packed.starts()) {
      const at = packed.at(start)
      if (packed.isNow(start)) {
        const visit = start + visitPlace
        this.#visits.set(keyOf(this.#seed, words, start + sessionPlace, 4), words.subarray(visit, visit + 6), at)
      }
      if (packed.hasEventId(start)) this.#commits.set(keyOf(this.#seed, words, start, eventKeyLength), own, at)
    }
  }
}

const wordsOfCommit = (commit: number): readonly [number, number] => [Math.floor(commit / 2 ** 32), commit >>> 0]
