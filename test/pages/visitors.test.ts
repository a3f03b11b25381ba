import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { sections } from '../../src/access/opening.ts'
import { date, event, number, string } from '../oracle/fixtures.ts'
import { hold } from '../support/browser.ts'
import { storedOf } from '../support/collecting.ts'
import { answerTo, expectForEveryone, lastAsked, openDashboard, settle } from '../support/dashboard.ts'
import { inTurn } from '../support/long.ts'
import { once } from '../support/once.ts'
import { newPerson, websiteOf } from '../support/people.ts'
import { configure, everything, moved, newVisit, record, replayOf } from '../support/recording.ts'
import { seed } from '../support/seed.ts'
import { call, identify } from '../support/session-data.ts'
import { browser } from '../support/shared-browser.ts'
import { openAs } from '../support/signed-in.ts'
import { share } from '../support/ways.ts'
import { add, columnTime } from '../support/website.ts'
import { get, running, send } from '../support/weir.ts'

const hour = 3_600_000
const evil = '<script>alert(1)</script>'

const ago = (hours: number) => columnTime(Date.now() - hours * hour)

/**
 * A website with thirteen visitors. One of them, Ada, visits three times with two browsers, and one of her visits is
 * recorded. Another buys something.
 */
const visited = once(async () => {
  const owner = await newPerson()
  const websiteId = await websiteOf({ userId: owner.id })
  await configure(websiteId, everything)
  const visit = await newVisit(websiteId, { url: '/start' })
  await record(visit, 'record', [moved(Date.now() - 2000), moved(Date.now() - 1000)])
  await replayOf(visit, 1)
  await storedOf([websiteId], 1)
  const ada = {
    distinct_id: 'ada@shop',
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
  const led = {
    session_id: randomUUID(),
    visit_id: randomUUID(),
    utm_source: 'letter',
    referrer_domain: 'news.example',
  }
  const german = { ...led, country: 'DE' }
  await add(
    websiteId,
    of(sessionId, earlier, 50, { url_path: '/pricing', url_query: 'a=1', referrer_domain: 'news.example' }),
    of(sessionId, earlier, 49.9, { event_type: 2, event_name: `buy ${evil}`, url_path: '/pricing' }, bought),
    of(randomUUID(), elsewhere, 80, { url_path: '/phone', device: 'mobile' }),
    ...Array.from({ length: 11 }, (_, index) =>
      of(randomUUID(), randomUUID(), 3 + index, { distinct_id: '', city: `Town ${index}`, url_path: '/blog' }),
    ),
    event({ ...german, event_type: 1, event_id: randomUUID(), created_at: ago(30), url_path: '/a' }),
    event({ ...german, event_id: randomUUID(), created_at: ago(29.9), event_name: 'sale', url_path: '/b' }),
  )
  const said = [string('name', `Ada ${evil}`), date('since', '2026-01-02T03:04:05.000Z')]
  await identify(websiteId, call(sessionId, ago(49), said, 'ada@shop'))
  return { owner, websiteId, sessionId, earlier, elsewhere, recorded: visit.visitId }
})

/** The CSV file that a list's button saves. */
async function savedBy(page: Page, name: string): Promise<string> {
  const button = page.getByRole('button', { name: new RegExp(`\\b${name}\\.csv$`) })
  const [download] = await Promise.all([page.waitForEvent('download'), button.press('Enter')])
  return readFileSync(await download.path(), 'utf8')
}

it('the dashboard lists sessions with their identify data; each visitor has a URL', async () => {
  const { owner, websiteId, sessionId, earlier, elsewhere, recorded } = await visited()
  const { body: towns } = await get(`/api/websites/${websiteId}/sessions`, { period: '24h', search: 'Town 3' })
  await identify(websiteId, call(towns.data[0].id, ago(1), [string('plan', 'gold')], 'anna'))
  const { page, faults, close } = await openAs(browser, owner, `/websites/${websiteId}`)
  await settle(page)
  const card = page.locator('[data-card=sessions]')
  const ids = () => card.locator('li').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-key')))
  const asked = async (query: object) =>
    (await get(`/api/websites/${websiteId}/sessions`, { period: 'last_30_days', pageSize: '10', ...query })).body
  const known = async (query: object) => (await asked(query)).data.map(({ id }: { id: string }) => id)
  expect(await ids()).toEqual(await known({}))
  await card.locator(`[data-key="${towns.data[0].id}"] bdi`, { hasText: 'anna' }).waitFor()
  await card.getByRole('button', { name: 'Next' }).press('Enter')
  await expect.poll(ids).toEqual(await known({ page: '2' }))
  await card.getByRole('searchbox').focus()
  await page.keyboard.type('ADA')
  await expect.poll(ids).toEqual(await known({ search: 'ADA' }))
  const row = card.locator(`[data-key="${sessionId}"]`)
  await row.locator('.session-said').waitFor()
  expect(await row.textContent()).toContain(`name: Ada ${evil}`)
  await expectForEveryone(page, 'sessions')

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
  await replay.waitFor()
  expect(await replay.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
    `/replays/${websiteId}/${recorded}`,
  ])
  const [, second] = await visits.all()
  expect(await second!.locator('bdi:not(.quiet)').allTextContents()).toEqual(['/pricing?a=1', `buy ${evil}`])
  await second!.locator('summary').press('Enter')
  await second!.locator('.properties').waitFor()
  expect(await second!.locator('.properties').textContent()).toBe(`plan${evil}seats5`)
  await expectForEveryone(page, 'a visitor')

  await page.reload()
  await dialog.locator('.visit').first().waitFor()
  expect(await savedBy(page, 'Visitor')).toContain('/pricing')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  // A closed dialog has no role, even before the page has handled the event.
  await expect.poll(() => new URL(page.url()).search).toBe('')
  expect(faults).toEqual([])
  await page.setViewportSize({ width: 1920, height: 900 })
  const widths = await page.locator('.is-wide > .card').evaluateAll((all) => all.map((one) => one.clientWidth))
  expect(widths).toEqual([widths[0], widths[0]])
  // A short list has no full view, but can be saved, too.
  expect(await savedBy(page, 'Events Events')).toContain(`buy ${evil}`)
  expect((await savedBy(page, 'Sessions')).split('\n').length).toBeGreaterThan(13)
  await page.goto(`${running.url}/replays/${websiteId}/${recorded}`)
  await page.getByRole('link', { name: 'Firefox, Linux, Desktop' }).click()
  await dialog.locator('.visit').first().waitFor()
  await close()
})

