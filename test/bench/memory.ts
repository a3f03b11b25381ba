import { readdirSync, readFileSync } from 'node:fs'
import { median, type Ways } from './measure.ts'
import type { Case } from './requests.ts'

/** The memory of workerd while it answers, in MiB. */
export interface Memory {
  readonly requests: number
  readonly seconds: number
  readonly first: number
  readonly middle: number
  readonly last: number
  /** Medians of the second and of the last quarter of the requests. */
  readonly secondQuarter: number
  readonly lastQuarter: number
  readonly isFlat: boolean
  readonly samples: readonly number[]
}

const requests = 10_000
const concurrency = 8
const betweenSamples = 50

/** Growth between the two quarters that is still flat: the collector of V8 is lazy. */
const mostGrowth = 1.1

/** Sends thousands of requests and watches the memory; undefined where there is no `/proc` to read it from. */
export async function memoryOver(
  cases: readonly Case[],
  { worker }: Ways,
  progress: (line: string) => void,
): Promise<Memory | undefined> {
  const process = workerdProcess()
  if (process === undefined) return undefined
  const started = performance.now()
  const samples: number[] = []
  let sent = 0
  const send = async () => {
    while (sent < requests) {
      const number = sent++
      if (number % betweenSamples === 0) samples.push(residentMiB(process))
      if (number % 1000 === 0) progress(`watching the memory of the Worker, request ${number} of ${requests}`)
      await answered(worker, cases[number % cases.length]!.request(number).path)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, send))
  samples.push(residentMiB(process))
  return summary(samples, (performance.now() - started) / 1000)
}

async function answered({ url, key }: Ways['worker'], path: string): Promise<void> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

function summary(samples: readonly number[], seconds: number): Memory {
  const quarter = (number: number) =>
    median(samples.slice((samples.length * (number - 1)) / 4, (samples.length * number) / 4))
  return {
    requests,
    seconds,
    first: samples[0]!,
    middle: samples[Math.floor(samples.length / 2)]!,
    last: samples.at(-1)!,
    secondQuarter: quarter(2),
    lastQuarter: quarter(4),
    isFlat: quarter(4) <= mostGrowth * quarter(2),
    samples,
  }
}

/** The process of workerd that this one started. */
function workerdProcess(): number | undefined {
  const children = numbersIn('/proc').filter((number) => /\(workerd\) \S (\d+)/.exec(statusOf(number))?.[1] === own)
  return children[0]
}

const own = String(process.pid)

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/** `pid (name) state parent …`; empty for a process that has ended meanwhile. */
function statusOf(number: number): string {
  try {
    return readFileSync(`/proc/${number}/stat`, 'utf8')
  } catch {
    return ''
  }
}

function residentMiB(number: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${number}/status`, 'utf8'))![1]) / 1024
}
