import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { operations } from '@umami/api-client'
import { describe, expect, it } from 'vitest'
import { isToWebsite } from '../../src/access/permit.ts'
import type { Endpoint } from '../../src/endpoints/endpoint.ts'
import { endpoints, families } from '../../src/endpoints/index.ts'
import { maxIssues, statusOf } from '../../src/errors.ts'
import { encodeCursor } from '../../src/request/page.ts'
import { urlQuery } from '../../src/serve/input.ts'
import { openapi } from '../../src/serve/openapi.ts'
import { factsFileOf, factsOf } from '../facts/index.ts'
import { inTurn } from '../support/long.ts'
import { askOf, neededBy, pathTo } from '../support/requests.ts'
import { seed } from '../support/seed.ts'
import { running, send } from '../support/weir.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description: string
  readonly required?: boolean
  readonly schema: {
    readonly type: string
    readonly format?: string
    readonly enum?: readonly string[]
    readonly examples?: readonly string[]
    readonly minimum?: number
    readonly maximum?: number
    readonly default?: unknown
    readonly maxLength?: number
    readonly items?: { readonly maxLength?: number }
  }
}

interface Content {
  readonly 'application/json': { readonly schema: object; readonly example: unknown }
}

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly object[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<
    Record<string, { description: string; headers?: Record<string, unknown>; content: Content }>
  >
}

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly parameters: object; readonly schemas: object; readonly headers: object }
}

const published = openapi(families) as Document

/** The validator changes its argument. */
const validator = new Validator()
const verdict = await validator.validate(structuredClone(published) as unknown as Record<string, unknown>)

/** The document, with its references resolved. */
const whole = validator.resolveRefs() as unknown as Document

const templateOf = ({ path }: Endpoint): string => path.replace(/:(\w+)/g, '{$1}')

const operationOf = (endpoint: Endpoint): Operation => whole.paths[templateOf(endpoint)]![endpoint.method]!

const named = endpoints.map((endpoint) => [endpoint.name, endpoint] as const)

describe('/openapi.json', () => {
  it('is valid OpenAPI 3.1', () => {
    expect(verdict).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('follows a linter’s recommended rules', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: JSON.stringify(published), absoluteRef: '/openapi.json', config })
    // In Umami's paths, `saved` is not an id, so the paths are not ambiguous.
    const isKnown = ({ message }: (typeof problems)[number]) =>
      message.includes('/replays/saved/{replayId}` and `/api/websites/{websiteId}/replays/{replayId}/view`')
    const found = problems.filter((one) => !isKnown(one))
    expect(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  })

  it('describes each object only once, under a name if it occurs in several places', () => {
    const seen = new Set<string>()
    const repeated: string[] = []
    const visit = (value: unknown, isExample: boolean): void => {
      if (typeof value !== 'object' || value === null) return
      const { type, properties = {} } = value as { type?: string; properties?: object }
      const text = JSON.stringify(value)
      if (!isExample && type === 'object' && Object.keys(properties).length > 0) {
        if (seen.has(text)) repeated.push(text)
        seen.add(text)
      }
      for (const [key, inner] of Object.entries(value)) visit(inner, isExample || key === 'example')
    }
    const operations = Object.values(published.paths).flatMap((methods) => Object.values(methods))
    visit(
      [operations.map(({ requestBody, responses }) => [requestBody, responses]), published.components.schemas],
      false,
    )
    expect(seen.size).toBeGreaterThan(100)
    expect(repeated).toEqual([])
  })

  it('has a tag for each family of endpoints, in the operations’ order', () => {
    const tagged = endpoints.map((endpoint) => operationOf(endpoint).tags)
    expect([...new Set(tagged.flat()), 'Collection', 'Assistants']).toEqual(published.tags.map(({ name }) => name))
    expect(tagged.filter((tags) => tags.length !== 1)).toEqual([])
  })

  it('is served without a key to pages of any site, as generated from the endpoints', async () => {
    const { status, headers, body } = await send('/openapi.json', { headers: { origin: 'https://example.com' } })
    expect({ status, type: headers.get('content-type'), origin: headers.get('access-control-allow-origin') }).toEqual({
      status: 200,
      type: 'application/json',
      origin: '*',
    })
    expect(body).toEqual(JSON.parse(JSON.stringify(published)))
  })

  it('has exactly one operation for each endpoint', () => {
    const documented = Object.entries(published.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId}: ${method} ${path}`),
    )
    const declared = endpoints.map((endpoint) => `${endpoint.name}: ${endpoint.method} ${templateOf(endpoint)}`)
    const others = ['send: post /api/send', 'batch: post /api/batch', 'record: post /api/record', 'mcp: post /mcp']
    expect(documented.sort()).toEqual([...declared, ...others].sort())
  })

  it('describes nothing that no operation refers to', () => {
    const text = JSON.stringify(published)
    const parts = Object.entries(published.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, members]) => Object.keys(members as object).map((name) => `#/components/${kind}/${name}`))
    expect(parts.filter((part) => !text.includes(`"$ref":"${part}"`))).toEqual([])
  })

  it('describes each shared parameter only once', () => {
    const inline = Object.values(published.paths)
      .flatMap((methods) => Object.values(methods).flatMap(({ parameters }) => parameters))
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => JSON.stringify(parameter))
    expect(inline.filter((one, index) => inline.indexOf(one) < index)).toEqual([])
  })
})

