import { eventsUnreadable } from '../errors.ts'
import { flights, within } from './flights.ts'
import { isolateTier } from './isolate.ts'
import type { Kept } from './kept.ts'
import { fetchKept, platformCache, storeKept } from './platform.ts'
import { type Age, type Ageing, ageAt, type CacheTimes, longest } from './times.ts'

/** Of the 128 MB that an isolate has, in bytes. */
const mostBytes = 24_000_000
const largest = 1_000_000

/** Answers that this isolate holds, by key. */
export const held = isolateTier(mostBytes, largest)
const underWay = flights<Kept>()

/** A question to the cache: what `keyOf` made of it, and how long its answer is of use. */
export interface Asked extends Ageing {
  readonly key: string
  /** Whether it may well be asked again. One about a range that slides by the millisecond will hardly be. */
  readonly recurs: boolean
  /** The moment of the request, in milliseconds since 1970. */
  readonly now: number
}

/** What the cache may need of a request. */
export interface Surroundings {
  readonly times: CacheTimes
  /** Of the Worker that runs. */
  readonly version: string
  /** Lets work go on when the request has been answered, or whoever sent it has gone. */
  readonly waitUntil: (work: Promise<unknown>) => void
  /** The cache failed: the request goes on without it. */
  readonly failed: (error: unknown) => void
}

/** What is kept of an answer, and how old it is. */
export interface Found {
  readonly kept: Kept
  readonly age: Exclude<Age, 'gone'>
}

/** The answer in this isolate where it is fresh, else the platform's where that is newer. */
export async function find(asked: Asked, around: Surroundings): Promise<Found | undefined> {
  const here = aged(held.get(asked.key), asked, around)
  if (here?.age === 'fresh') return here
  const there = aged(await fromPlatform(asked, around), asked, around)
  if (!there || (here && here.kept.madeAt >= there.kept.madeAt)) return here
  held.set(asked.key, there.kept)
  return there
}

function aged(kept: Kept | undefined, asked: Asked, { times }: Surroundings): Found | undefined {
  const age = kept ? ageAt(times, asked, kept.madeAt, asked.now) : 'gone'
  return kept && age !== 'gone' ? { kept, age } : undefined
}

async function fromPlatform({ key, recurs }: Asked, { version, failed }: Surroundings): Promise<Kept | undefined> {
  const platform = recurs ? platformCache() : undefined
  try {
    return platform && (await fetchKept(platform, version, key))
  } catch (error) {
    return void failed(error)
  }
}

/**
 * Makes the answer and keeps it; those who ask for the same meanwhile get the same. It goes on when whoever asked first
 * has gone. One that was begun more than `milliseconds` ago is not waited for.
 */
export const make = (
  asked: Asked,
  milliseconds: number,
  around: Surroundings,
  work: () => Promise<Kept>,
): Promise<Kept> =>
  underWay.join(asked.key, asked.now, milliseconds, () => {
    const making = work().then((kept) => {
      held.set(asked.key, kept)
      around.waitUntil(toPlatform(asked, kept, around))
      return kept
    })
    around.waitUntil(making.catch(() => {}))
    return making
  })

/** What is made, if it comes in time. */
export const awaited = (making: Promise<Kept>, milliseconds: number): Promise<Kept> =>
  within(milliseconds, making, tooLate)

async function toPlatform(asked: Asked, kept: Kept, { times, version, failed }: Surroundings): Promise<void> {
  const platform = asked.recurs ? platformCache() : undefined
  if (platform) await storeKept(platform, version, asked.key, kept, longest(times)).catch(failed)
}

const tooLate = () => eventsUnreadable(new Error('No answer came in time.'))