it('a share shows sessions without names or replays', async () => {
  const { websiteId, sessionId } = await visited()
  const { slug } = await share({ events: false, sessions: true }, { website_id: websiteId })
  const { page, faults, asked, close } = await openDashboard(browser, `/share/${slug}?visitor=${sessionId}`)
  const dialog = page.getByRole('dialog', { name: 'Visitor' })
  expect(await dialog.locator('.visit').count()).toBe(2)
  const text = await page.locator('body').textContent()
  for (const secret of ['ada@shop', `Ada ${evil}`, 'Watch', 'Filter by this id'])
    expect([secret, text!.includes(secret)]).toEqual([secret, false])
  expect(asked.filter((path) => path.includes('/replays'))).toEqual([])
  // Event properties belong to a different section.
  expect(await dialog.locator('summary').count()).toBe(0)
  await page.goto(`${running.url}/share/${slug}?visitor=${randomUUID()}`)
  await dialog.getByText('There is no such visitor here.').waitFor()
  faults.splice(0)
  await dialog.getByRole('button', { name: 'Close' }).press('Enter')
  await settle(page)
  expect(await page.locator('[data-card=sessions] li').count()).toBe(10)
  expect(faults).toEqual([])
  await close()
})

it('the dashboard has a card for each section that a share can open', async () => {
  const { websiteId } = await visited()
  const admin = { authorization: `Bearer ${running.adminKey}`, 'content-type': 'application/json' }
  const make = (kind: string, parameters: object) =>
    send(`/api/websites/${websiteId}/${kind}`, {
      ...{ method: 'POST', headers: admin, body: JSON.stringify({ name: kind, parameters }) },
    })
  await make('goals', { type: 'path', value: '/blog' })
  await make('funnels', { window: 60, steps: ['/pricing', '/blog'].map((value) => ({ type: 'path', value })) })
  const cards = { realtime: 'live', compare: 'overview', utm: 'sources', journeys: 'reports' }
  const named: Record<string, string> = { ...cards, attribution: 'reports', breakdown: 'reports' }
  // All sections pass through the same code, so each `npm test` run opens only some of them.
  for (const section of inTurn(sections, seed, 8)) {
    const { slug } = await share({ events: false, [section]: true }, { website_id: websiteId })
    const { page, faults, close } = await openDashboard(browser, `/share/${slug}`)
    const card = page.locator(`[data-card=${named[section] ?? section}]`)
    await card.waitFor()
    expect([section, await card.getByRole('alert').count(), faults]).toEqual([section, 0, []])
    await close()
  }
})

