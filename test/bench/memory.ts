import type { Held, InspectedWorker } from './inspected-worker.ts'
import { median } from './measure.ts'

/** The memory of the Worker under requests, after a garbage collection before each look. */
export interface Memory {
  readonly requests: number
  readonly seconds: number
  readonly looks: readonly Held[]
  /** The growth from the second quarter of the requests to the last, as a ratio of medians. */
  readonly growth: Held
  readonly isFlat: boolean
}

const requests = 10_000
const concurrency = 8
const betweenLooks = 500

/** The largest growth that counts as flat: memory also varies with the requests in progress at a look. */
const mostGrowth = 1.1

/** Sends thousands of requests and looks at the memory in between. */
export async function memoryOver(
  worker: InspectedWorker,
  key: string,
  paths: readonly string[],
  progress: (line: string) => void,
): Promise<Memory> {
  const started = performance.now()
  const ask = (number: number) => answered(worker.url + paths[number % paths.length]!, key)
  const looks = [await lookWhileBusy(worker, ask)]
  for (let sent = 0; sent < requests; sent += betweenLooks) {
    progress(`watching the memory of the Worker, request ${sent} of ${requests}`)
    await sendAll(sent, sent + betweenLooks, ask)
    looks.push(await lookWhileBusy(worker, ask))
  }
  return { requests, seconds: (performance.now() - started) / 1000, looks, ...flatness(looks) }
}

async function sendAll(from: number, until: number, ask: (number: number) => Promise<void>): Promise<void> {
  let next = from
  const send = async () => {
    while (next < until) await ask(next++)
  }
  await Promise.all(Array.from({ length: concurrency }, send))
}

/** Sends requests until the Worker has reported its memory. */
async function lookWhileBusy(worker: InspectedWorker, ask: (number: number) => Promise<void>): Promise<Held> {
  let held: Held | undefined
  const looking = worker.held().then((found) => {
    held = found
  })
  for (let number = 0; held === undefined; number++) await ask(number)
  await looking
  return held
}

async function answered(url: string, key: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  const body = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${body}`)
}

/** The growth between the second and the last quarter of the looks. */
export function flatness(looks: readonly Held[]): Pick<Memory, 'growth' | 'isFlat'> {
  const growth = { heap: growthOf(looks.map(({ heap }) => heap)), resident: growthOf(looks.map((l) => l.resident)) }
  return { growth, isFlat: growth.heap <= mostGrowth && growth.resident <= mostGrowth }
}

function growthOf(values: readonly number[]): number {
  const quarter = (number: number) =>
    median(values.slice((values.length * (number - 1)) / 4, (values.length * number) / 4))
  return quarter(4) / quarter(2)
}