describe('an operation in /openapi.json', () => {
  it.each(named.filter(([, endpoint]) => !factsOf(endpoint).isOurOwn))(
    'has the official client’s id, method, path and parameters: %s',
    async (name, endpoint) => {
      const theirs = operations[name as keyof typeof operations]
      expect(
        theirs,
        `The official client has no ${name}: state \`isOurOwn: true\` in ${factsFileOf(name)}.`,
      ).toBeDefined()
      expect({ method: endpoint.method, path: templateOf(endpoint) }).toEqual({
        method: theirs.method,
        path: theirs.path,
      })
      const documented = Object.keys(endpoint.query.parameters)
      const missing = theirs.queryParams.filter((parameter) => !documented.includes(parameter))
      expect(missing).toEqual([])
    },
  )

  it.each(named)('has descriptions in full sentences: %s', (_name, endpoint) => {
    const { summary, description, parameters, responses } = operationOf(endpoint)
    const texts = [
      summary,
      description,
      ...[...parameters, ...Object.values(responses)].map(({ description }) => description),
    ]
    expect(texts.filter((text) => !/^\S.*[.)…]$/s.test(text))).toEqual([])
  })

  it.each(named)('has an example answer, and an example of an accepted body: %s', (_name, endpoint) => {
    const { responses, requestBody } = operationOf(endpoint)
    const answer = responses['200']!.content['application/json'].example
    expect(endpoint.answer().parse(answer)).toStrictEqual(answer)
    expect(requestBody !== undefined).toBe(endpoint.body !== undefined)
    if (endpoint.body) endpoint.body().parse(requestBody!.content['application/json'].example)
  })

  it.each(named)('lists its path’s ids and its parameters: %s', (_name, endpoint) => {
    const { parameters } = operationOf(endpoint)
    const names = (place: string) => parameters.filter((one) => one.in === place).map(({ name }) => name)
    expect(names('path')).toEqual([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name))
    expect(names('query')).toEqual(Object.keys(urlQuery(endpoint).parameters))
    expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual([
      ...names('path'),
      ...Object.entries(urlQuery(endpoint).parameters).flatMap(([name, { required }]) => (required ? [name] : [])),
    ])
  })

  it.each(named)('lists every status that it can return: %s', (_name, endpoint) => {
    const { responses } = operationOf(endpoint)
    const isKnown = endpoint.access.to !== 'anyone'
    const own = endpoint.refuses ?? []
    const statuses = [
      ...[200, 400, 413, 500],
      ...(endpoint.kind === 'report' && endpoint.method === 'get' ? [304] : []),
      ...(endpoint.kind === 'report' ? [422] : []),
      ...(endpoint.kind === 'report' && !endpoint.export ? [406] : []),
      ...(isKnown ? [401, 403, 503] : []),
      429,
      ...own.map((code) => statusOf[code]),
    ]
    expect(Object.keys(responses)).toEqual([...new Set(statuses)].sort().map(String))
  })

  it.each(named)('lists the accepted credentials: %s', (_name, { access, ...endpoint }) => {
    const { security } = operationOf({ access, ...endpoint } as Endpoint)
    const names = security.flatMap((one) => Object.keys(one))
    const keys = ['bearer', 'key', 'umamiKey']
    const shares = ['share', 'umamiShare', 'slug']
    const isOpen = isToWebsite(access) && (access.sections ?? []).length > 0
    const handsOn = access.to === 'anyone' && access.handsOn === true
    if (access.to === 'anyone' && !handsOn) expect(names).toEqual([])
    else if (access.to === 'person') expect(names).toEqual(['bearer'])
    else expect(names).toEqual(isOpen || handsOn || access.to === 'holder' ? [...keys, ...shares] : keys)
    expect(security.some((one) => Object.keys(one).length === 0)).toBe((isOpen && access.to === 'website') || handsOn)
  })

  it.each(named)('lists its response headers: %s', (_name, endpoint) => {
    const { responses } = operationOf(endpoint)
    const names = (status: string) => Object.keys(responses[status]?.headers ?? {})
    const isOfRange = 'startAt' in endpoint.query.parameters && !endpoint.query.ignored.has('startAt')
    const ofCache = [
      ...(endpoint.kind === 'report' ? ['ETag', 'X-Cache', 'Age', 'X-Source', 'X-Replica', 'X-As-Of', 'X-Tries'] : []),
      ...(isOfRange ? ['X-Range'] : []),
    ]
    const ofExports = endpoint.kind === 'report' && endpoint.export ? ['Content-Disposition', 'X-Max-Rows'] : []
    const refuses: readonly string[] = endpoint.refuses ?? []
    const isLimited = endpoint.access.to !== 'anyone' || refuses.includes('too-many-requests')
    const types = Object.keys((responses['200'] as unknown as { content: object }).content)
    const others = ofExports.length > 0 ? ['application/x-ndjson', 'text/csv', 'application/vnd.apache.parquet'] : []
    const live = endpoint.name === 'getRealtime' ? ['text/event-stream'] : []
    const price = endpoint.kind === 'report' ? ['application/vnd.weir.price+json'] : []
    expect(types).toEqual(['application/json', ...price, ...others, ...live])
    expect(names('304')).toEqual(responses['304'] ? ['X-Request-Id', 'Server-Timing', ...ofCache] : [])
    expect(names('200')).toEqual([
      'X-Request-Id',
      'Server-Timing',
      ...(isLimited ? ['RateLimit-Policy'] : []),
      ...('page' in endpoint.query.parameters && !endpoint.query.ignored.has('page') ? ['Link'] : []),
      ...('offset' in endpoint.query.parameters ? ['X-Total-Count'] : []),
      ...(endpoint.kind === 'report' && endpoint.caps ? ['X-Capped'] : []),
      ...ofExports,
      ...ofCache,
    ])
    expect(names('401')).toEqual(responses['401'] ? ['X-Request-Id', 'WWW-Authenticate'] : [])
    expect(names('429')).toEqual(['X-Request-Id', 'Retry-After', 'RateLimit-Policy'])
    expect(names('503')).toEqual(responses['503'] ? ['X-Request-Id', 'Retry-After'] : [])
  })

  /** Parameters that an endpoint lacks, in groups of as many as a refusal lists. `npm test` uses one of them. */
  const foreignTo = (endpoint: Endpoint): readonly (readonly string[])[] => {
    // The path's website may be repeated: see test/clients/names.test.ts.
    const repeated = endpoint.path.includes('/:websiteId') ? ['websiteId'] : []
    const own = [...Object.keys({ ...endpoint.query.parameters, ...urlQuery(endpoint).parameters }), ...repeated]
    const foreign = [...everyParameter].filter((name) => !own.includes(name) && !isFilterOf(endpoint, name))
    const chunks = Array.from({ length: Math.ceil(foreign.length / maxIssues) }, (_, place) =>
      foreign.slice(place * maxIssues, (place + 1) * maxIssues),
    )
    return inTurn(chunks, seed + endpoints.indexOf(endpoint), chunks.length)
  }
  const given = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '1']))
  const unknown = expect.stringMatching(/^Unknown parameter\.( Did you mean [\w<>]+\?)? Allowed: /)

  it.each(named)('lists all parameters, and refuses any others by name: %s', (_name, endpoint) => {
    for (const some of foreignTo(endpoint)) {
      const { error } = urlQuery(endpoint).schema.safeParse({ ...neededBy(endpoint), ...given(some) })
      expect(error?.issues).toEqual(some.map((name) => expect.objectContaining({ path: [name], message: unknown })))
    }
  })

  it.each(inTurn(named, seed, 7))('has no other parameters in the Worker: %s', async (_name, endpoint) => {
    const ids = { websiteId: '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001', eventId: '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a002' }
    const [some] = foreignTo(endpoint)
    const reply = await send(
      pathTo(endpoint, ids, given(some!)),
      askOf(endpoint, { authorization: `Bearer ${running.adminKey}` }),
    )
    expect(reply.status).toBe(400)
    expect(reply.body.error.issues).toEqual(some!.map((path) => ({ path, message: unknown })))
  })

  it.each(named)('has a price estimate if it is a report: %s', (_name, endpoint) => {
    // serve/budgets requests the prices of all reports.
    const isPriced = operationOf(endpoint).parameters.some(({ name }) => name === 'dryRun')
    expect(isPriced).toBe(endpoint.kind === 'report')
  })

  it.each(named)('accepts an example for each of its parameters: %s', (_name, endpoint) => {
    const { parameters } = operationOf(endpoint)
    const refused = parameters
      .filter((one) => one.in === 'query' && !/^Not available yet/.test(one.description))
      .filter((one) => !reads(endpoint, { ...neededBeside(endpoint, one.name), ...exampleOf(one) }))
    expect(refused.map(({ name }) => name)).toEqual([])
  })

  it.each(named)('accepts nothing that its schemas exclude: %s', (_name, endpoint) => {
    const { parameters } = operationOf(endpoint)
    const taken = parameters
      .filter((one) => one.in === 'query')
      .flatMap((one) => excludedBy(one).map((value) => [one.name, value] as const))
      .filter(([name, value]) => reads(endpoint, { ...neededBeside(endpoint, name), [name]: value }))
    expect(taken).toEqual([])
  })

  it.each(named)('gives the same answer with a parameter’s default as without the parameter: %s', (_name, endpoint) => {
    const { parameters } = operationOf(endpoint)
    const needed = neededBy(endpoint)
    for (const { name, schema } of parameters) {
      if (schema.default === undefined) continue
      const parse = (raw: object) => withoutGiven(urlQuery(endpoint).schema.parse(raw))
      expect(parse({ ...needed, [name]: String(schema.default) }), name).toEqual(parse(needed))
    }
  })
})

