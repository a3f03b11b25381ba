import type { Context } from 'hono'
import { ApiError } from '../errors.ts'

/**
 * Whether the request comes from one of each of these lists of origins. Whatever it is answered then is for that origin
 * alone, which browsers are told.
 */
export function isFromOneOf(c: Context, allowed: readonly (readonly string[])[]): boolean {
  if (allowed.length === 0) return true
  // A page of our own origin names none with GET.
  const own = c.req.header('sec-fetch-site') === 'same-origin' ? new URL(c.req.url).origin : undefined
  const origin = c.req.header('origin') ?? own
  const isAllowed = origin !== undefined && allowed.every((origins) => origins.includes(origin))
  c.header('Vary', 'Origin', { append: true })
  c.header('Access-Control-Allow-Origin', isAllowed ? origin : undefined)
  return isAllowed
}

export const foreign = (): ApiError =>
  new ApiError('forbidden', 'This is for pages of certain origins only, and this request comes from none of them.')
