import { type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { bundled } from '../../src/local/start/workerd.ts'
import { startBeside } from '../support/beside.ts'
import { parted } from '../support/breaking.ts'
import { admin, ask, linesOf, ndjson } from '../support/exports.ts'
import { websiteOf } from '../support/people.ts'
import { day } from '../support/website.ts'
import { clickhouse, pathOf, running } from '../support/weir.ts'

type Headers = Readonly<Record<string, string>>

/** A Worker that waits this many seconds for slow readers. Its time limit identifies its statements. */
async function workerOf(patience: number, seconds: number) {
  const options = bundled(running.dataDir, 0, parseServer({ CLICKHOUSE_URL: running.clickhouse }))
  const variables = { CLICKHOUSE_EXPORT_PATIENCE: `${patience}`, CLICKHOUSE_EXPORT_TIMEOUT: `${seconds}` }
  return { ...(await startBeside({ ...options, bindings: { ...options.bindings, ...variables } })), seconds }
}

type Worker = Awaited<ReturnType<typeof workerOf>>

let patient: Worker
let strict: Worker
let path: string
const rows = 30_000

beforeAll(async () => {
  ;[patient, strict] = await Promise.all([workerOf(600, 611), workerOf(8, 631)])
  const websiteId = await websiteOf({}, { public: JSON.stringify({ events: true, allowExport: true }) })
  path = pathOf(`/api/websites/${websiteId}/events`, day)
  // This is more than fits into all socket buffers. Exports read only `events`, so no views need to run.
  await clickhouse(`insert into events (website_id, session_id, visit_id, event_id, created_at, event_type, page_title)
    select '${websiteId}', generateUUIDv4(1), generateUUIDv4(2), generateUUIDv4(3), '2025-10-15 12:00:00', 1, repeat('x', 1200)
    from numbers(${rows})`)
})

afterAll(async () => {
  await patient.close()
  await strict.close()
})

/** The responses to `count` exports. Each uses its own socket, and only its beginning is read. */
const unread = ({ url }: Worker, count: number, headers: Headers): Promise<IncomingMessage[]> =>
  Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<IncomingMessage>((resolve, reject) => {
          const answered = (answer: IncomingMessage) => {
            answer.socket.pause()
            resolve(answer)
          }
          request(url + path, { headers: { ...headers, accept: ndjson }, agent: false }, answered)
            .on('error', reject)
            .end()
        }),
    ),
  )

const statusesOf = (answers: readonly IncomingMessage[]): (number | undefined)[] =>
  answers.map(({ statusCode }) => statusCode).sort()

/** The number of exports that one account may run at once. */
const maxAtOnce = 4

const all = (status: number): number[] => Array(maxAtOnce).fill(status)

const from = (address: string): Headers => ({ 'cf-connecting-ip': address })

/** The number of this Worker’s export statements that are running in ClickHouse. */
async function underWay({ seconds }: Worker): Promise<number> {
  const [row] = await clickhouse<{ count: number }>(
    // Each statement's limit is the remaining time of its request.
    `select count() as count from system.processes
      where toFloat64OrZero(Settings['max_execution_time']) between ${seconds - 9} and ${seconds}`,
  )
  return row!.count
}

async function untilNoneUnderWay(worker: Worker): Promise<void> {
  while ((await underWay(worker)) !== 0) await pause(50)
}

describe('exports that nobody reads', () => {
  it('are limited per account, while other requests still get responses', async () => {
    const slow = await unread(patient, 2 * maxAtOnce, from('10.0.0.1'))
    expect(statusesOf(slow)).toEqual([...all(200), ...all(429)])
    const refused = slow.filter(({ statusCode }) => statusCode === 429)
    const waits = refused.map(({ headers }) => Number(headers['retry-after']))
    expect(Math.min(...waits)).toBeGreaterThan(0)
    expect(await underWay(patient)).toBe(maxAtOnce)
    const whole = await ask(path, ndjson, from('10.0.0.2'), patient.url)
    expect([whole.status, linesOf(await whole.text()).length]).toEqual([200, rows])
    const page = await ask(path, 'application/json', from('10.0.0.1'), patient.url)
    expect([page.status, ((await page.json()) as { count: number }).count]).toEqual([200, rows])

    for (const { socket } of slow) socket.destroy()
    await untilNoneUnderWay(patient)
    // The runtime may have dropped the code that would free their slots.
    await pause(1000 * Math.max(...waits))
    const again = await unread(patient, maxAtOnce, from('10.0.0.1'))
    expect(statusesOf(again)).toEqual(all(200))
    for (const { socket } of again) socket.destroy()
    await untilNoneUnderWay(patient)
  })

  it('are cancelled in ClickHouse; readers who resume get an error line, and others are disconnected', async () => {
    const slow = await unread(strict, maxAtOnce, admin)
    expect(statusesOf(slow)).toEqual(all(200))
    expect(await underWay(strict)).toBe(maxAtOnce)
    await untilNoneUnderWay(strict)
    const [first, ...others] = slow
    first!.socket.resume()
    let text = ''
    try {
      for await (const bytes of first! as AsyncIterable<Buffer>) text += bytes.toString()
    } catch {}
    const { rows, error } = parted(text, ndjson)
    expect(error).toMatchObject({ code: 'service-unavailable', message: expect.stringContaining('broke off') })
    expect(linesOf(rows).length).toBeGreaterThan(0)

    // The slots are freed although no client has disconnected.
    const isFree = async (): Promise<boolean> => {
      const short = all(200).map(() => ask(`${path}&maxResults=1`, ndjson, admin, strict.url))
      return (await Promise.all(short)).every(({ status }) => status === 200)
    }
    while (!(await isFree())) await pause(100)
    for (const { socket } of others) {
      expect(socket.destroyed).toBe(false)
      socket.destroy()
    }
  })
})
