import { readFileSync } from 'node:fs'
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { openPage } from './browser.ts'
import { isLong } from './long.ts'
import { seed } from './seed.ts'
import { get, running } from './weir.ts'

/** An open dashboard. */
export interface OpenDashboard {
  readonly page: Page
  readonly faults: string[]
  /** The paths and query strings that the page requested from the API, in order, without the parameter `share`. */
  readonly asked: string[]
  /** The paths of the files that the page has loaded. */
  readonly files: Set<string>
  /** How far the layout has shifted without any input, as browsers measure it. Under 0.1 is good. */
  readonly shifted: () => Promise<number>
  readonly close: () => Promise<void>
}

/** Opens a path in a separate context, and waits until all figures are loaded. */
export async function openDashboard(
  browser: Browser,
  path: string,
  options: BrowserContextOptions = {},
): Promise<OpenDashboard> {
  const { page, faults, close } = await openPage(browser, running.url, { reducedMotion: 'reduce', ...options })
  const [asked, files]: [string[], Set<string>] = [[], new Set()]
  const onRequest = (request: Request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname + search.replace(/[?&]share=[^&]*/, ''))
    if (pathname.startsWith('/assets/')) files.add(pathname)
  }
  page.on('request', onRequest)
  const script = await page.addInitScript(countShifts)
  await page.goto(running.url + path)
  await settle(page)
  const shifted = () => page.evaluate<number>('shifted')
  const leave = async () => {
    page.off('request', onRequest)
    await script.dispose()
    await close()
  }
  return { page, faults, asked, files, shifted, close: leave }
}

const countShifts = `
  globalThis.shifted = 0
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value
  }).observe({ type: 'layout-shift', buffered: true })`

/** Waits until all figures are loaded. */
export async function settle(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await expect.poll(() => page.locator('.bone, .waits, .to-come').count(), { timeout: 30_000 }).toBe(0)
}

/** The API's answer to a path that the page requested. */
export const answerTo = async (path: string) => (await get(path)).body

/** The last path with this report and these parameters that the page requested. */
export function lastAsked(asked: readonly string[], report: string, parameters: Readonly<Record<string, string>> = {}) {
  const fits = (path: string) => {
    const { pathname, searchParams } = new URL(path, running.url)
    const given = Object.entries(parameters)
    return pathname.endsWith(`/${report}`) && given.every(([name, value]) => searchParams.get(name) === value)
  }
  const found = asked.findLast(fits)
  if (found === undefined) throw new Error(`The page did not ask ${report} ${JSON.stringify(parameters)}.`)
  return found
}

/** The last path that the page requested for the figures of its own period, rather than the previous one. */
export function lastTotals(asked: readonly string[]): string {
  const { searchParams } = new URL(lastAsked(asked, 'metrics'), running.url)
  const range = [...searchParams].filter(([name]) => ['period', 'startDate', 'endDate'].includes(name))
  return lastAsked(asked, 'stats', Object.fromEntries(range))
}

/** The rows of a card, or the countries on its map, each with its key and count. */
export const rowsOf = (page: Page, card: string): Promise<(readonly [string, number])[]> =>
  page
    .locator(`[data-card=${card}] :is(.list .row, .country)`)
    .evaluateAll((rows) =>
      rows.map((row) => [
        row.getAttribute('data-key') ?? '',
        Number((row.querySelector('[data-count]') ?? row).getAttribute('data-count')),
      ]),
    )

/** The chart's values in order, taken from its open table. */
export const chartOf = (page: Page): Promise<string[]> =>
  page.locator('.values tbody td:nth-child(2)').allTextContents()

/** One of the page's figures in its full form. */
export const figureOf = (page: Page, name: string): Promise<string | null> =>
  page.locator(`[data-figure=${name}]`).getAttribute('title')

const looks = [
  ['light', 320, 640],
  ['dark', 1280, 900],
] as const

/** Expects on a light phone and a dark screen that axe finds no faults and the page is no wider than the window. */
export async function expectForEveryone(page: Page, state: string): Promise<void> {
  const isDue = isLookDue()
  for (const [colorScheme, width, height] of looks) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect([state, colorScheme, await axeFaults(page, isDue)]).toEqual([state, colorScheme, []])
    const isNarrow = await page.evaluate('document.documentElement.scrollWidth <= innerWidth')
    expect([state, colorScheme, isNarrow]).toEqual([state, colorScheme, true])
  }
}

/** Waits until colour transitions have ended. */
const settled = `Promise.allSettled(
  document.getAnimations().flatMap(({ effect, finished }) =>
    effect.getComputedTiming().endTime === Infinity ? [] : [finished]),
).then(() => undefined)`

let turn = seed

/**
 * Whether axe looks this time. A look takes half a second of processor time, so in `npm test` it takes one in twelve,
 * which changes with each run.
 */
const isLookDue = (): boolean => isLong || turn++ % 12 === 0

/** The faults that axe finds, each with its rule and elements. */
export async function axeFaults(page: Page, isDue = isLookDue()): Promise<string[]> {
  if (!isDue) return []
  await page.evaluate(settled)
  if (!(await page.evaluate('globalThis.axe !== undefined'))) await page.evaluate(axeSource)
  return page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' ' + target.join(' '))))`)
}

/** The minified file, because each page has to parse it. */
const axeSource = readFileSync(new URL('axe.min.js', import.meta.resolve('axe-core')), 'utf8')
