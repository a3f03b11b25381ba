import { ApiError } from '../errors.ts'

/** A request that may come from a web page, and a function that sets headers of its response. */
interface OriginExchange {
  readonly request: Request
  readonly url: URL
  readonly setHeader: (name: string, value: string | undefined, options?: { append?: boolean }) => void
}

/**
 * Whether every list of allowed origins contains the request's origin. The answer then depends on the origin, so this
 * sets `Vary` and `Access-Control-Allow-Origin`.
 */
export function isFromOneOf(
  { request, url, setHeader }: OriginExchange,
  allowed: readonly (readonly string[])[],
): boolean {
  if (allowed.length === 0) return true
  // Browsers send no `Origin` header with a GET to their own origin.
  const own = request.headers.get('sec-fetch-site') === 'same-origin' ? url.origin : undefined
  const origin = request.headers.get('origin') ?? own
  const isAllowed = origin !== undefined && allowed.every((origins) => origins.includes(origin))
  setHeader('Vary', 'Origin', { append: true })
  setHeader('Access-Control-Allow-Origin', isAllowed ? origin : undefined)
  return isAllowed
}

export const foreignOrigin = (): ApiError =>
  new ApiError('forbidden', 'Only pages of certain origins may use this, and this request comes from elsewhere.')
