import { ApiError } from '../errors.ts'

/** A request that may come from a page, and the headers of its answer. */
interface OriginExchange {
  readonly request: Request
  readonly url: URL
  readonly setHeader: (name: string, value: string | undefined, options?: { append?: boolean }) => void
}

/**
 * Whether the request comes from one of each of these lists of origins. Whatever it is answered then is for that origin
 * alone, which browsers are told.
 */
export function isFromOneOf(
  { request, url, setHeader }: OriginExchange,
  allowed: readonly (readonly string[])[],
): boolean {
  if (allowed.length === 0) return true
  // A page of our own origin names none with GET.
  const own = request.headers.get('sec-fetch-site') === 'same-origin' ? url.origin : undefined
  const origin = request.headers.get('origin') ?? own
  const isAllowed = origin !== undefined && allowed.every((origins) => origins.includes(origin))
  setHeader('Vary', 'Origin', { append: true })
  setHeader('Access-Control-Allow-Origin', isAllowed ? origin : undefined)
  return isAllowed
}

export const foreignOrigin = (): ApiError =>
  new ApiError('forbidden', 'This is for pages of certain origins only, and this request comes from none of them.')
