import type { Endpoint } from '../../src/endpoints/endpoint.ts'
import { isAskedByBody } from '../../src/endpoints/facts.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { encodeCursor } from '../../src/request/page.ts'
import { type Asked, goodRequest, keyOf, password } from '../support/good-requests.ts'
import { hostileTexts } from '../support/hostile.ts'
import { eventId } from '../support/organisation.ts'
import { day } from '../support/website.ts'
import { type Random, random } from './random.ts'
import type { Caller, FuzzWorld, Place } from './world.ts'

/** The part of JSON Schema that /openapi.json uses. */
interface Schema {
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

/** An operation as /openapi.json describes it, with its references resolved. */
export interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  /** Whether the operation reads credentials and refuses wrong ones. */
  readonly asksWho: boolean
  readonly statuses: readonly string[]
}

export interface FuzzRequest {
  readonly caller: Caller
  readonly operation: Operation
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
}

interface DocumentedOperation {
  readonly operationId: string
  readonly security: readonly object[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: object
}

export function operationsOf(published: object): Operation[] {
  const document = published as Document
  const named = (reference: string): unknown => {
    const [kind, name] = reference.split('/').slice(-2) as [string, string]
    return resolved(document.components[kind]![name]!)
  }
  /** The schema with all references resolved. No request schema is recursive. */
  const resolved = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(resolved)
    if ('$ref' in part) return named(part.$ref as string)
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(value)]))
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  return operations.map(({ path, method, operation: { operationId, security, responses, ...sent } }) => {
    const { parameters, requestBody } = resolved(sent) as DocumentedOperation
    return {
      ...{ name: operationId, method: method.toUpperCase(), path, parameters },
      body: requestBody?.content['application/json']?.schema,
      asksWho: security.length > 0 && '401' in responses,
      statuses: Object.keys(responses),
    }
  })
}

/** Operations that hash passwords, which takes a fifth of a second each. */
const costly = ['login', 'disableTwoFactor', 'updateMyPassword', 'createUser', 'updateUser']

/** Operations that may revoke the caller's sign-in. */
const lastRequests = ['logout', 'updateMyPassword']

/** The request for this seed, either entirely valid or with something wrong. */
export function drawn(
  operations: readonly Operation[],
  world: FuzzWorld,
  seed: number,
  among: readonly Operation[] = operations,
): FuzzRequest {
  const draws = random(seed)
  const operation = operationFor(draws, among)
  const caller = callerFor(draws, operation, world.callers)
  const context = { draws, world, caller, operation, place: placeFor(draws, operation, world, caller) }
  const good = draws.chance(0.2) ? goodOf(context) : {}
  const query = good.query ? pairsOf(good.query) : queryOf(context)
  const parts: Parts = {
    method: operation.method,
    ids: idsOf(context),
    query: [...query, ...Object.entries(caller.query ?? {})],
    headers: { ...caller.headers },
    // This is a copy, because spoilers change it and examples are shared.
    body: structuredClone(good.body ?? (operation.body && bodyOf(context, operation.body, operations))),
    text: undefined,
  }
  const wrongs = draws.chance(0.5) ? 1 + draws.whole(3) : 0
  for (let wrong = 0; wrong < wrongs; wrong++) draws.pick(spoilers)(parts, draws)
  const body = parts.text ?? (parts.body === undefined ? undefined : JSON.stringify(parts.body))
  return {
    ...{ caller, operation, method: parts.method, path: pathOf(operation.path, parts) },
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...parts.headers },
    body,
  }
}

/** The valid request that other tests also send, because few random requests match a strict schema. */
function goodOf({ draws, world, caller, operation, place }: Context): Asked {
  const path = operation.path.replace(/\{(\w+)\}/g, ':$1')
  return goodRequest(keyOf({ method: operation.method as Endpoint['method'], path: path as Endpoint['path'] }), {
    ...{ websiteId: place.websiteId, teamId: place.teamId, accessCode: world.accessCode, memberId: place.userId },
    memberName: world.username,
    newcomerId: draws.pick(world.places.filter(({ kind }) => kind === 'ours' || kind === 'spare')).userId,
    isOperator: caller.name === 'operator',
  })
}

