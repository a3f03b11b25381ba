import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Miniflare } from 'miniflare'
import { places } from '../../src/local/paths.ts'
import { bundle } from '../../src/local/start/bundle.ts'
import { bearer } from './access.ts'
import {
  cities,
  events,
  insertEvents,
  optionsOver,
  placeOf,
  questionRange,
  type Region,
  startRegion,
  steadily,
  uuid,
} from './region.ts'
import { websitesAndKey, withWorker } from './through.ts'

/** Three engines as three regions, one after the other in trouble, at a steady rate. */
export interface RegionsFindings {
  readonly events: number
  /** Answers a second that one replica sustains alone; the rate of all phases is half of it. */
  readonly sustained: number
  /** The delay of a hedge that the calm answers give at most, in milliseconds. */
  readonly hedgeDelay: number
  /** Statements that ClickHouse ran for each answer in calm, of those that one replica alone runs for it. */
  readonly overhead: number
  readonly phases: readonly Phase[]
}

export interface Phase {
  readonly name: string
  readonly answers: number
  /** Answers that were no 200, and answers that were not right. */
  readonly failed: number
  readonly wrong: number
  /** In milliseconds. */
  readonly median: number
  readonly p95: number
  readonly p99: number
  readonly most: number
  /** The answers of each replica. */
  readonly by: Readonly<Record<string, number>>
}

const sessions = 997
const names = 7

/** How the share of all answers is spread over the phases. */
const plan = [
  ['calm', 0.3],
  ['one killed', 0.15],
  ['another hangs', 0.2],
  ['the third is slow', 0.15],
  ['all are back', 0.2],
] as const

/** After them: readers who all ask at once, and the share of the answers that they get more. */
const readers = 50
const shareAtOnce = 0.2

/** The seconds in which the sustained rate is measured, and the requests under way meanwhile. */
const seconds = 6
const underWay = 8

export async function regionsOf(
  dir: string,
  answers: number,
  progress: (line: string) => void,
): Promise<RegionsFindings> {
  rmSync(dir, { recursive: true, force: true })
  const websiteId = randomUUID()
  const engines: Region[] = []
  try {
    for (const { name } of cities) {
      progress(`filling ${name}`)
      engines.push(await startRegion(`${dir}/${name}`, customEvents(websiteId)))
    }
    await bundle(places(dir).bundle)
    const key = await withWorker(dir, engines[0]!.server, ({ metadata }) => websitesAndKey(metadata, [websiteId]))
    const ask = asking(websiteId, key)
    const alone = await measureAlone(dir, engines, ask, progress)
    return { events, ...(await measureTogether(dir, engines, ask, { answers, ...alone }, progress)) }
  } finally {
    for (const one of engines) await one.close()
  }
}

const customEvents = (websiteId: string): string =>
  insertEvents({
    website_id: `'${websiteId}'`,
    event_id: uuid(1, 'number'),
    session_id: uuid(2, `number % ${sessions}`),
    visit_id: uuid(3, `number % ${sessions}`),
    event_type: '2',
    event_name: `concat('name ', toString(number % ${names}))`,
  })

/** One answer: how long it took in milliseconds, and who made it. */
interface Answer {
  readonly took: number
  readonly outcome: 'right' | 'wrong' | 'failed'
  readonly replica: string
}

type Ask = (worker: Miniflare, number: number) => Promise<Answer>

/** Asks the question of this number, which no other number has, and compares the answer with one counted by hand. */
function asking(websiteId: string, key: string): Ask {
  return async (worker, number) => {
    const { startAt, endAt, rows } = questionRange(number)
    const right = {
      events: rows,
      visitors: Math.min(rows, sessions),
      visits: Math.min(rows, sessions),
      uniqueEvents: Math.min(rows, names),
    }
    const began = performance.now()
    try {
      const path = `/api/websites/${websiteId}/events/stats?startAt=${startAt}&endAt=${endAt}`
      const answer = await worker.dispatchFetch(`http://weir${path}`, {
        headers: bearer(key),
        cf: placeOf(number),
      })
      const text = await answer.text()
      const took = performance.now() - began
      const replica = answer.headers.get('x-replica') ?? 'nobody'
      if (answer.status !== 200) return { took, outcome: 'failed', replica }
      if (answer.headers.get('x-cache') !== 'MISS') throw new Error(`${path} came from the cache.`)
      const { data } = JSON.parse(text) as { data: Record<string, number> }
      const isRight = Object.entries(right).every(([field, value]) => data[field] === value)
      return { took, outcome: isRight ? 'right' : 'wrong', replica }
    } catch (error) {
      if (String(error).includes('came from the cache')) throw error
      return { took: performance.now() - began, outcome: 'failed', replica: 'nobody' }
    }
  }
}

