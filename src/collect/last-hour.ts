import { setNewest } from '../newest.ts'

/**
 * A counter for a website's events: an outcome, or a field that was refused or corrected. Field names come from the
 * code, never from a sender.
 */
type HourCount = 'stored' | 'bots' | 'blocked' | 'full' | `refused.${string}` | `warnings.${string}`

/** A website's non-zero counts since `since` (in milliseconds since 1970, at most an hour ago). */
export interface HourState {
  readonly since: number
  readonly counts: readonly (readonly [name: HourCount, count: number])[]
}

const minuteLasts = 60_000

/** The number of minutes in an hour, including the current one. */
const kept = 60

/** The maximum number of websites that are counted: those with the most recent events. Each takes at most 20 kB. */
const mostWebsites = 1000

/**
 * Counts of the last hour, by website. They are only in memory: a new object starts at 0 and reports when it started.
 */
export class LastHour {
  readonly #websites = new Map<string, Map<HourCount, Minutes>>()
  readonly #began: number

  constructor(now: number) {
    this.#began = now
  }

  /** Must only be called for websites that exist. */
  add(websiteId: string, name: HourCount, now: number): void {
    const own = this.#websites.get(websiteId) ?? new Map<HourCount, Minutes>()
    setNewest(this.#websites, websiteId, own, mostWebsites)
    const minutes = own.get(name) ?? new Minutes()
    own.set(name, minutes)
    minutes.add(Math.floor(now / minuteLasts))
  }

  of(websiteId: string, now: number): HourState {
    const current = Math.floor(now / minuteLasts)
    const all = [...(this.#websites.get(websiteId) ?? [])]
    return {
      since: Math.max(this.#began, (current - kept + 1) * minuteLasts),
      counts: all.map(([name, one]) => [name, one.sum(current)] as const).filter(([, count]) => count > 0),
    }
  }
}

/** A count for each of the last minutes. Minutes are numbered from 1970. */
class Minutes {
  readonly #counts = new Uint32Array(kept)
  #newest = 0

  add(number: number): void {
    this.#forget(number)
    this.#counts[number % kept]!++
  }

  sum(number: number): number {
    this.#forget(number)
    return this.#counts.reduce((sum, count) => sum + count, 0)
  }

  /** Clears the counts of the minutes that have passed since the newest one. */
  #forget(number: number): void {
    for (let passed = Math.max(this.#newest + 1, number - kept + 1); passed <= number; passed++) {
      this.#counts[passed % kept] = 0
    }
    this.#newest = Math.max(this.#newest, number)
  }
}
