/**
 * The tracker, served minified as `GET /script.js`. It reads the attributes of its own `<script>`. Errors here never
 * affect the page. docs/tracker.md describes it and its attributes.
 */

import {
  attributeOf,
  inDocument,
  isForbidden,
  matching,
  noop,
  onSetUrl,
  plain,
  quietly,
  settingOf,
  shortened,
  startEach,
} from './page.ts'
import type { MoreModule, Sendable } from './passed.ts'

/** The global `umami` of a page. */
interface Tracker {
  /** Sends a page view, an event with this name, or this payload. Resolves after the response, or after giving up. */
  track(given?: string | Sendable | ((payload: Sendable) => unknown), data?: object): Promise<void>
  /** Sends properties of the visitor. From then on, events have this id. */
  identify(given?: unknown, data?: object): Promise<void>
  getSession(): { readonly cache: string; readonly website: string | null; readonly visitId: string | undefined }
}

declare global {
  interface Window {
    umami?: Tracker
  }
}

/**
 * After a URL change, a page view is sent this many milliseconds later, because frameworks set the title a little
 * later.
 */
const settled = 300

/**
 * A failed event is sent again after this many milliseconds. A clicked link is opened after this time at the latest.
 */
const oneSecond = 1000

/** Page speed figures are sent after this many milliseconds. */
const measured = 10_000

/** Browsers refuse a request if the bodies that would outlive the page exceed 64 KiB. */
const mostOutliving = 64_000

