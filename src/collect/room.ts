import { setNewest } from '../newest.ts'
import { leavesRoom } from './table.ts'

/**
 * The minimum time between two log lines that report the same website as full, in milliseconds, and the number of
 * websites for which the time of the last line is remembered.
 */
const tellsAfter = 60_000
const mostTold = 100

/** How many bytes are waiting in a log, by website, link or pixel. */
export class WaitingRoom {
  readonly #waiting = new Map<string, number>()
  readonly #toldAt = new Map<string, number>()
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  of(sourceId: string): number {
    return this.#waiting.get(sourceId) ?? 0
  }

  /** Whether a log with this capacity, in bytes, has room for more of a website's rows. */
  has(sourceId: string, bytes: number, capacity: number): boolean {
    const own = this.of(sourceId)
    return leavesRoom(own + bytes, this.#bytes - own, capacity)
  }

  reserve(sourceId: string, bytes: number): void {
    this.#bytes += bytes
    this.#waiting.set(sourceId, this.of(sourceId) + bytes)
  }

  release(bytesBySource: ReadonlyMap<string, number>): void {
    for (const [sourceId, bytes] of bytesBySource) {
      this.#bytes -= bytes
      const left = this.of(sourceId) - bytes
      if (left > 0) this.#waiting.set(sourceId, left)
      else this.#waiting.delete(sourceId)
    }
  }

  /** Whether to log that there is no room. Returns false if that was logged recently. `now` is in milliseconds. */
  isToTell(sourceId: string, now: number): boolean {
    if (now - (this.#toldAt.get(sourceId) ?? Number.NEGATIVE_INFINITY) < tellsAfter) return false
    setNewest(this.#toldAt, sourceId, now, mostTold)
    return true
  }
}
