import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { event } from '../oracle/fixtures.ts'
import { openPage, startBrowser, stored } from '../support/browser.ts'
import { share } from '../support/ways.ts'
import { add, columnTime } from '../support/website.ts'
import { get, running, send } from '../support/weir.ts'

const hour = 3_600_000
const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>'

let browser: Browser
let websiteId: string
let slug: string

beforeAll(async () => {
  browser = await startBrowser()
  ;({ websiteId, slug } = await share({ overview: true, events: true, theme: 'light' }))
  await send(`/api/websites/${websiteId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${running.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `Shop ${evil}` }),
  })
  const now = Date.now()
  const rows = Array.from({ length: 40 }, (_, index) => ({
    created_at: columnTime(now - (index * 20 + 1) * hour),
    event_id: randomUUID(),
    session_id: `0199e2b4-5c00-7000-8000-0000000000${10 + (index % 7)}`,
    visit_id: `0199e2b4-5c00-7000-8000-0000000001${10 + (index % 13)}`,
  }))
  await add(
    websiteId,
    ...rows.map((row, index) =>
      index % 4 === 3
        ? event({ ...row, event_type: 2, event_name: `buy ${evil}` })
        : event({ ...row, event_type: 1, url_path: index % 2 === 0 ? '/pricing' : `/${evil}` }),
    ),
  )
})
afterAll(() => browser?.close())

it('says in a sentence that no Chromium runs', async () => {
  vi.stubEnv('CHROMIUM', '/nothing')
  await expect(startBrowser()).rejects.toThrow(/^No Chromium runs here: .* set CHROMIUM to the path of one\.$/)
  vi.unstubAllEnvs()
})

describe('the front page', () => {
  it('lists the operations of the API, leads to the demo website, and asks about its last month with a key that it does not store', async () => {
    const { context, page, faults } = await openPage(browser, running.url)
    const demo = { contentType: 'text/javascript', body: `export const slug = '${slug}'` }
    await page.route('**/assets/demo.js', (route) => route.fulfill(demo))
    expect((await page.goto(running.url))?.status()).toBe(200)
    expect(await page.title()).toBe('Weir')
    const tags = page.locator('#explorer .opblock-tag')
    await tags.first().waitFor()
    const { body: document } = await send('/openapi.json')
    expect(await tags.evaluateAll((all) => all.map((one) => one.getAttribute('data-tag')))).toEqual(
      document.tags.map(({ name }: { name: string }) => name),
    )

    expect(await page.getByRole('link', { name: 'Look at the demo website' }).getAttribute('href')).toBe(
      `/share/${slug}`,
    )
    expect(await page.getByRole('button', { name: 'Authorize' }).isVisible()).toBe(false)
    await page.getByLabel('API key or token').fill(running.adminKey)
    await page.locator('[data-tag="Statistics"]').click()
    const operation = page.locator('#operations-Statistics-getWebsiteStats')
    await operation.locator('.opblock-summary-control').click()
    const [asked] = await Promise.all([
      page.waitForRequest((request) => request.url().includes('/stats?')),
      operation.getByRole('button', { name: 'Execute' }).click(),
    ])
    const { pathname, search, searchParams } = new URL(asked.url())
    expect(pathname).toBe(`/api/websites/${websiteId}/stats`)
    expect(Number(searchParams.get('endAt')) - Number(searchParams.get('startAt'))).toBe(30 * 24 * hour)
    const answer = operation.locator('.live-responses-table')
    await answer.waitFor()
    expect(await answer.locator('.response-col_status').last().textContent()).toContain('200')
    const { body } = await get(pathname + search)
    expect(body).toMatchObject({ pageviews: 27, visitors: 7 })
    expect(JSON.parse((await answer.locator('.highlight-code code').first().textContent()) ?? '')).toEqual(body)
    expect(await stored(page)).toEqual({ local: {}, session: {}, cookies: '' })
    expect(faults).toEqual([])
    await context.close()
  })

  it('is dark where the reader’s screen is', async () => {
    const { context, page, faults } = await openPage(browser, running.url, { colorScheme: 'dark' })
    await page.goto(running.url)
    expect(await page.locator('#demo').isVisible()).toBe(false)
    await page.locator('#explorer .opblock-tag').first().waitFor()
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(28, 32, 34)')
    expect(await page.evaluate('getComputedStyle(document.querySelector(".opblock-tag")).color')).not.toBe(
      'rgb(59, 65, 81)',
    )
    expect(faults).toEqual([])
    await context.close()
  })
})

it('a page of docs is no wider than a phone: its tables scroll', async () => {
  const { context, page, faults } = await openPage(browser, running.url, { viewport: { width: 360, height: 640 } })
  for (const name of ['api', 'deployment', 'benchmarks']) {
    await page.goto(`${running.url}/docs/${name}.md`)
    expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 360])
    const scrolling = `[...document.querySelectorAll('.scrolls')].filter((one) => one.scrollWidth > one.clientWidth)`
    expect([name, await page.evaluate(`${scrolling}.length`)]).toEqual([name, expect.toSatisfy((one) => one > 0)])
  }
  expect(faults).toEqual([])
  await context.close()
})

it('says so where nothing is shared', async () => {
  const { context, page, faults } = await openPage(browser, running.url)
  expect((await page.goto(`${running.url}/share/${randomUUID()}`))?.status()).toBe(404)
  expect(await page.locator('h1').textContent()).toBe('Nothing is shared here')
  expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
  await context.close()
})
