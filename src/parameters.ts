import type { MiddlewareHandler } from 'hono'
import { ApiError, invalid } from './errors.ts'
import { excessOf, malformedNames } from './request/query-string.ts'

/** A query string that is too much is not looked at. */
export const bounded: MiddlewareHandler = async (c, next) => {
  const excess = excessOf(new URL(c.req.url).search)
  if (excess !== undefined) throw new ApiError('bad-request', excess)
  await next()
}

/** What is no percent-encoded UTF-8 has no meaning, and is not guessed at. */
export const wellFormed: MiddlewareHandler = async (c, next) => {
  const names = malformedNames(new URL(c.req.url).search)
  if (names.length > 0) {
    throw invalid(
      names.map((path) => ({
        path,
        message: 'Must have a name, and be UTF-8 in percent-encoding (a % itself is %25).',
      })),
    )
  }
  await next()
}
