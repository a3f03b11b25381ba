import { wordsOfUuid } from './packed.ts'
import { keyOf, newSeed, RecentTable } from './table.ts'

/** How much of a visit has been recorded. */
export interface VisitCounts {
  /** When its first chunk arrived, in milliseconds since 1970; 0 if there is none. */
  readonly firstAt: number
  readonly chunks: number
  /** The size of its chunks as JSON, in bytes. */
  readonly bytes: number
  readonly heatmapEvents: number
}

/** At least this many visits are remembered. */
const mostVisits = 250_000

/** The totals of recent visits. */
export class VisitTotals {
  readonly #seed = newSeed()
  /** Two words for the time, and one for each number. */
  readonly #visits: RecentTable

  constructor(lasts: number) {
    this.#visits = new RecentTable(5, lasts, mostVisits)
  }

  of(websiteId: string, visitId: string): VisitCounts | undefined {
    const words = this.#visits.get(this.#key(websiteId, visitId))
    if (!words) return undefined
    const [chunks, bytes, heatmapEvents] = words.subarray(2)
    return {
      firstAt: new Float64Array(words.slice(0, 2).buffer)[0]!,
      chunks: chunks!,
      bytes: bytes!,
      heatmapEvents: heatmapEvents!,
    }
  }

  /** `now` is in milliseconds since 1970. */
  set(websiteId: string, visitId: string, counts: VisitCounts, now: number): void {
    const moment = new Uint32Array(new Float64Array([counts.firstAt]).buffer)
    const words = [...moment, counts.chunks, counts.bytes, counts.heatmapEvents]
    this.#visits.set(this.#key(websiteId, visitId), words, now)
  }

  #key = (websiteId: string, visitId: string) => keyOf(this.#seed, [...wordsOfUuid(websiteId), ...wordsOfUuid(visitId)])
}