/** The parsed query string without its filters. */
function withoutGiven(input: unknown): unknown {
  const { filters, ...rest } = input as { filters?: object }
  return filters ? { ...rest, filters: { ...filters, given: [] } } : rest
}

/** Every parameter name of any operation, here or in the official client. */
const everyParameter = new Set([
  ...endpoints.flatMap((endpoint) => Object.keys({ ...endpoint.query.parameters, ...urlQuery(endpoint).parameters })),
  ...Object.values(operations).flatMap(({ queryParams }) => queryParams as readonly string[]),
  'surprise',
])

/** `pf_{property}` stands for names that begin with `pf_`. If an operation accepts filters, field names are filters. */
const isFilterOf = ({ query }: Endpoint, name: string): boolean =>
  'filters' in query.parameters && name.startsWith('spf')

const reads = (endpoint: Endpoint, raw: Readonly<Record<string, string>>): boolean =>
  urlQuery(endpoint).schema.safeParse(raw).success

/** The further parameters that a request needs: a date range if this parameter is a date, and no range for a period. */
function neededBeside(endpoint: Endpoint, name: string): Record<string, string> {
  const { startAt, endAt, ...rest } = neededBy(endpoint)
  const inDates = name === 'startDate' || name === 'endDate'
  if (startAt === undefined || endAt === undefined) return rest
  // A chart over all time would be too long.
  if (name === 'endAt') return { ...rest, startAt: '9999999990000', endAt }
  if (name === 'period') return rest
  return inDates ? { ...rest, startDate: '2025-10-15', endDate: '2025-10-15' } : { ...rest, startAt, endAt }
}

