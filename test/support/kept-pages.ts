import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { TestContext } from 'vitest'

/** A page, and the context that it is alone in. */
interface Kept {
  readonly context: BrowserContext
  readonly page: Page
}

/** The pages that tests have left, by the options of their contexts. Test files of a process have their own modules. */
const inProcess = globalThis as { weirPages?: WeakMap<Browser, Map<string, Kept[]>> }
inProcess.weirPages ??= new WeakMap()
const left = inProcess.weirPages

function pagesLeft(browser: Browser, options: BrowserContextOptions): Kept[] {
  const all = left.get(browser) ?? new Map<string, Kept[]>()
  left.set(browser, all)
  const key = JSON.stringify(options)
  const pages = all.get(key) ?? []
  all.set(key, pages)
  return pages
}

/**
 * A page in a separate context. If an earlier test has left one with the same options, it is used again, because a new
 * one takes Chromium half a second of processor time.
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
  if (page.isClosed() || new URL(page.url()).origin !== origin) return context.close()
  try {
    for (const event of ofTests) page.removeAllListeners(event)
    await Promise.all(context.pages().map((other) => other !== page && other.close()))
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    // A pointer that stays over the next test's chart would move its cursor.
    await page.mouse.move(-1, -1)
    // After `about:blank`, Chromium would start another process.
    await page.goto(`${origin}/robots.txt`)
    await page.evaluate('localStorage.clear(); sessionStorage.clear()')
    await context.clearCookies()
  } catch {
    // Some tests deny storage to their page, or are offline.
    return context.close()
  }
  pagesLeft(browser, own).push({ context, page })
}

/** The events of a page that tests listen to. */
const ofTests = ['console', 'dialog', 'download', 'pageerror', 'request', 'requestfailed', 'response']

/** Closes all pages that are not kept. */
export async function closeOthers(browser: Browser): Promise<void> {
  const kept = new Set([...(left.get(browser)?.values() ?? [])].flat().map(({ context }) => context))
  await Promise.all(browser.contexts().map((context) => kept.has(context) || context.close()))
}

/** How many concurrent tests of a file may have pages: with more, fewer pages are used again. */
const atATime = 6
let open = 0
const waiting: (() => void)[] = []

/**
 * Gives a test a function that opens pages, and closes these pages when the test has ended. Those of a failed test are
 * not used again, because it may still be using them.
 */
export async function lend<
  Given extends unknown[],
  Opened extends { readonly page: Page; readonly close: () => Promise<void> },
>(
  task: Readonly<TestContext['task']>,
  openOne: (...given: Given) => Promise<Opened>,
  use: (openOne: (...given: Given) => Promise<Opened>) => Promise<void>,
): Promise<void> {
  if (open === atATime) await new Promise<void>((go) => waiting.push(go))
  else open++
  const all = new Set<Opened>()
  const closeOne = async (one: Opened) => {
    if (!all.delete(one)) return
    await (task.result?.state === 'fail' ? one.page.context().close() : one.close())
  }
  try {
    await use(async (...given) => {
      const one = await openOne(...given)
      all.add(one)
      return { ...one, close: () => closeOne(one) }
    })
    await Promise.all([...all].map(closeOne))
  } finally {
    const next = waiting.shift()
    if (next) next()
    else open--
  }
}
