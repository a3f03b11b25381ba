import { randomUUID } from 'node:crypto'
import type { BrowserContextOptions, Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { event } from '../oracle/fixtures.ts'
import { look, openPage, routeFirst, startBrowser, stored, unreadable } from '../support/browser.ts'
import { expectForEveryone } from '../support/dashboard.ts'
import { inTurn, isLong } from '../support/long.ts'
import { newPerson, websiteOf } from '../support/people.ts'
import { seed } from '../support/seed.ts'
import { browser } from '../support/shared-browser.ts'
import { tokenOf } from '../support/signed-in.ts'
import { share } from '../support/ways.ts'
import { add, columnTime } from '../support/website.ts'
import { get, running, send } from '../support/weir.ts'

const hour = 3_600_000
const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>'

/** Window sizes from a phone to a large screen. */
const sizes = [
  [320, 640],
  [1280, 720],
  [1920, 1080],
] as const

const isInWindow = (one: { getBoundingClientRect: () => { top: number; bottom: number } }): boolean => {
  const { top, bottom } = one.getBoundingClientRect()
  return top >= 0 && bottom <= (globalThis as unknown as { innerHeight: number }).innerHeight
}

let websiteId: string
let slug: string

beforeAll(async () => {
  ;({ websiteId, slug } = await share({ overview: true, events: true, realtime: true, theme: 'light' }))
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

it('a missing Chromium is reported in one sentence', async () => {
  vi.stubEnv('CHROMIUM', '/nothing')
  await expect(startBrowser()).rejects.toThrow(/^No Chromium runs here: .* set CHROMIUM to the path of one\.$/)
  vi.unstubAllEnvs()
})

/** A page that treats this share as if it were the demo website's. */
async function openWithDemo(options: BrowserContextOptions = {}) {
  const opened = await openPage(browser, running.url, { reducedMotion: 'reduce', ...options })
  const demo = { contentType: 'text/javascript', body: `export const slug = '${slug}'` }
  await opened.page.route('**/assets/demo.js', (route) => route.fulfill(demo))
  return opened
}

const background = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor')

describe('the front page', () => {
  it('shows the demo website live, and a request with its response', async () => {
    const { context, page, faults } = await openWithDemo({ permissions: ['clipboard-read', 'clipboard-write'] })
    const periods: (string | null)[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (/\/(stats|pageviews)$/.test(pathname)) periods.push(searchParams.get('period'))
    })
    expect((await page.goto(running.url))?.status()).toBe(200)
    expect(await page.title()).toBe('Weir')
    await page.locator('.answer').waitFor()
    const curl = (await page.locator('.is-ask .copyable pre').textContent())!
    const answer = JSON.parse((await page.locator('.answer').textContent())!)
    expect(answer).toMatchObject({ pageviews: 27, visitors: 7 })
    expect(new Set(periods)).toEqual(new Set(['last_30_days']))
    const url = /^curl '(.*)'$/.exec(curl)![1]!
    expect(await (await fetch(url)).json()).toEqual(answer)
    await page.locator('.is-ask').getByRole('button', { name: 'Copy' }).click()
    await page.locator('.is-ask').getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(curl)
    const tag = `<script defer src="${running.url}/script.js" data-website-id="${websiteId}"></script>`
    expect(await page.locator('.is-count pre').textContent()).toBe(tag)

    const live = page.locator('[data-figure=live]')
    await expect.poll(() => live.textContent()).toBe('0')
    const now = { created_at: columnTime(Date.now()), event_id: randomUUID(), session_id: randomUUID() }
    await add(websiteId, event({ ...now, event_type: 1 }))
    await expect.poll(() => live.textContent()).toBe('1')
    // While the page is hidden, it closes the connection. When it becomes visible, it shows new data.
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/realtime/'))
    await look(page, false)
    await ended
    await add(websiteId, event({ ...now, event_id: randomUUID(), session_id: randomUUID(), event_type: 1 }))
    await look(page, true)
    await expect.poll(() => live.textContent()).toBe('2')
    expect(await page.getByRole('link', { name: 'Open the dashboard' }).getAttribute('href')).toBe(`/share/${slug}`)
    expect(await stored(page)).toEqual({ local: {}, session: {}, cookies: '' })
    expect(faults).toEqual([])
    await context.close()
  })

  it('begins with its purpose, a picture and the command, on a phone and on a large screen', async () => {
    const { page, faults, close } = await openPage(browser, running.url)
    await page.goto(running.url)
    const parts = ['h1', 'text=For owners of websites', '.shot img', '.commands']
    const picture = page.locator(parts[2]!)
    const sizeOf = (one: { naturalWidth: number; naturalHeight: number }) => [one.naturalWidth, one.naturalHeight]
    await expect.poll(() => picture.evaluate(sizeOf)).toEqual([1280, 800])
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      const tops = await Promise.all(parts.map(async (one) => (await page.locator(one).boundingBox())!.y))
      expect([width, tops]).toEqual([width, [...tops].sort((one, other) => one - other)])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
    expect(faults).toEqual([])
    await close()
  })

  it('shows no figures if there is no demo website', async () => {
    const { page, faults, close } = await openPage(browser, running.url)
    await page.goto(running.url)
    await page.locator('.answer').waitFor()
    expect(await page.locator('.is-ask .copyable pre').textContent()).toBe(`curl '${running.url}/health'`)
    expect(JSON.parse((await page.locator('.answer').textContent())!)).toEqual((await send('/health')).body)
    expect(await page.locator('.demo').count()).toBe(0)
    expect(await page.locator('.is-count pre').textContent()).toContain('data-website-id="YOUR-ID"')
    expect(faults).toEqual([])
    await close()
  })
})

/** The tags that the explorer shows here, in order: all take it five seconds of processor time. */
const shownTags = ({ tags }: { readonly tags: readonly { readonly name: string }[] }): string[] =>
  tags
    .map(({ name }) => name)
    .filter((name, place) => isLong || place < 4 || name === 'Events' || name === 'Statistics')

/** Keeps the paths that these tests use, and one for each other tag that is shown. */
async function withFewOperations(route: Route): Promise<void> {
  const document = await (await route.fetch()).json()
  const shown = shownTags(document)
  const missing = new Set(shown.filter((name) => name !== 'Events' && name !== 'Statistics'))
  const paths = Object.entries<Record<string, { tags: string[] }>>(document.paths).filter(([path, operations]) => {
    const found = Object.values(operations).flatMap(({ tags }) => tags.filter((tag) => missing.delete(tag)))
    return found.length > 0 || /^\/api\/websites\/\{websiteId\}\/(events|stats)$/.test(path)
  })
  const tags = document.tags.filter(({ name }: { name: string }) => shown.includes(name))
  await route.fulfill({ json: { ...document, tags, paths: Object.fromEntries(paths) } })
}

describe('the explorer', () => {
  /** The open explorer, in which the second test continues, because it takes seconds of processor time to start. */
  let opened: Awaited<ReturnType<typeof openWithDemo>>
  const execute = () =>
    opened.page.locator('#operations-Events-getWebsiteEvents').getByRole('button', { name: 'Execute' })

  async function executed() {
    const { page } = opened
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().includes('/events?')),
      execute().click(),
    ])
    return { url: answer.url(), status: answer.status(), text: await page.locator('#rights').textContent() }
  }

  it('opens an operation with Execute visible, and sends it with the user’s rights', async () => {
    opened = await openWithDemo()
    const { page, context, faults } = opened
    const person = await newPerson()
    const own = await websiteOf({ userId: person.id })
    await page.goto(`${running.url}/docs/pages.md`)
    await page.evaluate(`localStorage['weir.token'] = '${tokenOf(person)}'`)
    if (!isLong) await page.route('**/openapi.json', withFewOperations)
    await routeFirst(page, '**/openapi.json', unreadable)
    await page.goto(`${running.url}/explorer`)
    await page.getByText('The operations cannot be read right now.').waitFor()
    await page.reload()
    expect(await executed()).toEqual({
      url: `${running.url}/api/websites/${own}/events?period=last_30_days&page=1&pageSize=20&match=all`,
      ...{ status: 200, text: 'You are signed in: requests have your rights.' },
    })
    // This signs out in another tab.
    const other = await context.newPage()
    await other.goto(`${running.url}/websites`)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Requests may read the demo website. For more, sign in or enter a key.').waitFor()
    await other.close()
    // A page in the background draws nothing, and clicks wait for that.
    await page.bringToFront()
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      await page.evaluate('scrollTo(0, 0)')
      await execute().waitFor()
      expect([width, await execute().evaluate(isInWindow)]).toEqual([width, true])
    }
    expect(await executed()).toMatchObject({
      url: `${running.url}/api/websites/${websiteId}/events?period=last_30_days&page=1&pageSize=20&match=all`,
      status: 200,
    })
    expect(faults.filter((fault) => !fault.includes('503'))).toEqual([])
    faults.length = 0
  })

  it('lists the API’s operations, and queries the demo website with a key that it does not store', async () => {
    const { page, faults, close } = opened
    const tags = page.locator('#explorer .opblock-tag')
    await tags.first().waitFor()
    const { body: document } = await send('/openapi.json')
    expect(await tags.evaluateAll((all) => all.map((one) => one.getAttribute('data-tag')))).toEqual(
      shownTags(document as Parameters<typeof shownTags>[0]),
    )
    expect(await page.getByRole('button', { name: 'Authorize' }).isVisible()).toBe(false)
    await page.getByLabel('API key or token').fill(running.adminKey)
    await page.getByLabel('Find a tag or a path').fill('Statistics')
    await expect.poll(() => tags.count()).toBeLessThan(5)
    await page.locator('[data-tag="Statistics"]').getByRole('button').first().press('Enter')
    const operation = page.locator('#operations-Statistics-getWebsiteStats')
    await operation.locator('.opblock-summary-control').click()
    const [asked] = await Promise.all([
      page.waitForRequest((request) => request.url().includes('/stats?')),
      operation.getByRole('button', { name: 'Execute' }).click(),
    ])
    const { pathname, search, searchParams } = new URL(asked.url())
    expect(pathname).toBe(`/api/websites/${websiteId}/stats`)
    expect([searchParams.get('period'), searchParams.has('startAt')]).toEqual(['last_30_days', false])
    const answer = operation.locator('.live-responses-table')
    await answer.waitFor()
    expect(await answer.locator('.response-col_status').last().textContent()).toContain('200')
    const { body } = await get(pathname + search)
    expect(body.pageviews).toBeGreaterThan(26)
    expect(JSON.parse((await answer.locator('.highlight-code code').first().textContent()) ?? '')).toEqual(body)
    expect(await stored(page)).toEqual({ local: {}, session: {}, cookies: '' })
    await expectForEveryone(page, 'the explorer with an answer')
    expect(faults).toEqual([])

    // The page in the back/forward cache contains no key. Neither does the displayed request.
    expect(await page.content()).toContain(running.adminKey)
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`)
    expect([await page.getByLabel('API key').inputValue(), await page.content()]).toEqual([
      '',
      expect.not.stringContaining(running.adminKey),
    ])
    await page.route('**/explorer', (route) => route.abort())
    await Promise.all([
      page.waitForRequest('**/explorer'),
      page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`),
    ])
    await close()
  })
})