/** A parameter name, and a value that its schema allows. */
function exampleOf({ name, schema }: Parameter): Record<string, string> {
  const special: Record<string, string> = {
    ids: '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a004,7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a003',
    epf0: '1.eq.plan.pro',
    spf0: '1.eq.plan.pro',
    filters: '{"browser":["chrome","c.fire"]}',
    cursor: encodeCursor({ createdAt: 0, eventId: '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a003', before: 20, ties: 0 }),
  }
  if (name === 'pf_{property}') return { pf_plan: '1.eq.pro' }
  if (schema.format === 'uuid') return { [name]: '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a004' }
  const limit = name === 'startAt' ? schema.minimum : schema.maximum
  return { [name]: special[name] ?? schema.examples?.[0] ?? schema.enum?.[0] ?? String(limit ?? 'x') }
}

/** Values that a parameter's schema does not allow. */
function excludedBy({ schema }: Parameter): string[] {
  if (schema.enum) return ['', 'surprise', schema.enum[0]!.toUpperCase()]
  if (schema.format === 'uuid') return ['', 'x', '7f1c0a52', '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a00g']
  const longest = schema.maxLength ?? schema.items?.maxLength
  if (longest !== undefined) return ['x'.repeat(longest + 1)]
  if (schema.type !== 'integer') return []
  const { minimum, maximum } = schema
  return ['', ' 1', '1.5', '1e3', '0x10', '+1', 'x', String(minimum! - 1), String(maximum! + 1)]
}
