import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { event, string } from '../oracle/fixtures.ts'
import { hold, look, openPage, routeFirst, stored, unreadable } from '../support/browser.ts'
import {
  answerTo,
  axeFaults,
  chartOf,
  figureOf,
  lastAsked,
  lastTotals,
  type OpenDashboard,
  openDashboard,
  rowsOf,
  settle,
} from '../support/dashboard.ts'
import { inTurn } from '../support/long.ts'
import { withinAMinute } from '../support/minute.ts'
import { seed } from '../support/seed.ts'
import { browser } from '../support/shared-browser.ts'
import { share } from '../support/ways.ts'
import { add, columnTime } from '../support/website.ts'
import { running, send } from '../support/weir.ts'

const hour = 3_600_000
const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>'
const long = `/long/${'x'.repeat(3900)}`
const hostile = [`/${evil}`, '=1+2,"a"\\', '/\u202Eright-to-left', '/مرحبا', '/🏞️ two  blanks', long]

let websiteId: string
let slug: string
/** The open dashboard. Some tests continue from the state in which the previous test left it. */
let plain: OpenDashboard

/** A ratio as the page formats it. */
function shareOf(share: number): string {
  const digits = share > 0 && share < 0.1 ? 1 : 0
  return new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: digits }).format(share)
}

/** Seconds as the page formats them. */
function durationOf(length: number): string {
  const all = Math.round(length)
  const parts: [number, string][] = [
    [Math.floor(all / 3600), 'h'],
    [Math.floor((all % 3600) / 60), 'm'],
    [all % 60, 's'],
  ]
  const texts = parts.slice(all >= 3600 ? 0 : 1, all >= 3600 ? 2 : 3).filter(([value]) => value > 0)
  return texts.map(([value, unit]) => `${value}${unit}`).join(' ') || '0s'
}

/** Whether the chart shows this figure. */
const isAbout = (path: string, figure: string): boolean => path.includes('include=visits') === (figure !== 'Views')

const propertiesOf = (index: number) => [
  string('plan', hostile[index % 3]!),
  ...(index % 2 ? [string(`colour ${evil}`, evil)] : []),
]

/** The size of these files in bytes after gzip. */
async function bytesOf(files: readonly string[]): Promise<number> {
  const all = await Promise.all(files.map(async (path) => (await fetch(running.url + path)).arrayBuffer()))
  return all.reduce((sum, file) => sum + gzipSync(file).length, 0)
}

const change = async (path: string, body: object) => {
  const headers = { authorization: `Bearer ${running.adminKey}`, 'content-type': 'application/json' }
  return (await send(path, { method: 'POST', headers, body: JSON.stringify(body) })).body
}

beforeAll(async () => {
  ;({ websiteId, slug } = await share({ overview: true, events: true, theme: 'light' }))
  await change(`/api/websites/${websiteId}`, { name: `Shop ${evil}` })
  const now = Date.now()
  const rows = Array.from({ length: 120 }, (_, index) => ({
    ...{ created_at: columnTime(now - (index * 7 + 1) * hour), event_id: randomUUID() },
    // Each visit belongs to a single session.
    session_id: `0199e2b4-5c00-7000-8000-0000000000${10 + (index % 37)}`,
    visit_id: `0199e2b4-5c00-7000-8000-0000000001${10 + (index % 74)}`,
    ...{ country: ['DE', 'US', 'NP', ''][index % 4]!, browser: ['chrome', 'firefox', evil][index % 3]! },
    url_path: index % 3 === 0 ? '/pricing' : hostile[Math.floor(index / 3) % hostile.length]!,
  }))
  await add(
    websiteId,
    ...rows.map((row, index) =>
      index % 5 === 4
        ? event({ ...row, event_type: 2, event_name: `buy ${evil}` }, propertiesOf(index))
        : event({ ...row, event_type: 1 }),
    ),
  )
})

