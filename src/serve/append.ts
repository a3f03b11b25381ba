import type { Candidate, Unanswered, Verdict } from '../collect/candidate.ts'
import { type LogPlace, logObject, placeText } from '../collect/objects.ts'
import { objectIndex, type Spread, unspread } from '../collect/spread.ts'
import type { Env } from '../env.ts'
import { ApiError, unavailable } from '../errors.ts'
import { setNewest } from '../newest.ts'
import { logNumber } from './logs.ts'

/**
 * The spreads of websites with several log objects, as far as this isolate knows. An object refuses events that were
 * routed by an outdated spread.
 */
const spreads = new Map<string, Spread>()
const mostSpreads = 10_000

/**
 * The maximum number of times that an event is sent. It is sent again if its website has got more objects in the
 * meantime.
 */
const mostSends = 5

/** The outcome for an event, or an error if it may not have been stored. */
export type FinalVerdict = Exclude<Verdict, { readonly moved: Spread } | Unanswered> | ApiError

/** Appends events to the log objects of their visitors, in order. */
export async function appendAll(env: Env, candidates: readonly Candidate[]): Promise<FinalVerdict[]> {
  const told = new Map<Candidate, FinalVerdict>()
  let left = candidates
  for (let tries = 0; left.length > 0 && tries < mostSends; tries++) {
    const routed = left.map((candidate) => routedNow(env, candidate))
    const moved: Candidate[] = []
    for (const some of inTurns(routed)) {
      const groups = Map.groupBy(some, ({ place }) => placeText(place))
      const all = await Promise.all([...groups.values()].map((own) => appendSome(env, own, told)))
      moved.push(...all.flat())
    }
    left = moved
  }
  return candidates.map((candidate) => told.get(candidate) ?? notStoredNow())
}

const notStoredNow = (cause?: unknown): ApiError => unavailable('Events cannot be stored right now. Try again.', cause)

/**
 * An event, its website's spread as far as this isolate knows, and the place of its object according to that spread.
 */
interface Routed {
  readonly candidate: Candidate
  readonly spread: Spread
  readonly place: LogPlace
}

/**
 * Splits events into two groups to send one after the other. The second one contains events with the same id as an
 * earlier event for another object, because an object refuses an event while another object decides about its id.
 */
function inTurns(routed: readonly Routed[]): (readonly Routed[])[] {
  const places = new Map<string, string>()
  const isFirst = ({ candidate: { source, event }, place }: Routed): boolean => {
    if (typeof event === 'string' || event.eventId === undefined) return true
    const [id, own] = [`${source.id} ${event.eventId}`, placeText(place)]
    if (!places.has(id)) places.set(id, own)
    return places.get(id) === own
  }
  return [...Map.groupBy(routed, isFirst).values()]
}

/** Events from bots are only counted, so they can go to any of the website's objects. */
function routedNow(env: Env, candidate: Candidate): Routed {
  const { source, event } = candidate
  const spread = spreads.get(source.id) ?? unspread
  const isOfVisitor = typeof event === 'object'
  const index = isOfVisitor ? objectIndex(spread, event.sender.anonymousId) : Math.floor(Math.random() * spread.objects)
  return { candidate, spread, place: { log: logNumber(source.id, env), index } }
}

/** Appends events to one object. Adds the outcomes to `told`, and returns the events for other objects. */
async function appendSome(env: Env, some: readonly Routed[], told: Map<Candidate, FinalVerdict>): Promise<Candidate[]> {
  const { place } = some[0]!
  const sent = some.map(({ candidate, spread }) => ({ ...candidate, spread }))
  const verdicts = await logObject(env, place).append(sent, place).catch(notStoredNow)
  const moved: Candidate[] = []
  const newer = new Map<string, Spread>()
  for (const [number, { candidate }] of some.entries()) {
    const verdict = verdicts instanceof ApiError ? verdicts : verdicts[number]!
    if (typeof verdict === 'string') told.set(candidate, verdict)
    else if ('unanswered' in verdict) told.set(candidate, notStoredNow(verdict.unanswered))
    else if (!('moved' in verdict)) told.set(candidate, verdict)
    else {
      moved.push(candidate)
      newer.set(candidate.source.id, verdict.moved)
    }
  }
  await Promise.all([...newer].map(([sourceId, spread]) => learn(env, sourceId, spread, place)))
  return moved
}

/** Reads a website's current spread from its first object, which determines it. */
async function learn(env: Env, sourceId: string, known: Spread, { log, index }: LogPlace): Promise<void> {
  const first = logObject(env, { log, index: 0 })
  // If the object does not answer, the next attempt is refused like this one.
  const spread = index === 0 ? known : await first.spreadOf(sourceId, known).catch(() => undefined)
  if (spread) setNewest(spreads, sourceId, spread, mostSpreads)
}
