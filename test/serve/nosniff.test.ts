import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { isolate } from '../support/isolate.ts'
import { keyOf, websiteOf } from '../support/people.ts'
import { events, publicWebsite } from '../support/ways.ts'
import { running, send } from '../support/weir.ts'

it('every response has nosniff, so that browsers do not guess another content type', async () => {
  const ask = isolate()
  const [headers, websiteId] = [await keyOf(undefined), await websiteOf()]
  const path = events({ websiteId })
  const closed = events({ websiteId: await publicWebsite({ origins: ['https://a.example'] }) })
  const etag = (await ask(path, headers)).headers.get('etag')!
  const asked: readonly [status: number, path: string, headers: Record<string, string>, method?: string][] = [
    // This is served first from the cache, then through all stages.
    [200, path, headers],
    [200, path, headers],
    [304, path, { ...headers, 'if-none-match': etag }],
    [304, path, { ...headers, 'if-none-match': etag }],
    [200, path, headers, 'HEAD'],
    [204, path, {}, 'OPTIONS'],
    [204, '/nothing', {}, 'OPTIONS'],
    [200, '/health', {}],
    [200, '/openapi.json', {}],
    [200, '/api/websites', headers],
    [400, `${path}&surprise=x`, headers],
    [400, `/health?${'x'.repeat(100_000)}`, {}],
    [401, path, {}],
    [403, closed, {}],
    [404, '/nothing', {}],
    [404, `/${'x'.repeat(3000)}`, {}],
    [404, `/api/share/${randomUUID()}`, {}],
    [405, '/health', {}, 'DELETE'],
    [
      406,
      `/api/websites/${websiteId}/events/stats?startAt=100000000000&endAt=100000000001`,
      { ...headers, accept: 'text/csv' },
    ],
  ]
  for (const [status, path, headers, method] of asked) {
    const answer = await ask(path, headers, method)
    const told = answer.headers.get('x-content-type-options')
    expect([path.slice(0, 200), method, answer.status, told]).toEqual([path.slice(0, 200), method, status, 'nosniff'])
  }
  for (const accept of ['text/csv', 'application/x-ndjson', 'application/vnd.apache.parquet']) {
    const answer = await fetch(running.url + path, { headers: { ...headers, accept } })
    await answer.arrayBuffer()
    expect([answer.headers.get('content-type'), answer.headers.get('x-content-type-options')]).toEqual([
      expect.stringContaining(accept),
      'nosniff',
    ])
  }
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
  for (const [status, body] of [
    [200, '{"paths":["/api/nothing"]}'],
    [413, ' '.repeat(100_001)],
  ] as const) {
    const answer = await send('/api/read', { ...json, body })
    expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([status, 'nosniff'])
  }
})
