import type { Env } from '../env.ts'
import { withTimeout } from '../silence.ts'
import type { Candidate } from './candidate.ts'
import type { LogClock } from './clock.ts'
import { idLasts } from './event-ids.ts'
import type { EventQuestion, KnownEvent } from './event-question.ts'
import { type LogPlace, logObject } from './objects.ts'
import type { Spreads } from './spread.ts'

/**
 * Questions to another object are batched for this many milliseconds, so each object receives about 200 calls a second.
 */
const gathers = 5

/**
 * How long another object may take to answer, in milliseconds. An object that was just loaded first reads its events.
 */
const knownPatience = 2000

/** The maximum number of questions that wait while another object answers. */
const mostWaiting = 20_000

/** Questions that are sent together, and their answers. */
interface Round {
  readonly askings: EventQuestion[]
  readonly answers: Promise<readonly (readonly KnownEvent[])[]>
}

/**
 * The other objects of the same log, for websites with several objects. They are asked about each event before it is
 * judged, because only they know the event ids of other visitors, and the earlier visits of visitors who were moved to
 * this object.
 */
export class Siblings {
  readonly #env: Env
  readonly #clock: LogClock
  readonly #spreads: Spreads
  /** The number of events that this object is currently asking the others about, by source and event id. */
  readonly #undecided = new Map<string, number>()
  #next: Round | undefined
  #asked: Promise<unknown> = Promise.resolve()
  /** When the last round was sent, by the steady clock. */
  #begun = 0
  #narrowedAt = 0

  constructor(env: Env, clock: LogClock, spreads: Spreads) {
    this.#env = env
    this.#clock = clock
    this.#spreads = spreads
  }

  /**
   * Calls `judge` with what the other objects know about each event. Two objects never judge the same id at the same
   * time.
   */
  async decide<Decided>(
    place: LogPlace,
    candidates: readonly Candidate[],
    judge: (known: readonly (readonly KnownEvent[])[]) => Decided,
  ): Promise<Decided> {
    const askings = candidates.map(askingOf)
    const ids = askings.flatMap((one) => (one?.eventId === undefined ? [] : [keyOfEvent(one)]))
    for (const id of ids) this.#undecided.set(id, (this.#undecided.get(id) ?? 0) + 1)
    try {
      return judge(await Promise.all(askings.map((one) => (one ? this.#ask(place, one) : []))))
    } finally {
      for (const id of ids) {
        const others = this.#undecided.get(id)! - 1
        if (others > 0) this.#undecided.set(id, others)
        else this.#undecided.delete(id)
      }
    }
  }

  isUndecided(event: EventQuestion): boolean {
    return this.#undecided.has(keyOfEvent(event))
  }

  async #ask(place: LogPlace, asking: EventQuestion): Promise<readonly KnownEvent[]> {
    this.#next ??= this.#begin(place, gathers * (asking.spread.objects - 1))
    const { askings, answers } = this.#next
    if (askings.length >= mostWaiting) throw new Error('The other log objects answer too slowly.')
    const number = askings.push(asking) - 1
    return (await answers)[number]!
  }

  /**
   * Gathers questions until `milliseconds` after the last round began, and at least until that round's answers have
   * arrived.
   */
  #begin(place: LogPlace, milliseconds: number): Round {
    const askings: EventQuestion[] = []
    const wait = Math.max(0, this.#begun + milliseconds - this.#clock.steady())
    const pause = new Promise<void>((resolve) => void this.#clock.after(wait, resolve))
    const answers = Promise.all([pause, this.#asked]).then(() => {
      this.#next = undefined
      this.#begun = this.#clock.steady()
      return this.#askAll(place, askings)
    })
    this.#asked = answers.catch(() => {})
    return { askings, answers }
  }

  async #askAll(place: LogPlace, askings: readonly EventQuestion[]): Promise<KnownEvent[][]> {
    const known = askings.map((): KnownEvent[] => [])
    const most = Math.max(...askings.map(({ spread }) => spread.objects))
    await Promise.all(
      this.#others(place, most).map(async ({ index, object }) => {
        const numbers = [...askings.keys()].filter((number) => askings[number]!.spread.objects > index)
        const ask = () => withTimeout(knownPatience, object.known(numbers.map((number) => askings[number]!)))
        // An object that was reset or moved answers at the second attempt.
        const answers = await ask().catch(ask)
        for (const [at, answer] of answers.entries()) if (answer) known[numbers[at]!]!.push(answer)
      }),
    )
    return known
  }

  #others({ log, index: own }: LogPlace, objects: number) {
    const all = Array.from({ length: objects }, (_, index) => ({ index, object: logObject(this.#env, { log, index }) }))
    return all.filter(({ index }) => index !== own)
  }

  /**
   * Once an hour, reduces a website's number of objects if the objects that it would lose are empty. Each of them is
   * checked twice. From the second check on, it refuses events sent by the old spread, so it stays empty. `now`: by the
   * steady clock.
   */
  async narrow(place: LogPlace, now: number): Promise<void> {
    if (now - this.#narrowedAt < idLasts) return
    this.#narrowedAt = now
    const wide = this.#spreads.wide()
    const most = Math.max(1, ...wide.map((sourceId) => this.#spreads.of(sourceId).objects))
    const lost = this.#others(place, most).filter(({ index }) => index >= this.#spreads.fewest)
    const looks = await Promise.all(lost.map(({ object }) => object.isBlank()))
    const blank = lost.filter((_, number) => looks[number])
    for (const sourceId of wide) {
      const spread = this.#spreads.of(sourceId)
      const isLost = ({ index }: { readonly index: number }) => index < spread.objects
      const own = blank.filter(isLost)
      if (own.length < lost.filter(isLost).length) continue
      const fence = { ...spread, version: spread.version + 1 }
      const areBlank = await Promise.all(own.map(({ object }) => object.isBlank(sourceId, fence)))
      // In the meantime, an isolate may have learned the fence's version, and may send events by it. So the new version
      // is higher.
      const isNarrow = areBlank.every((isBlank) => isBlank) && this.#spreads.of(sourceId) === spread
      if (isNarrow) this.#spreads.hear(sourceId, { version: spread.version + 2, objects: this.#spreads.fewest })
    }
  }
}

const keyOfEvent = ({ sourceId, eventId }: Pick<EventQuestion, 'sourceId' | 'eventId'>): string =>
  `${sourceId} ${eventId}`

/** The question about an event; undefined if its website has one object, or if there is nothing to judge. */
function askingOf({ source, event, spread }: Candidate): EventQuestion | undefined {
  if (!spread || spread.objects === 1 || typeof event === 'string') return undefined
  const { anonymousId, named, token } = event.sender
  const sessions = [anonymousId, named?.sessionId, token?.sessionId].filter((one) => one !== undefined)
  const { eventId, isIgnored } = event
  return { sourceId: source.id, spread, eventId, isIgnored, anonymousId, sessions }
}
