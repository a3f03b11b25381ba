import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { post } from './callers.ts'
import { firefox, person, sendOne } from './collecting.ts'
import { soon } from './soon.ts'
import { get, newWebsite, type Reply, running } from './weir.ts'

/** A visit that is recorded, with its tracker's token. */
export interface Visit {
  readonly websiteId: string
  readonly cache: string
  readonly sessionId: string
  readonly visitId: string
  /** The headers of the visitor's browser. */
  readonly headers: Readonly<Record<string, string>>
}

export const everything = { replayEnabled: true, heatmapEnabled: true } as const

const asAdmin = { authorization: `Bearer ${running.adminKey}` }

/** Changes what is recorded on a website. */
export async function configure(websiteId: string, replayConfig: object | null): Promise<void> {
  expect((await post(`/api/websites/${websiteId}`, { replayConfig }, asAdmin)).status).toBe(200)
}

/** Creates a website with recording enabled. */
export async function recordedWebsite(replayConfig: object | null = everything): Promise<string> {
  const websiteId = await newWebsite()
  await configure(websiteId, replayConfig)
  return websiteId
}

let visitors = 0

/** A new visitor's visit, with a page view and its token. */
export async function newVisit(websiteId: string, payload: object = {}): Promise<Visit> {
  const place = ++visitors
  const headers = { ...person, 'cf-connecting-ip': `2001:db8::${place.toString(16)}`, 'user-agent': firefox }
  const { body } = await sendOne({ website: websiteId, url: '/', hostname: 'example.com', ...payload }, headers)
  return { websiteId, headers, ...(body as Pick<Visit, 'cache' | 'sessionId' | 'visitId'>) }
}

/** Sends a recorder's request. */
export const record = (
  { websiteId, cache, headers }: Visit,
  type: 'record' | 'heatmap',
  events: readonly unknown[],
  more: { readonly timestamp?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Reply> => {
  const { headers: others, ...payload } = more
  const sent = { ...headers, 'x-umami-cache': cache, ...others }
  return post('/api/record', { type, payload: { website: websiteId, events, ...payload } }, sent)
}

/** An rrweb event with a unique text. */
export const moved = (timestamp: number, text: string = randomUUID()) => ({
  type: 3,
  data: { source: 1, positions: [{ x: 1, y: 2, id: 3, timeOffset: 0 }], text },
  timestamp,
})

/** Repeats the request until the answer is as expected, as long as `soon` does. Fails if it never is. */
export const eventually = <Value>(ask: () => Promise<Value>, isWanted: (value: Value) => boolean): Promise<Value> =>
  soon(async () => {
    const value = await ask()
    if (!isWanted(value)) throw new Error(`This did not come true: ${JSON.stringify(value).slice(0, 1000)}`)
    return value
  })

/** A visit's replay, once it has this many chunks. */
export function replayOf({ websiteId, visitId }: Visit, chunks: number): Promise<Reply> {
  const path = `/api/websites/${websiteId}/replays/${visitId}`
  const isThere = ({ status, body }: Reply) => status === 200 && body.chunkCount >= chunks
  return eventually(() => get(path), isThere)
}
