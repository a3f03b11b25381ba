import type { Candidate, Verdict } from '../collect/candidate.ts'
import { type LogPlace, logObject, placeText } from '../collect/objects.ts'
import { objectIndex, type Spread, unspread } from '../collect/spread.ts'
import type { Env } from '../env.ts'
import { ApiError, unavailable } from '../errors.ts'
import { logNumber } from './logs.ts'

/**
 * The spreads of websites with several objects, as far as this isolate knows. Objects refuse events sent by an old
 * spread.
 */
const spreads = new Map<string, Spread>()
const mostSpreads = 10_000

/** The maximum number of times that an event is sent, because its website may get more objects in the meantime. */
const mostSends = 5

/** The outcome of an event, or why it may not be stored. */
export type FinalVerdict = Exclude<Verdict, { readonly moved: Spread }> | ApiError

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

/** An event, the spread of its website as far as this isolate knows it, and the place of its object by that spread. */
interface Routed {
  readonly candidate: Candidate
  readonly spread: Spread
  readonly place: LogPlace
}

/**
 * Splits events into two turns. An event that repeats the id of an earlier one for another object comes second, because
 * an object refuses an event while another object decides about its id.
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

/** Bots are only counted, so any of the website's objects will do. */
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
    if (typeof verdict === 'string' || !('moved' in verdict)) told.set(candidate, verdict)
    else {
      moved.push(candidate)
      newer.set(candidate.source.id, verdict.moved)
    }
  }
  await Promise.all([...newer].map(([sourceId, spread]) => learn(env, sourceId, spread, place)))
  return moved
}

/** Reads a website's current spread from its first object, which decides the spread. */
async function learn(env: Env, sourceId: string, known: Spread, { log, index }: LogPlace): Promise<void> {
  const first = logObject(env, { log, index: 0 })
  // If it does not answer, the next try is refused like this one.
  const spread = index === 0 ? known : await first.spreadOf(sourceId, known).catch(() => undefined)
  if (!spread) return
  spreads.delete(sourceId)
  spreads.set(sourceId, spread)
  if (spreads.size > mostSpreads) spreads.delete(spreads.keys().next().value!)
}