it('the dashboard shows the API’s figures, requests only open data, and shows all texts as plain text', async () => {
  plain = await openDashboard(browser, `/share/${slug}`)
  const { page, faults, asked, files, shifted } = plain
  // If a period has not ended, it is requested again after each minute.
  const questions = () => new Set(asked.map((path) => path.replace(/(endDate=[^&]*?)T[^&]*/, '$1')))
  await expect.poll(() => questions().size).toBe(13)
  expect(await shifted()).toBeLessThan(0.02)
  const totals = await answerTo(lastTotals(asked))
  expect(totals.visitors).toBeGreaterThan(30)
  for (const [name, value] of Object.entries({
    visitors: totals.visitors,
    visits: totals.visits,
    views: totals.pageviews,
  })) {
    expect([name, await figureOf(page, name)]).toEqual([name, String(value)])
  }
  const bounces = Math.round((1000 * totals.bounces) / totals.visits) / 10
  expect(Number.parseFloat((await figureOf(page, 'bounces')) ?? '')).toBeCloseTo(bounces, bounces < 10 ? 1 : -0.5)
  for (const [card, type] of Object.entries({
    pages: 'path',
    places: 'country',
    devices: 'browser',
    events: 'event',
  })) {
    const rows = (await answerTo(lastAsked(asked, 'metrics', { type }))) as { x: string; y: number }[]
    expect(rows.length).toBeGreaterThan(0)
    const most = card === 'places' ? 300 : 9
    expect([card, await rowsOf(page, card)]).toEqual([card, rows.slice(0, most).map(({ x, y }) => [x, y])])
  }
  expect((await rowsOf(page, 'pages')).map(([key]) => key)).toEqual(expect.arrayContaining([...hostile, '/pricing']))

  await page.getByText('Visitors as a table').click()
  const { sessions } = await answerTo(asked.find((path) => path.includes('/pageviews?'))!)
  expect(await chartOf(page)).toEqual((sessions as { y: number }[]).map(({ y }) => String(y)))

  expect(await page.locator('h1').textContent()).toBe(`Shop ${evil}`)
  expect(await page.title()).toBe(`Shop ${evil}`)
  expect(await page.locator('main script, main img').count()).toBe(0)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)

  const reports = new Set(asked.map((path) => path.replace(/\?.*type=(\w+).*|\?.*/, ' $1').replaceAll(websiteId, '…')))
  expect([...reports].sort()).toEqual([
    ...['', '/active', '/annotations ', '/daterange'].map((path) => `/api/websites/…${path}`),
    ...['browser', 'channel', 'country', 'event', 'path'].map((type) => `/api/websites/…/metrics ${type}`),
    ...['/api/websites/…/pageviews ', '/api/websites/…/stats '],
  ])
  const names = [...files].map((name) => name.replace(/-[0-9A-Z]{8}(?=\.)/, ''))
  expect(names.filter((name) => !name.endsWith('.svg')).sort()).toEqual([
    ...['-chunk.js', '-first.js', '-plot.js', '.css', '.js'].map((end) => `/assets/dashboard${end}`),
    '/assets/world.json',
  ])
  expect(await bytesOf([...files])).toBeLessThan(130_000)
  expect(await stored(page)).toEqual({ local: {}, session: {}, cookies: '' })
  expect(faults).toEqual([])
})

it('the dashboard has a map on which countries can be selected as filters by keyboard', async () => {
  const { page, faults, asked } = plain
  const map = page.getByRole('listbox')
  await map.focus()
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key)
  const first = map.getByRole('option').first()
  expect(await map.getAttribute('aria-activedescendant')).toBe(await first.getAttribute('id'))
  const [[code, visitors] = []] = await rowsOf(page, 'places')
  expect(await first.getAttribute('aria-label')).toMatch(new RegExp(`: ${visitors} visitors, \\d+%$`))
  expect(await page.locator('.map-text strong').textContent()).toBe(String(visitors))
  expect(await axeFaults(page)).toEqual([])
  await page.keyboard.press('Enter')
  await settle(page)
  expect(new URL(page.url()).searchParams.get('country')).toBe(code)
  const { filters } = Object.fromEntries(new URL(lastTotals(asked), running.url).searchParams)
  expect(JSON.parse(filters!)).toEqual({ country: `eq.${code}` })
  expect(await rowsOf(page, 'places')).toEqual([[code, visitors]])
  await map.getByRole('option').click()
  await settle(page)
  expect(new URL(page.url()).search).toBe('')
  expect(faults).toEqual([])
})

