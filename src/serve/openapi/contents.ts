import * as z from 'zod'
import type { Endpoint } from '../../endpoints/endpoint.ts'
import { isAskedByBody } from '../../endpoints/facts.ts'
import { bodyDocOf, parameterNames, typesOf } from '../../endpoints/report-body.ts'
import type { Query } from '../../request/query-string.ts'
import { returnedFields } from '../returned.ts'
import { bodies, exampleOf } from './examples.ts'
import { capital, type JsonSchema, type PlacedSchema } from './schemas.ts'

/** The schemas of an operation's body and answer. */
export interface Contents {
  readonly body: JsonSchema | undefined
  readonly answer: JsonSchema
}

export const contentsOf = (endpoint: Endpoint): Contents => ({
  body: withReturned(endpoint, bodySchemaOf(endpoint)),
  answer: schemaOf(endpoint.answer),
})

/** The name of an operation's answer, such as `WebsiteStats` for `getWebsiteStats`. */
export const answerName = (name: string): string => capital(name.replace(/^get(?=[A-Z])/, ''))

/** The schemas of these operations, each named after its operation: those of answers, then those of bodies. */
export const placedSchemas = (operations: readonly (readonly [name: string, Contents])[]): PlacedSchema[] => [
  ...operations.map(([name, { answer }]) => ({ schema: answer, place: answerName(name) })),
  ...operations.flatMap(([name, { body }]) => (body ? [{ schema: body, place: `${answerName(name)}Body` }] : [])),
]

/** The schema of a body, including fields of the record that callers may send back with it. */
function withReturned(endpoint: Endpoint, body: JsonSchema | undefined): JsonSchema | undefined {
  const { ignored, fixed } = returnedFields(endpoint)
  if (!body || (ignored.length === 0 && fixed.size === 0)) return body
  const returned = {
    ...Object.fromEntries([...fixed].map(([name, schema]) => [name, fixedField(schema)])),
    ...Object.fromEntries(
      ignored.map((name) => [name, { description: 'Ignored: callers may send back what they read.' }]),
    ),
  }
  // The title is left out, because it belongs to the body that creates a record, which lacks these fields.
  const extended = ({ title: _, ...one }: JsonSchema) => ({ ...one, properties: { ...one.properties, ...returned } })
  return body.oneOf ? { ...body, oneOf: (body.oneOf as readonly JsonSchema[]).map(extended) } : extended(body)
}

const fixedField = (schema: z.core.$ZodType): JsonSchema => ({
  ...schemaOf(() => schema as z.ZodType),
  description: 'Must be as it was read. It cannot be changed here.',
})

/**
 * The JSON Schema, without `$schema` and without JavaScript's limits for safe integers. That of an answer allows more
 * fields, because later versions may add some.
 */
export function schemaOf(schema: () => z.ZodType, io: 'input' | 'output' = 'output'): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema(), {
    io,
    override({ jsonSchema }) {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return rest as JsonSchema
}

/** The schema of the body. For a report by POST, it is derived from the report's parameters. */
function bodySchemaOf(endpoint: Endpoint): JsonSchema | undefined {
  const { body, query } = endpoint
  if (!body || !isAskedByBody(endpoint)) return body && schemaOf(body, 'input')
  const described = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, bodyDocOf(query.parameters[name]!) as JsonSchema]))
  const [names, alone] = [endpoint.filtersBeside, []].map((beside) => parameterNames(query as Query<object>, beside))
  const filters = Object.keys(query.parameters).filter((name) => !alone!.includes(name) && name !== 'filters')
  const needed = names!.filter((name) => query.parameters[name]!.required)
  return {
    type: 'object',
    properties: {
      websiteId: { type: 'string', format: 'uuid' },
      type: { enum: typesOf(endpoint) },
      filters: { title: 'ReportFilters', type: 'object', properties: described([...filters, 'startAt', 'endAt']) },
      parameters: { type: 'object', properties: described(names!), required: needed, additionalProperties: false },
    },
    required: ['websiteId', 'type', 'filters', 'parameters'],
    additionalProperties: false,
  }
}

/** A body that the endpoint accepts. For a report, it contains the report's own example. */
export function bodyExample(endpoint: Endpoint): unknown {
  const body = bodySchemaOf(endpoint)!
  if (!isAskedByBody(endpoint)) return bodies[endpoint.name] ?? exampleOf(body, '', true)
  const schemas = body.properties?.parameters?.properties
  const parameters = Object.entries(endpoint.example.query).map(([name, text]) => [
    name,
    schemas?.[name]?.type === 'string' || !/^[[{\d]/.test(text) ? text : JSON.parse(text),
  ])
  return { ...(exampleOf(body, '', true) as object), filters: {}, parameters: Object.fromEntries(parameters) }
}
