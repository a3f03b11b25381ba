import { expect } from 'vitest'
import { answer } from '../oracle/answer.ts'
import { requestPath } from '../oracle/generate.ts'
import type { IngestRow, OracleRequest } from '../oracle/model.ts'
import type { Saved } from '../oracle/saved.ts'
import { type Headers, operator, post } from './callers.ts'
import { type Reply, send } from './weir.ts'

/** Replaces the oracle's ids of saved filters by the server's. */
async function withSaved(request: OracleRequest): Promise<OracleRequest> {
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

/**
 * The Worker's answer equals the oracle's for these events, which are all that the holder of these headers may see.
 */
export async function agrees(
  rows: readonly IngestRow[],
  asked: OracleRequest,
  headers: Headers = operator,
): Promise<Reply> {
  const request = await withSaved(asked)
  const expected = answer([...rows], request)
  const path = requestPath(request)
  const reply = await send(path, { headers })
  const { saved } = request
  expect({ path, saved, status: reply.status, body: reply.body }).toEqual({
    path,
    saved,
    status: 200,
    body: expected.body,
  })
  const total = expected.headers['x-total-count']
  if (total !== undefined) expect(reply.headers.get('x-total-count')).toBe(total)
  return reply
}
