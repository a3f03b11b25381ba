import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as z from 'zod'
import { ApiError, invalid } from './errors.ts'
import { deepest, isTooDeep } from './request/json.ts'

/** Bodies larger than this, in bytes, are refused. */
const largestBody = 100_000

const limited = bodyLimit({
  maxSize: largestBody,
  onError: () => {
    throw new ApiError('payload-too-large', `A body may hold at most ${largestBody} bytes.`)
  },
})

const jsonOnly: MiddlewareHandler = async (c, next) => {
  if (!/^application\/json *(;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new ApiError('bad-request', 'Send the body as JSON, with Content-Type: application/json.')
  }
  await next()
}

const notTooDeep: MiddlewareHandler = async (c, next) => {
  if (isTooDeep(await c.req.text())) throw new ApiError('bad-request', `A body may be nested at most ${deepest} deep.`)
  await next()
}

/** A field of this name is dropped by whoever copies an object: it is refused like any that is unknown. */
const noPrototypes: MiddlewareHandler = async (c, next) => {
  if (hasPrototype(await c.req.text())) throw invalid([{ path: '__proto__', message: 'Unknown field.' }])
  await next()
}

function hasPrototype(json: string): boolean {
  let found = false
  try {
    JSON.parse(json, (name, value) => {
      found ||= name === '__proto__'
      return value
    })
  } catch {
    // That it is no JSON is said elsewhere.
  }
  return found
}

/** Refuses what is too large a body, or none of JSON. */
export const jsonBody: readonly MiddlewareHandler[] = [limited, jsonOnly, notTooDeep, noPrototypes]

/** Refuses every body, but with POST the `{}` of clients that always send one. */
export const noBody: readonly MiddlewareHandler[] = [
  limited,
  async (c, next) => {
    const isSent = c.req.raw.body !== null && c.req.header('content-length') !== '0'
    const isEmptyObject = async () => c.req.method === 'POST' && /^\s*\{\s*\}\s*$/.test(await c.req.text())
    if (isSent && !(await isEmptyObject())) {
      throw new ApiError('bad-request', `A ${c.req.method} request takes no body here.`)
    }
    await next()
  },
]

/** The official client repeats the ids of a path in the body. Others than those of the path are refused. */
export const sameIds =
  (names: readonly string[]): MiddlewareHandler =>
  async (c, next) => {
    const body: unknown = await c.req.json().catch(() => undefined)
    const others = names.filter((name) => {
      const given = fieldOf(body, name)
      const isSame = typeof given === 'string' && given.toLowerCase() === c.req.param(name)?.toLowerCase()
      return given !== undefined && !isSame
    })
    if (others.length > 0) {
      throw invalid(others.map((path) => ({ path, message: 'Must be the one of the path, or left out.' })))
    }
    await next()
  }

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? (body as Record<string, unknown>)[name]
    : undefined

/** The schema of a body that may repeat the ids of its path. */
export const withoutIds = (names: readonly string[], schema: z.ZodType): z.ZodType =>
  z.preprocess(
    (body) =>
      typeof body === 'object' && body !== null && !Array.isArray(body)
        ? Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
        : body,
    schema,
  )