it('the dashboard shows the whole list, and can search it', async () => {
  const { page, faults } = plain
  const visits = ['?list=pages', '?list=sources', new URL(page.url()).pathname]
  for (const url of visits) await page.evaluate(`history.pushState(null, '', '${url}')`)
  await page.goBack()
  await page.getByRole('dialog', { name: 'Sources' }).waitFor()
  // The closed dialog does not close the next one.
  await page.goBack()
  const list = page.getByRole('dialog', { name: 'Pages' })
  await list.waitFor()
  await settle(page)
  expect(await list.locator('.row').count()).toBe(hostile.length + 1)
  expect(await axeFaults(page)).toEqual([])
  await list.getByLabel('Search').fill('PRIC')
  await expect.poll(() => list.locator('.row').count()).toBe(1)
  await list.getByRole('button', { name: 'Close' }).press('Enter')
  await list.waitFor({ state: 'detached' })
  expect(new URL(page.url()).search).toBe('')
  expect(faults).toEqual([])
})

it('the dashboard can change period, comparison and time zone by keyboard', async () => {
  const { page, faults, asked, close } = plain
  const parameters = () =>
    Object.fromEntries(new URL(lastAsked(asked, 'metrics', { type: 'path' }), running.url).searchParams)
  await page.getByRole('button', { name: 'Period: Last 30 days' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Last 30 days')
  for (const key of ['ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('button', { name: 'Period: Yesterday' }).waitFor()
  await settle(page)
  const yesterday = parameters()
  expect(yesterday).toMatchObject({ startDate: yesterday.endDate, timezone: 'Asia/Katmandu' })
  expect(new URL(page.url()).search).toBe('?period=yesterday')
  expect(await page.getByRole('slider').getAttribute('aria-label')).toBe('Visitors by hour')

  await page.getByRole('button', { name: 'Earlier' }).press('Enter')
  await settle(page)
  const before = new Date(Date.parse(yesterday.startDate!) - 24 * hour).toISOString().slice(0, 10)
  expect(parameters()).toMatchObject({ startDate: before, endDate: before })

  await page.getByRole('button', { name: /^Compare/ }).press('Enter')
  await page.keyboard.press('End')
  await page.getByRole('button', { name: 'No comparison' }).press('Enter')
  await page.getByLabel('Time zone').selectOption('Pacific/Apia')
  await settle(page)
  expect(parameters()).toMatchObject({ startDate: before, timezone: 'Pacific/Apia' })
  expect(await page.locator('.figure-change').allTextContents()).toEqual(['', '', '', '', ''])

  const chart = page.getByRole('slider')
  await chart.press('Home')
  await chart.press('ArrowRight')
  expect(await chart.getAttribute('aria-valuenow')).toBe('1')
  expect(await page.locator('.tooltip').textContent()).toContain('1:00')
  expect(faults).toEqual([])
  await close()
})

it('the dashboard shows each figure over time, and the properties of events', async () => {
  const { page, faults, asked, shifted, close } = await openDashboard(browser, `/share/${slug}?events=properties`)
  await page.getByText('Visitors as a table').click()
  type Point = { y: number }
  type Series = Record<'pageviews' | 'visits' | 'bounces' | 'totaltime', Point[]>
  const rate = (figure: 'bounces' | 'totaltime') => (series: Series) =>
    series.visits.map(({ y }, index) => (y > 0 ? series[figure][index]!.y / y : undefined))
  const drawn = {
    Views: ({ pageviews }: Series) => pageviews.map(({ y }) => String(y)),
    Visits: ({ visits }: Series) => visits.map(({ y }) => String(y)),
    'Bounce rate': (series: Series) => rate('bounces')(series).map((y) => (y === undefined ? '–' : shareOf(y))),
    'Visit time': (series: Series) => rate('totaltime')(series).map((y) => (y === undefined ? '–' : durationOf(y))),
  }
  for (const [name, valuesOf] of Object.entries(drawn)) {
    await page.getByRole('button', { name }).press('Enter')
    await settle(page)
    const series = await answerTo(asked.find((path) => path.includes('/pageviews?') === true && isAbout(path, name))!)
    expect([name, await chartOf(page)]).toEqual([name, valuesOf(series)])
    expect(await page.getByRole('slider').getAttribute('aria-label')).toBe(`${name} by day`)
  }
  expect(new URL(page.url()).searchParams.get('metric')).toBe('duration')
  // Each button reacted to one input, and its chart replaced the previous one.
  expect(await shifted()).toBeLessThan(0.02)

  const values = (await answerTo(lastAsked(asked, 'event-data/values'))) as { value: string; total: number }[]
  expect(values.length).toBeGreaterThan(1)
  expect(await rowsOf(page, 'events')).toEqual(values.map(({ value, total }) => [value, total]))
  const releaseValues = await hold(page, '**/event-data/values?*propertyName=colour*')
  await page.getByLabel('Property').selectOption(`colour ${evil}`)
  expect(await page.locator('[data-card=events] .row button').count()).toBe(0)
  releaseValues()
  await settle(page)
  const { propertyName } = Object.fromEntries(new URL(lastAsked(asked, 'event-data/values'), running.url).searchParams)
  expect(propertyName).toBe(`colour ${evil}`)
  expect(new URL(page.url()).searchParams.get('property')).toBe(propertyName)
  expect((await rowsOf(page, 'events')).map(([key]) => key)).toEqual([evil])
  expect(await axeFaults(page)).toEqual([])

  // A value can filter everything. The filter then appears as a chip and in the URL.
  const [, all] = [await settle(page), await figureOf(page, 'visits')]
  await page.locator('[data-card=events] .row button').click()
  await settle(page)
  const { filters } = Object.fromEntries(new URL(lastTotals(asked), running.url).searchParams)
  expect(JSON.parse(filters!)).toEqual({
    epf0: `1.eq.${encodeURIComponent(propertyName!)}.${evil.replaceAll(',', '\\,')}`,
  })
  const { visits } = await answerTo(lastTotals(asked))
  expect([await figureOf(page, 'visits'), visits < Number(all), visits > 0]).toEqual([String(visits), true, true])
  expect(await page.locator('.chip').textContent()).toBe(`${propertyName} is ${evil}`)
  await page.reload()
  await settle(page)
  expect(await figureOf(page, 'visits')).toBe(String(visits))
  await page.getByRole('button', { name: `Remove ${propertyName} is ${evil}` }).click()
  await settle(page)
  expect(await figureOf(page, 'visits')).toBe(all)
  expect(faults).toEqual([])
  await close()
})

it('the dashboard shows a public website without a token, and requests only open data', async () => {
  const parameters = { overview: true, filters: { path: '/pricing' }, allowFilter: false }
  await change(`/api/websites/${websiteId}`, { public: parameters })
  const { page, faults, asked, close } = await openDashboard(browser, `/public/${websiteId}?country=DE`)
  expect(asked.filter((path) => /share|annotations|event-data|realtime|type=event|filters=/.test(path))).toEqual([])
  const { status, body } = await send(lastTotals(asked))
  expect([status, await figureOf(page, 'views')]).toEqual([200, String(body.pageviews)])
  expect((await rowsOf(page, 'pages')).map(([key]) => key)).toEqual(['/pricing'])
  expect(await page.locator('.row button, .chip').count()).toBe(0)
  await change(`/api/websites/${websiteId}`, { public: null })
  expect(faults).toEqual([])
  await close()
})

it('the dashboard filters everything by a clicked row; Back and a copied link show the same', async () => {
  const { page, faults, asked, close } = await openDashboard(browser, `/share/${slug}?places=country`)
  const all = await figureOf(page, 'views')
  // All texts filter through the same code, so each `npm test` run uses only some of them.
  for (const path of inTurn(hostile, seed, 6)) {
    const place = (await rowsOf(page, 'pages')).findIndex(([key]) => key === path)
    await page.locator('[data-card=pages] .row button').nth(place).click()
    await settle(page)
    const { filters } = Object.fromEntries(new URL(lastTotals(asked), running.url).searchParams)
    expect(JSON.parse(filters!)).toEqual({ path: `eq.${path.replaceAll(',', '\\,')}` })
    const { pageviews } = await answerTo(lastTotals(asked))
    expect(await figureOf(page, 'views')).toBe(String(pageviews))
    expect(Number(await figureOf(page, 'views'))).toBeLessThan(Number(all))
    expect(await rowsOf(page, 'pages')).toEqual([[path, expect.any(Number)]])
    expect(await page.locator('.chip bdi').textContent()).toBe(path)
    await page.goBack()
    await settle(page)
    expect(await page.locator('.chip').count()).toBe(0)
    expect(await figureOf(page, 'views')).toBe(all)
  }

  await page.locator('[data-card=places] [data-key=DE] button').click()
  await page.getByRole('tab', { name: 'Exit' }).click()
  await page.getByRole('button', { name: 'Views' }).click()
  await settle(page)
  const state = async (one: typeof page) => ({
    ...{ url: one.url(), views: await figureOf(one, 'views'), chips: await one.locator('.chip bdi').allTextContents() },
    ...{ pages: await rowsOf(one, 'pages'), chart: await one.getByRole('slider').getAttribute('aria-label') },
  })
  const seen = await state(page)
  expect(seen).toMatchObject({ chips: ['Germany'], chart: 'Views by day' })
  const copied = await openDashboard(browser, new URL(page.url()).pathname + new URL(page.url()).search)
  expect(await state(copied.page)).toEqual(seen)
  await copied.page.getByRole('button', { name: 'Remove Country is Germany' }).click()
  await settle(copied.page)
  expect(await figureOf(copied.page, 'views')).toBe(all)
  expect([...faults, ...copied.faults]).toEqual([])
  await copied.close()
  await close()
})

it('the dashboard is accessible: axe finds no faults, and nothing is wider than a phone', async () => {
  const { slug: other } = await share({ overview: true, compare: true, sessions: true }, { website_id: websiteId })
  const options = { colorScheme: 'light', viewport: { width: 320, height: 640 } } as const
  const path = `/share/${other}?path=${encodeURIComponent(long)}`
  const { page, faults, close } = await openDashboard(browser, path, options)
  for (const [colorScheme, width, colour] of [
    ['light', 320, 'rgb(244, 246, 247)'],
    ['dark', 1280, 'rgb(11, 16, 19)'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    expect(await axeFaults(page)).toEqual([])
    await page.getByRole('button', { name: /^Period/ }).click()
    expect(await axeFaults(page)).toEqual([])
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('button', { name: /^Period/ }).count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await page.emulateMedia({ media: 'screen' })
    for (const direction of ['rtl', 'ltr']) {
      await page.evaluate(`document.documentElement.dir = '${direction}'`)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(colour)
    await page.keyboard.press('Escape')
  }
  expect(faults).toEqual([])
  await close()
})

it('the dashboard reports failed figures in a sentence and a failed list in its card, and retries', async () => {
  const { slug: light } = await share({ overview: true, theme: 'light' }, { website_id: websiteId })
  const { page, close } = await openDashboard(browser, `/share/${light}`, { colorScheme: 'dark' })
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(244, 246, 247)')
  await page.route('**/stats?**', (route) => route.abort())
  await page.locator('[data-card=devices] [data-key=firefox] button').click()
  const alert = page.getByRole('alert')
  await alert.waitFor()
  expect(await alert.locator('p').textContent()).toBe('The numbers cannot be fetched. Is the network down?')
  expect(await page.locator('.figure-value').allTextContents()).toEqual(['–', '–', '–', '–', '–'])
  await settle(page)
  expect(await axeFaults(page)).toEqual([])
  await page.unroute('**/stats?**')
  await page.route('**/stats?**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-cache': 'STALE', age: '300' } })
  })
  await alert.getByRole('button', { name: 'Try again' }).click()
  await alert.waitFor({ state: 'detached' })
  await settle(page)
  expect(await page.locator('.age').textContent()).toContain('from 5 minutes ago')
  expect(Number(await figureOf(page, 'views'))).toBeGreaterThan(0)
  await page.unroute('**/stats?**')

  const late = { error: { code: 'service-unavailable', message: 'No answer came before the deadline.' } }
  await page.route('**/metrics?*type=path*', (route) => route.fulfill({ status: 503, json: late }))
  await page.locator('[data-card=pages] .row button').first().click()
  const ofCard = page.locator('[data-card=pages]').getByRole('alert')
  await ofCard.waitFor()
  expect(await ofCard.locator('p').textContent()).toBe('The numbers cannot be read right now.')
  await settle(page)
  expect(await page.getByRole('alert').count()).toBe(1)
  expect((await rowsOf(page, 'devices')).map(([key]) => key)).toEqual(['firefox'])
  await page.unroute('**/metrics?*type=path*')
  await ofCard.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => rowsOf(page, 'pages').then((rows) => rows.length)).toBeGreaterThan(0)
  await close()
})

it('after a failed request, the dashboard shows no figures of another period as those of the current one', async () => {
  const { page, faults, close } = await openDashboard(browser, `/share/${slug}?period=7d`)
  const views = async () => Number(await figureOf(page, 'views'))
  const week = await views()
  await page.route('**/stats?**', (route) => route.abort())
  await page.getByRole('button', { name: /^Period/ }).press('Enter')
  await page.getByRole('button', { name: 'Last 30 days' }).press('Enter')
  const alert = page.getByRole('alert')
  await alert.waitFor()
  await page.unroute('**/stats?**')
  const release = await hold(page, '**/stats?**')
  // A minute later, the page requests the same figures again.
  const again = page.waitForRequest('**/stats?**period=last_30_days**')
  await page.evaluate('{ const now = Date.now; Date.now = () => now() + 60_000 }')
  await look(page, true)
  await again
  expect(await page.locator('.figure-value').allTextContents()).toEqual(['–', '–', '–', '–', '–'])
  expect(await alert.count()).toBe(1)
  release()
  await alert.waitFor({ state: 'detached' })
  await settle(page)
  expect(await views()).toBeGreaterThan(week)
  expect(faults.filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([])
  await close()
})

it('the dashboard shows its lists after its figures, even if the browser’s language is no language tag', async () => {
  const { page, faults, asked, close } = await openDashboard(browser, `/share/${slug}`, { locale: '' })
  expect(await page.evaluate('navigator.languages')).toEqual(['en-US@posix'])
  const { pageviews } = await answerTo(lastTotals(asked))
  expect(await figureOf(page, 'views')).toBe(String(pageviews))
  await page.locator('.plot canvas').waitFor()
  const release = await hold(page, '**/stats?**')
  await page.reload()
  await page.locator('.to-come').waitFor()
  expect(await page.locator('.cards').count()).toBe(0)
  release()
  await page.locator('[data-card=devices]').waitFor()
  expect(await page.locator('.to-come').count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

it('the dashboard shows figures even if the chart’s code cannot be loaded, and offers to reload it', async () => {
  const { slug } = await share({ overview: true }, { website_id: websiteId })
  const { page, close } = await openPage(browser, running.url, { reducedMotion: 'reduce' })
  await routeFirst(page, '**/dashboard-plot-*', (route) => route.abort())
  await page.goto(`${running.url}/share/${slug}`)
  await page.getByText('Something went wrong on this page.').waitFor()
  expect(await page.locator('[data-figure=visitors]').textContent()).toMatch(/\d/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.u-over').waitFor()
  await close()
})

it('the dashboard reports that the title or the first day of all time cannot be read, and retries', async () => {
  const { slug: bare } = await share({ overview: true }, { website_id: websiteId })
  const { page, close } = await openPage(browser, running.url, { reducedMotion: 'reduce' })
  const failing = new RegExp(`/api/websites/${websiteId}(/daterange|$)`)
  await page.route(failing, (route) => route.fulfill({ body: '<p>No answer of the API.' }))
  await page.goto(`${running.url}/share/${bare}?period=all`)
  const alert = page.getByRole('alert')
  await alert.waitFor()
  await settle(page)
  expect(await alert.locator('p').allTextContents()).toEqual(['The numbers cannot be read right now.'])
  expect(await axeFaults(page)).toEqual([])
  await page.unroute(failing)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.locator('[data-figure=views]').waitFor()
  await settle(page)
  expect(await alert.count()).toBe(0)
  expect(await page.locator('h1').textContent()).toBe(`Shop ${evil}`)
  await close()
})

it('the dashboard shows one part of a board at a time', () =>
  withinAMinute(async () => {
    const link = await change('/api/links', { name: `Sale ${evil}`, url: 'https://example.com/', slug: randomUUID() })
    const parameters = { cards: [{ websiteId }, { linkId: link.id }] }
    const board = await change('/api/boards', { name: `Board ${evil}`, type: 'mixed', parameters })
    const shared = await change(`/api/boards/${board.id}/shares`, { name: 'All', parameters: { overview: true } })
    const { page, faults, asked, close } = await openDashboard(browser, `/share/${shared.slug}`)
    expect(await page.locator('h1').textContent()).toBe(`Board ${evil}`)
    const parts = page.getByLabel('Part of the board')
    await expect.poll(() => parts.locator('option').allTextContents()).toEqual([`Shop ${evil}`, `Sale ${evil}`])
    expect(asked.toSorted()).toEqual([...new Set(asked)].sort())
    expect(Number(await figureOf(page, 'views'))).toBeGreaterThan(0)
    await parts.selectOption(`Sale ${evil}`)
    await page.waitForURL((url) => url.searchParams.get('part') === link.id)
    await settle(page)
    expect(await figureOf(page, 'views')).toBe('0')
    // Embedded in another page, the dashboard has no header, but its parts can be chosen.
    await page.goto(`${running.url}/share/${shared.slug}?embed=1`)
    await parts.waitFor()
    expect([await parts.isVisible(), await page.locator('h1').isVisible()]).toEqual([true, false])
    expect(await page.locator('.controls').isVisible()).toBe(false)
    expect(faults).toEqual([])
    await close()
  }))

it('the dashboard waits for the first event', async () => {
  const { slug: empty, websiteId: waiting } = await share({ overview: true })
  const { page, faults, close } = await openDashboard(browser, `/share/${empty}`)
  await page.getByText('Waiting for the first event…').waitFor()
  expect(await figureOf(page, 'views')).toBe('0')
  expect(await axeFaults(page)).toEqual([])
  await add(waiting, event({ event_type: 1, created_at: columnTime(Date.now()) }))
  await expect.poll(() => figureOf(page, 'views')).toBe('1')
  expect(await page.getByText('Waiting').count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

it('the dashboard shows all open sections with the API’s figures, and new visitors as they arrive', async () => {
  const all = ['overview', 'events', 'sessions', 'realtime', 'performance', 'goals', 'funnels', 'retention', 'revenue']
  const parameters = Object.fromEntries([...all, 'utm', 'compare'].map((section) => [section, true]))
  const { slug: open } = await share(parameters, { website_id: websiteId })
  const steps = [
    { type: 'path', value: '/pricing' },
    { type: 'event', value: 'buy*' },
  ]
  const of = (kind: string) => `/api/websites/${websiteId}/${kind}`
  await change(of('goals'), { name: `Goal ${evil}`, parameters: { type: 'path', value: '/pricing' } })
  await change(of('funnels'), { name: `Funnel ${evil}`, parameters: { window: 60, steps } })
  const date = new Date(Date.now() - 24 * hour).toISOString()
  await change(of('annotations'), { date, allDay: false, note: `Note ${evil}` })
  const { page, faults, asked, close } = await openDashboard(browser, `/share/${open}`)

  // These are requested after all other cards have loaded.
  const answerOf = async (kind: string) => {
    const find = () => asked.find((path) => path.includes(`/${kind}/`) && path.includes('/stats'))
    await expect.poll(find).toBeDefined()
    return answerTo(find()!)
  }
  const [goal, funnel] = [await answerOf('goals'), await answerOf('funnels')]
  const counts = (card: string) =>
    page.locator(`[data-card=${card}] [data-count]`).evaluateAll((rows) => rows.map((row) => row.dataset.count))
  await expect.poll(() => counts('goals')).toEqual([String(goal.num)])
  expect(goal.num).toBeGreaterThan(0)
  await expect.poll(() => counts('funnels')).toEqual(funnel.map((one: { visitors: number }) => String(one.visitors)))
  expect(await page.locator('[data-card=retention] tbody tr').count()).toBeGreaterThan(3)
  for (const [card, text] of Object.entries({ revenue: 'No sales in this period', performance: 'No measurements' })) {
    expect(await page.locator(`[data-card=${card}]`).textContent()).toContain(text)
  }
  const chart = page.getByRole('slider')
  const note = page.locator('.tooltip-note')
  await chart.press('End')
  // By now, midnight may have passed.
  for (let step = 0; step < 3 && (await note.count()) === 0; step++) await chart.press('ArrowLeft')
  expect([await note.textContent(), await axeFaults(page)]).toEqual([`Note ${evil}`, []])

  const live = page.locator('[data-figure=live]')
  const before = Number(await live.textContent())
  const session_id = randomUUID()
  await add(websiteId, event({ event_type: 1, created_at: columnTime(Date.now()), session_id, url_path: '/live' }))
  await expect.poll(() => live.textContent()).toBe(String(before + 1))
  expect(await page.locator('[data-card=live] [data-key="/live"]').count()).toBe(1)
  await page.locator('[data-figure=now]').waitFor()
  expect(faults).toEqual([])

  // If newer numbers cannot be read, live ones are marked or disappear.
  for (const path of ['/realtime/*', '/active?*']) await page.route(`**${path}`, unreadable)
  await page.evaluate('{ const now = Date.now; Date.now = () => now() + 180_000 }')
  await look(page, true)
  await page.locator('[data-card=live] .age').waitFor()
  await page.locator('[data-figure=now]').waitFor({ state: 'detached' })
  await page.reload()
  await page.locator('[data-card=live]').getByRole('alert').waitFor()
  await page.unroute('**/realtime/*')
  await page.locator('[data-card=live]').getByRole('button', { name: 'Try again' }).click()
  await live.waitFor()
  await close()
})

it('the dashboard rates only what was measured', async () => {
  const { slug: open, websiteId: measured } = await share({ overview: true, performance: true })
  const created_at = columnTime(Date.now() - hour)
  const vitals = { lcp: 3000, inp: null, cls: 0, fcp: null, ttfb: 0.4 }
  await add(measured, { ...event({ event_type: 5, created_at, event_id: randomUUID() }), ...vitals })
  const { page, faults, close } = await openDashboard(browser, `/share/${open}`)
  const rows = page.locator('[data-card=performance] .vital')
  const textsOf = (part: string) => rows.locator(part).allTextContents()
  expect(await textsOf('strong')).toEqual(['3,000 ms', '–', '0', '–', '0 ms'])
  expect(await textsOf('.rating')).toEqual(['fair', '', 'good', '', 'good'])
  expect([await page.locator('.is-good').count(), faults]).toEqual([2, []])
  await close()
})
