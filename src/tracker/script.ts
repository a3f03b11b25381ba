/**
 * The tracker: what `GET /script.js` answers, minified. It reads the attributes of its own `<script>`. Nothing that
 * fails here reaches the page. docs/collection.md says what it does, and what each attribute changes.
 */

import { measureSpeed, page, type Sendable } from './speed.ts'

/** What pages see: `umami`. */
interface Tracker {
  /** Sends a page view, an event with this name, or this payload. Resolves once it was answered, or given up. */
  track(given?: string | Sendable | ((payload: Sendable) => unknown), data?: object): Promise<void>
  /** Sends properties of the visitor. Events from now on have this id. */
  identify(given?: string | object, data?: object): Promise<void>
  getSession(): { readonly cache: string; readonly website: string | null; readonly visitId: string | undefined }
}

declare global {
  interface Window {
    umami?: Tracker
  }
}

const dnt = (): unknown => navigator.doNotTrack || Object(window).doNotTrack

/** A change of URL is a page view after this many milliseconds: frameworks set the title a little later. */
const settled = 300

/** An event is sent again after this many milliseconds. A link is followed after the same time at the latest. */
const oneSecond = 1000

/** Figures of the page's speed are sent after this many milliseconds. */
const measured = 10_000

/** Browsers refuse a request if more than 64 KiB of bodies would outlive the page. */
const mostOutliving = 64_000

function start(script: HTMLScriptElement): void {
  const attribute = (name: string) => script.getAttribute(`data-${name}`)
  const isSet = (name: string, value = 'true') => attribute(name) === value
  const website = attribute('website-id')
  const tag = attribute('tag') ?? undefined
  const domains = attribute('domains')
  const host = attribute('host-url')
  const beforeSend = attribute('before-send')
  const credentials = (attribute('fetch-credentials') ?? 'omit') as RequestCredentials
  const isAutomatic = !isSet('auto-track', 'false')
  const countsViews = isAutomatic && !isSet('auto-pageview', 'false')

  /** A URL as far as it may be sent. */
  const shown = (text: string): string => {
    const url = new URL(text, location.href)
    if (isSet('exclude-search')) url.search = ''
    if (isSet('exclude-hash')) url.hash = ''
    return url.href
  }
  const isOwn = document.referrer.startsWith(`${location.origin}/`)

  let url = shown(location.href)
  let referrer = document.referrer && !isOwn ? shown(document.referrer) : ''
  let [cache, visitId, id]: (string | undefined)[] = []
  let [hasEnded, hasBegun] = [false, false]
  /** The bytes of the requests under way that outlive the page. */
  let outliving = 0

  const isDisabled = (): boolean =>
    hasEnded ||
    !website ||
    (!!domains && !domains.split(',').some((one) => one.trim().toLowerCase() === location.hostname)) ||
    (isSet('do-not-track') && ['1', 'yes'].includes(String(dnt()))) ||
    isOptedOut()

  const current = (): Sendable => ({
    website,
    hostname: location.hostname,
    screen: `${screen.width}x${screen.height}`,
    language: navigator.language,
    title: document.title,
    ...{ url, referrer, tag, id },
  })

  const post = (body: string): Promise<Response> => {
    // The Worker puts the names from its settings in place of `api/send` and `./`.
    const folder = host ? new URL(host.replace(/\/?$/, '/'), location.href) : new URL('./', script.src)
    // Without this header the browser need not ask first whether it may send to another origin.
    const headers: HeadersInit = cache ? { 'x-umami-cache': cache } : {}
    const { size } = new Blob([body])
    const keepalive = outliving + size < mostOutliving
    const own = keepalive ? size : 0
    outliving += own
    return fetch(new URL('api/send', folder), { method: 'POST', body, headers, keepalive, credentials })
      .finally(() => {
        outliving -= own
      })
      .then((answer) => (answer.status === 503 ? Promise.reject() : answer))
  }

  const send = async (type: string, make: () => unknown): Promise<void> => {
    try {
      if (isDisabled()) return
      if (page.prerendering) await activation()
      const filter = beforeSend && Object(window)[beforeSend]
      const payload = typeof filter === 'function' ? await filter(type, make()) : make()
      if (!payload) return
      const body = JSON.stringify({ type, payload: { eventId: newId(), ...payload } })
      const answer = await post(body).catch(() => interruption().then(() => post(body)))
      const told = await answer.json()
      cache = told.cache ?? cache
      visitId = told.visitId ?? visitId
      hasEnded ||= !!told.disabled
    } catch {
      // The page goes on without it.
    }
  }

  const track: Tracker['track'] = (given, data) =>
    send('event', () =>
      typeof given === 'function'
        ? given(current())
        : given && typeof given === 'object'
          ? { website, ...given }
          : { ...current(), ...(given && { name: given, data }) },
    )

  const identify: Tracker['identify'] = (given, data) => {
    if (typeof given === 'string') id = given
    return send('identify', () => ({ ...current(), data: typeof given === 'object' ? (given ?? data) : data }))
  }

  const sendSpeed =
    isAutomatic && isSet('performance') ? measureSpeed((own) => send('performance', () => own(current()))) : noop

  const seen = new Set([url])
  const onChange = (): void => {
    const next = shown(location.href)
    if (next === url) return
    seen.add(next)
    if (hasBegun) {
      sendSpeed()
      referrer = url
      const own = { url: next, referrer }
      if (countsViews) setTimeout(() => send('event', () => ({ ...current(), ...own })), settled)
    }
    url = next
  }
  for (const name of ['pushState', 'replaceState'] as const) {
    // The page may have made them unchangeable.
    quietly(() => {
      const original = history[name]
      history[name] = function (...given) {
        original.apply(this, given)
        quietly(onChange)
      }
    })
  }
  addEventListener('popstate', () => {
    // A link to a heading of the same page is no back or forward.
    if (seen.has(shown(location.href)) || withoutHash(location.href) !== withoutHash(url)) quietly(onChange)
  })

  const begin = async (): Promise<void> => {
    if (hasBegun) return
    hasBegun = true
    if (page.prerendering) await activation()
    if (countsViews) track()
    setTimeout(sendSpeed, measured)
  }
  if (isAutomatic) addEventListener('click', (event) => onClick(event, track), true)
  // A page that comes back whole, as the browser kept it, was not loaded.
  addEventListener('pageshow', ({ persisted }) => persisted && countsViews && track())
  // By now, scripts of the page with `defer` have run: they may define what filters payloads.
  if (document.readyState === 'complete') begin()
  document.addEventListener('DOMContentLoaded', begin)
  addEventListener('load', begin)

  // An element of the page may have this name.
  if (typeof window.umami?.track !== 'function')
    window.umami = { track, identify, getSession: () => ({ cache: (!hasEnded && cache) || '', website, visitId }) }
}

