import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type OperationId, operations, UmamiApiError, UmamiClient } from '@umami/api-client'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/endpoints/endpoint.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { post } from '../support/callers.ts'
import { goodRequestOfNobody } from '../support/good-requests.ts'
import { rowless } from '../support/rowless.ts'
import { newWebsite, running } from '../support/weir.ts'

/** The official client’s operations that Weir supports. Each is called with every name that it declares. */
const client = new UmamiClient({ baseUrl: `${rowless.url}/api`, apiKey: running.adminKey })
const served = endpoints.flatMap((endpoint): [OperationId, Endpoint][] =>
  Object.hasOwn(operations, endpoint.name) ? [[endpoint.name as OperationId, endpoint]] : [],
)

/** The issues in a 400 that the client received, except for unknown ids. */
async function faults(name: OperationId, input: object): Promise<readonly { path: string; message: string }[]> {
  const call = client[name] as (input: object) => Promise<unknown>
  try {
    await call.call(client, input)
    return []
  } catch (error) {
    if (!(error instanceof UmamiApiError)) throw error
    const { issues } = (error.body as { error: { issues?: { path: string; message: string }[] } }).error
    if (error.status !== 400) return []
    const isAboutNobody = /^(There is no such user|Is not a member)/
    return (issues ?? [{ path: '', message: error.message }]).filter(({ message }) => !isAboutNobody.test(message))
  }
}

const websiteId = await newWebsite()
const make = async (type: string, parameters: object) =>
  (await post(`/api/websites/${websiteId}/segments`, { type, name: type, parameters })).body.id as string
const saved = {
  segment: await make('segment', { filters: [] }),
  cohort: await make('cohort', { dateRange: '7day', action: { type: 'path', value: '/' } }),
}

const nobody = '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a0ff'

/** A valid value for a parameter, according to its documentation. */
function goodValue(name: string, { query }: Endpoint): string {
  if (name === 'segment' || name === 'cohort') return saved[name]
  const { schema } = query.parameters[name] ?? { schema: {} }
  const given = { timezone: 'UTC', eventType: '2', startDate: '2025-10-15', endDate: '2025-10-15', filters: '{}' }[name]
  const { enum: values, default: usual, minimum } = schema as { enum?: string[]; default?: unknown; minimum?: unknown }
  return given ?? String(values?.[0] ?? usual ?? minimum ?? 'x')
}

const idsFor = (name: OperationId) =>
  Object.fromEntries(operations[name].pathParams.map((param) => [param, param === 'websiteId' ? websiteId : nobody]))

describe('an operation in the official client', () => {
  it('exists for most of Weir’s endpoints', () => {
    expect(served.length).toBeGreaterThan(125)
  })

  it.each(served.filter(([, { method }]) => method === 'get'))(
    'that reads may send every parameter that it declares: %s',
    async (name, endpoint) => {
      const good = goodRequestOfNobody(endpoint, { websiteId }).query
      const all = Object.fromEntries(operations[name].queryParams.map((param) => [param, goodValue(param, endpoint)]))
      expect(await faults(name, { ...all, ...good, ...idsFor(name) })).toEqual([])
    },
  )

  it.each(served.filter(([, { method }]) => method !== 'get'))(
    'that writes may send every field that it declares: %s',
    async (name, endpoint) => {
      const good = goodRequestOfNobody(endpoint).body as object | undefined
      const ids = Object.fromEntries(operations[name].pathParams.map((param) => [param, nobody]))
      expect(await faults(name, { ...good, ...ids })).toEqual([])
      // These values are always wrong, so nothing is written, but unknown names would be reported.
      const others = bodyFields(name).filter((field) => !Object.hasOwn(good ?? {}, field))
      if (others.length === 0) return
      const wrong = Object.fromEntries(others.map((field) => [field, { wrong: [] }]))
      const found = await faults(name, { ...good, ...wrong, ...ids })
      expect(found.filter(({ message }) => /^Unknown/.test(message))).toEqual([])
    },
  )

  it('declares its body’s fields in its types', () => {
    expect(bodyFields('createWebsiteFunnel')).toEqual(['description', 'name', 'parameters'])
    expect(served.filter(([name]) => bodyFields(name).length > 0).length).toBeGreaterThan(25)
  })
})

const declarations = readFileSync(
  fileURLToPath(import.meta.resolve('@umami/api-client')).replace(/\.c?js$/, '.d.ts'),
  'utf8',
)

/** The fields in an operation's body, from its type declarations. */
function bodyFields(name: OperationId): string[] {
  const start = declarations.indexOf(`\n    ${name}: {\n        parameters: {`)
  const end = declarations.indexOf('\n        responses: {', start)
  const [, body = ''] = declarations.slice(start, end).split("'application/json': {\n")
  return [...body.matchAll(/^ {20}(\w+)\??: /gm)].map(([, field]) => field!)
}
