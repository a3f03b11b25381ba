import { withTimeout } from '../silence.ts'
import type { LogClock } from './clock.ts'
import type { EventQuestion, KnownEvent } from './event-question.ts'
import type { Log } from './objects.ts'

/** An object calls others once in this many milliseconds on average, so it makes at most about 200 calls a second. */
const callTakes = 5

/**
 * How long another object may take to answer, in milliseconds. An object that was just loaded first reads its events.
 */
const knownPatience = 2000

/** The maximum number of questions that wait while another object answers. */
const mostWaiting = 20_000

/** Spaces out an object's calls to all others. After a pause, it may call each of them at once. */
export class CallPace {
  readonly #clock: LogClock
  /** When the calls so far have taken their time, by the steady clock. */
  #freeAt = 0

  constructor(clock: LogClock) {
    this.#clock = clock
  }

  count(): void {
    this.#freeAt = Math.max(this.#freeAt, this.#clock.steady()) + callTakes
  }

  /** Resolves once the calls that have been counted so far have taken their time. */
  wait(): Promise<void> {
    const left = Math.max(0, this.#freeAt - this.#clock.steady())
    return new Promise((resolve) => void this.#clock.after(left, resolve))
  }
}

/** Questions that are sent together, and their answers. */
interface Round {
  readonly askings: EventQuestion[]
  readonly answers: Promise<readonly (KnownEvent | undefined)[]>
}

/**
 * One other object of the same log. Each has its own rounds of questions, so an object that is silent delays only
 * questions to itself.
 */
export class Sibling {
  readonly #object: () => Log
  readonly #pace: CallPace
  #next: Round | undefined
  #asked: Promise<unknown> = Promise.resolve()

  /** `object` creates a stub. */
  constructor(object: () => Log, pace: CallPace) {
    this.#object = object
    this.#pace = pace
  }

  /** What the object knows about an event. */
  async ask(asking: EventQuestion): Promise<KnownEvent | undefined> {
    this.#next ??= this.#begin()
    const { askings, answers } = this.#next
    if (askings.length >= mostWaiting) throw new Error('Another log object answers too slowly.')
    const number = askings.push(asking) - 1
    return (await answers)[number]
  }

  /** Gathers questions while the pace requires it, and at least until the previous round's answers have arrived. */
  #begin(): Round {
    const askings: EventQuestion[] = []
    const answers = Promise.all([this.#pace.wait(), this.#asked]).then(() => {
      this.#next = undefined
      return this.#send(askings)
    })
    this.#asked = answers.catch(() => {})
    return { askings, answers }
  }

  async #send(askings: readonly EventQuestion[]): Promise<(KnownEvent | undefined)[]> {
    const ask = () => {
      this.#pace.count()
      return withTimeout(knownPatience, this.#object().known(askings))
    }
    // An object that was reset or moved answers at the second attempt, through another stub.
    return ask().catch(ask)
  }
}
