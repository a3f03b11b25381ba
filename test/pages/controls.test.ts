import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { event, number, string } from '../oracle/fixtures.ts'
import { hold, openPage, routeFirst } from '../support/browser.ts'
import {
  answerTo,
  chartOf,
  expectForEveryone,
  figureOf,
  lastAsked,
  lastTotals,
  type OpenDashboard,
  openDashboard,
  settle,
} from '../support/dashboard.ts'
import { newPerson, websiteOf } from '../support/people.ts'
import { browser } from '../support/shared-browser.ts'
import { share } from '../support/ways.ts'
import { add, columnTime } from '../support/website.ts'
import { running, send } from '../support/weir.ts'

const hour = 3_600_000

let websiteId: string
let slug: string

const write = async (path: string, body: object) => {
  const headers = { authorization: `Bearer ${running.adminKey}`, 'content-type': 'application/json' }
  return (await send(path, { method: 'POST', headers, body: JSON.stringify(body) })).body
}

const sale = (revenue: string, currency: string) => {
  const own = { session_id: randomUUID(), visit_id: randomUUID(), event_id: randomUUID(), event_type: 2 } as const
  const at = { created_at: columnTime(Date.now() - 3 * hour), event_name: 'sale', country: 'DE' }
  return event({ ...own, ...at }, [number('revenue', revenue), string('currency', currency)])
}

const paths = ['/blog/a', '/blog/b', '/pricing', '/Rain, wind']

beforeAll(async () => {
  ;({ websiteId, slug } = await share({ overview: true, events: true }))
  const rows = Array.from({ length: 48 }, (_, index) =>
    event({
      ...{ event_type: 1, event_id: randomUUID(), created_at: columnTime(Date.now() - index * 11 * hour - 1000) },
      ...{ session_id: randomUUID(), visit_id: randomUUID() },
      ...{ url_path: paths[index % 4]!, country: ['DE', 'US', 'FR'][index % 3]!, os: `Windows ${7 + (index % 5)}` },
    }),
  )
  await add(websiteId, ...rows, sale('10', 'USD'), sale('2', 'EUR'), sale('3', 'EUR'), sale('7', 'POINTS'))
})

/** The filters in the last request for the figures that the page shows. */
async function filtersOf({ page, asked }: OpenDashboard): Promise<unknown> {
  await settle(page)
  const path = lastTotals(asked)
  expect(await figureOf(page, 'views')).toBe(String((await answerTo(path)).pageviews))
  return JSON.parse(new URL(path, running.url).searchParams.get('filters') ?? '{}')
}

const chipsOf = (page: Page) => page.locator('.chip').allTextContents()

it('the dashboard filters by any field and operator, with suggestions, by keyboard and by URL', async () => {
  const { id } = await write(`/api/websites/${websiteId}/segments`, {
    ...{ type: 'segment', name: 'Old <b>', parameters: { filters: [{ name: 'os', operator: 'c', value: '7' }] } },
  })
  const open = await openDashboard(browser, `/share/${slug}?path=c.blog&path=neq./blog/a`)
  const { page, faults, close } = open
  expect(await chipsOf(page)).toEqual(['Page contains blog', 'Page is not /blog/a'])
  expect(await filtersOf(open)).toEqual({ path: ['c.blog', 'neq./blog/a'] })
  expect(await figureOf(page, 'views')).toBe('12')

  // Pressing a chip negates it.
  await page.getByRole('button', { name: 'Page contains blog', exact: true }).press('Enter')
  expect(await filtersOf(open)).toEqual({ path: ['dnc.blog', 'neq./blog/a'] })
  expect(await figureOf(page, 'views')).toBe('24')
  expect(new URL(page.url()).searchParams.getAll('path')).toEqual(['dnc.blog', 'neq./blog/a'])
  await page.getByRole('button', { name: 'Remove all' }).click()

  const add = async (field: string, operator: string) => {
    await page.getByRole('button', { name: /Filter$/ }).press('Enter')
    await page.getByLabel('Field').selectOption(field)
    await page.getByLabel('Condition').selectOption(operator)
    await page.getByLabel('Value', { exact: true }).focus()
  }
  // No path is proposed as a country.
  const choices = page.locator('.panel .choice')
  const release = await hold(page, '**/values?*type=country*')
  await page.getByRole('button', { name: /Filter$/ }).press('Enter')
  await choices.first().waitFor()
  await page.getByLabel('Field').selectOption('Country')
  expect(await choices.count()).toBe(0)
  await page.keyboard.press('Escape')
  release()
  // Countries can be found by name, and several may be chosen.
  await add('Country', 'is not')
  await page.keyboard.type('germ')
  await expect.poll(() => choices.allTextContents()).toEqual(['Germany'])
  expect(await page.getByRole('button', { name: 'Add filter' }).isDisabled()).toBe(true)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByLabel('Value', { exact: true }).focus()
  // A whole name need not be chosen.
  await page.keyboard.type('FRANCE')
  await expect.poll(() => choices.allTextContents()).toEqual(['Germany', 'France'])
  await expectForEveryone(page, 'a new filter')
  await page.keyboard.press('Enter')
  expect(await filtersOf(open)).toEqual({ country: 'neq.DE,FR' })
  expect(await chipsOf(page)).toEqual(['Country is not Germany or France'])

  await add('Page', 'is')
  await page.keyboard.type('RAIN')
  await expect.poll(() => choices.allTextContents()).toEqual(['/Rain, wind'])
  await choices.press('Enter')
  await page.getByRole('button', { name: 'Add filter' }).press('Enter')
  expect(await filtersOf(open)).toEqual({ country: 'neq.DE,FR', path: 'eq./Rain\\, wind' })
  await page.getByRole('button', { name: 'Remove all' }).click()

  await add('Segment', 'is')
  await page.keyboard.type('old <B>')
  await expect.poll(() => choices.allTextContents()).toEqual(['Old <b>'])
  await page.keyboard.press('Enter')
  expect(await filtersOf(open)).toEqual({ segment: id })
  expect([await chipsOf(page), await figureOf(page, 'views')]).toEqual([['Segment is Old <b>'], '10'])

  // If the API refuses a filter, the reason is shown.
  await add('Hostname', 'matches')
  await page.keyboard.type('(')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').first().waitFor()
  expect(await page.getByRole('alert').first().textContent()).toContain('This request is not valid')
  expect(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([])
  await close()
})

async function savedBy(page: Page, place: Locator): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    place.getByRole('button', { name: 'CSV' }).click(),
  ])
  return readFileSync(await download.path(), 'utf8')
}

