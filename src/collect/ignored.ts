import type { NewEvent, Taken } from './candidate.ts'
import { type Belonging, belongingIn } from './session.ts'
import { RunningVisits } from './visits.ts'

/** How many sessions and how many event ids are remembered. */
const mostRemembered = 10_000

/**
 * Responds to events that name an ignored address as if they had been stored, so that nobody can find out which
 * addresses are ignored. Its memory is separate from the log's and lasts as long as the object.
 */
export class IgnoredEvents {
  readonly #visits = new RunningVisits(mostRemembered)
  /** The first responses, by the event's source, sender and id. */
  readonly #answers = new Map<string, Taken>()

  answer(sourceId: string, event: NewEvent, now: number): Taken {
    const name = `${sourceId} ${event.sender.anonymousId} ${event.eventId}`
    const first = event.eventId === undefined ? undefined : this.#answers.get(name)
    if (first) return first
    const belonging: Belonging = belongingIn(this.#visits, event, now)
    const answer = { ...belonging, at: event.lateAt === undefined ? now : undefined }
    if (!event.row) return answer
    if (event.eventId !== undefined) this.#keep(name, answer)
    const { anonymousId } = event.sender
    if (event.lateAt === undefined) this.#visits.set({ ...belonging, sourceId, anonymousId, at: now })
    return answer
  }

  #keep(name: string, answer: Taken): void {
    this.#answers.set(name, answer)
    if (this.#answers.size > mostRemembered) this.#answers.delete(this.#answers.keys().next().value!)
  }
}