function start(script: Element, source: string | URL): void {
  const setting = (name: string) => settingOf(script, name)
  const isSet = (name: string, value = 'true') => setting(name) === value
  /** Whether a switch is on, which does not need a value. */
  const isOn = (name: string) => (setting(name) ?? 'false') !== 'false'
  const website = setting('website-id') ?? null
  // A symbol, because elements' names cannot hide it.
  const mark = Symbol.for(`umami ${website}`)
  const own: { [mark: symbol]: unknown } = Object(window)
  if (own[mark]) return
  own[mark] = true

  const tag = setting('tag')
  const domains = setting('domains')
  const host = setting('host-url')
  const beforeSend = setting('before-send')
  const credentials = (setting('fetch-credentials') ?? 'omit') as RequestCredentials
  // A frame without its own URL, such as one with `srcdoc`, is part of the surrounding page, which is already counted.
  const isPart = location.protocol === 'about:'
  const isAutomatic = !isSet('auto-track', 'false')
  const countsViews = isAutomatic && !isPart && !isSet('auto-pageview', 'false')
  const here = (): URL => new URL(isPart ? inDocument('baseURI') : location.href)

  /** The part of a URL that may be sent. */
  const shown = (text = here().href): string => shortened(text, here(), isSet)
  const from = inDocument('referrer')

  let url = shown()
  let referrer = from && !from.startsWith(`${here().origin}/`) ? shown(from) : ''
  let [cache, visitId, id]: (string | undefined)[] = [undefined, undefined, setting('distinct-id')]
  let [hasEnded, hasBegun] = [false, false]
  /** The number of bytes in current requests that may outlive the page. */
  let outliving = 0

  const isDisabled = (): boolean =>
    hasEnded || !website || isForbidden(here().hostname, domains ? [domains] : [], isSet)

  /** Whether a developer of the site is looking at this page. */
  const isDebugged = (): boolean => isOn('debug') || /(^|\.)localhost$|^127\.0\.0\.1$/.test(here().hostname)

  const current = (): Sendable => ({
    website,
    hostname: here().hostname,
    screen: `${screen.width}x${screen.height}`,
    language: navigator.language,
    title: inDocument('title'),
    ...{ url, referrer, tag, id },
    // Safari on an iPad claims to run on a Mac, but Macs have no touch screen.
    ...(/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1 && { device: 'tablet', os: 'iOS' }),
  })

  // The Worker replaces `./` according to its settings.
  const folder = (): URL => new URL('./', source)

  const post = (body: string): Promise<Response> => {
    // The Worker replaces `api/send` with the path from its settings.
    const target = new URL('api/send', host ? new URL(host.replace(/\/?$/, '/'), here()) : folder())
    // The header is left out if there is no token, because a request to another origin then needs no preflight.
    const headers: HeadersInit = cache ? { 'x-umami-cache': cache } : {}
    const { size } = new Blob([body])
    const keepalive = outliving + size < mostOutliving
    const own = keepalive ? size : 0
    outliving += own
    return fetch(target, { method: 'POST', body, headers, keepalive, credentials })
      .finally(() => {
        outliving -= own
      })
      .then((answer) => (answer.status === 503 ? Promise.reject() : answer))
  }

  const send = async (type: string, make: () => unknown): Promise<void> => {
    try {
      if (isDisabled()) return
      if (inDocument('prerendering')) await activation()
      const filter = beforeSend && Object(window)[beforeSend]
      const payload = typeof filter === 'function' ? await filter(type, make()) : make()
      if (!payload) return
      const body = JSON.stringify({ type, payload: { eventId: newId(), ...payload } })
      const answer = await post(body).catch(() => interruption().then(() => post(body)))
      const told = await answer.json()
      cache = told.cache ?? cache
      visitId = told.visitId ?? visitId
      hasEnded ||= !!told.disabled
      for (const { path, message } of isDebugged() ? (told.warnings ?? []) : []) console.warn(`${path}: ${message}`)
    } catch {
      // Errors here must not affect the page.
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
    if (given !== undefined && typeof given !== 'object') id = String(given)
    return send('identify', () => ({ ...current(), data: typeof given === 'object' ? (given ?? data) : data }))
  }

  /** The second file, from the same folder, if an attribute asks for it. */
  const more =
    isAutomatic && !isDisabled() && ['performance', 'outbound-links', 'downloads', '404'].some(isOn)
      ? import(new URL('more.js', folder()).href)
          .then(({ more }: MoreModule) => more({ isOn, isPart, setting, shown, current, send, track, follow }))
          .catch(noop)
      : undefined
  const sendSpeed = (): void => {
    const payload = current()
    more?.then((sendOf) => sendOf?.(payload)).catch(noop)
  }

  const seen = new Set([url])
  const onChange = (): void => {
    const next = shown()
    if (next === url) return
    seen.add(next)
    // Until a prerendered page is seen, its first view is not sent.
    if (hasBegun && !inDocument('prerendering')) {
      sendSpeed()
      referrer = url
      const own = { url: next, referrer }
      if (countsViews) setTimeout(() => send('event', () => ({ ...current(), ...own })), settled)
    }
    url = next
  }
  onSetUrl(onChange)
  addEventListener('popstate', () => {
    // Following a link to a heading of the same page is not a page view, but a change of a hash that identifies a page
    // is.
    const isPage = /^#[/!]/.test(location.hash)
    if (isPage || seen.has(shown()) || withoutHash(shown()) !== withoutHash(url)) quietly(onChange)
  })

  const begin = async (): Promise<void> => {
    if (hasBegun) return
    hasBegun = true
    if (inDocument('prerendering')) await activation()
    if (countsViews) track()
    setTimeout(sendSpeed, measured)
  }
  if (isAutomatic) addEventListener('click', (event) => quietly(() => onClick(event, track)), true)
  // A page that is restored from the back-forward cache counts as a view, but does not run this script again.
  addEventListener('pageshow', ({ persisted }) => persisted && countsViews && track())
  // By then, the page's `defer` scripts have run, which may define the payload filter.
  if (inDocument('readyState') === 'complete') begin()
  addEventListener('DOMContentLoaded', begin)
  addEventListener('load', begin)

  // `umami` may also be an element of the page with this name.
  if (typeof plain('umami').track !== 'function')
    window.umami = { track, identify, getSession: () => ({ cache: (!hasEnded && cache) || '', website, visitId }) }
}

const withoutHash = (url: string): string => url.split('#')[0]!

/** A random UUID. `crypto.randomUUID` exists only on https. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint16Array(8)), (word, index) => {
    const own = index === 3 ? (word & 0xfff) | 0x4000 : index === 4 ? (word & 0x3fff) | 0x8000 : word
    return own.toString(16).padStart(4, '0') + (index > 0 && index < 5 ? '-' : '')
  }).join('')

/** Resolves once the visitor sees a prerendered page. */
const activation = (): Promise<unknown> =>
  new Promise((resolve) => addEventListener('prerenderingchange', resolve, { once: true, capture: true }))

/** Resolves when the event should be sent again. */
const interruption = (): Promise<unknown> =>
  new Promise((resolve) => {
    addEventListener('online', resolve)
    addEventListener('pagehide', resolve)
    if (navigator.onLine) setTimeout(resolve, oneSecond)
  })

/** Sends the event of the clicked element or of one that contains it, even in open shadow trees. */
function onClick(event: MouseEvent, track: Tracker['track']): void {
  const path = event.composedPath().filter((one): one is Element => one instanceof Element)
  const element = path.find((one) => attributeOf(one, 'data-umami-event') !== null)
  const name = element && attributeOf(element, 'data-umami-event')
  if (!name) return
  const data = Object.fromEntries(
    Element.prototype.getAttributeNames.call(element).flatMap((one) => {
      const [, key] = one.split('data-umami-event-')
      return key ? [[key, attributeOf(element, one)]] : []
    }),
  )
  follow(event, track(name, data))
}

/** Opens the clicked link, if it is a plain one, once the event has been sent. */
function follow(event: MouseEvent, sent: Promise<void>): void {
  const link = event.composedPath().find((one): one is HTMLAnchorElement => one instanceof HTMLAnchorElement)
  if (!link || !isPlain(event, link)) return
  // The page's own handlers run first, because the page may have a router, which opens the link itself.
  const go = (last: MouseEvent) => {
    if (last !== event || event.defaultPrevented) return
    event.preventDefault()
    Promise.race([sent, new Promise((resolve) => setTimeout(resolve, oneSecond))]).then(() =>
      location.assign(link.href),
    )
  }
  addEventListener('click', go, { once: true })
}

/** Whether a click only replaces this page with another one. */
const isPlain = ({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent, link: HTMLAnchorElement): boolean =>
  /^http/.test(link.protocol) &&
  !(/#/.test(link.href) && withoutHash(link.href) === withoutHash(location.href)) &&
  /^(_self)?$/.test(link.target || attributeOf(matching('base[target]')[0] ?? link, 'target') || '') &&
  !link.hasAttribute('download') &&
  !link.referrerPolicy &&
  !/noreferrer/.test(link.rel) &&
  !(button || altKey || ctrlKey || metaKey || shiftKey)

// The Worker replaces these names with those from its settings.
startEach('/umami.js,/script.js'.split(','), start)
