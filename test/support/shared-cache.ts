import CachePolicy from 'http-cache-semantics'

/**
 * How many seconds a shared cache may serve this response to others, according to RFC 9111, or 0 if it may not.
 * `headers` are the response headers.
 */
export function sharedFor(
  { method = 'GET', url, headers: sent = {} }: { method?: string; url: string; headers?: object },
  { status, headers }: { status: number; headers: Iterable<[string, string]> },
): number {
  const policy = new CachePolicy(
    { url, method, headers: { host: 'localhost', ...sent } as never },
    { status, headers: Object.fromEntries(headers) },
  )
  return policy.storable() ? policy.timeToLive() / 1000 : 0
}

/** Paths with the same response for everybody: files, and what a tracker or recorder reads about a website. */
const ofEverybody =
  /^\/(?:api\/websites\/[^/]+\/recorder|(?:script|recorder|replay|extras)\.js|assets\/.*|docs\/.*)(?:\?|$)/

/** What is wrong if a shared cache may store this response without the parameter `share` in its URL, or undefined. */
export function wronglyShared(...[request, answer]: Parameters<typeof sharedFor>): string | undefined {
  const { method = 'GET', url } = request
  const isRead = method === 'GET' || method === 'HEAD'
  const mayBeShared = isRead && answer.status === 200 && (/[?&]share=/.test(url) || ofEverybody.test(url))
  const seconds = mayBeShared ? 0 : sharedFor(request, answer)
  return seconds > 0 ? `an answer that a shared cache may keep for ${seconds} seconds` : undefined
}
