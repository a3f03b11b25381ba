import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { date, event, number, string } from '../oracle/fixtures.ts'
import { startBrowser } from '../support/browser.ts'
import { answerTo, expectForEveryone, lastAsked, openDashboard, rowsOf, settle } from '../support/dashboard.ts'
import { newPerson, websiteOf } from '../support/people.ts'
import { configure, everything, moved, newVisit, record, replayOf } from '../support/recording.ts'
import { call, identify } from '../support/session-data.ts'
import { openAs } from '../support/signed-in.ts'
import { share } from '../support/ways.ts'
import { add, columnTime } from '../support/website.ts'
import { get, running } from '../support/weir.ts'

const hour = 3_600_000
const evil = '<script>alert(1)</script>'

let browser: Browser

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

const ago = (hours: number) => columnTime(Date.now() - hours * hour)

/** A website of twelve visitors, of whom Ada was there three times, in two browsers; one of her visits is recorded. */
async function visited() {
  const owner = await newPerson()
  const websiteId = await websiteOf({ userId: owner.id })
  await configure(websiteId, everything)
  const visit = await newVisit(websiteId, { url: '/start' })
  await record(visit, 'record', [moved(Date.now() - 2000), moved(Date.now() - 1000)])
  await replayOf(visit, 1)
  const ada = {
    distinct_id: 'ada',
    country: 'GB',
    city: 'London',
    browser: 'firefox',
    os: 'Windows 10',
    device: 'laptop',
  }
  const of = (session_id: string, visit_id: string, hours: number, more: object = {}, properties = [] as never[]) =>
    event(
      {
        ...ada,
        event_type: 1,
        event_id: randomUUID(),
        session_id,
        visit_id,
        created_at: ago(hours),
        url_path: '/',
        ...more,
      },
      properties,
    )
  const { sessionId } = visit
  const [earlier, elsewhere] = [randomUUID(), randomUUID()]
  const bought = [string('plan', evil), number('seats', '5')] as never[]
  await add(
    websiteId,
    of(sessionId, earlier, 50, { url_path: '/pricing', url_query: 'a=1', referrer_domain: 'news.example' }),
    of(sessionId, earlier, 49.9, { event_type: 2, event_name: `buy ${evil}`, url_path: '/pricing' }, bought),
    of(randomUUID(), elsewhere, 80, { url_path: '/phone', device: 'mobile' }),
    ...Array.from({ length: 11 }, (_, index) =>
      of(randomUUID(), randomUUID(), 3 + index, { distinct_id: '', city: `Town ${index}`, url_path: '/blog' }),
    ),
  )
  const said = [string('name', `Ada ${evil}`), date('since', '2026-01-02T03:04:05.000Z')]
  await identify(websiteId, call(sessionId, ago(49), said, 'ada'))
  return { owner, websiteId, sessionId, earlier, elsewhere, recorded: visit.visitId }
}

it('lists sessions with what identify said of them, and shows one visitor at an address of its own', async () => {
  const { owner, websiteId, sessionId, earlier, elsewhere, recorded } = await visited()
  const { context, page, faults } = await openAs(browser, owner, `/websites/${websiteId}`)
  await settle(page)
  const card = page.locator('[data-card=sessions]')
  const ids = () => card.locator('li').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')))
  const asked = async (query: object) =>
    (await get(`/api/websites/${websiteId}/sessions`, { period: 'last_30_days', pageSize: '10', ...query })).body
  const known = async (query: object) => (await asked(query)).data.map(({ id }: { id: string }) => id)
  if (process.env.SHOTS) {
    await page.screenshot({ path: '/tmp/shots/own.png', fullPage: true })
  }
  expect(await ids()).toEqual(await known({}))
  await card.getByRole('button', { name: 'Next' }).press('Enter')
  await expect.poll(ids).toEqual(await known({ page: '2' }))
  await card.getByRole('searchbox').focus()
  await page.keyboard.type('ADA')
  await expect.poll(ids).toEqual(await known({ search: 'ADA' }))
  const row = card.locator(`[data-key="${sessionId}"]`)
  await row.locator('.session-said').waitFor()
  expect(await row.textContent()).toContain(`name: Ada ${evil}`)
  await expectForEveryone(page, 'sessions')
  if (process.env.SHOTS) {
    await page.setViewportSize({ width: 320, height: 640 })
    await card.screenshot({ path: '/tmp/shots/card-320.png' })
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  await row.getByRole('link').press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Visitor' })
  await dialog.locator('.visit').first().waitFor()
  expect(new URL(page.url()).searchParams.get('visitor')).toBe(sessionId)
  expect(await dialog.locator('.properties').first().textContent()).toContain(`nameAda ${evil}`)
  const visits = dialog.locator('.visit')
  expect(await visits.evaluateAll((all) => all.map((one) => one.getAttribute('data-key')))).toEqual([
    recorded,
    earlier,
    elsewhere,
  ])
  const replay = dialog.getByRole('link', { name: 'Watch' })
  expect(await replay.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
    `/replays/${websiteId}/${recorded}`,
  ])
  const [, second] = await visits.all()
  expect(await second!.locator('bdi:not(.quiet)').allTextContents()).toEqual(['/pricing?a=1', `buy ${evil}`])
  await second!.locator('summary').press('Enter')
  await second!.locator('.properties').waitFor()
  expect(await second!.locator('.properties').textContent()).toBe(`plan${evil}seats5`)
  await expectForEveryone(page, 'a visitor')
  if (process.env.SHOTS) {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.screenshot({ path: '/tmp/shots/visitor-320.png' })
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.screenshot({ path: '/tmp/shots/visitor.png' })
  }

  await page.reload()
  await dialog.locator('.visit').first().waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect([new URL(page.url()).search, faults]).toEqual(['', []])
  await context.close()
})