const pairsOf = (query: NonNullable<Asked['query']>): [string, string][] =>
  Object.entries(query).map(([name, value]) => [name, String(value)])

/** A request under construction. */
interface Parts {
  method: string
  ids: Record<string, string>
  /** Names and values before encoding. */
  query: (readonly [name: string, value: string])[]
  headers: Record<string, string>
  body: unknown
  /** A text to send instead of a valid JSON body. */
  text: string | undefined
}

/** What a random request is generated from. */
interface Context {
  readonly draws: Random
  readonly world: FuzzWorld
  readonly caller: Caller
  readonly operation: Operation
  readonly place: Place
}

function operationFor(draws: Random, operations: readonly Operation[]): Operation {
  const operation = draws.pick(operations)
  return costly.includes(operation.name) && draws.chance(0.7) ? operationFor(draws, operations) : operation
}

/** Usually a caller who may use the operation. */
function callerFor(draws: Random, { name }: Operation, callers: readonly Caller[]): Caller {
  const named = (...names: string[]) => draws.pick(callers.filter((caller) => names.includes(caller.name)))
  if (lastRequests.includes(name)) return draws.chance(0.8) ? named('spare person') : named('none', 'wrong', 'operator')
  if (draws.chance(0.4)) return named('owner', 'admin', 'operator', 'write', 'team-owner')
  return draws.pick(callers.filter((caller) => caller.name !== 'spare person'))
}

const isRead = ({ method, name }: Operation): boolean => method === 'GET' || name === 'read'

/** Usually the caller's own place. A deletion mostly gets a spare place, which may be deleted. */
function placeFor(draws: Random, operation: Operation, { places }: FuzzWorld, caller: Caller): Place {
  const named = places.filter(({ kind }) => isRead(operation) || !caller.mayOpen.includes(kind))
  const { method, name } = operation
  // Spare places have no sessions and no replays.
  const isOfVisits = ['deleteWebsiteSession', 'deleteWebsiteReplay'].includes(name)
  const isLast = (method === 'DELETE' && !isOfVisits) || name === 'transferWebsite'
  if (isLast && draws.chance(0.9)) return draws.pick(named.filter(({ kind }) => kind === 'spare'))
  return draws.chance(0.6) ? caller.home : draws.pick(named)
}

/** Usually one place's ids, and sometimes an unknown id. */
function idsOf({ draws, place, operation, world, caller }: Context): Record<string, string> {
  const named = world.places.filter(({ kind }) => isRead(operation) || !caller.mayOpen.includes(kind))
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof Place)
  return Object.fromEntries(
    names.map((name) => [
      name,
      draws.chance(0.93)
        ? (place[name] ?? draws.id())
        : draws.chance(0.5)
          ? (draws.pick(named)[name] ?? draws.id())
          : draws.id(),
    ]),
  )
}

/** The required parameters and a few optional ones. */
function queryOf(context: Context): [string, string][] {
  const { draws, operation } = context
  const own = operation.parameters.filter((parameter) => parameter.in === 'query')
  const names = own.map(({ name }) => name)
  const others = own.filter(({ name, required }) => !required && !/^(start|end)(At|Date)$/.test(name))
  const optional = draws.chance(0.7) ? Array.from({ length: draws.whole(4) }, () => draws.pick(others)) : []
  const chosen = [...own.filter(({ required }) => required), ...optional.filter((one) => one !== undefined)]
  return [
    ...(names.includes('startAt') ? rangeOf(draws) : []),
    ...[...new Set(chosen)].map((parameter): [string, string] => parameterOf(context, parameter)),
  ]
}

const hours = [1, 24, 24 * 7, 24 * 31, 24 * 62, 24 * 90, 24 * 365, 24 * 800]

function rangeOf(draws: Random): [string, string][] {
  const endAt = day.endAt - draws.whole(3) * draws.pick([1, 3_600_000, 86_400_000])
  const startAt = Math.max(0, endAt - draws.pick(hours) * 3_600_000 + draws.whole(2))
  const date = (moment: number): string => new Date(moment).toISOString().slice(0, draws.chance(0.5) ? 10 : 19)
  const [start, end, written]: [string, string, (moment: number) => string] = draws.chance(0.85)
    ? ['startAt', 'endAt', String]
    : ['startDate', 'endDate', date]
  return [
    [start, written(startAt)],
    [end, written(endAt)],
  ]
}

