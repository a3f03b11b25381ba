import { expect } from 'vitest'
import { answerOf } from '../facts/oracle-of.ts'
import type { Analysis, IngestRow, OracleRequest, Report } from '../oracle/model.ts'
import { type Posted, posted } from '../oracle/reports.ts'
import { requestPath } from '../oracle/request-path.ts'
import type { Saved } from '../oracle/saved.ts'
import { type Headers, operator, post } from './callers.ts'
import { type Reply, send } from './weir.ts'

/** The request with the server's ids for the saved filters that it uses. */
async function withSaved(request: OracleRequest<Report>): Promise<OracleRequest<Report>> {
  let query = request.query
  const saved: Saved[] = []
  for (const { id, type, parameters } of request.saved ?? []) {
    const { status, body } = await post(`/api/websites/${request.websiteId}/segments`, {
      ...{ type, name: 'of a test', parameters },
    })
    expect({ status, parameters: body.parameters }).toEqual({ status: 200, parameters })
    saved.push({ id: body.id, type, parameters })
    query = query.map(([name, value]) => [name, value.replaceAll(id, body.id)])
  }
  return { ...request, query, saved }
}

/** The relative error that is allowed for means and medians. */
const precision = 1e-9

/** The answer with each number replaced by the expected one if it is close enough. */
function aligned(found: unknown, expected: unknown): unknown {
  if (typeof found === 'number' && typeof expected === 'number') {
    return Math.abs(found - expected) <= precision * Math.abs(expected) ? expected : found
  }
  if (typeof found !== 'object' || found === null || typeof expected !== 'object' || expected === null) return found
  if (Array.isArray(found)) return found.map((one, index) => aligned(one, (expected as unknown[])[index]))
  const entries = Object.entries(found).map(([name, one]) => [name, aligned(one, Reflect.get(expected, name))])
  return Object.fromEntries(entries)
}

/** Asserts that the Worker and the oracle agree. The rows are all events that these headers give access to. */
export async function agrees(
  rows: readonly IngestRow[],
  asked: OracleRequest<Report>,
  headers: Headers = operator,
): Promise<Reply> {
  const request = await withSaved(asked)
  const path = requestPath(request)
  const reply = await send(path, { headers })
  // Answers about the current time return that time, which the oracle uses, too.
  const now = reply.body?.timestamp
  const expected = answerOf([...rows], now === undefined ? request : { ...request, now })
  const { saved } = request
  const { status = 200 } = expected
  const body = status === 200 ? aligned(reply.body, expected.body) : undefined
  expect({ path, saved, status: reply.status, body }).toEqual({ path, saved, status, body: expected.body })
  const total = expected.headers['x-total-count']
  if (total !== undefined) expect(reply.headers.get('x-total-count')).toBe(total)
  return reply
}

/** A query's filters as a body contains them: each under its plain name, whatever its spelling. */
function filtersIn(query: readonly (readonly [string, string])[]): Record<string, string | string[]> {
  const filters: Record<string, string | string[]> = {}
  const add = (name: string, value: string) => {
    const before = filters[name]
    filters[name] = before === undefined ? value : [before, value].flat()
  }
  for (const [name, value] of query) {
    const inBrackets = /^filters\[(.*)\]$/s.exec(name)
    if (name === 'filters') {
      for (const [one, values] of Object.entries(JSON.parse(value) as Record<string, string | string[]>)) {
        for (const single of [values].flat()) add(one, String(single))
      }
    } else add(inBrackets?.[1] ?? name, value)
  }
  return filters
}

const notFilters = ['startAt', 'endAt', 'startDate', 'endDate', 'timezone', 'unit', 'compare', 'limit']

/** Bodies have no parameters for order, search and fill. */
const onlyOfGets = ['offset', 'orderBy', 'sortDescending', 'search', 'fill']

const ownParameters: { readonly [type in Posted]: readonly string[] } = {
  goal: ['type', 'value'],
  funnel: ['window', 'steps'],
  journey: ['steps', 'startStep', 'endStep'],
  retention: [],
  attribution: ['model', 'type', 'step', 'currency'],
  breakdown: ['fields'],
  utm: [],
  performance: ['metric'],
  revenue: ['currency'],
}

/** Values as clients send them: `window`, `steps` and `limit` are numbers, while funnel steps and fields are lists. */
function typed(type: Posted, name: string, value: string): unknown {
  if (name === 'fields') return value.startsWith('[') ? JSON.parse(value) : value.split(',')
  if (name === 'steps' && type === 'funnel') return JSON.parse(value)
  return ['window', 'steps', 'limit', 'startAt', 'endAt'].includes(name) ? Number(value) : value
}

/** Asserts that a POST report answers like the equivalent GETs. */
export async function agreesByPost(
  rows: readonly IngestRow[],
  type: Posted,
  asked: OracleRequest<Analysis>,
): Promise<void> {
  const request = await withSaved(asked)
  const isParameter = (name: string) => [...notFilters, ...ownParameters[type]].includes(name)
  const query = request.query.filter(([name]) => !onlyOfGets.includes(name))
  const parameters = query
    .filter(([name]) => isParameter(name))
    .map(([name, value]) => [name, typed(type, name, value)])
  const body = {
    websiteId: request.websiteId,
    type,
    filters: filtersIn(query.filter(([name]) => !isParameter(name))),
    parameters: Object.fromEntries(parameters),
  }
  const reply = await post(`/api/reports/${type}`, body)
  const expected = posted([...rows], type, { ...request, query })
  const asking = { body, saved: request.saved }
  expect({ ...asking, status: reply.status, answer: aligned(reply.body, expected) }).toEqual({
    ...{ ...asking, status: 200, answer: expected },
  })
}
