import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import packaged from '@sparticuz/chromium'
import {
  type Browser,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Dialog,
  type Page,
  type Request,
  type Route,
} from 'playwright-core'
import { leavePage, takePage } from './kept-pages.ts'

const none =
  'No Chromium runs here: the package @sparticuz/chromium has one for Linux on x64; elsewhere set CHROMIUM to the path of one.'

/**
 * Starts a headless Chromium, either the one at `CHROMIUM` or, by default, the package's. A User-Agent set here also
 * applies to requests that outlive their page, unlike one that is set for a page.
 */
export async function startBrowser(userAgent?: string): Promise<Browser> {
  const args = userAgent === undefined ? flags : [...flags, `--user-agent=${userAgent}`]
  try {
    return await chromium.launch({ executablePath: await chromiumPath(), args, env: withoutLocale, headless: true })
  } catch (cause) {
    throw new Error(none, { cause })
  }
}

const flags = ['--no-sandbox', '--disable-gpu']

/** The User-Agent of a browser that does not look like a bot. */
export const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36'

/** This is the same on every machine. The context sets a page's locale. */
const withoutLocale = { ...process.env, LC_ALL: 'C', LANGUAGE: '' }

const chromiumPath = async (): Promise<string> => process.env.CHROMIUM ?? (await unpacked())

/**
 * Opens a page in an uncontrolled Chromium, because Playwright prevents prerendering. Returns a function to close it.
 */
export async function openAlone(url: string, userAgent: string): Promise<() => Promise<void>> {
  const folder = mkdtempSync(`${tmpdir()}/weir-profile-`)
  const own = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${folder}`, `--user-agent=${userAgent}`]
  const child = spawn(await chromiumPath(), [...flags, ...own, url], { stdio: 'ignore', detached: true })
  return async () => {
    const ended = once(child, 'exit')
    // Chromium's other processes also write to the folder.
    process.kill(-child.pid!, 'SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
}

/** Unpacks Chromium into a folder that is kept for later runs, because unpacking takes longer than the tests. */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')) as { version: string }
  const folder = `/tmp/weir-chromium-${version}`
  if (existsSync(folder)) return `${folder}/chromium`
  const { TMPDIR } = process.env
  const unfinished = mkdtempSync(`${folder}-`)
  process.env.TMPDIR = unfinished
  try {
    await packaged.executablePath()
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
  // Another run may have finished first.
  if (existsSync(folder)) rmSync(unfinished, { recursive: true })
  else renameSync(unfinished, folder)
  return `${folder}/chromium`
}

const packageFolder = new URL('../../node_modules/@sparticuz/chromium/', import.meta.url)

/**
 * A page in a separate context. `faults` are errors, policy violations, and requests to other hosts. `close` leaves the
 * page to later tests: a test that gave it a clock, an init script or a permission closes the context instead.
 */
export async function openPage(browser: Browser, origin: string, given: BrowserContextOptions = {}) {
  const options = { locale: 'en-GB', timezoneId: 'Asia/Kathmandu', ...given }
  const kept = await takePage(browser, options)
  const { context, page } = kept
  const faults: string[] = []
  const onConsole = (message: ConsoleMessage) => void (message.type() === 'error' && faults.push(message.text()))
  const onError = (error: Error) => void faults.push(String(error))
  const onDialog = (dialog: Dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  }
  const onRequest = (request: Request) => {
    const url = new URL(request.url())
    if (url.protocol !== 'data:' && url.origin !== origin) faults.push(`request to ${request.url()}`)
    if (request.headers().referer) faults.push(`referrer ${request.headers().referer} to ${request.url()}`)
  }
  page.on('console', onConsole).on('pageerror', onError).on('dialog', onDialog)
  context.on('request', onRequest)
  const close = async () => {
    page.off('console', onConsole).off('pageerror', onError).off('dialog', onDialog)
    context.off('request', onRequest)
    await leavePage(browser, kept, origin, options)
  }
  return { context, page, faults, close }
}

/** The data that a page leaves in the browser. */
export const stored = (page: Page): Promise<unknown> =>
  page.evaluate('({ local: { ...localStorage }, session: { ...sessionStorage }, cookies: document.cookie })')

/** Holds the page's requests to this URL until the returned function is called. */
export async function hold(page: Page, url: string): Promise<() => void> {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, (route) => held.then(() => route.continue()))
  return release
}

/** Answers a request as the API does while a store cannot be read. */
export const unreadable = (route: Route): Promise<void> =>
  route.fulfill({ status: 503, json: { error: { code: 'service-unavailable', message: 'Cannot be read.' } } })

/**
 * Handles the first request to this URL, and lets all others pass. Unlike with `times: 1`, the route stays, because
 * requests that start while Playwright removes a page's last route may never get an answer.
 */
export async function routeFirst(page: Page, url: string, handle: (route: Route) => Promise<void>): Promise<void> {
  let isFirst = true
  await page.route(url, (route) => {
    if (!isFirst) return route.fallback()
    isFirst = false
    return handle(route)
  })
}

/** Makes the page visible or hidden. */
export const look = (page: Page, isSeen: boolean): Promise<void> =>
  page.evaluate(`{
    Object.defineProperty(document, 'hidden', { value: ${!isSeen}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }`)
