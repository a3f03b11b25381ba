import { bodyLimit } from 'hono/body-limit'
import * as z from 'zod'
import { joined } from '../collect/lines.ts'
import { type Endpoint, idNames } from '../endpoints/endpoint.ts'
import { ApiError, invalid } from '../errors.ts'
import { made } from '../made.ts'
import { isTooDeep, maxJsonDepth } from '../request/json.ts'
import type { Exchange } from './exchange.ts'
import { slugsInBody } from './log.ts'
import { fieldsIn, hasFields, returnedFields } from './returned.ts'

/** The maximum size of a body, in bytes. */
const maxBodyBytes = 100_000

const limit = bodyLimit({
  maxSize: maxBodyBytes,
  onError: () => {
    throw new ApiError('payload-too-large', `A body may have at most ${maxBodyBytes} bytes.`)
  },
})

/**
 * Refuses a body that is too large. If the body has already been read, it has been checked and cannot be read again.
 * GET and HEAD requests must not have a body.
 */
async function limitBody(hono: Exchange['hono']): Promise<void> {
  const { method, raw } = hono.req
  if (method !== 'GET' && method !== 'HEAD' && !raw.bodyUsed) await received(limit(hono, async () => {}))
}

/** Reads a body of at most `maxBodyBytes` as text. */
export async function readLimited({ hono }: Exchange): Promise<string> {
  await limitBody(hono)
  return received(hono.req.text())
}

const decoder = new TextDecoder()

/**
 * Reads a body of at most this many bytes as text. If the body is larger, throws the error of `tooLarge`. It checks
 * `Content-Length` first, so that the answer does not have to wait for the body.
 */
export async function boundedText(
  exchange: Exchange,
  bytes: number,
  tooLarge: (bytes: number) => ApiError,
): Promise<string> {
  return decoder.decode(await boundedBytes(exchange, bytes, tooLarge))
}

/** Reads the bytes of a body, with the same limits. */
export async function boundedBytes(
  exchange: Exchange,
  most: number,
  tooLarge: (bytes: number) => ApiError,
): Promise<Uint8Array<ArrayBuffer>> {
  const { raw } = exchange.hono.req
  const announced = raw.headers.get('content-length')
  if (announced !== null && Number(announced) <= most) return new Uint8Array(await received(raw.arrayBuffer()))
  const reader = raw.body?.getReader()
  const parts: Uint8Array[] = []
  let length = Number(announced)
  while (reader && length <= most) {
    const { done, value } = await received(reader.read())
    if (done) break
    length += value.length
    parts.push(value)
  }
  if (length <= most) return joined(parts)
  if (reader) exchange.rest = throwAway(reader)
  throw tooLarge(most)
}

/** How much of a refused body is read, in bytes, and for how long, in milliseconds. */
const mostThrownAway = 20_000_000
const longestThrowing = 10_000

/**
 * Reads and discards the rest of the body. Most clients read the response only after they have sent everything, and
 * closing early would reset the connection.
 */
async function throwAway(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const end = (): Promise<void> => reader.cancel().catch(() => {})
  const timer = setTimeout(end, longestThrowing)
  try {
    for (let length = 0; length < mostThrownAway; ) {
      const { done, value } = await reader.read()
      if (done) return
      length += value.length
    }
  } catch {
    // The client has disconnected.
  } finally {
    clearTimeout(timer)
    await end()
  }
}

/** Cloudflare's stream for a body whose length is known in advance. */
declare const FixedLengthStream: new (bytes: number) => TransformStream<Uint8Array, Uint8Array>

/**
 * A response body that stays open until `rest` resolves, because the platform stops reading a request once its response
 * has ended. The reader receives the whole body before that.
 */
export function openUntil(rest: Promise<void>, body: object): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  const { readable, writable } = new FixedLengthStream(bytes.length)
  const writer = writable.getWriter()
  const send = async (): Promise<void> => {
    await writer.write(bytes)
    await rest
    await writer.close()
  }
  // The caller may have disconnected.
  void send().catch(() => {})
  return readable
}

interface Body {
  /** The body, parsed by the endpoint's schema; undefined if there is no schema. */
  readonly fields?: object
  /** The record's fields as the caller sends them back. They may have changed. */
  readonly returned: Readonly<Record<string, unknown>>
}

/** Reads the body. Throws a 400 if it ends early or its chunks are malformed. */
const received = <Value>(read: Promise<Value>): Promise<Value> =>
  read.catch((error: unknown) => {
    throw error instanceof ApiError ? error : new ApiError('bad-request', 'The body is incomplete.')
  })

