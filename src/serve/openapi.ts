import * as z from 'zod'
import { type Access, isToWebsite } from '../access/permit.ts'
import { type Endpoint, idNames, pathParameter } from '../endpoints/endpoint.ts'
import type { EndpointFamily } from '../endpoints/index.ts'
import { type ErrorCode, maxIssues, statusOf } from '../errors.ts'
import { made } from '../made.ts'
import { Price } from '../query/language/price.ts'
import { version } from '../version.ts'
import { formats } from './export/formats.ts'
import { collectionPaths, collectionSchemas, collectionTag } from './openapi/collection.ts'
import { answerName, bodyExample, type Contents, contentsOf, placedSchemas, schemaOf } from './openapi/contents.ts'
import { descriptionOf } from './openapi/descriptions.ts'
import { errorCodes, errorDescriptions } from './openapi/errors.ts'
import { exampleOf } from './openapi/examples.ts'
import { assistantsTag, mcpPaths, mcpSchemas } from './openapi/mcp.ts'
import { queryParameters, sharedParameters } from './openapi/parameters.ts'
import { recordedAnswers } from './openapi/recorded.ts'
import { capital, NamedSchemas } from './openapi/schemas.ts'
import { priceType } from './price.ts'

const description = `Event analytics at the edge, straight on ClickHouse.

Every error has the shape \`Error\`. Besides those listed with the operations, there is 404 for an unknown path and 405,
with \`Allow\`, for another method. Send \`X-Request-Id\` to give a request your own id; every answer carries one.`

/** The OpenAPI 3.1 document. It is generated from the same declarations as the routes. */
export function openapi(families: readonly EndpointFamily[]): object {
  const endpoints = families.flatMap((family) => family.endpoints)
  const shared = sharedParameters(endpoints)
  const described = new Map(endpoints.map((endpoint) => [endpoint, contentsOf(endpoint)]))
  const schemas = new NamedSchemas(placedSchemas([...described].map(([{ name }, contents]) => [name, contents])))
  const paths: Record<string, Record<string, object>> = {}
  for (const { name: tag, endpoints } of families) {
    for (const endpoint of endpoints) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = {
        ...paths[path],
        [endpoint.method]: operation(endpoint, tag, described.get(endpoint)!, shared, schemas),
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Weir', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: [...families.map(({ name, description }) => ({ name, description })), collectionTag, assistantsTag],
    paths: { ...paths, ...collectionPaths(), ...mcpPaths() },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key (api_…) or a sign-in token.' },
        key: { type: 'apiKey', in: 'header', name: 'x-weir-api-key', description: 'An API key.' },
        umamiKey: { type: 'apiKey', in: 'header', name: 'x-umami-api-key', description: 'An API key.' },
        share: { type: 'apiKey', in: 'header', name: 'x-weir-share-token', description: 'A share token.' },
        umamiShare: {
          type: 'apiKey',
          in: 'header',
          name: 'x-umami-share-token',
          description: 'A share token, together with x-umami-share-context: 1.',
        },
        slug: { type: 'apiKey', in: 'query', name: 'share', description: 'A share’s slug.' },
      },
      parameters: Object.fromEntries([...shared].map(([text, name]) => [name, JSON.parse(text)])),
      schemas: {
        ...{ Error: schemaOf(ErrorSchema), Price: schemaOf(Price) },
        ...{ ...collectionSchemas(), ...mcpSchemas(), ...schemas.components },
      },
      responses: Object.fromEntries(
        [...new Set(endpoints.flatMap(errorCodes))].sort().map((code) => [capital(code), errorResponse(code)]),
      ),
      headers: headerDocs,
    },
  }
}

const headerDocs = {
  Link: {
    description:
      'The next page: `<…>; rel="next"`. Lists of events continue after a row (`cursor`), other lists by number (`page`). Absent on the last page.',
    schema: { type: 'string' },
  },
  'X-Total-Count': { description: 'Rows in the whole list, ignoring limit and offset.', schema: { type: 'integer' } },
  'X-Capped': { description: 'The field whose count stopped early; there are more.', schema: { type: 'string' } },
  'X-Request-Id': { description: 'The id of the request, as in the log and in errors.', schema: { type: 'string' } },
  'Content-Disposition': {
    description: 'The file name, for formats other than JSON.',
    schema: { type: 'string' },
  },
  'X-Max-Rows': { description: 'The maximum number of rows in a Parquet file.', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'The limit that requests count against: `"name";q=requests;w=seconds`.',
    schema: { type: 'string' },
  },
  ETag: { description: 'Changes with the answer; for `If-None-Match`.', schema: { type: 'string' } },
  'X-Cache': {
    description:
      '`HIT`; `MISS`; `UPDATING`: an older answer, while a newer one is computed; `STALE`: an older one, in an outage.',
    schema: { type: 'string', enum: ['HIT', 'MISS', 'UPDATING', 'STALE'] },
  },
  Age: { description: 'Seconds since the answer was computed, if it was cached.', schema: { type: 'integer' } },
  'Server-Timing': {
    description: 'Milliseconds that the request waited for `cache`, `d1` and `clickhouse`, and in `total`.',
    schema: { type: 'string' },
  },
  'X-Source': {
    description: 'The tables that were read, or would be without chains. Absent if filters are locked.',
    schema: { type: 'string' },
  },
  'X-Replica': { description: 'The ClickHouse replica that computed the answer.', schema: { type: 'string' } },
  'X-As-Of': {
    description: 'The answer includes every event whose insert ended before this time. Absent if unknown.',
    schema: { type: 'string', format: 'date-time' },
  },
  'X-Tries': { description: 'How many replicas were asked. Absent for cached answers.', schema: { type: 'integer' } },
  'X-Range': {
    description:
      'The range that was answered, `startAt-endAt` in milliseconds since 1970: with `period`, and through a share or a public website.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to send a credential.', schema: { type: 'string' } },
}