it('journeys, attribution and breakdown show the API’s figures, with the settings in the URL', async () => {
  const { websiteId } = await visited()
  const open = { journeys: true, attribution: true, breakdown: true, allowExport: true }
  const { slug } = await share({ events: false, ...open }, { website_id: websiteId })
  const { page, faults, asked, close } = await openDashboard(browser, `/share/${slug}`)
  const card = page.locator('[data-card=reports]')
  const rows = () =>
    card
      .locator('.row')
      .evaluateAll((all) =>
        all.map((row) => [
          row.querySelector('bdi')?.textContent,
          Number(row.querySelector('[data-count]')?.getAttribute('data-count')),
        ]),
      )
  const journeys = await answerTo(lastAsked(asked, 'journeys'))
  expect(await rows()).toEqual(
    journeys.map(({ items, count }: { items: string[]; count: number }) => [items.join(' → '), count]),
  )
  expect(await rows()).toContainEqual(['/a → sale', 1])
  await card.getByRole('searchbox').fill('SALE')
  await expect.poll(rows).toEqual([['/a → sale', 1]])
  expect((await savedBy(page, 'Journeys')).split('\n')[1]).toContain('sale')
  await expectForEveryone(page, 'journeys')

  await card.getByRole('tab', { name: 'Attribution' }).click()
  await card.getByLabel('Conversion').selectOption('Event sale')
  await expect.poll(rows).toEqual([['news.example', 1]])
  await card.getByLabel('Source').selectOption('UTM source')
  await expect.poll(rows).toEqual([['letter', 1]])
  await expectForEveryone(page, 'attribution')
  await page.reload()
  await settle(page)
  expect([await rows(), await page.locator('[data-figure=converted]').textContent()]).toEqual([[['letter', 1]], '1'])

  await card.getByRole('tab', { name: 'Breakdown' }).click()
  await card.getByText('/blog · United Kingdom').waitFor()
  const release = await hold(page, '**/breakdown?*')
  await card.getByLabel('and by').first().selectOption('Browser')
  expect(await card.textContent()).not.toContain('undefined')
  release()
  await card.getByLabel('and by').last().selectOption('Country')
  await expect.poll(rows).toContainEqual(['/blog · Firefox · United Kingdom', 11])
  await settle(page)
  const combinations = await answerTo(lastAsked(asked, 'breakdown'))
  expect((await rows()).map(([, count]) => count)).toEqual(
    combinations.slice(0, 10).map(({ visitors }: { visitors: number }) => visitors),
  )
  await expectForEveryone(page, 'breakdown')
  expect(faults).toEqual([])
  await close()
})
