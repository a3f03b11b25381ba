import type { EventQuestion, KnownEvent, RunningVisit, VisitOfSession } from './event-question.ts'
import { visitLasts } from './identity.ts'
import {
  anonymousPlace,
  ownerOfWords,
  ownerPlace,
  type Packed,
  type Remembered,
  sessionPlace,
  uuidOfWords,
  visitPlace,
  wordsOfOwner,
  wordsOfUuid,
} from './packed.ts'
import { keyOf, newSeed, RecentTable } from './table.ts'

/** The maximum number of sessions remembered within half an hour: three quarters of 2^19 slots. */
const mostVisits = 390_000

/** The visits of the last half hour. A website with many sessions leaves room for others. */
export class RunningVisits {
  readonly #seed = newSeed()
  /** By session: four words for the visit's id, two for the time, two for the owner. */
  readonly #visits: RecentTable
  /** By `anonymousId`: the sender's session with the most recent event, if it is a different session. */
  readonly #latest: RecentTable

  constructor(most = mostVisits) {
    this.#visits = new RecentTable(8, visitLasts, most)
    this.#latest = new RecentTable(4, visitLasts, most)
  }

  /** The running visit, whose last event was at most half an hour ago. */
  of(sessionId: string, now: number): RunningVisit | undefined {
    const words = this.#visits.get(keyOf(this.#seed, wordsOfUuid(sessionId)))
    if (!words) return undefined
    const at = new Float64Array(words.slice(4, 6).buffer)[0]!
    return Math.abs(now - at) > visitLasts
      ? undefined
      : { visitId: uuidOfWords(words, 0), at, owner: ownerOfWords(words, 6) }
  }

  /** This sender's session with the most recent event. */
  latest(anonymousId: string): string {
    const words = this.#latest.get(keyOf(this.#seed, wordsOfUuid(anonymousId)))
    return words ? uuidOfWords(words, 0) : anonymousId
  }

  /** The running visits of these sessions. The visit with the sender's latest event comes last. */
  ofAll({ anonymousId, sessions }: Pick<EventQuestion, 'anonymousId' | 'sessions'>, now: number): VisitOfSession[] {
    return [...sessions, this.latest(anonymousId)].flatMap((sessionId) => {
      const visit = this.of(sessionId, now)
      return visit ? [{ sessionId, ...visit }] : []
    })
  }

  set({ sourceId, sessionId, visitId, anonymousId, owner, at }: SeenEvent): void {
    const moment = new Uint32Array(new Float64Array([at]).buffer)
    const [session, anonymous] = [wordsOfUuid(sessionId), wordsOfUuid(anonymousId)]
    const [source] = wordsOfUuid(sourceId)
    this.#visits.set(
      keyOf(this.#seed, session),
      [...wordsOfUuid(visitId), ...moment, ...wordsOfOwner(owner)],
      at,
      source,
    )
    this.#setLatest(keyOf(this.#seed, anonymous), session, sessionId === anonymousId, at, source)
  }

  #setLatest(key: Key, session: ArrayLike<number>, isItself: boolean, at: number, source: number): void {
    if (!isItself || this.#latest.get(key)) this.#latest.set(key, session, at, source)
  }

  /** Restores the visits from a row of the log. Must be called with older rows first. */
  restore(packed: Packed): void {
    const { words } = packed
    for (const start of packed.starts()) {
      if (!packed.isNow(start)) continue
      const [at, source] = [packed.at(start), words[start]!]
      const [visit, owner] = [start + visitPlace, start + ownerPlace]
      const value = [...words.subarray(visit, visit + 6), words[owner]!, words[owner + 1]!]
      const [session, anonymous] = [start + sessionPlace, start + anonymousPlace]
      this.#visits.set(keyOf(this.#seed, words, session, 4), value, at, source)
      const isItself = isSame(words, session, anonymous)
      this.#setLatest(
        keyOf(this.#seed, words, anonymous, 4),
        words.subarray(session, session + 4),
        isItself,
        at,
        source,
      )
    }
  }
}

/** The visits to which an event may belong. */
export type KnownVisits = Pick<RunningVisits, 'of' | 'latest'>

/** The visits of this object, and those that began in other objects while the website had fewer objects. */
export function withVisitsOf(others: readonly KnownEvent[], own: RunningVisits, moment: number): KnownVisits {
  if (others.length === 0) return own
  const visits = others.flatMap(({ visits }) => visits)
  const newest = (all: readonly VisitOfSession[]) =>
    all.reduce<VisitOfSession | undefined>((last, one) => (last && last.at > one.at ? last : one), undefined)
  return {
    of: (sessionId, now) => own.of(sessionId, now) ?? newest(visits.filter((one) => one.sessionId === sessionId)),
    latest: (anonymousId) => {
      const latest = own.latest(anonymousId)
      return own.of(latest, moment) ? latest : (newest(visits)?.sessionId ?? latest)
    },
  }
}

type Key = ReturnType<typeof keyOf>

type SeenEvent = Pick<Remembered, 'sourceId' | 'sessionId' | 'visitId' | 'anonymousId' | 'owner' | 'at'>

const fourWords = [0, 1, 2, 3] as const

const isSame = (words: Uint32Array, one: number, other: number): boolean =>
  fourWords.every((place) => words[one + place] === words[other + place])