it('the front page, the docs and the page for a broken link are accessible and look alike', async () => {
  const { page, faults, close } = await openWithDemo()
  for (const [path, last, status] of [
    ['/', '.answer', 200],
    ['/docs/pages.md', '#menu', 200],
    [`/share/${randomUUID()}`, 'h1', 404],
  ] as const) {
    expect([path, (await page.goto(running.url + path))?.status()]).toEqual([path, status])
    await page.locator(last).first().waitFor()
    await expectForEveryone(page, path)
    expect([path, await background(page)]).toEqual([path, 'rgb(11, 16, 19)'])
  }
  expect(await page.locator('h1').textContent()).toBe('Nothing is shared here')
  expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
  await close()
})

it('a docs page is no wider than a phone, because its tables scroll', async () => {
  const { page, faults, close } = await openPage(browser, running.url, { viewport: { width: 360, height: 640 } })
  for (const name of inTurn(['api', 'deployment', 'benchmarks'], seed, 3)) {
    await page.goto(`${running.url}/docs/${name}.md`)
    expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 360])
    const scrolling = `[...document.querySelectorAll('.scrolls')].filter((one) => one.scrollWidth > one.clientWidth)`
    expect([name, await page.evaluate(`${scrolling}.length`)]).toEqual([name, expect.toSatisfy((one) => one > 0)])
    await page.getByRole('link', { name: 'All pages' }).click()
    await page.locator('#menu [aria-current=page]').click()
    expect(new URL(page.url()).pathname).toBe(`/docs/${name}.md`)
  }
  expect(faults).toEqual([])
  await close()
})