it('the dashboard can show weeks, chosen days and all columns, and starts with the top currency', async () => {
  const parameters = { overview: true, events: true, realtime: true, revenue: true, allowExport: true }
  const { slug: other } = await share(parameters, { website_id: websiteId })
  const { page, faults, asked, close } = await openDashboard(browser, `/share/${other}?period=12m`)
  const revenue = page.locator('[data-card=revenue]')
  expect(await revenue.locator('dd').first().textContent()).toBe('€5.00')
  expect(await revenue.locator('option').allTextContents()).toEqual(['EUR', 'POINTS', 'USD'])
  await page.getByLabel('Currency').selectOption('POINTS')
  await settle(page)
  expect(await revenue.locator('dd').first().textContent()).toBe('7 POINTS')
  expect(new URL(page.url()).searchParams.get('revenue')).toBe('POINTS')

  expect(await savedBy(page, revenue)).toContain('"DE",7')

  // No data was counted before the first event.
  await page.getByText('Visitors as a table').click()
  await expect.poll(() => chartOf(page).then((values) => values.length)).toBe(12)
  const drawn = async () => {
    const values = await chartOf(page)
    return [values[0], values.at(-3)]
  }
  await expect.poll(drawn).toEqual(['–', '–'])
  expect(Number((await chartOf(page)).at(-1))).toBeGreaterThan(0)

  await page.getByLabel('Interval').selectOption('week')
  await settle(page)
  expect(new URL(lastAsked(asked, 'pageviews', { unit: 'week' }), running.url).searchParams.get('fill')).toBe('true')
  expect(await page.getByRole('slider').getAttribute('aria-label')).toBe('Visitors by week')

  await page.getByRole('button', { name: /^Period/ }).press('Enter')
  const panel = page.locator('.panel')
  expect(
    await panel.evaluate((one) => [one.scrollWidth > one.clientWidth, one.getBoundingClientRect().width > 270]),
  ).toEqual([...[false, true]])
  await page.setViewportSize({ width: 1280, height: 850 })
  const { y, height } = (await page.getByRole('button', { name: 'Show these days' }).boundingBox())!
  expect(y + height).toBeLessThan(850)
  await page.getByRole('button', { name: 'Previous month' }).click()
  await page.locator('.day[tabindex="0"]').or(page.locator('.day').first()).first().focus()
  await expectForEveryone(page, 'a calendar')
  await page.keyboard.press('Enter')
  for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('button', { name: 'Show these days' }).press('Enter')
  await settle(page)
  const { from, to } = Object.fromEntries(new URL(page.url()).searchParams)
  expect([from!.slice(8), Date.parse(to!) - Date.parse(from!)]).toEqual(['01', 8 * 24 * hour])
  await page.getByLabel('Interval').selectOption('day')
  await settle(page)
  const lines = (await savedBy(page, page.locator('.overview'))).split('\r\n')
  expect([lines[0], lines.length]).toEqual(['from,visitors,compared_from,compared_visitors', 11])
  // There is no file until the chosen figure has loaded.
  const release = await hold(page, '**/pageviews?*include=visits*')
  await page.getByRole('button', { name: 'Visits' }).press('Enter')
  expect(await page.locator('.overview').getByRole('button', { name: 'CSV' }).isDisabled()).toBe(true)
  release()
  expect((await savedBy(page, page.locator('.overview'))).split('\r\n')[0]).toContain('from,visits,')
  await close()

  const wide = { viewport: { width: 768, height: 900 } }
  const second = await openDashboard(browser, `/share/${other}?country=DE&period=90d`, wide)
  const { page: list } = second
  expect(await list.locator('[data-card=live] .ignored').textContent()).toContain('Country and the period do not apply')
  const [bar, part] = await Promise.all(
    ['.row-bar', '.row-share'].map((name) => list.locator(`[data-card=pages] ${name}`).first().boundingBox()),
  )
  expect(bar!.x + bar!.width).toBeLessThanOrEqual(part!.x)
  await list.locator('[data-card=pages] .more').click()
  await list.locator('.whole .is-more').first().waitFor()
  const [first] = await answerTo(lastAsked(second.asked, 'expanded'))
  const cells = list.locator('.whole .row').first().locator('.row-count')
  expect((await cells.allTextContents()).slice(0, 3).map(Number.parseFloat)).toEqual([
    first.visitors,
    first.visits,
    first.pageviews,
  ])
  expect((await savedBy(list, list.locator('.whole'))).split(/\r?\n/)[1]).toContain(first.name)
  await expectForEveryone(list, 'all columns')
  expect([...faults, ...second.faults]).toEqual([])
  await second.close()
})

