import * as z from 'zod'
import { type AnyAction, type Context, type Endpoint, idNames } from '../endpoints/endpoint.ts'
import { id } from '../endpoints/ids.ts'
import { invalid } from '../errors.ts'
import { made, madeFor } from '../made.ts'

/**
 * Fields with a record's timestamps or with parts of other records. Clients send them back with any record.
 */
const ignoredInAny: readonly string[] = [
  ...['createdAt', 'updatedAt', 'resetAt', 'deletedAt'],
  ...['members', 'website', 'user', 'team', '_count'],
]

/**
 * The fields that a body may contain although the endpoint does not change them, because clients send back whole
 * records.
 */
interface ReturnedFields {
  /** Fields whose values are not checked. */
  readonly ignored: readonly string[]
  /** Fields that must equal those of the record, by name, each with its schema in the record. */
  readonly fixed: ReadonlyMap<string, z.core.$ZodType>
}

const byEndpoint = new WeakMap<Endpoint, ReturnedFields>()

/** The record's fields that the endpoint does not change; none if the endpoint has no record. */
export const returnedFields = (endpoint: Endpoint): ReturnedFields => madeFor(endpoint, byEndpoint, fieldsOf)

function fieldsOf(endpoint: Endpoint): ReturnedFields {
  if (endpoint.kind !== 'action' || !endpoint.record || !endpoint.body) return { ignored: [], fixed: new Map() }
  const others = [...bodyFieldNames(endpoint), ...idNames(endpoint)]
  const unchanged = partsOf(made(endpoint.record.answer)).filter(([name]) => !others.includes(name))
  const isIgnored = ([name, schema]: Part) => ignoredInAny.includes(name) || name.endsWith('At') || isOfOthers(schema)
  const ofAny = ignoredInAny.filter((name) => !others.includes(name))
  const ignored = new Set([...ofAny, ...unchanged.filter(isIgnored).map(([name]) => name)])
  return { ignored: [...ignored], fixed: new Map(unchanged.filter((field) => !isIgnored(field))) }
}

type Part = readonly [name: string, schema: z.core.$ZodType]

/** The names of the fields that an endpoint accepts in its body. */
export const bodyFieldNames = ({ body }: AnyAction): string[] => (body ? partsOf(made(body)).map(([name]) => name) : [])

/** The fields of an object schema. If a schema has several alternatives, the fields of all of them. */
function partsOf(schema: z.core.$ZodType): Part[] {
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape)
  return schema instanceof z.ZodUnion ? schema.options.flatMap(partsOf) : []
}

/** Whether the field contains other records, or figures about them. */
function isOfOthers(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return isOfOthers(schema.unwrap())
  return schema instanceof z.ZodArray ? isOfOthers(schema.element) : schema instanceof z.ZodObject
}

export const hasFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A body's fields, by name; none if the body is not an object. */
export const fieldsIn = (body: unknown): Readonly<Record<string, unknown>> => (hasFields(body) ? body : {})

/** Throws a 400 that lists each field with a value that differs from the record as this caller sees it. */
export async function refuseChanges(
  action: AnyAction,
  given: Readonly<Record<string, unknown>>,
  input: object,
  context: Context,
): Promise<void> {
  if (!action.record || Object.keys(given).length === 0) return
  const record = fieldsIn(await action.record.read(input as never, context))
  const { fixed } = returnedFields(action)
  const stored = (name: string) => (Object.hasOwn(record, name) ? record[name] : onlyValueOf(fixed.get(name)))
  const others = Object.keys(given).filter((name) => !isSame(given[name], stored(name)))
  if (others.length > 0) throw invalid(others.map((path) => ({ path, message: cannotChange })))
}

const cannotChange = 'Cannot be changed here: send what was read, or leave it out.'

/** The value of a field that has the same value in all records. */
const onlyValueOf = (schema: z.core.$ZodType | undefined): unknown =>
  schema instanceof z.ZodLiteral ? schema.value : undefined

/** Ids are compared case-insensitively. */
const isSame = (given: unknown, stored: unknown): boolean =>
  given === stored ||
  (typeof given === 'string' && typeof stored === 'string' && made(id).safeParse(given).data === stored)