type Header = keyof typeof headerDocs

/** The response headers that describe the origin and range of an answer. */
const originHeaders = ({ kind, query }: Endpoint): readonly Header[] => [
  ...(kind === 'report' ? (['ETag', 'X-Cache', 'Age', 'X-Source', 'X-Replica', 'X-As-Of', 'X-Tries'] as const) : []),
  ...(!('period' in query.parameters) || query.ignored.has('period') ? [] : (['X-Range'] as const)),
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
        .describe('With 400: the invalid parameters or fields, and what each allows.'),
      lockedUntil: z.string().optional().describe('With 429: when a locked second factor accepts codes again.'),
    }),
    reason: z.literal('payload_too_large').optional().describe('Umami’s recorders read it.'),
  })

function operation(
  endpoint: Endpoint,
  tag: string,
  { body, answer }: Contents,
  shared: ReadonlyMap<string, string>,
  schemas: NamedSchemas,
): object {
  const { name, summary, access, query } = endpoint
  const exports = endpoint.kind === 'report' && endpoint.export !== undefined
  const isLive = endpoint.kind === 'report' && endpoint.isLive
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: descriptionOf(endpoint),
    security: securityOf(access),
    parameters: [
      ...idNames(endpoint).map((id) => ({
        name: id,
        in: 'path',
        required: true,
        ...made(pathDocs)[id === 'slug' ? 'slug' : 'id'],
      })),
      ...queryParameters(endpoint).map((parameter) => {
        const known = shared.get(JSON.stringify(parameter))
        return known ? { $ref: `#/components/parameters/${known}` } : parameter
      }),
    ],
    ...(body && {
      requestBody: { required: true, content: jsonContent(schemas.refer(body), bodyExample(endpoint)) },
    }),
    responses: {
      200: {
        description: summary,
        headers: headerReferences([
          'X-Request-Id',
          'Server-Timing',
          ...(isLimited(endpoint) ? (['RateLimit-Policy'] as const) : []),
          ...(isPaged(endpoint) ? (['Link'] as const) : []),
          ...('offset' in query.parameters ? (['X-Total-Count'] as const) : []),
          ...(endpoint.kind === 'report' && endpoint.caps ? (['X-Capped'] as const) : []),
          ...(exports ? (['Content-Disposition', 'X-Max-Rows'] as const) : []),
          ...originHeaders(endpoint),
        ]),
        content: {
          ...jsonContent(
            schemas.referToAnswer(answerName(name), answer),
            made(recordedAnswers)[name] ?? exampleOf(answer),
          ),
          ...(endpoint.kind === 'report' && priceFormat),
          ...(exports && otherFormats),
          ...(isLive && liveFormat),
        },
      },
      ...(endpoint.kind === 'report' &&
        endpoint.method === 'get' && {
          304: {
            description: 'The answer has not changed: it matches If-None-Match.',
            headers: headerReferences(['X-Request-Id', 'Server-Timing', ...originHeaders(endpoint)]),
          },
        }),
      ...Object.fromEntries(
        errorCodes(endpoint).map((code) => [statusOf[code], { $ref: `#/components/responses/${capital(code)}` }]),
      ),
    },
  }
}

/** A list's other formats, which `Accept` selects. They contain every row. */
const otherFormats = Object.fromEntries(
  formats.map(({ type }) => [
    type,
    { schema: { type: 'string', description: 'Every row of the list. See docs/export.md.' } },
  ]),
)

const priceFormat = { [priceType]: { schema: { $ref: '#/components/schemas/Price' } } }

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
  slug: { description: 'A share’s slug.', schema: schemaOf(pathParameter('slug')) },
})

/** The security schemes, any one of which is sufficient. An empty scheme means that no credential is needed. */
function securityOf(access: Access): object[] {
  if (access.to === 'anyone' && !access.handsOn) return []
  const own = [{ bearer: [] }, { key: [] }, { umamiKey: [] }]
  const shares = [{ share: [] }, { umamiShare: [] }, { slug: [] }]
  if (access.to === 'person') return [{ bearer: [] }]
  if (access.to === 'holder') return [...own, ...shares]
  if (access.to === 'anyone') return [...own, ...shares, {}]
  if (!isToWebsite(access) || !access.sections?.length) return own
  // Of these, only a website can be open to everyone.
  return [...own, ...shares, ...(access.to === 'website' ? [{}] : [])]
}

const headerReferences = (names: readonly Header[]): object =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const jsonContent = (schema: object, example?: unknown) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})

const isPaged = ({ query }: Endpoint): boolean => 'page' in query.parameters && !query.ignored.has('page')

/** Whether requests that are answered count against a rate limit. Refused ones always do. */
const isLimited = (endpoint: Endpoint): boolean =>
  endpoint.access.to !== 'anyone' ||
  (endpoint.kind === 'action' && (endpoint.refuses ?? []).includes('too-many-requests'))

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