const operands = ['chrome', 'eq.chrome', 'neq.a,b', 'c./open', 'dnc.x', 're.^[a-c]', 'nre.x$', '', 'é日本', 'a\\,b']
const conditions = ['1.eq.plan.chrome', '2.gt.price.1', '2.lte.price.3', '1.c.plan.ch', '1.neq.plan.x']
const words = ['x', 'chrome', 'Weir', 'a b', '日本', 'o’hara']
const domains = ['example.com', 'localhost:8080', 'bücher.example']
const later = '2099-01-01T00:00:00Z'

/** A value that the schema allows, usually one that exists here. */
function parameterOf({ draws, place }: Context, { name, schema }: Parameter): [string, string] {
  const special: Record<string, () => string> = {
    propertyName: () => draws.pick(['plan', 'price', 'none']),
    eventName: () => draws.pick(['buy', 'none']),
    event: () => draws.pick(['buy', 'eq.buy']),
    search: () => draws.pick(words),
    timezone: () => draws.pick(['UTC', 'America/Los_Angeles', 'Asia/Kolkata']),
    excludeBounce: () => draws.pick(['true', 'false']),
    eventType: () => draws.pick(['1', '2', 'neq.1,5']),
    dataType: () => draws.pick(['1', '2']),
    segment: () => place.segmentId,
    cursor: () => encodeCursor({ createdAt: day.endAt, eventId, before: draws.whole(40), ties: 0 }),
    filters: () => JSON.stringify({ [draws.pick(['browser', 'path', 'tag'])]: draws.pick(operands) }),
    pageSize: () => String(1 + draws.whole(30)),
    page: () => String(1 + draws.whole(3)),
    limit: () => String(1 + draws.whole(30)),
    offset: () => String(draws.whole(5)),
    deadline: () => '3600000',
  }
  if (name === 'pf_{property}') return [draws.pick(['pf_plan', 'pf_none']), draws.pick(['1.eq.chrome', '2.gt.1'])]
  if (/^[es]pf\d/.test(name)) return [`${name.slice(0, 3)}${draws.whole(3)}`, draws.pick(conditions)]
  const made = special[name]?.() ?? (schema.type === 'array' ? draws.pick(operands) : String(ofSchema(draws, schema)))
  return [name, made]
}

function ofSchema(draws: Random, schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return draws.pick(schema.enum)
  if (schema.format === 'uuid') return draws.id()
  if (schema.type === 'boolean') return draws.chance(0.7)
  if (schema.type === 'null') return null
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum = 0, maximum = 1000 } = schema
    return draws.pick([minimum, maximum, minimum + draws.whole(Math.min(100, maximum - minimum))])
  }
  return schema.examples ? draws.pick(schema.examples) : draws.pick(words)
}

/** Each POST report's example. */
const examples = new Map(
  endpoints.flatMap((endpoint) => (isAskedByBody(endpoint) ? [[endpoint.name, endpoint.example.query] as const] : [])),
)

