import { pastDeadline } from '../errors.ts'
import { meets, type Need } from '../request/need.ts'
import { withTimeout } from '../silence.ts'
import { flights } from './flights.ts'
import { isolateTier } from './isolate.ts'
import { fetchStored, platformCache, storeThere } from './platform.ts'
import type { StoredAnswer } from './stored.ts'
import { type Age, ageAt, type CacheTimes, type FreshnessBasis, maxAge } from './times.ts'

/** In bytes. An isolate has 128 MB in total. */
const maxMemoryBytes = 24_000_000
const maxEntryBytes = 1_000_000

export const memoryTier: ReturnType<typeof isolateTier> = isolateTier(maxMemoryBytes, maxEntryBytes)
const answerLate = () => pastDeadline(new Error('No answer came in time.'))

const answerFlights = flights<StoredAnswer>(answerLate)

/** A cache look-up: its key, and the facts that decide how long the answer stays fresh. */
export interface CacheQuestion extends FreshnessBasis {
  readonly key: string
  /** The key and the deadline. Questions share running work only if both are equal. */
  readonly flight: string
  /** Whether the question is likely to recur. A question whose range moves with every millisecond is not. */
  readonly recurs: boolean
  /** How fresh the answer must be. Not part of the key, because a fresher answer suits every reader. */
  readonly need?: Need | undefined
  /** The time of the request, in milliseconds since 1970. */
  readonly now: number
}

/** The parts of a request that the cache uses. */
export interface CacheServices {
  readonly times: CacheTimes
  /** The id of the Worker version that is running. */
  readonly version: string
  /** Keeps work alive after the response, or after the caller has disconnected. */
  readonly waitUntil: (work: Promise<unknown>) => void
  /** Reports a cache failure. The request continues without the cache. */
  readonly failed: (error: unknown) => void
}

/** A stored answer and its age. */
interface CachedAnswer {
  readonly stored: StoredAnswer
  readonly age: Exclude<Age, 'gone'>
}

/** Returns the memory tier's answer if it is fresh, otherwise the newer answer of the two tiers. */
export async function findAnswer(question: CacheQuestion, services: CacheServices): Promise<CachedAnswer | undefined> {
  const here = inMemory(question, services)
  if (here?.age === 'fresh') return here
  const there = withAge(await fromPlatform(question, services), question, services)
  if (!there || (here && here.stored.madeAt >= there.stored.madeAt)) return here
  memoryTier.set(question.key, there.stored)
  return there
}

const inMemory = (question: CacheQuestion, services: CacheServices): CachedAnswer | undefined =>
  withAge(memoryTier.get(question.key), question, services)

function withAge(
  stored: StoredAnswer | undefined,
  question: CacheQuestion,
  { times }: CacheServices,
): CachedAnswer | undefined {
  const isEnough = stored !== undefined && meets(stored, question.need)
  const age = isEnough ? ageAt(times, question, stored.madeAt, question.now, stored.asOf) : 'gone'
  return stored && age !== 'gone' ? { stored, age } : undefined
}

async function fromPlatform(
  { key, recurs }: CacheQuestion,
  { version, failed }: CacheServices,
): Promise<StoredAnswer | undefined> {
  const platform = recurs ? platformCache() : undefined
  try {
    return platform && (await fetchStored(platform, version, key))
  } catch (error) {
    return void failed(error)
  }
}

/** Whether another request is already computing this answer, so that `makeAnswer` would run no statements. */
export const isBeingMade = (question: CacheQuestion, milliseconds: number): boolean =>
  answerFlights.isUnderWay(flightOf(question), question.now, milliseconds)

/** The key of the shared work. It includes `need`: work for other requests may yield an answer that is less fresh. */
const flightOf = ({ flight, need }: CacheQuestion): string => (need ? `${flight} ${JSON.stringify(need)}` : flight)

/**
 * Computes the answer and stores it. Equal questions that arrive in the meantime share the work. Once the work has
 * called `stay`, it continues even if the first caller disconnects. No request joins work older than `milliseconds`.
 */
export async function makeAnswer(
  question: CacheQuestion,
  milliseconds: number,
  services: CacheServices,
  work: (stay: () => void) => Promise<StoredAnswer>,
): Promise<StoredAnswer> {
  // An equal question may have been answered since this one looked in the cache.
  const known = inMemory(question, services)
  if (known?.age === 'fresh') return known.stored
  const making = async (stay: () => void): Promise<StoredAnswer> => {
    const stored = await work(stay)
    memoryTier.set(question.key, stored)
    services.waitUntil(toPlatform(question, stored, services))
    return stored
  }
  return answerFlights.join(flightOf(question), question.now, milliseconds, making, services.waitUntil)
}

/** Waits for the answer for at most this many milliseconds. */
export const awaitAnswer = (making: Promise<StoredAnswer>, milliseconds: number): Promise<StoredAnswer> =>
  withTimeout(milliseconds, making, answerLate)

async function toPlatform(
  question: CacheQuestion,
  stored: StoredAnswer,
  { times, version, failed }: CacheServices,
): Promise<void> {
  const platform = question.recurs ? platformCache() : undefined
  if (platform) await storeThere(platform, version, question.key, stored, maxAge(times)).catch(failed)
}
