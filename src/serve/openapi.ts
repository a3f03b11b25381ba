import * as z from 'zod'
import { type Access, isToWebsite } from '../access/permit.ts'
import { type Endpoint, idNames, isAskedByBody, pathParameter } from '../endpoints/endpoint.ts'
import { bodyDocOf, parameterNames, typesOf } from '../endpoints/report-body.ts'
import { type ErrorCode, maxIssues, statusOf } from '../errors.ts'
import type { Query } from '../request/query-string.ts'
import { version } from '../version.ts'
import { formats } from './export/formats.ts'

const description = `Event analytics at the edge, straight on ClickHouse.

Every error has the shape \`Error\`. Beside those listed with the operations there are 404 at an unknown path and 405,
with \`Allow\`, for another method. Send \`X-Request-Id\` to give a request an id of your own; every answer carries one.`

/** The OpenAPI 3.1 document. It comes from the same declarations as the routes. */
export function openapi(endpoints: readonly Endpoint[]): object {
  const shared = sharedParameters(endpoints)
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method]: operation(endpoint, shared) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Weir', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key (api_…), or the token of a sign-in.' },
        key: { type: 'apiKey', in: 'header', name: 'x-weir-api-key', description: 'An API key.' },
        umamiKey: { type: 'apiKey', in: 'header', name: 'x-umami-api-key', description: 'An API key.' },
        share: { type: 'apiKey', in: 'header', name: 'x-weir-share-token', description: 'The token of a share.' },
        umamiShare: {
          type: 'apiKey',
          in: 'header',
          name: 'x-umami-share-token',
          description: 'The token of a share; with x-umami-share-context: 1.',
        },
        slug: { type: 'apiKey', in: 'query', name: 'share', description: 'The slug of a share.' },
      },
      parameters: Object.fromEntries([...shared].map(([text, name]) => [name, JSON.parse(text)])),
      schemas: { Error: schemaOf(ErrorSchema) },
      headers: headerDocs,
    },
  }
}

const headerDocs = {
  Link: {
    description: 'The next page, followed by key: `<…&cursor=…>; rel="next"`. Absent on the last page.',
    schema: { type: 'string' },
  },
  'X-Total-Count': { description: 'Rows of the whole list, whatever limit and offset.', schema: { type: 'integer' } },
  'X-Capped': { description: 'The field whose count stopped early: there are more.', schema: { type: 'string' } },
  'X-Request-Id': { description: 'The id of the request, as in the log and in errors.', schema: { type: 'string' } },
  'Content-Disposition': {
    description: 'The name of the file, for formats other than JSON.',
    schema: { type: 'string' },
  },
  'X-Max-Rows': { description: 'How many rows a file of Parquet may have.', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'The limit that requests count against: `"name";q=requests;w=seconds`.',
    schema: { type: 'string' },
  },
  ETag: { description: 'Changes with the answer; for `If-None-Match`.', schema: { type: 'string' } },
  'X-Cache': {
    description:
      'Where the answer comes from: `HIT`, `MISS`; `UPDATING`: an older one, a newer is being made; `STALE`: an older one, for want of a newer.',
    schema: { type: 'string', enum: ['HIT', 'MISS', 'UPDATING', 'STALE'] },
  },
  Age: { description: 'Seconds since the answer was made, where it was kept.', schema: { type: 'integer' } },
  'Server-Timing': { description: '`cache`, and `clickhouse` with its milliseconds.', schema: { type: 'string' } },
  'X-Source': {
    description: 'The tables that the answer was read from; not where filters are locked.',
    schema: { type: 'string' },
  },
  'X-Range': {
    description:
      'Through a share or a public website: the range that was answered, `startAt-endAt` in milliseconds since 1970.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to send a credential.', schema: { type: 'string' } },
}

type Header = keyof typeof headerDocs

/** The cache headers of a report's answer. */
const cacheHeaders = ({ query }: Endpoint): readonly Header[] => [
  ...(['ETag', 'X-Cache', 'Age', 'Server-Timing', 'X-Source'] as const),
  ...(query.ignored.has('startAt') ? [] : (['X-Range'] as const)),
]

