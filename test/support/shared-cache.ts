import CachePolicy from 'http-cache-semantics'

/**
 * For how many seconds a shared cache may send this answer to others, according to RFC 9111; 0 if it may not.
 * `headers` are the headers of the answer.
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

/** Paths that are the same for everybody: files, and what a tracker or recorder reads about a website. */
const ofEverybody =
  /^\/(?:api\/websites\/[^/]+\/recorder|(?:script|recorder|replay|extras)\.js|assets\/.*|docs\/.*)(?:\?|$)/

/** The fault of an answer that a shared cache may keep without the parameter `share` in its URL, if it has one. */
export function wronglyShared(...[request, answer]: Parameters<typeof sharedFor>): string | undefined {
  const { method = 'GET', url } = request
  const mayBeShared = method === 'GET' && answer.status === 200 && (/[?&]share=/.test(url) || ofEverybody.test(url))
  const seconds = mayBeShared ? 0 : sharedFor(request, answer)
  return seconds > 0 ? `an answer that a shared cache may keep for ${seconds} seconds` : undefined
}
