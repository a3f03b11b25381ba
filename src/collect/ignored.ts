import { setNewest } from '../newest.ts'
import type { NewEvent, Taken } from './candidate.ts'
import type { EventQuestion, KnownEvent } from './event-question.ts'
import { type Belonging, belongingIn } from './session.ts'
import { RunningVisits, withVisitsOf } from './visits.ts'

/** How many sessions and how many event ids are remembered. */
const mostRemembered = 10_000

/**
 * Responds to events from ignored addresses as if they had been stored, so that nobody can find out which addresses are
 * ignored. Its memory is separate from the log's and lasts as long as the object.
 */
export class IgnoredEvents {
  readonly #visits = new RunningVisits(mostRemembered)
  /** The first responses, by the event's source, sender and id. */
  readonly #answers = new Map<string, Taken>()

  /** `known`: what other log objects know about the event. */
  answer(sourceId: string, event: NewEvent, known: readonly KnownEvent[], now: number): Taken {
    const { anonymousId } = event.sender
    const name = nameOf({ sourceId, anonymousId, eventId: event.eventId })
    const firsts = [this.#answers.get(name), ...known.map(({ first }) => first)]
    const first = firsts.find((one) => typeof one === 'object')
    if (first) return first
    const belonging: Belonging = belongingIn(withVisitsOf(known, this.#visits, now), event, now)
    const answer = { ...belonging, at: event.lateAt === undefined ? now : undefined }
    if (!event.row) return answer
    if (event.eventId !== undefined) setNewest(this.#answers, name, answer, mostRemembered)
    if (event.lateAt === undefined) this.#visits.set({ ...belonging, sourceId, anonymousId, at: now })
    return answer
  }

  /** What this object knows about an event that another log object received. */
  known(question: EventQuestion, now: number): KnownEvent {
    const first = this.#answers.get(nameOf(question))
    const { anonymousId } = question
    return { first: first && { ...first, anonymousId }, visits: this.#visits.ofAll(question, now) }
  }
}

const nameOf = ({ sourceId, anonymousId, eventId }: Pick<EventQuestion, 'sourceId' | 'anonymousId' | 'eventId'>) =>
  `${sourceId} ${anonymousId} ${eventId}`