/** Records every canvas text that does not fit. */
const noteCutTexts = `
  globalThis.cut = []
  globalThis.drawnTexts = new Set()
  globalThis.fill = CanvasRenderingContext2D.prototype.fillText
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
    const half = this.textAlign === 'center' ? this.measureText(text).width / 2 : 0
    const place = this.getTransform().transformPoint({ x, y })
    drawnTexts.add(text)
    if (place.x + half > this.canvas.width) cut.push(text)
    return fill.call(this, text, x, y, ...rest)
  }`

it('the axis’s last label is not cut off if months have long names', async () => {
  const { page, faults, close } = await openDashboard(browser, `/share/${slug}?period=12m`, { locale: 'pt-BR' })
  await page.evaluate(noteCutTexts)
  for (const width of [320, 768, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => page.evaluate('drawnTexts.size')).toBeGreaterThan(0)
    expect([width, await page.evaluate('cut')]).toEqual([width, []])
    await page.evaluate('drawnTexts.clear()')
  }
  expect(faults).toEqual([])
  await close()
})

it('the dashboard switches websites, has shortcuts and themes, and shows new events as they arrive', async () => {
  const person = await newPerson()
  const [id, second] = [await websiteOf({ userId: person.id }), await websiteOf({ userId: person.id }, { name: 'B' })]
  const now = () => event({ event_type: 1, created_at: columnTime(Date.now() - 1000), session_id: randomUUID() })
  await add(id, now())
  const { context, page, faults } = await openPage(browser, running.url, { reducedMotion: 'reduce' })
  const token = person.headers.authorization!.slice('Bearer '.length)
  await page.addInitScript(`sessionStorage['weir.token'] = localStorage['weir.token'] = '${token}'`)
  await page.goto(`${running.url}/websites/${id}`)
  await settle(page)
  await expect.poll(() => figureOf(page, 'views')).toBe('1')
  await page.locator('[data-figure=live]').waitFor()
  await add(id, now())
  await expect.poll(() => figureOf(page, 'views')).toBe('2')

  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await expectForEveryone(page, 'keys')
  await page.getByRole('heading', { name: 'Keyboard' }).click()
  await page.keyboard.press('d')
  expect(new URL(page.url()).search).toBe('')
  await page.keyboard.press('Escape')
  // A closed dialog has no role, even before the page has handled the event.
  await page.locator('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('w')
  await page.getByRole('button', { name: 'Period: Last 7 days' }).waitFor()
  await page.keyboard.press('f')
  await page.getByLabel('Value', { exact: true }).waitFor()
  // Typing a letter does not trigger a shortcut.
  await page.getByLabel('Value', { exact: true }).press('d')
  expect(new URL(page.url()).search).toBe('?period=7d')
  await page.keyboard.press('Escape')

  const theme = () => page.evaluate('document.documentElement.dataset.theme')
  await page.getByLabel('Theme').selectOption('dark')
  expect(await theme()).toBe('dark')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'All as CSV' }).click(),
  ])
  expect(
    readFileSync(await download.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
  // The picker names this website until the other one is shown.
  await routeFirst(page, `**/websites/${second}?*`, (route) => route.fulfill({ status: 204 }))
  const refused = page.waitForRequest(`**/websites/${second}?*`)
  await page.getByLabel('Website').selectOption('B')
  expect(await page.getByLabel('Website').inputValue()).toBe(id)
  await refused
  await page.getByLabel('Website').selectOption('B')
  await page.waitForURL(`${running.url}/websites/${second}?period=7d`)
  await settle(page)
  expect([await theme(), faults]).toEqual(['dark', []])
  await context.close()
})