/**
 * Reads a request's body according to its endpoint's schema, using `validate`. An endpoint without a schema refuses any
 * body. Bodies that are too large, nested too deep or not JSON are refused before they reach the schema. The schema
 * does not receive the ids in the path or the fields that the caller only sends back.
 */
export async function readBody(
  endpoint: Endpoint,
  { hono, slugs }: Exchange,
  validate: (schema: z.ZodType) => Promise<object>,
): Promise<Body> {
  await limitBody(hono)
  const schema = endpoint.body
  if (!schema) {
    await refuseBody(hono.req)
    return { returned: {} }
  }
  if (!/^application\/json *(;|$)/i.test(hono.req.header('content-type') ?? '')) {
    throw new ApiError('bad-request', 'Send the body as JSON, with Content-Type: application/json.')
  }
  const text = await received(hono.req.text())
  if (isTooDeep(text)) throw new ApiError('bad-request', `A body may be nested at most ${maxJsonDepth} deep.`)
  // A field with this name would be lost when the object is copied, so it is refused here like any unknown field.
  if (hasPrototype(text)) throw invalid([{ path: '__proto__', message: 'Unknown field.' }])
  const names = idNames(endpoint)
  await refuseOtherIds(names, hono.req)
  const { ignored, fixed } = returnedFields(endpoint)
  const fields = await validate(withoutFields([...names, ...ignored, ...fixed.keys()], made(schema)))
  for (const slug of slugsInBody(fields)) slugs.add(slug)
  const sent = Object.entries(fieldsIn(await hono.req.json()))
  return { fields, returned: Object.fromEntries(sent.filter(([name]) => fixed.has(name))) }
}

/**
 * The id of the request's website, link or pixel, unvalidated. It is in the path, in the query string of a GET,
 * or in the body.
 */
export async function websiteIn(endpoint: Endpoint, exchange: Exchange): Promise<unknown> {
  const inPath = exchange.param(`${endpoint.access.to}Id`)
  if (inPath !== '') return inPath
  if (endpoint.method === 'get') return exchange.url.searchParams.get('websiteId')
  return (await bodyFields(exchange)).websiteId
}

/** The unvalidated fields of a body of at most `maxBodyBytes`; none if the body is not an object. */
export async function bodyFields({ hono }: Exchange): Promise<Readonly<Record<string, unknown>>> {
  await limitBody(hono)
  return fieldsIn(await hono.req.json().catch(() => undefined))
}

type HonoRequest = Exchange['hono']['req']

function hasPrototype(json: string): boolean {
  let found = false
  try {
    JSON.parse(json, (name, value) => {
      found ||= name === '__proto__'
      return value
    })
  } catch {
    // `validate` reports that the text is not JSON.
  }
  return found
}

/** Refuses any body except `{}` with POST, because some clients always send that. */
async function refuseBody(request: HonoRequest): Promise<void> {
  const isSent = request.raw.body !== null && request.header('content-length') !== '0'
  const isEmptyObject = async () => request.method === 'POST' && /^\s*\{\s*\}\s*$/.test(await received(request.text()))
  if (isSent && !(await isEmptyObject())) {
    throw new ApiError('bad-request', `A ${request.method} request takes no body here.`)
  }
}

/** The official client repeats the ids from the path in the body. They must be equal. */
async function refuseOtherIds(names: readonly string[], request: HonoRequest): Promise<void> {
  const body: unknown = await request.json().catch(() => undefined)
  const isOther = (name: string): boolean => {
    const given = bodyField(body, name)
    const isSame = typeof given === 'string' && given.toLowerCase() === request.param(name)?.toLowerCase()
    return given !== undefined && !isSame
  }
  refuseIds(names.filter(isOther))
}

/** Throws a 400 if any ids differ from those in the path. `others`: the names of the ids to compare. */
export function refuseIds(others: readonly string[]): void {
  const message = 'Must be the id in the path, or left out.'
  if (others.length > 0) throw invalid(others.map((path) => ({ path, message })))
}

const bodyField = (body: unknown, name: string): unknown =>
  Object.hasOwn(fieldsIn(body), name) ? fieldsIn(body)[name] : undefined

/** Wraps a schema so that fields with these names in a body or a query string are ignored. */
export const withoutFields = (names: readonly string[], schema: z.ZodType): z.ZodType =>
  z.preprocess(
    (body) =>
      hasFields(body) ? Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name))) : body,
    schema,
  )
