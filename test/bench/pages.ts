import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../support/browser.ts'
import { withDemo } from '../support/demo.ts'
import { median, timed } from './measure.ts'

/** How long the dashboard of the demo website takes to show its first numbers, beside the API's own answers. */
export interface PagesFindings {
  readonly runs: number
  /** Medians in milliseconds: from the click on the link until the figures and the chart stand on the screen. */
  readonly figures: number
  readonly chart: number
  /** Medians of the answers that these show, of other days: asked one at a time, and side by side as the page does. */
  readonly answers: readonly { readonly report: string; readonly time: number; readonly beside: number }[]
  readonly requests: number
  /** Bytes of all files, the map included, after gzip. */
  readonly bytes: number
}

const warmUps = 2

/** The days of a period, and the most rounds whose three periods begin on other days within the 90 of the demo. */
const days = 30
export const mostRuns = 20 - warmUps

const day = 86_400_000

type Progress = (line: string) => void

/** Starts the product with an own data folder, and opens the share of its demo website. */
export function pagesOf(dir: string, runs: number, progress: Progress): Promise<PagesFindings> {
  progress('starting the demo')
  return withDemo(dir, async ({ share, websiteId }) => {
    const browser = await startBrowser()
    try {
      return await measuredIn(browser, new URL(share), websiteId, Math.min(runs, mostRuns), progress)
    } finally {
      await browser.close()
    }
  })
}

/** Notes when the figures and the chart come. Times count from the start of the navigation. */
const watch = `
  const wanted = { figures: '[data-figure=visitors]', chart: '.plot canvas' }
  globalThis.seen = {}
  const look = () => {
    for (const [name, selector] of Object.entries(wanted))
      if (document.querySelector(selector)) globalThis.seen[name] ??= performance.now()
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true })`

const isSettled = `Object.keys(globalThis.seen).length === 2 && !document.querySelector('.bone, .waits')`

async function measuredIn(
  browser: Browser,
  share: URL,
  websiteId: string,
  runs: number,
  progress: Progress,
): Promise<PagesFindings> {
  const page = await browser.newPage()
  await page.addInitScript(watch)
  const files = new Set<string>()
  let requests = 0
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) requests++
    else files.add(pathname)
  })
  const headers = { 'x-weir-share-token': await tokenOf(share) }
  const times = { figures: [] as number[], chart: [] as number[] }
  const answers = new Map(
    Object.keys(asked).map((report) => [report, { alone: [] as number[], beside: [] as number[] }]),
  )
  for (let round = 0; round < warmUps + runs; round++) {
    progress(`loading the page, ${round + 1} of ${warmUps + runs}`)
    requests = 0
    const shown = await loaded(page, share, periodOf(3 * round))
    const [alone, beside] = [new Map<string, number>(), new Map<string, number>()]
    const ask = async (report: string, { from, to }: ReturnType<typeof periodOf>, taken: Map<string, number>) => {
      const query = new URLSearchParams({ startDate: from, endDate: to, timezone: 'UTC', ...asked[report] })
      const path = `${share.origin}/api/websites/${websiteId}/${report}?${query}`
      taken.set(report, await timed(() => read(path, headers)))
    }
    for (const report of answers.keys()) await ask(report, periodOf(3 * round + 1), alone)
    await Promise.all([...answers.keys()].map((report) => ask(report, periodOf(3 * round + 2), beside)))
    if (round < warmUps) continue
    times.figures.push(shown.figures)
    times.chart.push(shown.chart)
    for (const [report, of] of answers) {
      of.alone.push(alone.get(report)!)
      of.beside.push(beside.get(report)!)
    }
  }
  return {
    ...{ runs, requests, figures: median(times.figures), chart: median(times.chart) },
    answers: [...answers].map(([report, { alone, beside }]) => ({
      ...{ report, time: median(alone), beside: median(beside) },
    })),
    bytes: await bytesOf(share.origin, files),
  }
}

/** What the figures and the chart show. */
const asked: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  stats: { compare: 'none' },
  pageviews: { unit: 'day', fill: 'true' },
}

/** A period that no other round has, so that nothing comes from a cache. */
function periodOf(round: number): { from: string; to: string } {
  const last = Date.now() - (1 + round) * day
  const dateOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)
  return { from: dateOf(last - (days - 1) * day), to: dateOf(last) }
}

async function loaded(page: Page, share: URL, { from, to }: ReturnType<typeof periodOf>) {
  await page.goto(`${share}?${new URLSearchParams({ period: 'custom', from, to, zone: 'UTC' })}`)
  // Pages allow no code in texts, so waiting for a function is not possible.
  while (!(await page.evaluate<boolean>(isSettled))) await page.waitForTimeout(50)
  return page.evaluate<{ figures: number; chart: number }>('globalThis.seen')
}

async function tokenOf({ origin, pathname }: URL): Promise<string> {
  const response = await fetch(`${origin}/api${pathname}`)
  return ((await response.json()) as { token: string }).token
}

async function read(path: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(path, { headers })
  const body = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body}`)
  JSON.parse(body)
}

async function bytesOf(origin: string, files: Iterable<string>): Promise<number> {
  const all = await Promise.all([...files].map(async (path) => (await fetch(origin + path)).arrayBuffer()))
  return all.reduce((sum, file) => sum + gzipSync(new Uint8Array(file)).length, 0)
}