const noop = (): void => {}

/** What fails does so without the page. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // The page goes on without the tracker.
  }
}

const withoutHash = (url: string): string => url.split('#')[0]!

/** Whether this browser's owner has turned the tracker off. */
function isOptedOut(): boolean {
  try {
    return !!localStorage.getItem('umami.disabled')
  } catch {
    return false
  }
}

/** A random UUID. `crypto.randomUUID` is only there on https. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint16Array(8)), (word, index) => {
    const own = index === 3 ? (word & 0xfff) | 0x4000 : index === 4 ? (word & 0x3fff) | 0x8000 : word
    return own.toString(16).padStart(4, '0') + (index > 0 && index < 5 ? '-' : '')
  }).join('')

/** Resolves once the visitor sees a page that the browser has made ahead. */
const activation = (): Promise<unknown> =>
  new Promise((resolve) => document.addEventListener('prerenderingchange', resolve, { once: true }))

/** Resolves when it is time to send again. */
const interruption = (): Promise<unknown> =>
  new Promise((resolve) => {
    addEventListener('online', resolve)
    addEventListener('pagehide', resolve)
    if (navigator.onLine) setTimeout(resolve, oneSecond)
  })

/** Sends the event of the element that was clicked, or around it. A plain link is followed after that. */
function onClick(event: MouseEvent, track: Tracker['track']): void {
  const target = event.target as Element
  const element = target.closest?.('[data-umami-event]')
  const name = element?.getAttribute('data-umami-event')
  if (!element || !name) return
  const data = Object.fromEntries(
    Array.from(element.attributes).flatMap((one) => {
      const [, key] = one.name.split('data-umami-event-')
      return key ? [[key, one.value]] : []
    }),
  )
  const sent = track(name, data)
  const link = target.closest('a')
  if (!link || !isPlain(event, link)) return
  // The page's own handlers come first: a router follows the link itself.
  const follow = (last: MouseEvent) => {
    if (last !== event || event.defaultPrevented) return
    event.preventDefault()
    Promise.race([sent, new Promise((resolve) => setTimeout(resolve, oneSecond))]).then(() =>
      location.assign(link.href),
    )
  }
  addEventListener('click', follow, { once: true })
}

/** Whether a click opens another page in place of this one, with nothing else to it. */
const isPlain = ({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent, link: HTMLAnchorElement): boolean =>
  /^http/.test(link.protocol) &&
  !(/#/.test(link.href) && withoutHash(link.href) === withoutHash(location.href)) &&
  /^(_self)?$/.test(link.target || (document.querySelector<HTMLBaseElement>('base[target]')?.target ?? '')) &&
  !link.hasAttribute('download') &&
  !link.referrerPolicy &&
  !/noreferrer/.test(link.rel) &&
  !(button || altKey || ctrlKey || metaKey || shiftKey)

quietly(() => start(document.currentScript as HTMLScriptElement))
