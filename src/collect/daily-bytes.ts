import { dayLength } from '../request/time-zone.ts'

/** How many bytes each website has recorded on the most recent UTC day. */
export class DailyBytes {
  #day = 0
  readonly #bytes = new Map<string, number>()

  /** `now` is in milliseconds since 1970. */
  of(websiteId: string, now: number): number {
    return utcDay(now) > this.#day ? 0 : (this.#bytes.get(websiteId) ?? 0)
  }

  /** Adds bytes recorded at this time. Ignores days before the most recent one. */
  add(websiteId: string, bytes: number, at: number): void {
    const day = utcDay(at)
    if (day > this.#day) {
      this.#day = day
      this.#bytes.clear()
    }
    if (day === this.#day) this.#bytes.set(websiteId, (this.#bytes.get(websiteId) ?? 0) + bytes)
  }
}

const utcDay = (moment: number): number => Math.floor(moment / dayLength)