const ErrorSchema = () =>
  z.object({
    error: z.object({
      message: z.string().describe('A sentence that says what to do about it.'),
      code: z.enum(Object.keys(statusOf)),
      status: z.number().int(),
      requestId: z.string(),
      issues: z
        .array(z.object({ path: z.string(), message: z.string() }))
        .max(maxIssues)
        .optional()
        .describe('With 400: the parameters or fields that are wrong, and what each allows.'),
    }),
  })

/** The JSON Schema without `$schema` and without the limits of JavaScript's safe integers. */
function schemaOf(schema: () => z.ZodType, io: 'input' | 'output' = 'output'): object {
  const { $schema, ...rest } = z.toJSONSchema(schema(), {
    io,
    override({ jsonSchema }) {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return rest
}

const queryParameters = (endpoint: Endpoint): object[] =>
  isAskedByBody(endpoint)
    ? []
    : Object.entries(endpoint.query.parameters).map(([name, parameter]) => ({ name, in: 'query', ...parameter }))

/** The body of a report that is asked by POST, from its parameters; else the schema of the body. */
function bodySchemaOf(endpoint: Endpoint): object | undefined {
  const { body, query } = endpoint
  if (!body || !isAskedByBody(endpoint)) return body && schemaOf(body, 'input')
  const described = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, bodyDocOf(query.parameters[name]!)]))
  const [names, alone] = [endpoint.filtersBeside, []].map((beside) => parameterNames(query as Query<object>, beside))
  const filters = Object.keys(query.parameters).filter((name) => !alone!.includes(name) && name !== 'filters')
  const needed = names!.filter((name) => query.parameters[name]!.required)
  return {
    type: 'object',
    properties: {
      websiteId: { type: 'string', format: 'uuid' },
      type: { enum: typesOf(endpoint) },
      filters: { type: 'object', properties: described([...filters, 'startAt', 'endAt']) },
      parameters: { type: 'object', properties: described(names!), required: needed, additionalProperties: false },
    },
    required: ['websiteId', 'type', 'filters', 'parameters'],
    additionalProperties: false,
  }
}

/** The parameters that several operations share, as JSON, and a name for each. The document describes each once. */
function sharedParameters(endpoints: readonly Endpoint[]): ReadonlyMap<string, string> {
  const texts = endpoints.flatMap(queryParameters).map((parameter) => JSON.stringify(parameter))
  const names = new Map<string, string>()
  for (const text of texts.filter((one, index) => texts.indexOf(one) < index)) {
    const { name } = JSON.parse(text) as { name: string }
    if (names.has(text)) continue
    const key = name.replace(/[^\w-]/g, '')
    const known = [...names.values()].filter((one) => one.replace(/\.\d+$/, '') === key).length
    names.set(text, known === 0 ? key : `${key}.${known + 1}`)
  }
  return names
}

function operation(endpoint: Endpoint, shared: ReadonlyMap<string, string>): object {
  const { name, summary, access, answer, query } = endpoint
  const body = bodySchemaOf(endpoint)
  const exports = endpoint.kind === 'report' && endpoint.export !== undefined
  const isLive = endpoint.kind === 'report' && endpoint.isLive
  return {
    operationId: name,
    summary,
    security: securityOf(access),
    parameters: [
      ...idNames(endpoint).map((id) => ({
        name: id,
        in: 'path',
        required: true,
        ...pathDocs()[id === 'slug' ? 'slug' : 'id'],
      })),
      ...queryParameters(endpoint).map((parameter) => {
        const known = shared.get(JSON.stringify(parameter))
        return known ? { $ref: `#/components/parameters/${known}` } : parameter
      }),
    ],
    ...(body && { requestBody: { required: true, content: jsonContent(body) } }),
    responses: {
      200: {
        description: summary,
        headers: headerReferences([
          'X-Request-Id',
          ...(isLimited(endpoint) ? (['RateLimit-Policy'] as const) : []),
          ...('cursor' in query.parameters ? (['Link'] as const) : []),
          ...('offset' in query.parameters ? (['X-Total-Count'] as const) : []),
          ...(endpoint.kind === 'report' && endpoint.caps ? (['X-Capped'] as const) : []),
          ...(exports ? (['Content-Disposition', 'X-Max-Rows'] as const) : []),
          ...(endpoint.kind === 'report' ? cacheHeaders(endpoint) : []),
        ]),
        content: { ...jsonContent(schemaOf(answer)), ...(exports && otherFormats), ...(isLive && liveFormat) },
      },
      ...(endpoint.kind === 'report' &&
        endpoint.method === 'get' && {
          304: {
            description: 'The answer is the one that If-None-Match names.',
            headers: headerReferences(['X-Request-Id', ...cacheHeaders(endpoint)]),
          },
        }),
      ...Object.fromEntries(errorCodes(endpoint).map((code) => [statusOf[code], errorResponse(code)])),
    },
  }
}

