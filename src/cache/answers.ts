import { eventsUnreadable } from '../errors.ts'
import { flights, within } from './flights.ts'
import { isolateTier } from './isolate.ts'
import { fetchStored, platformCache, storeThere } from './platform.ts'
import type { StoredAnswer } from './stored.ts'
import { type Age, type Ageing, ageAt, type CacheTimes, longest } from './times.ts'

/** Of the 128 MB that an isolate has, in bytes. */
const mostBytes = 24_000_000
const largest = 1_000_000

/** Answers that this isolate holds, by key. */
export const held = isolateTier(mostBytes, largest)
const underWay = flights<StoredAnswer>()

/** A question to the cache: what `keyOf` made of it, and how long its answer is of use. */
export interface CacheQuestion extends Ageing {
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
export interface Found {
  readonly stored: StoredAnswer
  readonly age: Exclude<Age, 'gone'>
}

/** The answer in this isolate where it is fresh, else the platform's where that is newer. */
export async function find(asked: CacheQuestion, services: CacheServices): Promise<Found | undefined> {
  const here = aged(held.get(asked.key), asked, services)
  if (here?.age === 'fresh') return here
  const there = aged(await fromPlatform(asked, services), asked, services)
  if (!there || (here && here.stored.madeAt >= there.stored.madeAt)) return here
  held.set(asked.key, there.stored)
  return there
}

function aged(stored: StoredAnswer | undefined, asked: CacheQuestion, { times }: CacheServices): Found | undefined {
  const age = stored ? ageAt(times, asked, stored.madeAt, asked.now) : 'gone'
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
export const make = (
  asked: CacheQuestion,
  milliseconds: number,
  services: CacheServices,
  work: () => Promise<StoredAnswer>,
): Promise<StoredAnswer> =>
  underWay.join(asked.key, asked.now, milliseconds, () => {
    const making = work().then((stored) => {
      held.set(asked.key, stored)
      services.waitUntil(toPlatform(asked, stored, services))
      return stored
    })
    services.waitUntil(making.catch(() => {}))
    return making
  })

/** What is made, if it comes in time. */
export const awaited = (making: Promise<StoredAnswer>, milliseconds: number): Promise<StoredAnswer> =>
  within(milliseconds, making, tooLate)

async function toPlatform(
  asked: CacheQuestion,
  stored: StoredAnswer,
  { times, version, failed }: CacheServices,
): Promise<void> {
  const platform = asked.recurs ? platformCache() : undefined
  if (platform) await storeThere(platform, version, asked.key, stored, longest(times)).catch(failed)
}

const tooLate = () => eventsUnreadable(new Error('No answer came in time.'))
