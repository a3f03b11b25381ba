import { readFileSync } from 'node:fs'
import { dayLength } from '../../request/time-zone.ts'
import { type Clock, trafficClock } from './traffic.ts'

interface DatasetPlan {
  /** Each website's share of the visitors; the shares need not add up to 1. */
  websites: { id: string; share: number }[]
  /** Rounded up to whole visits (at most 39 more events); multiples of 400 are exact. */
  events: number
  /** The time of the earliest event, in milliseconds since 1970. */
  from: number
  /** The time of the latest event, at least a day after `from`. */
  to: number
  /** A whole number below 2³². The same plan and seed always give the same rows. */
  seed: number
  /** The approximate number of events in one statement. Different values change the times of events slightly. */
  chunk?: number
}

export interface DatasetStep {
  readonly query: string
  readonly query_params: Record<string, unknown>
  /** The exact number of events that the statement inserts. */
  readonly events: number
}

/** How many spans of equal traffic a statement has: enough for the hours of a month. */
const spans = 256

const textOf = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8')

const query = textOf('./dataset.sql')

/** Smaller statements would not be faster. */
const leastChunk = 10_000

/** The demo's plan: 90 days of one website. Its small steps suit a progress bar. */
export function demoPlan(websiteId: string, events: number, now: number): DatasetPlan {
  const websites = [{ id: websiteId, share: 1 }]
  return {
    websites,
    events,
    from: now - 90 * dayLength,
    to: now,
    seed: 1,
    chunk: Math.max(leastChunk, Math.ceil(events / 20)),
  }
}

/**
 * The benchmark's plan: twelve months of 50 websites. The first website has 40 % of the events, and each subsequent one
 * has fewer.
 */
export function benchPlan(events: number, to: number, seed = 1): DatasetPlan {
  const others = Array.from({ length: 49 }, (_, index) => 1 / (index + 1))
  const scale = 0.6 / sum(others)
  const websites = [0.4, ...others.map((share) => share * scale)].map((share, index) => ({
    id: benchId(index + 1),
    share,
  }))
  return { websites, events, from: to - 365 * dayLength, to, seed, chunk: 500_000 }
}

function benchId(website: number): string {
  return `00000000-0000-4000-8000-${String(website).padStart(12, '0')}`
}

/** Returns the statements that fill `ingest`, in time order, without running them. */
export function datasetSteps(plan: DatasetPlan): DatasetStep[] {
  if (plan.to - plan.from < dayLength) throw new RangeError('A dataset spans at least a day.')
  const visits = visitsFor(plan.events)
  const visitsPerStep = visitsFor(plan.chunk ?? 500_000)
  const clock = trafficClock(plan.from, plan.to, plan.seed)
  const common = commonParameters(plan, visits)
  return Array.from({ length: Math.ceil(visits / visitsPerStep) }, (_, index) => {
    const first = index * visitsPerStep
    const end = Math.min(first + visitsPerStep, visits)
    const events = eventsBefore(end) - eventsBefore(first)
    return { query, query_params: { ...common, ...span(first, end, visits, clock) }, events }
  })
}

/** The statement that inserts the identify calls. It reads the events, so insert those first. */
export const callsStep = (websiteId: string): DatasetStep => ({
  query: textOf('./calls.sql'),
  query_params: { website_id: websiteId },
  events: 0,
})

/** The statement that inserts clicks and scroll depths of two pages. It reads the page views, so insert those first. */
export const heatmapStep = (websiteId: string): DatasetStep => ({
  query: textOf('./heatmap.sql'),
  query_params: { website_id: websiteId },
  events: 0,
})

function commonParameters({ websites, from, to, seed }: DatasetPlan, visits: number) {
  const total = sum(websites.map(({ share }) => share))
  return {
    seed,
    website_ids: websites.map(({ id }) => id),
    website_edges: websites.map((_, index) => sum(websites.slice(0, index + 1).map(({ share }) => share)) / total),
    visit_lengths: visitLengths,
    visits_per_day: Math.ceil((visits * dayLength) / (to - from)),
    end: to,
  }
}

/** The visits of one statement, and the start times of their spans. */
function span(first: number, end: number, visits: number, clock: Clock) {
  const start = clock(first / visits)
  const marks = Array.from({ length: spans + 1 }, (_, index) =>
    clock((first + ((end - first) * index) / spans) / visits),
  )
  return {
    first_visit: first,
    visits: end - first,
    start: Math.ceil(start),
    marks: marks.map((mark) => Math.floor((mark - start) / 1000)),
  }
}

/** The lengths of 64 visits with 400 events in total, shuffled. A third are single page views. The list repeats. */
const visitLengths = shuffled([
  ...Array<number>(21).fill(1),
  ...[2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 7, 7, 8, 8],
  ...[9, 10, 11, 12, 14, 15, 17, 19, 21, 25, 28, 36, 40],
])

function shuffled(lengths: readonly number[]): number[] {
  return lengths.map((_, index) => lengths[(index * 37) % lengths.length]!)
}

/** The number of whole visits that have at least `events` events. */
function visitsFor(events: number): number {
  const cycles = Math.floor(events / sum(visitLengths))
  let visits = cycles * visitLengths.length
  while (eventsBefore(visits) < events) visits += 1
  return visits
}

function eventsBefore(visit: number): number {
  const rest = visit % visitLengths.length
  return Math.floor(visit / visitLengths.length) * sum(visitLengths) + sum(visitLengths.slice(0, rest))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
