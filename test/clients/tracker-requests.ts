/**
 * The requests of Umami's own scripts, from public descriptions: the preflight, headers, body, and the part of the
 * answer that they read. `$website` is the website's id, and `$cache` the stored token.
 */
export interface TrackerRequest {
  readonly what: string
  /** Headers in addition to the browser's own. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly type: string; readonly payload: Readonly<Record<string, unknown>> }
}

export interface TrackerScript {
  readonly version: string
  /** The headers that the browser's preflight lists. */
  readonly asked: string
  /** The part of a response's text that later requests send as `x-umami-cache`. */
  readonly kept: (text: string) => unknown
  readonly requests: readonly TrackerRequest[]
}

const json = { 'Content-Type': 'application/json' } as const
const cached = { ...json, 'x-umami-cache': '$cache' } as const

const page = { website: '$website', hostname: 'shop.example', screen: '1920x1080', language: 'en-US' } as const
const event = (payload: object) => ({ type: 'event', payload: { ...page, ...payload } })
const identify = (payload: object) => ({ type: 'identify', payload: { ...page, ...payload } })

/** Version 2.x stores the whole text of the answer, and percent-encodes title and URLs. */
const second: TrackerScript = {
  version: '2.x',
  asked: 'content-type,x-umami-cache',
  kept: (text) => text,
  requests: [
    {
      what: 'the first view',
      headers: json,
      body: event({ title: 'Caf%C3%A9', url: '/caf%C3%A9?q=1', referrer: 'https://news.example/today' }),
    },
    {
      what: 'a view after pushState',
      headers: cached,
      body: event({ title: 'Two', url: '/two', referrer: '/caf%C3%A9?q=1' }),
    },
    {
      what: 'a click',
      headers: cached,
      body: event({ title: 'Two', url: '/two', referrer: '', name: 'buy', data: { plan: 'pro' } }),
    },
    {
      what: 'identify',
      headers: cached,
      body: identify({ title: 'Two', url: '/two', referrer: '', data: { age: 5 } }),
    },
  ],
}

/** Version 3.x stores the answer's `cache`. */
const cacheOf = (text: string): unknown => (JSON.parse(text) as { cache?: unknown }).cache

/** Version 3.1 sends whole URLs. `identify` drops the token first, so that an empty one is sent. */
const third: TrackerScript = {
  ...{ version: '3.1', asked: 'content-type,x-umami-cache', kept: cacheOf },
  requests: [
    {
      what: 'the first view',
      headers: json,
      body: event({ title: 'Café', url: 'https://shop.example/café?q=1', referrer: 'https://news.example/today' }),
    },
    {
      what: 'a view after pushState',
      headers: cached,
      body: event({ title: 'Two', url: 'https://shop.example/two', referrer: 'https://shop.example/café?q=1' }),
    },
    {
      what: 'a click',
      headers: cached,
      body: event({ title: 'Two', url: 'https://shop.example/two', referrer: '', name: 'buy', data: { plan: 'pro' } }),
    },
    {
      what: 'identify',
      headers: { ...json, 'x-umami-cache': '' },
      body: identify({ title: 'Two', url: 'https://shop.example/two', referrer: '', data: { age: 5 } }),
    },
  ],
}

/** Version 3.3 sends the website and the host in headers, and removes its own origin from referrers. */
const named = { 'x-umami-website-id': '$website', 'x-umami-hostname': 'shop.example' } as const

const latest: TrackerScript = {
  ...{ version: '3.3', asked: 'content-type,x-umami-cache,x-umami-hostname,x-umami-website-id', kept: cacheOf },
  requests: [
    ...third.requests.map(({ what, headers, body }) => ({
      what,
      headers: { ...headers, ...named },
      body: {
        ...body,
        payload: {
          ...body.payload,
          ...(body.payload.referrer === 'https://shop.example/café?q=1' && { referrer: '/café?q=1' }),
        },
      },
    })),
    {
      what: 'web vitals',
      headers: { ...cached, ...named },
      body: {
        type: 'performance',
        payload: {
          ...page,
          ...{ title: 'Two', url: 'https://shop.example/two', referrer: '', lcp: 812.5, cls: 0.01, ttfb: 80 },
        },
      },
    },
  ],
}

export const trackerScripts: readonly TrackerScript[] = [second, third, latest]