/** The other formats of a list, which `Accept` selects; they contain every row. */
const otherFormats = Object.fromEntries(
  formats.map(({ type }) => [
    type,
    { schema: { type: 'string', description: 'Every row of the list: docs/export.md.' } },
  ]),
)

const liveFormat = {
  'text/event-stream': {
    schema: { type: 'string', description: 'The same object, sent again whenever more than its timestamp changed.' },
  },
}

const pathDocs = () => ({
  id: {
    description: 'Hexadecimal digits in the form 8-4-4-4-12, in either case.',
    schema: { type: 'string', format: 'uuid' },
  },
  slug: { description: 'The slug of a share.', schema: schemaOf(pathParameter('slug')) },
})

/** Any one of these suffices; the empty one means no credential. */
function securityOf(access: Access): object[] {
  if (access.to === 'anyone' && !access.handsOn) return []
  const own = [{ bearer: [] }, { key: [] }, { umamiKey: [] }]
  const shares = [{ share: [] }, { umamiShare: [] }, { slug: [] }]
  if (access.to === 'person') return [{ bearer: [] }]
  if (access.to === 'holder') return [...own, ...shares]
  if (access.to === 'anyone') return [...own, ...shares, {}]
  if (!isToWebsite(access) || !access.sections?.length) return own
  // Only a website can be open to everyone.
  return [...own, ...shares, ...(access.to === 'website' ? [{}] : [])]
}

const headerReferences = (names: readonly Header[]): object =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const jsonContent = (schema: object) => ({ 'application/json': { schema } })

/** Whether answers count against a rate limit. Refusals always do. */
const isLimited = (endpoint: Endpoint): boolean =>
  endpoint.access.to !== 'anyone' ||
  (endpoint.kind === 'action' && (endpoint.refuses ?? []).includes('too-many-requests'))

function errorCodes(endpoint: Endpoint): ErrorCode[] {
  const { access } = endpoint
  const { refuses = [] } = endpoint
  return [
    'bad-request',
    ...(access.to === 'anyone' ? [] : (['unauthorized', 'forbidden'] as const)),
    ...refuses,
    'payload-too-large',
    ...(endpoint.kind === 'report' && !endpoint.export ? (['not-acceptable'] as const) : []),
    'too-many-requests',
    'server-error',
    ...(access.to === 'anyone' ? [] : (['service-unavailable'] as const)),
  ]
}

const errorResponse = (code: ErrorCode): object => ({
  description: errorDescriptions[code],
  headers: headerReferences(['X-Request-Id', ...(errorHeaders[code] ?? [])]),
  content: jsonContent({ $ref: '#/components/schemas/Error' }),
})

const errorHeaders: Partial<Record<ErrorCode, readonly Header[]>> = {
  unauthorized: ['WWW-Authenticate'],
  'incorrect-username-password': ['WWW-Authenticate'],
  'service-unavailable': ['Retry-After'],
  'too-many-requests': ['Retry-After', 'RateLimit-Policy'],
}

const errorDescriptions: Record<ErrorCode, string> = {
  'bad-request': 'An id, a parameter or the body is not valid; issues names those that are not.',
  unauthorized: 'No credential, one that is not valid here, or two different ones.',
  'incorrect-username-password': 'There is no user of this name with this password.',
  forbidden: 'The credential does not allow this here, whether or not there is what was asked for.',
  'not-found': 'There is nothing here.',
  'team-not-found': 'There is no team with this access code.',
  'method-not-allowed': 'Another method is needed; Allow names it.',
  'not-acceptable': 'Accept allows none of the formats that this is answered in.',
  conflict: 'What was asked for is not possible now; the message says why.',
  'payload-too-large': 'The body is too large.',
  'too-many-requests': 'Too many requests for now; Retry-After says when to go on.',
  'server-error': 'A bug of the server; its log has more under the id of the request.',
  'service-unavailable': 'The events, or users, websites and keys, cannot be read; the message says what to do.',
}
