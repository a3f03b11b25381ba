import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { defaultDataDir } from '../../src/local/paths.ts'
import { ask, sent } from '../collect/senders.ts'
import { family, npm } from '../support/process.ts'

/** The number of websites that receive one event per minute. */
const websites = 300

/** How many seconds each measurement takes. */
const seconds = Number(process.env.SECONDS ?? 180)

/** Bytes written to disk, processor time in hundredths of a second, and memory in MiB, with shared pages divided up. */
interface Costs {
  readonly written: number
  readonly processor: number
  readonly memory: number
}

const fileOf = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8')

function costsOf(pid: number): Costs {
  const fields = fileOf(pid, 'stat').split(') ').at(-1)!.split(' ')
  return {
    written: Number(/^write_bytes: (\d+)$/m.exec(fileOf(pid, 'io'))![1]),
    processor: Number(fields[11]) + Number(fields[12]),
    memory: Number(/^Pss:\s+(\d+) kB$/m.exec(fileOf(pid, 'smaps_rollup'))?.[1] ?? 0) / 1024,
  }
}

/** The cost per second of all processes below this one while `work` runs, and their memory afterwards. */
async function during(what: string, start: number, work: () => Promise<unknown>): Promise<Costs> {
  const before = new Map(family(start).map((pid) => [pid, costsOf(pid)]))
  const since = performance.now()
  await work()
  const lasted = (performance.now() - since) / 1000
  const all = [...before].map(([pid, { written, processor }]) => {
    const { memory, ...after } = costsOf(pid)
    return {
      process: fileOf(pid, 'comm').trim(),
      written: Math.round((after.written - written) / lasted),
      processor: (after.processor - processor) / lasted,
      memory,
    }
  })
  const of = (name: keyof Costs) => all.reduce((sum, one) => sum + one[name], 0)
  const whole = { written: of('written'), processor: of('processor'), memory: of('memory') }
  console.log(what, JSON.stringify([...all, whole]))
  return whole
}

/** Sends events for random websites at a steady rate. */
async function sendSteadily(url: string, ids: readonly string[], lasts: number): Promise<number> {
  const end = performance.now() + 1000 * lasts
  let count = 0
  for (let next = performance.now(); next < end; next += 60_000 / websites) {
    await pause(next - performance.now())
    const data = count % 2 === 0 ? { data: { plan: 'pro', price: count } } : {}
    const answer = await ask({ url }, undefined, [sent(ids[count++ % websites]!, data)])
    expect(answer?.status).toBe(200)
  }
  return count
}

// Other tests' folders may be in memory.
mkdirSync(defaultDataDir, { recursive: true })
const folder = mkdtempSync(`${defaultDataDir}/quiet-`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('npm start writes at most 40 kB per event if there are few and nobody reads them', async () => {
  const flags = ['--no-demo', '--json', '--port', '0', '--clickhouse-port', '0', '--data-dir', folder]
  const { child, firstLine, ended } = npm(['start', '--', ...flags])
  const { url, apiKey } = JSON.parse(await firstLine) as { url: string; apiKey: string }
  const ids = Array.from({ length: websites }, () => randomUUID())
  for (const id of ids) {
    const answer = await fetch(`${url}/api/websites`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id, name: id, domain: 'www.example.com' }),
    })
    expect(answer.status).toBe(200)
  }
  await pause(30_000)
  await during('idle', child.pid!, () => pause(1000 * seconds))
  // For a minute, a log that has just been loaded waits no longer than a second.
  await sendSteadily(url, ids, 90)
  let count = 0
  const { written } = await during('5 events a second', child.pid!, async () => {
    count = await sendSteadily(url, ids, seconds)
  })
  child.kill('SIGTERM')
  await ended
  expect(written).toBeGreaterThan(0)
  expect((written * seconds) / count).toBeLessThan(40_000)
})
