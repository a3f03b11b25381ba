import type { Env } from '../env.ts'
import { madeFor } from '../made.ts'
import type { Candidate, Unanswered } from './candidate.ts'
import type { LogClock } from './clock.ts'
import { idLasts } from './event-ids.ts'
import type { EventQuestion, KnownEvent } from './event-question.ts'
import { type LogPlace, logObject } from './objects.ts'
import { CallPace, Sibling } from './sibling.ts'
import type { Spreads } from './spread.ts'

/** What a website's other objects know about an event. */
export type EventAnswers = readonly KnownEvent[] | Unanswered

/**
 * The other objects of the same log, for websites with several objects. They are asked about each event before it is
 * judged, because only they know the event ids of other visitors, and the earlier visits of visitors who were moved to
 * this object.
 */
export class Siblings {
  readonly #env: Env
  readonly #pace: CallPace
  readonly #spreads: Spreads
  /** The number of events that this object is currently asking the others about, by source and event id. */
  readonly #undecided = new Map<string, number>()
  /** The other objects that were asked, by index. */
  readonly #siblings = new Map<number, Sibling>()
  #narrowedAt = 0

  constructor(env: Env, clock: LogClock, spreads: Spreads) {
    this.#env = env
    this.#pace = new CallPace(clock)
    this.#spreads = spreads
  }

  /**
   * Calls `judge` with what the other objects of its website know about each event, or why one of them gave no answer.
   * Two objects never judge the same id at the same time.
   */
  async decide<Decided>(
    place: LogPlace,
    candidates: readonly Candidate[],
    judge: (known: readonly EventAnswers[]) => Decided,
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

  async #ask(place: LogPlace, asking: EventQuestion): Promise<EventAnswers> {
    const asked = Promise.all(othersOf(place, asking.spread.objects).map((other) => this.#sibling(other).ask(asking)))
    return asked.then(
      (answers) => answers.filter((one) => one !== undefined),
      (error: unknown) => ({ unanswered: String(error) }),
    )
  }

  #sibling(place: LogPlace): Sibling {
    return madeFor(place.index, this.#siblings, () => new Sibling(() => logObject(this.#env, place), this.#pace))
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
    const lost = othersOf(place, most)
      .filter(({ index }) => index >= this.#spreads.fewest)
      .map((other) => ({ index: other.index, object: logObject(this.#env, other) }))
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

/** The other objects among the first ones of a log. */
const othersOf = ({ log, index: own }: LogPlace, objects: number): readonly LogPlace[] =>
  Array.from({ length: objects }, (_, index) => ({ log, index })).filter(({ index }) => index !== own)

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
