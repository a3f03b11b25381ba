import { median, straight, throughWorker, timed, type Ways } from './measure.ts'
import type { Case, Request } from './requests.ts'

/** One endpoint under concurrent requests; times are medians of single requests, in milliseconds. */
export interface ConcurrentCell {
  readonly endpoint: string
  readonly range: string
  readonly worker: number
  readonly direct: number
  /** Requests per second. */
  readonly rate: Readonly<Record<'worker' | 'direct', number>>
}

export interface Concurrent {
  readonly underWay: number
  readonly requests: number
  readonly cells: readonly ConcurrentCell[]
}

const underWay = 50

/** Requests per batch, and batches per way; the first batch warms up. */
const batch = 100
const batches = 7

/** The first round that no other part of the benchmark uses, so its answers are not cached. */
const unused = 1000

/** The measured ranges: the Worker's overhead weighs most where ClickHouse does least. */
const ranges = new Set(['24 hours', 'any'])

/** Compares the Worker with its bare statements, at 50 concurrent requests. */
export async function concurrently(
  cases: readonly Case[],
  ways: Ways,
  progress: (line: string) => void,
): Promise<Concurrent> {
  const cells: ConcurrentCell[] = []
  for (const one of cases.filter(({ range }) => ranges.has(range))) {
    progress(`${underWay} requests under way: ${one.endpoint} over ${one.range}`)
    cells.push(await measuredTogether(one, ways))
  }
  return { underWay, requests: batch * (batches - 1), cells }
}

interface Batch {
  readonly times: readonly number[]
  readonly milliseconds: number
}

/** Alternates batches, with the order reversed each round. No two requests are equal. */
async function measuredTogether(one: Case, ways: Ways): Promise<ConcurrentCell> {
  const found = { worker: [] as Batch[], direct: [] as Batch[] }
  for (let round = 0; round < batches; round++) {
    const first = unused + 2 * round * batch
    const turns = [
      async () => found.worker.push(await sent(first, one, (request) => throughWorker(ways, request))),
      async () => found.direct.push(await sent(first + batch, one, (request) => straight(ways.direct, request))),
    ]
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
  }
  const [worker, direct] = [judged(found.worker.slice(1)), judged(found.direct.slice(1))]
  const { endpoint, range } = one
  return {
    endpoint,
    range,
    worker: worker.median,
    direct: direct.median,
    rate: { worker: worker.rate, direct: direct.rate },
  }
}

const judged = (found: readonly Batch[]) => ({
  median: median(found.flatMap(({ times }) => times)),
  rate: (1000 * batch) / median(found.map(({ milliseconds }) => milliseconds)),
})

async function sent(first: number, { request }: Case, send: (request: Request) => Promise<void>): Promise<Batch> {
  // Built in advance, because planning takes time too.
  const requests = Array.from({ length: batch }, (_, index) => request(first + index))
  const times: number[] = []
  const sender = async () => {
    for (let next = requests.pop(); next; next = requests.pop()) {
      const asked = next
      times.push(await timed(() => send(asked)))
    }
  }
  const milliseconds = await timed(() => Promise.all(Array.from({ length: underWay }, sender)))
  return { times, milliseconds }
}
