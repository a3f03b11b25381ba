import { createServer, type Server as HttpServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { bundled, usualCache } from '../../src/local/start/workerd.ts'
import { event, id } from '../oracle/fixtures.ts'
import { batch, batchInit, statuses } from '../support/batch.ts'
import { type Beside, startBeside } from '../support/beside.ts'
import { operator } from '../support/callers.ts'
import { isTrial } from '../support/trials.ts'
import { day, websiteWith } from '../support/website.ts'
import { pathOf, running } from '../support/weir.ts'

/** A gate between the Worker and ClickHouse. Each path's statement passes once `allowed` has resolved. */
let allowed: (place: number) => Promise<'pass' | 'fail'>
let gate: HttpServer
let worker: Beside
let websiteId: string

beforeAll(async () => {
  gate = createServer(async (request, response) => {
    const body = await buffer(request)
    if (!isTrial(request) && (await allowed(placeOf(request, body))) === 'fail')
      return void response.writeHead(502).end()
    const { port } = new URL(running.clickhouse)
    const headers = Object.entries(request.headers).filter(([name]) => /^(content-type|authorization|x-)/.test(name))
    const target = `http://127.0.0.1:${port}${request.url}`
    const answer = await fetch(target, { method: 'POST', headers: headers as [string, string][], body })
    response.writeHead(answer.status, [...answer.headers].filter(([name]) => /^(content-type|x-)/.test(name)).flat())
    response.end(Buffer.from(await answer.arrayBuffer()))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => gate.once('listening', listening))
  const titled = [...Array(1000).keys()].map((index) =>
    event({ event_id: id(index + 1), page_title: 'x'.repeat(1400) }),
  )
  websiteId = await websiteWith(...titled)
  const server = parseServer({ CLICKHOUSE_URL: running.clickhouse })
  const gated = { ...server, url: `http://127.0.0.1:${(gate.address() as AddressInfo).port}` }
  const options = bundled(running.dataDir, 0, gated, undefined, usualCache)
  // A caller on one website has fewer turns than a batch uses at a time.
  worker = await startBeside({ ...options, bindings: { ...options.bindings, CONCURRENCY: { callerOfWebsite: 16 } } })
})

afterAll(async () => {
  await worker.close()
  gate.closeAllConnections()
  gate.close()
})

/** The position of a path in its batch: its range starts this many milliseconds after the first path's range. */
const placeOf = ({ url }: IncomingMessage, body: Buffer): number =>
  Number(/17604864000(\d\d)/.exec(`${url} ${body.toString()}`)![1])

/** New paths, so that no answer is cached. */
function newPaths(report: string, query: Readonly<Record<string, string>> = {}, count = 20): string[] {
  ends++
  return [...Array(count).keys()].map((index) => {
    const range = { startAt: String(day.startAt + index), endAt: String(day.endAt + ends) }
    return pathOf(`/api/websites/${websiteId}/${report}`, { ...range, ...query })
  })
}

let ends = 0

/** An event that happens only once and can be awaited. */
function happening(): { happen: () => void; happened: Promise<void> } {
  let happen = (): void => {}
  const happened = new Promise<void>((resolve) => {
    happen = resolve
  })
  return { happen, happened }
}

const ask = (paths: readonly string[]) => batch(paths, operator, { url: worker.url })

describe('a batch’s paths', () => {
  it('are answered in order, whichever answer is ready first', async () => {
    const others = happening()
    const seen = new Set<number>()
    allowed = async (place) => {
      seen.add(place)
      if (seen.size === 20) others.happen()
      if (place === 0) await others.happened
      return 'pass'
    }
    const { answers } = await ask(newPaths('event-data/stats'))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(seen.size).toBe(20)
  })

  it('are run six at a time', async () => {
    const waiting: (() => void)[] = []
    let [seen, most] = [0, 0]
    const release = (count: number): void => {
      for (const pass of waiting.splice(0, count)) pass()
    }
    allowed = () =>
      new Promise((resolve) => {
        seen++
        waiting.push(() => resolve('pass'))
        most = Math.max(most, waiting.length)
        // A seventh statement from the same Worker would arrive before this answer.
        if (seen === 20) release(20)
        else if (waiting.length >= 6) void fetch(`${worker.url}/health`).then(() => release(1))
      })
    expect(statuses(await ask(newPaths('event-data/stats')))).toEqual(Array(20).fill(200))
    expect([seen, most]).toEqual([20, 6])
  })

  it('are sent as their answers arrive', async () => {
    const read = happening()
    allowed = async (place) => {
      if (place === 19) await read.happened
      return 'pass'
    }
    const paths = newPaths('event-data/stats')
    const response = await fetch(`${worker.url}/api/read`, batchInit(paths, operator))
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true })
      // The answers must arrive while the last statement is held.
      if (text.includes(paths[18]!)) read.happen()
    }
    expect(JSON.parse(text).answers).toHaveLength(20)
  })

  it('wait while the reader has not read many finished answers', async () => {
    const [enough, seen, passed] = [happening(), new Set<number>(), new Set<number>()]
    let whenReleased = 0
    allowed = async (place) => {
      seen.add(place)
      if (place === 0) {
        await enough.happened
        whenReleased = seen.size
      } else {
        passed.add(place)
        if (passed.size === 7) void fetch(`${worker.url}/health`).then(enough.happen)
      }
      return 'pass'
    }
    // Each answer has about 1.9 MB. After the third, another path starts only when one finishes.
    const { answers, text } = await ask(newPaths('events', { pageSize: '1000' }, 10))
    expect(text.length).toBeGreaterThan(10 * 1_500_000)
    expect(answers.map(({ body }) => body.data.length)).toEqual(Array(10).fill(1000))
    expect([seen.size, whenReleased]).toEqual([10, 8])
  })

  it('share one statement if they are identical', async () => {
    const seen: number[] = []
    allowed = async (place) => {
      seen.push(place)
      return 'pass'
    }
    const [one, two] = newPaths('event-data/stats')
    const { answers } = await ask([...Array<string>(9).fill(one!), two!, ...Array<string>(10).fill(one!)])
    expect(seen.sort()).toEqual([0, 1])
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 200, body: answers[0]!.body })
  })

  it('fail individually, with Retry-After, if ClickHouse fails', async () => {
    allowed = async (place) => (place % 2 === 1 ? 'fail' : 'pass')
    const paths = [...newPaths('event-data/stats').slice(0, 4), `/api/websites/${websiteId}`]
    const answered = await ask(paths)
    expect(statuses(answered)).toEqual([200, 503, 200, 503, 200])
    for (const { status, headers, body } of answered.answers) {
      if (status === 200) continue
      expect([headers['retry-after'], body.error.code]).toEqual(['5', 'service-unavailable'])
      expect(body.error.requestId).toBe(answered.headers.get('x-request-id'))
    }
  })
})