async function workerOver(dir: string, regions: readonly Region[]): Promise<Miniflare> {
  const worker = new Miniflare(optionsOver(dir, regions))
  await worker.ready
  return worker
}

/** Numbers from here on are asked while the sustained rate is measured. */
const firstAlone = 1_000_000

async function measureAlone(dir: string, regions: readonly Region[], ask: Ask, progress: (line: string) => void) {
  progress('measuring one replica alone')
  const worker = await workerOver(dir, regions.slice(0, 1))
  try {
    for (let number = 0; number < 200; number++) await ask(worker, firstAlone - 1 - number)
    const before = await regions[0]!.selects()
    const until = performance.now() + 1000 * seconds
    let number = firstAlone
    const sender = async () => {
      while (performance.now() < until) {
        const { outcome } = await ask(worker, number++)
        if (outcome !== 'right') throw new Error(`One replica alone gave an answer that ${outcome}.`)
      }
    }
    await Promise.all(Array.from({ length: underWay }, sender))
    const answers = number - firstAlone
    return { sustained: answers / seconds, selectsPerAnswer: ((await regions[0]!.selects()) - before) / answers }
  } finally {
    await worker.dispose()
  }
}

interface Alone {
  readonly answers: number
  readonly sustained: number
  readonly selectsPerAnswer: number
}

async function measureTogether(
  dir: string,
  regions: readonly Region[],
  ask: Ask,
  { answers, sustained, selectsPerAnswer }: Alone,
  progress: (line: string) => void,
): Promise<Omit<RegionsFindings, 'events'>> {
  const worker = await workerOver(dir, regions)
  const selects = async () => (await Promise.all(regions.map((one) => one.selects()))).reduce((sum, one) => sum + one)
  const [first, second, third] = regions as [Region, Region, Region]
  const begins: Readonly<Record<string, () => Promise<void> | void>> = {
    'one killed': () => first.kill(),
    'another hangs': () => second.hang(),
    'the third is slow': () => third.slow(),
    'all are back': async () => {
      for (const one of regions) await one.restart()
    },
  }
  try {
    for (let number = 0; number < 100; number++) await ask(worker, firstAlone - 1000 - number)
    const phases: Phase[] = []
    let [number, overhead] = [0, Number.NaN]
    for (const [name, share] of plan) {
      progress(`measuring: ${name}`)
      const count = Math.round(answers * share)
      const before = name === 'calm' ? await selects() : 0
      const phase = steadily(
        (index) => index < count,
        sustained / 2,
        number,
        (one) => ask(worker, one),
      )
      // The trouble begins while requests are under way.
      await Promise.all([phase, pause(500).then(begins[name])])
      if (name === 'calm') overhead = ((await selects()) - before) / count / selectsPerAnswer
      phases.push(phaseOf(name, await phase))
      number += count
    }
    progress(`measuring: ${readers} readers at once`)
    const atOnce = Math.round(answers * shareAtOnce)
    phases.push(phaseOf(`${readers} readers at once`, await together(atOnce, number, (one) => ask(worker, one))))
    const calm = phases[0]!
    return { sustained, hedgeDelay: hedgeDelayOf(calm), overhead, phases }
  } finally {
    await worker.dispose()
  }
}

/** The Worker waits half as long again as it usually takes; its statements take less than the answers here. */
const hedgeDelayOf = ({ p95 }: Phase): number => Math.min(2000, Math.max(50, 1.5 * p95))

/** Each reader asks as soon as it has its answer. */
async function together(count: number, from: number, ask: (number: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  let next = from
  const reader = async () => {
    while (next < from + count) answers.push(await ask(next++))
  }
  await Promise.all(Array.from({ length: readers }, reader))
  return answers
}

function phaseOf(name: string, answers: readonly Answer[]): Phase {
  const times = answers.map(({ took }) => took).sort((one, other) => one - other)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(part * times.length))]!
  const by: Record<string, number> = {}
  for (const { replica } of answers) by[replica] = (by[replica] ?? 0) + 1
  const count = (outcome: Answer['outcome']) => answers.filter((one) => one.outcome === outcome).length
  return {
    name,
    answers: answers.length,
    failed: count('failed'),
    wrong: count('wrong'),
    median: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    most: times.at(-1)!,
    by,
  }
}
