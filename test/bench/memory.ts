import type { Held, InspectedWorker } from './inspected-worker.ts'
import { median } from './measure.ts'

/** The memory of the Worker while it answers, its garbage collected before each look. */
export interface Memory {
  readonly requests: number
  readonly seconds: number
  readonly looks: readonly Held[]
  /** How much more the Worker holds in the last quarter of the requests than in the second, as a ratio of medians. */
  readonly growth: Held
  readonly isFlat: boolean
}

const requests = 10_000
const concurrency = 8
const betweenLooks = 500

/** Growth that is still flat: pages of memory come and go with what is under way at a look. */
const mostGrowth = 1.1

/** Sends thousands of requests and looks at the memory between. */
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

/** Keeps the Worker at work until it has told what it holds. */
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

/** Judges the growth between the second quarter of the looks and the last. */
export function flatness(looks: readonly Held[]): Pick<Memory, 'growth' | 'isFlat'> {
  const growth = { heap: growthOf(looks.map(({ heap }) => heap)), resident: growthOf(looks.map((l) => l.resident)) }
  return { growth, isFlat: growth.heap <= mostGrowth && growth.resident <= mostGrowth }
}

function growthOf(values: readonly number[]): number {
  const quarter = (number: number) =>
    median(values.slice((values.length * (number - 1)) / 4, (values.length * number) / 4))
  return quarter(4) / quarter(2)
}
