import { expect } from 'vitest'
import { answerOf } from '../oracle/every-report.ts'
import { requestPath } from '../oracle/generate.ts'
import type { IngestRow, OracleRequest, Report } from '../oracle/model.ts'
import type { Saved } from '../oracle/saved.ts'
import { type Headers, operator, post } from './callers.ts'
import { type Reply, send } from './weir.ts'

/** The request with the ids that the server gave to what it names. */
async function withSaved(request: OracleRequest<Report>): Promise<OracleRequest<Report>> {
  let query = request.query
  const saved: Saved[] = []
  for (const { id, type, parameters } of request.saved ?? []) {
    const { status, body } = await post(`/api/websites/${request.websiteId}/segments`, {
      type,
      name: 'of a test',
      parameters,
    })
    expect({ status, parameters: body.parameters }).toEqual({ status: 200, parameters })
    saved.push({ id: body.id, type, parameters })
    query = query.map(([name, value]) => [name, value.replaceAll(id, body.id)])
  }
  return { ...request, query, saved }
}

/** The relative error that means and medians may have. */
const precision = 1e-9

/** The same with numbers that are as good as those expected in their place. */
function aligned(found: unknown, expected: unknown): unknown {
  if (typeof found === 'number' && typeof expected === 'number') {
    return Math.abs(found - expected) <= precision * Math.abs(expected) ? expected : found
  }
  if (typeof found !== 'object' || found === null || typeof expected !== 'object' || expected === null) return found
  if (Array.isArray(found)) return found.map((one, index) => aligned(one, (expected as unknown[])[index]))
  const entries = Object.entries(found).map(([name, one]) => [name, aligned(one, Reflect.get(expected, name))])
  return Object.fromEntries(entries)
}

/** The Worker answers what the oracle does for these events, all that the holder of these headers may see. */
export async function agrees(
  rows: readonly IngestRow[],
  asked: OracleRequest<Report>,
  headers: Headers = operator,
): Promise<Reply> {
  const request = await withSaved(asked)
  const expected = answerOf([...rows], request)
  const path = requestPath(request)
  const reply = await send(path, { headers })
  const { saved } = request
  expect({ path, saved, status: reply.status, body: aligned(reply.body, expected.body) }).toEqual({
    path,
    saved,
    status: 200,
    body: expected.body,
  })
  const total = expected.headers['x-total-count']
  if (total !== undefined) expect(reply.headers.get('x-total-count')).toBe(total)
  return reply
}
