import { largest, to } from './data.ts'
import type { DataSet } from './datasets.ts'
import { median, timed } from './measure.ts'
import { type ProcessorClock, processorClock } from './processor.ts'
import { ranges } from './requests.ts'

/** In milliseconds: ClickHouse's processor time, and the time through the Worker. */
export interface Spent {
  readonly processor: number
  readonly milliseconds: number
}

/** The cost of a page over one range: as one batch, and with each member requested alone. */
export interface PageCost {
  readonly range: string
  readonly batch: Spent
  readonly members: readonly (Spent & { readonly name: string })[]
}

export interface Dashboard {
  readonly runs: number
  readonly pages: readonly PageCost[]
}

/** The Worker, and the key for its requests. */
interface Worker {
  readonly url: string
  readonly key: string
}

const hour = 3_600_000
const runs = 5
const warmUps = 1

const metricTypes = ['path', 'referrer', 'browser', 'os', 'device', 'country', 'event', 'entry'] as const

/** The members of the page: their paths below the website, without the range. */
const members: readonly string[] = [
  'stats',
  'pageviews?unit=day&compare=prev',
  ...metricTypes.map((type) => `metrics?type=${type}`),
  'active',
  'events/stats',
]

/** A dashboard page of the largest website, over each range. */
export async function dashboardOf(
  { layouts }: DataSet,
  worker: Worker,
  progress: (line: string) => void,
): Promise<Dashboard> {
  const clock = await processorClock(layouts.weir)
  const pages: PageCost[] = []
  for (const { range, length } of ranges) {
    progress(`a dashboard page over ${range}`)
    pages.push({ range, ...(await pageOver(length, worker, clock)) })
  }
  return { runs, pages }
}

async function pageOver(length: number, worker: Worker, clock: ProcessorClock): Promise<Omit<PageCost, 'range'>> {
  const batch: Spent[] = []
  const alone = members.map((): Spent[] => [])
  for (let round = 0; round < warmUps + runs; round++) {
    const isCounted = round >= warmUps
    const together = await spent(clock, () => askTogether(worker, pathsOver(length, 2 * round)))
    if (isCounted) batch.push(together)
    for (const [place, path] of pathsOver(length, 2 * round + 1).entries()) {
      const one = await spent(clock, () => askAlone(worker, path))
      if (isCounted) alone[place]!.push(one)
    }
  }
  return {
    batch: medianOf(batch),
    members: members.map((name, place) => ({ name, ...medianOf(alone[place]!) })),
  }
}

/** The paths of a round. No two rounds have the same range, so that no cache can answer. */
function pathsOver(length: number, round: number): string[] {
  const end = Math.floor(to / hour) * hour - round * hour
  const range = `startAt=${end - length}&endAt=${end - 1}`
  return members.map((member) => `/api/websites/${largest}/${member}${member.includes('?') ? '&' : '?'}${range}`)
}

async function spent(clock: ProcessorClock, work: () => Promise<void>): Promise<Spent> {
  let milliseconds = Number.NaN
  const processor = await clock.of(async () => {
    milliseconds = await timed(work)
  })
  return { processor, milliseconds }
}

const medianOf = (all: readonly Spent[]): Spent => ({
  processor: median(all.map(({ processor }) => processor)),
  milliseconds: median(all.map(({ milliseconds }) => milliseconds)),
})

async function askAlone({ url, key }: Worker, path: string): Promise<void> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
  check(path, response.status, response.headers.get('x-cache'), await response.text())
}

interface Answered {
  readonly answers: readonly {
    readonly path: string
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: unknown
  }[]
}

async function askTogether({ url, key }: Worker, paths: readonly string[]): Promise<void> {
  const response = await fetch(`${url}/api/read`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ paths }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The batch answered ${response.status}: ${text}`)
  for (const { path, status, headers, body } of (JSON.parse(text) as Answered).answers) {
    check(path, status, headers['x-cache'], JSON.stringify(body))
  }
}

/** `active` has no range: requests within five seconds share its answer. */
function check(path: string, status: number, cache: string | null | undefined, body: string): void {
  if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
  if (cache === 'HIT' && !path.includes('/active?')) throw new Error(`${path} was answered from the cache.`)
}

export const costliestOf = ({ members }: PageCost): PageCost['members'][number] =>
  members.reduce((most, one) => (one.processor > most.processor ? one : most))

export const sumOf = ({ members }: PageCost, what: keyof Spent): number =>
  members.reduce((sum, one) => sum + one[what], 0)