/** A body that the schema allows, usually one whose ids exist here. */
function bodyOf(context: Context, schema: Schema, operations: readonly Operation[]): unknown {
  const { draws, place, world, operation } = context
  const parameters = examples.get(operation.name)
  if (parameters && draws.chance(0.7)) {
    const filters = draws.chance(0.5) ? {} : { browser: draws.pick(operands) }
    return { websiteId: place.websiteId, type: operation.path.split('/').at(-1), filters, parameters }
  }
  const isOurs = place.kind === 'ours' || place.kind === 'spare'
  // Members can see everybody in their team, so only people from `ours` and `spare` places are added.
  const users = world.places.filter(({ kind }) => kind === 'ours' || kind === 'spare')
  const name = () => `${draws.pick(words)} ${draws.id().slice(0, 8)}`
  const special: Record<string, () => unknown> = {
    name,
    domain: () => draws.pick(domains),
    url: () => `https://example.com/${draws.whole(9)}`,
    date: () => draws.pick(['2025-10-15', later]),
    id: () => (operation.name.startsWith('update') ? place.segmentId : draws.id()),
    website: () => place.websiteId,
    shareId: () => (draws.chance(0.2) ? null : draws.id()),
    slug: () => draws.id(),
    teamId: () => place.teamId,
    userId: () => (isOurs && draws.chance(0.3) ? place : draws.pick(users)).userId,
    ownerId: () => draws.pick(users).userId,
    entityId: () => place.websiteId,
    sessionId: () => place.sessionId,
    websiteIds: () => [place.websiteId],
    accessCode: () => (operation.name === 'joinTeam' ? world.accessCode : draws.id()),
    username: () => (operation.name === 'login' ? world.username : name()),
    password: () => (operation.name === 'login' ? password : draws.id()),
    currentPassword: () => password,
    newPassword: () => draws.id(),
    expiresAt: () => later,
    // A second factor required of everybody would make all further requests fail.
    required: () => false,
    origins: () => ['https://example.com'],
    dateRange: () => draws.pick(['0month', '30day', '24hour']),
    sessionPropertyFilters: () => [],
    paths: () => Array.from({ length: 1 + draws.whole(4) }, () => pathIn(context, operations)),
  }
  const rare = [
    ...['origins', 'replayConfig', 'public', 'id', 'teamId', 'websiteIds', 'sessionPropertyFilters'],
    ...['link', 'pixel', 'timestamp'],
  ]
  const isLeftOut = (field: string, required: readonly string[]): boolean =>
    !required.includes(field) && draws.chance(rare.includes(field) ? 0.85 : 0.5)
  const made = (one: Schema, field = '', holder = ''): unknown => {
    if (one.anyOf ?? one.oneOf) {
      const choices = (one.anyOf ?? one.oneOf)!
      return field in special && draws.chance(0.8) ? special[field]!() : made(draws.pick(choices), field, holder)
    }
    if (field === 'name' && holder === 'filters[]') return draws.pick(['browser', 'path'])
    if (field in special && one.type !== 'null') return special[field]!()
    if (one.type === 'array') {
      const length = Math.max(one.minItems ?? 0, draws.whole(2))
      return Array.from({ length }, () => made(one.items ?? {}, `${field}[]`))
    }
    if (one.type !== 'object') return ofSchema(draws, one)
    if (!one.properties) return { path: draws.pick(operands) }
    const fields = Object.entries(one.properties).filter(([key]) => !isLeftOut(key, one.required ?? []))
    return Object.fromEntries(fields.map(([key, property]) => [key, made(property, key, field)]))
  }
  const whole = made(schema)
  // A website is transferred either to a user or to a team.
  if (operation.name === 'transferWebsite')
    return draws.chance(0.5) ? { userId: special.userId!() } : { teamId: place.teamId }
  return whole
}

/** One of a batch's paths. */
function pathIn(context: Context, operations: readonly Operation[]): string {
  const { draws, world, caller } = context
  const operation = draws.pick(operations.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/')))
  const place = placeFor(draws, operation, world, caller)
  const inner = { ...context, operation, place }
  return pathOf(operation.path, { ids: idsOf(inner), query: queryOf(inner) })
}

/** Malformed percent-encodings, and encodings of unusual characters, sent unchanged. */
const malformed = ['%', '%ZZ', '%FF', '%ED%A0%80', '%C0%AF', '%00', '%u0041', '%E0%A4%A', '%F4%90%80%80']

/** Marks a text that is sent unencoded. */
const asIs = '\u{10ffff}'

function encoded(text: string): string {
  if (text.startsWith(asIs)) return text.slice(asIs.length).replace(/[^!-~]/gu, encodeURIComponent)
  return encodeURIComponent(text.toWellFormed())
}

export function pathOf(template: string, { ids, query }: Pick<Parts, 'ids' | 'query'>): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encoded(ids[name]!))
  const pairs = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

