import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { event } from '../oracle/fixtures.ts'
import { startBrowser } from '../support/browser.ts'
import {
  answerTo,
  expectForEveryone,
  figureOf,
  lastTotals,
  type OpenDashboard,
  openDashboard,
  settle,
} from '../support/dashboard.ts'
import { share } from '../support/ways.ts'
import { add, columnTime } from '../support/website.ts'
import { running, send } from '../support/weir.ts'

const hour = 3_600_000

let browser: Browser
let websiteId: string
let slug: string

const write = async (path: string, body: object) => {
  const headers = { authorization: `Bearer ${running.adminKey}`, 'content-type': 'application/json' }
  return (await send(path, { method: 'POST', headers, body: JSON.stringify(body) })).body
}

const paths = ['/blog/a', '/blog/b', '/pricing', '/Rain, wind']

beforeAll(async () => {
  browser = await startBrowser()
  ;({ websiteId, slug } = await share({ overview: true, events: true }))
  const rows = Array.from({ length: 48 }, (_, index) =>
    event({
      ...{ event_type: 1, event_id: randomUUID(), created_at: columnTime(Date.now() - (index * 11 + 1) * hour) },
      ...{ session_id: randomUUID(), visit_id: randomUUID() },
      ...{ url_path: paths[index % 4]!, country: ['DE', 'US', 'FR'][index % 3]!, os: `Windows ${7 + (index % 5)}` },
    }),
  )
  await add(websiteId, ...rows)
})
afterAll(() => browser?.close())

/** The filters of the last question about the figures; its answer is on the page. */
async function filtersOf({ page, asked }: OpenDashboard): Promise<unknown> {
  await settle(page)
  const path = lastTotals(asked)
  expect(await figureOf(page, 'views')).toBe(String((await answerTo(path)).pageviews))
  return JSON.parse(new URL(path, running.url).searchParams.get('filters') ?? '{}')
}

const chipsOf = (page: Page) => page.locator('.chip').allTextContents()

it('filters by any field and operator, with proposals, by keyboard, as its address says', async () => {
  const { id } = await write(`/api/websites/${websiteId}/segments`, {
    ...{ type: 'segment', name: 'Old <b>', parameters: { filters: [{ name: 'os', operator: 'c', value: '7' }] } },
  })
  const open = await openDashboard(browser, `/share/${slug}?path=c.blog&path=neq./blog/a`)
  const { page, faults, close } = open
  expect(await chipsOf(page)).toEqual(['Page contains blog', 'Page is not /blog/a'])
  expect(await filtersOf(open)).toEqual({ path: ['c.blog', 'neq./blog/a'] })
  expect(await figureOf(page, 'views')).toBe('12')

  // A click on a chip is the opposite.
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
  // A country is found by its name, and there may be several.
  await add('Country', 'is not')
  const choices = page.locator('.panel .choice')
  for (const [text, found] of [
    ['germ', ['Germany']],
    ['franc', ['Germany', 'France']],
  ] as const) {
    await page.keyboard.type(text)
    await expect.poll(() => choices.allTextContents()).toEqual(found)
    for (const _ of found) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByLabel('Value', { exact: true }).focus()
  }
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
  await choices.click()
  await page.getByRole('button', { name: 'Add filter' }).click()
  expect(await filtersOf(open)).toEqual({ segment: id })
  expect([await chipsOf(page), await figureOf(page, 'views')]).toEqual([['Segment is Old <b>'], '10'])

  // What the API refuses says why.
  await add('Hostname', 'matches')
  await page.keyboard.type('(')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').first().waitFor()
  expect(await page.getByRole('alert').first().textContent()).toContain('This cannot be asked')
  expect(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([])
  await close()
})
