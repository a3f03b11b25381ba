import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** A page, and the context that it is alone in. */
interface Kept {
  readonly context: BrowserContext
  readonly page: Page
}

/** The pages that tests have left, by the options of their contexts. */
const left = new WeakMap<Browser, Map<string, Kept[]>>()

function pagesLeft(browser: Browser, options: BrowserContextOptions): Kept[] {
  const all = left.get(browser) ?? new Map<string, Kept[]>()
  left.set(browser, all)
  const key = JSON.stringify(options)
  const pages = all.get(key) ?? []
  all.set(key, pages)
  return pages
}

/**
 * An empty page in a separate context. If an earlier test has left one with the same options, it is used again,
 * because a new one takes Chromium a third of a second of processor time.
 */
export async function takePage(browser: Browser, options: BrowserContextOptions): Promise<Kept> {
  const { viewport = { width: 1280, height: 720 }, colorScheme = 'light', ...others } = options
  const { reducedMotion = 'no-preference', ...own } = others
  const kept = pagesLeft(browser, own).pop()
  if (!kept) {
    const context = await browser.newContext(options)
    return { context, page: await context.newPage() }
  }
  await kept.page.setViewportSize(viewport!)
  await kept.page.emulateMedia({ media: null, colorScheme, reducedMotion })
  return kept
}

/**
 * Empties a page for later tests. It must be on its origin, and have no clock, init script or permission. Its routes,
 * stored data and other tabs are removed.
 */
export async function leavePage(
  browser: Browser,
  { context, page }: Kept,
  origin: string,
  { viewport: _, colorScheme: __, reducedMotion: ___, ...own }: BrowserContextOptions,
): Promise<void> {
  if (new URL(page.url()).origin !== origin) return context.close()
  await Promise.all(context.pages().map((other) => other !== page && other.close()))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.evaluate('localStorage.clear(); sessionStorage.clear()')
  await page.goto('about:blank')
  pagesLeft(browser, own).push({ context, page })
}
