import { describe, expect, it } from 'vitest'
import { event, id, number, string } from '../oracle/fixtures.ts'
import { operator } from '../support/callers.ts'
import { websiteWith } from '../support/website.ts'
import { pathOf, send } from '../support/weir.ts'
import { type ReaderRequest, readerRequests } from './readers.ts'

const common = { created_at: '2025-10-15 12:00:00.000', hostname: 'example.com', country: 'DE' }
const websiteId = await websiteWith(
  event({ ...common, event_id: id(1), session_id: id(101), visit_id: id(201), event_type: 1, url_path: '/a' }),
  event({ ...common, event_id: id(2), session_id: id(102), visit_id: id(202), event_type: 1, url_path: '/b' }),
  event(
    {
      ...common,
      ...{ event_id: id(3), session_id: id(102), visit_id: id(202), event_name: 'buy', url_path: '/b' },
      created_at: '2025-10-15 12:00:01.000',
    },
    [string('plan', 'pro'), number('price', '10.5000')],
  ),
)

/** The text with this test’s ids filled in. */
const filled = (text: string): string =>
  text.replaceAll(':websiteId', websiteId).replaceAll(':eventId', id(3)).replaceAll(':sessionId', id(101))

const ask = ({ method, path, query, body }: ReaderRequest) =>
  send(filled(pathOf(path, query)).replaceAll('%3AwebsiteId', websiteId), {
    method,
    headers: { ...operator, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: filled(JSON.stringify(body)) }),
  })

/** Matches answers that contain at least this value. */
const atLeast = (wanted: unknown): unknown => {
  if (Array.isArray(wanted)) return wanted.length === 0 ? [] : wanted.map(atLeast)
  if (typeof wanted !== 'object' || wanted === null || 'asymmetricMatch' in wanted) return wanted
  return expect.objectContaining(
    Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, atLeast(value)])),
  )
}

describe('every existing client that reads Umami’s API gets the fields that it uses', () => {
  it.each(readerRequests.map((request) => [request.client, request] as const))('%s', async (_client, request) => {
    const { status, body } = await ask(request)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toEqual(
      Array.isArray(request.reads)
        ? expect.arrayContaining(atLeast(request.reads) as unknown[])
        : atLeast(request.reads),
    )
  })
})
