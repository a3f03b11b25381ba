import { eventsUnreadable } from '../errors.ts'
import { flights, withTimeout } from './flights.ts'
import { isolateTier } from './isolate.ts'
import { fetchStored, platformCache, storeThere } from './platform.ts'
import type { StoredAnswer } from './stored.ts'
import { type Age, ageAt, type CacheTimes, type FreshnessBasis, maxAge } from './times.ts'

/** Of the 128 MB that an isolate has, in bytes. */
const maxMemoryBytes = 24_000_000
const maxEntryBytes = 1_000_000

/** Answers that this isolate holds, by key. */
export const memoryTier = isolateTier(maxMemoryBytes, maxEntryBytes)
const answerFlights = flights<StoredAnswer>()

/** A question to the cache: its key, and how long its answer is of use. */
export interface CacheQuestion extends FreshnessBasis {
  readonly key: string
  /** Whether it may well be asked again. One about a range that slides by the millisecond will hardly be. */
  readonly recurs: boolean
  /** The moment of the request, in milliseconds since 1970. */
  readonly now: number
}

/** What the cache may need of a request. */
export interface CacheServices {
  readonly times: CacheTimes
  /** Of the Worker that runs. */
  readonly version: string
  /** Lets work go on when the request has been answered, or whoever sent it has gone. */
  readonly waitUntil: (work: Promise<unknown>) => void
  /** The cache failed: the request goes on without it. */
  readonly failed: (error: unknown) => void
}

/** A stored answer, and how old it is. */
export interface CachedAnswer {
  readonly stored: StoredAnswer
  readonly age: Exclude<Age, 'gone'>
}

/** The answer in this isolate where it is fresh, else the platform's where that is newer. */
export async function findAnswer(question: CacheQuestion, services: CacheServices): Promise<CachedAnswer | undefined> {
  const here = withAge(memoryTier.get(question.key), question, services)
  if (here?.age === 'fresh') return here
  const there = withAge(await fromPlatform(question, services), question, services)
  if (!there || (here && here.stored.madeAt >= there.stored.madeAt)) return here
  memoryTier.set(question.key, there.stored)
  return there
}

function withAge(
  stored: StoredAnswer | undefined,
  question: CacheQuestion,
  { times }: CacheServices,
): CachedAnswer | undefined {
  const age = stored ? ageAt(times, question, stored.madeAt, question.now) : 'gone'
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

/**
 * Makes the answer and keeps it; those who ask for the same meanwhile get the same. It goes on when whoever asked first
 * has gone. One that was begun more than `milliseconds` ago is not waited for.
 */
export const makeAnswer = (
  question: CacheQuestion,
  milliseconds: number,
  services: CacheServices,
  work: () => Promise<StoredAnswer>,
): Promise<StoredAnswer> =>
  answerFlights.join(question.key, question.now, milliseconds, () => {
    const making = work().then((stored) => {
      memoryTier.set(question.key, stored)
      services.waitUntil(toPlatform(question, stored, services))
      return stored
    })
    services.waitUntil(making.catch(() => {}))
    return making
  })

/** What is made, if it comes in time. */
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

const answerLate = () => eventsUnreadable(new Error('No answer came in time.'))