const numbers = [
  ...['0', '-1', '1.5', '1e3', '0x10', 'NaN', 'Infinity', '9007199254740993'],
  '9'.repeat(400),
  ...['-0', '１', ' 1'],
]
const times = ['253402300800000', '-62135596800000', '2025-02-30', '2025-10-15T25:00:00Z', 'tomorrow', '+275760-09-13']
const shapes = ['{', '[]', '{}', 'null', '{"a":{"b":{}}}', '{"__proto__":{"x":1}}', '{"browser":{}}', '[[[[]]]]']
const ids = [
  ...['.', '..', 'x', 'null', 'undefined', '00000000-0000-0000-0000-000000000000'],
  "'",
  'x'.repeat(300),
  '%2e%2e',
]

const nasty = (draws: Random): string => {
  const kind = draws.whole(8)
  if (kind === 0) return asIs + draws.pick(malformed)
  if (kind === 1) return 'x'.repeat(draws.pick([256, 4001, 9000]))
  if (kind === 2) return draws.pick(numbers)
  if (kind === 3) return draws.pick(times)
  if (kind === 4) return draws.pick(shapes)
  if (kind === 5)
    return draws.pick(['re.(', 're.(a+)+$', 'c.', 'eq.', 'neq.', '1.eq', '9.eq.plan.x', '2.gt.price.x', 're.\\'])
  return draws.pick(hostileTexts)
}

const oddNames = [
  ...[...'__proto__ constructor toString hasOwnProperty surprise browser99 browser1e5 filters[]'.split(' '), '', ' '],
  ...[
    ...'filters[browser] filters[__proto__] filters[match] pf_ pf___proto__ epf epf999 epf-1 spf999'.split(' '),
    ...'spf-1'.split(' '),
  ],
  ...[
    ...['share', 'startAt ', 'STARTAT', 'eventType1'],
    `browser${'1'.repeat(300)}`,
    'x'.repeat(2000),
    'page[]',
    'a.b',
    '\0',
  ],
]

const header =
  (name: string, ...values: string[]): Spoiler =>
  ({ headers }, draws) => {
    headers[name] = draws.pick(values)
  }

type Spoiler = (parts: Parts, draws: Random) => void

/** Replaces one pair in the query string. */
const inQuery =
  (change: (pair: readonly [string, string], draws: Random) => readonly (readonly [string, string])[]): Spoiler =>
  (parts, draws) => {
    const at = draws.whole(parts.query.length)
    parts.query = parts.query.flatMap((pair, index) => (index === at ? change(pair, draws) : [pair]))
  }

/** Every field in a body, at any depth, as the object that contains it and its name. */
function fieldsOf(value: unknown): (readonly [holder: Record<string, unknown>, name: string])[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((name) => [[holder, name] as const, ...fieldsOf(holder[name])])
}

const inBody =
  (change: (holder: Record<string, unknown>, name: string, draws: Random) => void): Spoiler =>
  (parts, draws) => {
    const fields = fieldsOf(parts.body)
    if (fields.length === 0) return
    const [holder, name] = draws.pick(fields)
    change(holder, name, draws)
  }

const asText =
  (text: (json: string, draws: Random) => string): Spoiler =>
  (parts, draws) => {
    parts.text = text(JSON.stringify(parts.body) ?? '{}', draws)
  }

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

const odd = (draws: Random): unknown =>
  draws.pick<unknown>([
    null,
    true,
    0,
    -1,
    1e308,
    1.5,
    '',
    [],
    {},
    [null],
    { a: { b: [] } },
    '\ud800',
    '\0',
    nasty(draws),
  ])

const spoilOfQuery: readonly Spoiler[] = [
  inQuery(() => []),
  inQuery(([name], draws) => [[name, nasty(draws)]]),
  inQuery(([name], draws) => [[name, nasty(draws)]]),
  inQuery((pair) => [pair, pair]),
  inQuery((pair, draws) => [pair, [pair[0], nasty(draws)]]),
  inQuery(([, value], draws) => [[draws.pick(oddNames), value]]),
  inQuery(([name, value], draws) => [[`${name}${draws.pick(['1', '2', '[]', '[0]', '\0', ' '])}`, value]]),
  (parts, draws) => {
    parts.query.push([draws.pick(oddNames), draws.pick(operands)])
  },
  (parts, draws) => {
    parts.query.push([asIs + draws.pick(malformed), 'x'])
  },
]

