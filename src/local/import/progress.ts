import type { Kind } from './source.ts'

/** The progress of an import. */
interface Progress {
  /** The current section: kind, month, website. */
  readonly section: string
  readonly read: number
  readonly total: number
  /** Rows per second since this run began. */
  readonly rate: number
  /** Undefined while unknown. */
  readonly secondsLeft: number | undefined
}

/** How often progress is reported, in milliseconds. */
const every = 5000

/** Counts rows as they are read, and reports them every few seconds. */
export class Meter {
  readonly #tell: (progress: Progress) => void
  readonly #total: number
  readonly #startedAt = Date.now()
  #toldAt = Date.now()
  #read = 0

  /** `total` is the number of rows in all sections to read. */
  constructor(total: number, tell: (progress: Progress) => void) {
    this.#total = total
    this.#tell = tell
  }

  add(section: string, rows: number): Progress {
    this.#read += rows
    const now = Date.now()
    const rate = this.#read / Math.max(0.001, (now - this.#startedAt) / 1000)
    const left = Math.max(0, this.#total - this.#read)
    const secondsLeft = rate > 0 ? left / rate : undefined
    const progress = { section, read: this.#read, total: Math.max(this.#total, this.#read), rate, secondsLeft }
    if (now - this.#toldAt >= every) {
      this.#toldAt = now
      this.#tell(progress)
    }
    return progress
  }
}

/** Progress as a line for a person. */
export function progressLine({ section, read, total, rate, secondsLeft }: Progress): string {
  const percent = total === 0 ? 100 : Math.floor((100 * read) / total)
  const left = secondsLeft === undefined ? '' : `, ${duration(secondsLeft)} left`
  return `${section}: ${number(read)} of ${number(total)} rows (${percent} %), ${number(rate)} a second${left}`
}

export const number = (value: number): string => Math.round(value).toLocaleString('en-US')

export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} seconds`
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} minutes`
  return `${(seconds / 3600).toFixed(1)} hours`
}

/** The names of the kinds for messages. */
export const inWords: Readonly<Record<Kind, string>> = {
  events: 'events',
  sessionData: 'session data',
  replays: 'parts of replays',
  heatmaps: 'heatmap events',
}
