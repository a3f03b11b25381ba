import type { IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, it } from 'vitest'
import { openPage, userAgent } from './browser.ts'
import { lend } from './kept-pages.ts'
import { listening } from './listening.ts'
import { browser } from './shared-browser.ts'
import { newWebsite, running, send } from './weir.ts'

/** A tracker's request, and the response to it. */
export interface Sent {
  readonly path: string
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: tests compare payloads whole, or reach into what they just checked
  readonly payload: any
  readonly headers: IncomingHttpHeaders
  /** The arrival time, in milliseconds since 1970. */
  readonly at: number
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly answer: any
}

/**
 * What a sender gets instead of the Worker's response: a status, a body with 200, a cut connection, or nothing.
 */
type Fault = number | object | 'cut' | 'silence'

interface Visit {
  /** Attributes of the script tag in addition to the website's id. */
  readonly attributes?: Readonly<Record<string, string>>
  readonly head?: string
  readonly body?: string
  readonly path?: string
  readonly referer?: string
  /** The page's status. */
  readonly status?: number
  /** Code that runs in the page before anything else. */
  readonly before?: string
  /** Whether timers run only when the test advances them. */
  readonly hasClock?: boolean
  readonly options?: BrowserContextOptions
  /** The replies to this page's first requests. For `undefined`, and for all later requests, the Worker responds. */
  readonly faults?: (Fault | undefined)[]
  /** The tracker's path. */
  readonly script?: string
  /** The recorder's settings. If given, the page has the recorder, too. */
  readonly recorded?: object
  /** Attributes of the recorder's tag in addition to the website's id. */
  readonly recorder?: Readonly<Record<string, string>>
  /** The replies to the recorder's first requests. */
  readonly recorderFaults?: (Fault | undefined)[]
}

/**
 * A site whose pages have the tracker. The real Worker has a different origin, behind a server that records requests.
 */
