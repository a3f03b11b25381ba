import * as z from 'zod'
import { type Access, type Endpoint, idNames } from './endpoints/endpoint.ts'
import { type ErrorCode, statusOf } from './errors.ts'

/** The OpenAPI 3.1 document, from the same declarations as the routes. */
export function openapi(endpoints: readonly Endpoint[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Weir',
      version: '0.1.0',
      description: 'Event analytics at the edge, straight on ClickHouse.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key: api_….' },
        key: { type: 'apiKey', in: 'header', name: 'x-weir-api-key', description: 'The same API key.' },
        umamiKey: { type: 'apiKey', in: 'header', name: 'x-umami-api-key', description: 'The same API key.' },
      },
      schemas: { Error: errorSchema },
      headers: {
        Link: { description: 'The next page by key, rel="next"; absent on the last page.', schema: { type: 'string' } },
        'X-Total-Count': { description: 'Rows of the whole list.', schema: { type: 'integer' } },
      },
    },
  }
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['message', 'code', 'status', 'requestId'],
      additionalProperties: false,
      properties: {
        message: { type: 'string' },
        code: { type: 'string', enum: Object.keys(statusOf) },
        status: { type: 'integer' },
        requestId: { type: 'string' },
        issues: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'message'],
            additionalProperties: false,
            properties: { path: { type: 'string' }, message: { type: 'string' } },
          },
        },
      },
    },
  },
}

function operation(endpoint: Endpoint): object {
  const { name, summary, access, answer, query } = endpoint
  const body = endpoint.kind === 'action' ? endpoint.body : undefined
  return {
    operationId: name,
    summary,
    security: access === 'public' ? [] : [{ bearer: [] }, { key: [] }, { umamiKey: [] }],
    parameters: [
      ...idNames(endpoint).map((id) => ({
        name: id,
        in: 'path',
        required: true,
        schema: { type: 'string', format: 'uuid' },
      })),
      ...Object.entries(query.parameters).map(([name, { description, schema, required }]) => ({
        name,
        in: 'query',
        description,
        ...(required && { required }),
        schema,
      })),
    ],
    ...(body && {
      requestBody: { required: true, content: json(z.toJSONSchema(body, { io: 'input', target: 'openapi-3.1' })) },
    }),
    responses: {
      200: {
        description: summary,
        headers: {
          ...('page' in query.parameters && { Link: header('Link') }),
          ...('limit' in query.parameters && { 'X-Total-Count': header('X-Total-Count') }),
        },
        content: json(z.toJSONSchema(answer, { io: 'output' })),
      },
      ...Object.fromEntries(
        refusals(endpoint.kind, access).map((code) => [
          statusOf[code],
          { description: code, content: json({ $ref: '#/components/schemas/Error' }) },
        ]),
      ),
    },
  }
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` })
const json = (schema: object) => ({ 'application/json': { schema } })

function refusals(kind: Endpoint['kind'], access: Access): ErrorCode[] {
  const known: ErrorCode[] = access === 'public' ? [] : ['unauthorized', 'forbidden', 'service-unavailable']
  return [
    'bad-request',
    ...known,
    'method-not-allowed',
    ...(kind === 'action' ? (['payload-too-large'] as const) : []),
    'server-error',
  ]
}