const spoilOfPath: Spoiler = (parts, draws) => {
  const names = Object.keys(parts.ids)
  if (names.length === 0) return
  const name = draws.pick(names)
  const id = parts.ids[name]!
  const others = [id.toUpperCase(), `{${id}}`, id.slice(0, -1), `${id}0`, asIs + draws.pick(malformed), ...ids]
  parts.ids[name] = draws.pick(others)
}

const spoilOfBody: readonly Spoiler[] = [
  inBody((holder, name) => delete holder[name]),
  inBody((holder, name, draws) => {
    holder[name] = odd(draws)
  }),
  inBody((holder, name, draws) => {
    holder[name] = odd(draws)
  }),
  inBody((holder, _, draws) => {
    holder[draws.pick(oddNames)] = odd(draws)
  }),
  asText((_, draws) => draws.pick(['', 'null', '[]', '"x"', '0', '{', '{"a":}', '\ufeff{}', 'a=b', '\0', '{}{}'])),
  asText((json) => json.replace(/^\{/, '{"__proto__":{"role":"admin"},')),
  asText((json) => json.replace(/^\{/, '{"name":"x","name":"y",')),
  asText((_, draws) => nested(draws.pick([50, 5000, 40_000]))),
  asText((json, draws) => json.replace(/:"[^"]*"/, `:${nested(draws.pick([20, 2000]))}`)),
  asText((json, draws) => json + ' '.repeat(draws.pick([1, 99_000, 101_000]))),
]

const spoilOfHeaders: readonly Spoiler[] = [
  header('accept', '*/*', 'text/csv', 'application/x-ndjson', 'application/vnd.apache.parquet', 'image/png', ''),
  header('accept', 'application/json;q=0', 'text/csv;q=2,*/*;q=x', ',;=,', 'a/b,'.repeat(1000), '\u00ff'),
  header('range', 'bytes=0-0', 'bytes=9-1', 'items=x'),
  header('if-none-match', '*', 'W/"x"', '"', `"${'x'.repeat(3000)}"`),
  header('content-type', 'text/plain', 'application/json; charset=utf-16', 'multipart/form-data', '', 'x'.repeat(3000)),
  header('content-encoding', 'gzip', 'br', 'x'),
  header('x-request-id', 'x'.repeat(500), "'", '\u00ff', '../..'),
  header('origin', 'https://example.com', 'null', 'x', 'http://127.0.0.1'),
  header(
    'authorization',
    'Bearer',
    'Bearer ',
    'Basic eDp4',
    `Bearer ${'x'.repeat(6000)}`,
    'bearer x',
    'Bearer api_',
    'x',
  ),
  header('authorization', 'Bearer a.b.c', 'Bearer eyJhbGciOiJub25lIn0.e30.', `Bearer api_${'x'.repeat(43)}`, '\u00ff'),
  header('x-weir-api-key', 'x', '', `api_${'y'.repeat(43)}`),
  header('x-weir-share-token', 'x', '', 'a.b.c'),
  header('x-umami-share-context', '1', '0', 'x'),
  header('cookie', 'a=b', 'x'.repeat(2000)),
  header('cf-connecting-ip', '::1', '1.2.3.4', 'x', ''),
  header('x-http-method-override', 'DELETE'),
]

const spoilers: readonly Spoiler[] = [
  (parts, draws) => draws.pick(spoilOfQuery)(parts, draws),
  (parts, draws) => draws.pick(spoilOfQuery)(parts, draws),
  (parts, draws) => draws.pick(spoilOfHeaders)(parts, draws),
  (parts, draws) => {
    if (parts.body !== undefined) draws.pick(spoilOfBody)(parts, draws)
    else if (draws.chance(0.1)) parts.text = draws.pick(['{}', 'x', '[]'])
    else spoilOfPath(parts, draws)
  },
  (parts, draws) => {
    if (draws.chance(0.2)) parts.method = draws.pick(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    else spoilOfPath(parts, draws)
  },
]