export async function openSite(ways: { readonly texts?: ReadonlyMap<string, string> } = {}) {
  const sent = new Map<string, Sent[]>()
  const faults = new Map<string, (Fault | undefined)[]>()
  const recorderFaults = new Map<string, (Fault | undefined)[]>()
  const pages = new Map<string, { readonly html: string; readonly status: number }>()

  const weir = await listening(async (incoming, outgoing) => {
    const at = Date.now()
    const body = await buffer(incoming)
    const { host: _, connection: __, ...headers } = incoming.headers
    const text = ways.texts?.get(incoming.url!)
    if (text)
      return void outgoing
        .writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' })
        .end(text)
    const json = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
    const given = incoming.method === 'POST' ? (JSON.parse(json.toString()) as Sent) : undefined
    const website = given?.payload.website as string
    const fault = given && (incoming.url === '/api/record' ? recorderFaults : faults).get(website)?.shift()
    // Browsers automatically repeat a request if a reused connection is cut.
    outgoing.setHeader('connection', 'close')
    const note = (status: number, answer: unknown) => {
      if (!given) return
      const { type, payload } = given
      sent.set(website, [
        ...(sent.get(website) ?? []),
        { ...{ path: incoming.url!, type, payload, status, answer }, headers, at },
      ])
    }
    if (fault === 'cut') {
      note(0, undefined)
      return void outgoing.destroy()
    }
    if (fault === 'silence') return
    if (fault !== undefined) {
      const status = typeof fault === 'number' ? fault : 200
      note(status, fault)
      outgoing.writeHead(status, { 'access-control-allow-origin': '*', 'content-type': 'application/json' })
      return void outgoing.end(JSON.stringify(fault))
    }
    const response = await fetch(running.url + incoming.url, {
      method: incoming.method!,
      headers: headers as Record<string, string>,
      ...(given && { body }),
    })
    const answer = await response.text()
    note(response.status, given && JSON.parse(answer))
    const {
      'content-encoding': ___,
      'transfer-encoding': ____,
      connection: _____,
      ...own
    } = Object.fromEntries(response.headers)
    outgoing.writeHead(response.status, own).end(response.status === 204 ? undefined : answer)
  })
  const site = await listening((incoming, outgoing) => {
    const page = pages.get(incoming.url!.split(/[/?]/)[1]!)
    outgoing.writeHead(page?.status ?? 404, { 'content-type': 'text/html' }).end(page?.html)
  })
  const origin = `http://localhost:${site.port}`
  const trackerOrigin = `http://127.0.0.1:${weir.port}`

  return {
    origin,
    trackerOrigin,
    close: async () => {
      for (const { server } of [weir, site]) {
        server.closeAllConnections()
        server.close()
      }
    },
    /** Serves a page at `/<name>`. */
    place: (name: string, html: string, status = 200) => void pages.set(name, { html, status }),
    sent: (website: string) => sent.get(website) ?? [],
    /** Sets the replies to the first requests from this website's pages. */
    answer: (website: string, given: readonly Fault[]) => void faults.set(website, [...given]),
    /** Opens one of the site's pages for a separate website. */
    async visit({ attributes = {}, head = '', body = '', path = '', before, options, referer, ...given }: Visit = {}) {
      const website = await newWebsite()
      const tagOf = (path: string, own: Readonly<Record<string, string>>) => {
        const all = Object.entries({ src: trackerOrigin + path, 'data-website-id': website, ...own })
        return `<script defer ${all.map(([name, value]) => `${name}="${value}"`).join(' ')}></script>`
      }
      const tags = [
        tagOf(given.script ?? '/script.js', attributes),
        ...(given.recorded ? [tagOf('/recorder.js', given.recorder ?? {})] : []),
      ]
      if (given.recorded) await configure(website, given.recorded)
      const html = `<!doctype html><title>A page</title>${head}${tags.join('')}<body>${body}`
      pages.set(website, { html, status: given.status ?? 200 })
      faults.set(website, [...(given.faults ?? [])])
      recorderFaults.set(website, [...(given.recorderFaults ?? [])])
      const opened = await openPage(browser, origin, { userAgent, ...options })
      const { context, page, faults: errors } = opened
      const script = before && (await page.addInitScript(before))
      if (given.hasClock) await page.clock.install()
      const url = `${origin}/${website}${path}`
      await page.goto(url, { waitUntil: 'load', ...(referer && { referer }) })
      return {
        ...{ website, page, context, url },
        close: async () => {
          if (given.hasClock) return context.close()
          if (script) await script.dispose()
          await opened.close()
        },
        /** The requests up to now. */
        sent: () => sent.get(website) ?? [],
        /** Errors that reached the page. Failed requests to the other origin are not included. */
        errors: () => errors.filter((error) => !/^(request to|referrer|Failed to load resource|Access to)/.test(error)),
      }
    },
  }
}

/** Sets what is recorded on a website. */
async function configure(website: string, replayConfig: object): Promise<void> {
  const headers = { authorization: `Bearer ${running.adminKey}`, 'content-type': 'application/json' }
  const { status } = await send(`/api/websites/${website}`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ replayConfig }) },
  })
  if (status !== 200) throw new Error(`The settings were refused with ${status}.`)
}

/** Runs code in a page. The code is a string, because the tests' types do not include the DOM. */
export const run = (page: Page, code: string): Promise<unknown> => page.evaluate(code)

type Site = Awaited<ReturnType<typeof openSite>>

/** Opens a site before a file's tests, and closes it after them. */
export function siteOfFile() {
  const opened = {} as { site: Site }
  beforeAll(async () => {
    opened.site = await openSite()
  })
  afterAll(() => opened.site?.close())
  return opened
}

/** Tests with a function `visit` that opens pages of this site, which are closed after the test. */
export const itOn = (opened: { readonly site: Site }) =>
  it.extend<{ visit: Site['visit'] }>({
    visit: ({ task }, use) => lend(task, (visit?: Visit) => opened.site.visit(visit), use),
  })
