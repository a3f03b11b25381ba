import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { event, string } from '../oracle/fixtures.ts'
import { routeFirst, unreadable } from '../support/browser.ts'
import { expectForEveryone, figureOf, openDashboard, settle } from '../support/dashboard.ts'
import { join, newPerson, newTeam, type Person, type Team, websiteOf } from '../support/people.ts'
import { browser } from '../support/shared-browser.ts'
import { openAs } from '../support/signed-in.ts'
import { share } from '../support/ways.ts'
import { add, columnTime } from '../support/website.ts'
import { send } from '../support/weir.ts'

const [minute, day] = [60_000, 86_400_000]
const evil = '<img src=x onerror=alert(1)>'

let owner: Person
let team: Team
let websiteId: string

const row = (at: number, session: string, own: object) => ({
  ...{ created_at: columnTime(at), session_id: session, visit_id: session, event_id: randomUUID() },
  ...own,
})

beforeAll(async () => {
  owner = await newPerson()
  team = await newTeam(owner)
  websiteId = await websiteOf({ teamId: team.id })
  // Ten visitors see the prices, six of whom go to the cart, and three buy. Four of the ten are in Germany.
  const visits = Array.from({ length: 10 }, (_, index) => {
    const [at, session, country] = [Date.now() - day - index * minute * 60, randomUUID(), index < 4 ? 'DE' : 'FR']
    const view = (url_path: string, after: number) =>
      event({ ...row(at + after * minute, session, { event_type: 1, url_path, country }) })
    const sale = { event_type: 2, event_name: `buy ${evil}`, url_path: '/cart', country } as const
    return [
      view('/pricing', 0),
      ...(index < 6 ? [view(`/cart/${evil}`, 1)] : []),
      ...(index < 3 ? [event({ ...row(at + 2 * minute, session, sale) }, [string('plan', 'pro')])] : []),
    ]
  })
  await add(websiteId, ...visits.flat())
})

const ask = async (path: string, body?: object) => {
  const headers = { ...owner.headers, 'content-type': 'application/json' }
  const how = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  return (await send(`/api/websites/${websiteId}/${path}`, { headers, ...how })).body
}

/** Presses the button with the keyboard. */
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).press('Enter')

/** Opens the form for a goal or a funnel. Its first field has the focus. */
async function openForm(page: Page, name: string): Promise<void> {
  await press(page, name)
  await page.getByLabel('Step 1', { exact: true }).and(page.locator(':focus')).waitFor()
}

/** The counts shown in the form. */
const results = (page: Page) =>
  page.locator('.result').evaluateAll((all) => all.map((one) => one.getAttribute('data-count')))

/** The rows of a card, each with its name and count. */
const counted = (page: Page, card: string) =>
  page
    .locator(`[data-card=${card}] .row`)
    .evaluateAll((all) =>
      all.map((one) => [one.getAttribute('data-key'), one.querySelector('[data-count]')?.textContent]),
    )

/** The name and value of the field that has the focus. */
const focused = (page: Page) => page.evaluate('[document.activeElement.name, document.activeElement.value]')

/** The page's faults, except refusals: it may request a deleted item once more before the item disappears. */
const withoutRefusals = (faults: readonly string[]) => faults.filter((fault) => !/status of (400|404)/.test(fault))

/** A closed dialog has no role, even before the page has handled the event. */
const closed = (page: Page) => page.locator('dialog').waitFor({ state: 'detached' })

it('goals can be created, changed and deleted by keyboard, with suggested values and their counts', async () => {
  const { page, faults, close } = await openAs(browser, owner, `/websites/${websiteId}?country=DE`)
  await page.getByText('A goal counts the visitors').waitFor()
  await openForm(page, 'New goal')
  await page.keyboard.type('/PRI')
  expect(await page.getByLabel('Step 1', { exact: true }).inputValue()).toBe('/PRI')
  const proposals = page.locator('.proposals .choice:visible')
  const proposed = () => proposals.allTextContents()
  await expect.poll(proposed).toEqual(['/pricing'])
  await expectForEveryone(page, 'values that are proposed')
  const [field, first] = [
    (await page.getByLabel('Step 1', { exact: true }).boundingBox())!,
    (await proposals.boundingBox())!,
  ]
  expect(first.y - field.y - field.height).toBeLessThan(15)
  const active = () => page.evaluate('document.activeElement.dataset.value ?? document.activeElement.ariaLabel')
  await page.keyboard.press('ArrowDown')
  expect(await active()).toBe('/pricing')
  await page.keyboard.press('Escape')
  expect(await active()).toBe('Step 1')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await page.getByLabel('Step 1', { exact: true }).and(page.locator(':focus')).inputValue()).toBe('/pricing')
  expect(await proposed()).toEqual([])
  await page.getByLabel('Step 1', { exact: true }).fill('/pric*')
  await expect.poll(() => results(page)).toEqual(['4'])
  await expectForEveryone(page, 'a new goal')
  await page.getByLabel('Name', { exact: true }).press('Enter')
  await closed(page)
  await expect.poll(() => counted(page, 'goals')).toEqual([['Visit /pric*', '4']])
  expect(await page.evaluate('document.activeElement.title')).toBe('New goal')

  await press(page, 'Edit Visit /pric*')
  await page.getByLabel('Kind of step 1').selectOption('Event')
  await page.getByLabel('Step 1', { exact: true }).focus()
  await expect.poll(proposed).toEqual([`buy ${evil}`])
  await proposals.click()
  await expect.poll(() => results(page)).toEqual(['3'])
  await page.getByLabel('Name', { exact: true }).fill('')
  await press(page, 'Save')
  await closed(page)
  await expect.poll(() => counted(page, 'goals')).toEqual([[`buy ${evil}`, '3']])
  const [{ parameters }] = (await ask('goals')).data
  expect(parameters).toEqual({ type: 'event', value: `buy ${evil}` })

  await press(page, `Edit buy ${evil}`)
  await press(page, /^Delete…/)
  await press(page, /^Delete /)
  await closed(page)
  await page.getByText('A goal counts the visitors').waitFor()
  expect([(await ask('goals')).count, withoutRefusals(faults)]).toEqual([0, []])
  await close()
})

it('funnels can be created, changed and deleted; the form counts each step and keeps unknown fields', async () => {
  const { page, faults, close } = await openAs(browser, owner, `/websites/${websiteId}`)
  await openForm(page, 'New funnel')
  await page.keyboard.type('/pricing')
  await page.getByLabel('Step 2', { exact: true }).fill('/cart/*')
  await expect.poll(() => results(page)).toEqual(['10', '6'])
  await press(page, 'Add a step')
  await page.getByLabel('Kind of step 3').selectOption('Event')
  await page.getByLabel('Step 3', { exact: true }).fill('buy*')
  await expect.poll(() => results(page)).toEqual(['10', '6', '3'])
  expect(await page.locator('.result .quiet').allTextContents()).toEqual(['100%', '60%', '30%'])
  await page.getByLabel(/^Maximum time/).fill('0.5')
  await expect.poll(() => results(page)).toEqual(['10', '0', '0'])
  await page.getByLabel(/^Maximum time/).fill('1')
  await expect.poll(() => results(page)).toEqual(['10', '6', '3'])
  await expectForEveryone(page, 'a new funnel')
  await press(page, 'Create')
  await closed(page)
  const bars = [
    ['/pricing', '10'],
    ['/cart/*', '6'],
    ['buy*', '3'],
  ]
  await expect.poll(() => counted(page, 'funnels')).toEqual(bars)

  const steps = [
    { type: 'path', value: '/cart/*' },
    { type: 'event', value: 'buy*', filters: [{ property: 'plan', operator: 'eq', value: 'pro' }] },
  ]
  const { id } = await ask('funnels', { name: 'Paid', description: 'x', parameters: { window: 30, steps } })
  await page.goto(`${page.url().replace(/\?.*/, '')}?funnel=${id}`)
  await expect.poll(() => counted(page, 'funnels')).toEqual([bars[1], bars[2]])
  await press(page, 'Edit Paid')
  await page.getByText('With conditions on its properties.').waitFor()
  await press(page, 'Add a step')
  await press(page, 'Remove step 3')
  await page.getByLabel('Name', { exact: true }).fill('Paid for')
  await press(page, 'Save')
  await closed(page)
  await expect.poll(() => page.getByLabel('Funnel').locator('option:checked').textContent()).toBe('Paid for')
  const stored = (await ask('funnels')).data.find((one: { id: string }) => one.id === id)
  expect(stored).toMatchObject({ name: 'Paid for', description: 'x', parameters: { window: 30, steps } })
  await expectForEveryone(page, 'funnels to choose from')

  await press(page, 'Edit Paid for')
  await press(page, /^Delete…/)
  await press(page, /^Delete /)
  await closed(page)
  await expect.poll(() => counted(page, 'funnels')).toEqual(bars)
  // If the API refuses a funnel, the reason is shown.
  await openForm(page, 'New funnel')
  await page.keyboard.type('a')
  await page.getByLabel('Step 2', { exact: true }).fill('b')
  await page.getByLabel('Name', { exact: true }).fill('\u0000')
  await press(page, 'Create')
  await expect.poll(() => page.locator('dialog .message').textContent()).toMatch(/^Name: /)
  expect(withoutRefusals(faults)).toEqual([])
  await close()
})

it('notes can be written, changed and deleted on the chart, on their day in each time zone', async () => {
  const yesterday = new Date(Date.now() - day).toISOString().slice(0, 10)
  const range = `?period=custom&from=${yesterday}&to=${yesterday}&zone=Pacific/Honolulu`
  const { page, faults, close } = await openAs(browser, owner, `/websites/${websiteId}${range}`)
  await press(page, 'Notes')
  await page.getByText('No notes on these days.').waitFor()
  expect(await page.getByLabel('Day').inputValue()).toBe(yesterday)
  expect(await focused(page)).toEqual(['note', ''])
  await page.keyboard.type(`New prices ${evil}`)
  await page.keyboard.press('Enter')
  await page.locator('dialog .item').waitFor()
  // The focus stays in the field for the next entry.
  expect(await focused(page)).toEqual(['note', ''])
  expect((await ask('annotations')).data).toMatchObject([
    { date: `${yesterday}T00:00:00.000Z`, allDay: true, note: `New prices ${evil}` },
  ])
  await expectForEveryone(page, 'notes')
  await page.keyboard.press('Escape')
  await closed(page)
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Notes')
  // The note is on the first hour of the day.
  await settle(page)
  await page.locator('.plot canvas').waitFor()
  await page.getByRole('slider').press('Home')
  expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toContain(`; New prices ${evil}`)

  await press(page, 'Notes')
  // A viewer who goes on while the dialog closes keeps the focus.
  const goOn = `document.querySelector('dialog').close(); document.querySelector('[role=slider]').focus()`
  await page.getByRole('dialog').waitFor()
  await page.evaluate(goOn)
  await page.locator('dialog').waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.role')).toBe('slider')
  await press(page, 'Notes')
  await press(page, `Edit New prices ${evil}`)
  expect(await focused(page)).toEqual(['date', yesterday])
  await page.locator('.item').getByLabel('Note').fill('Lower prices')
  await press(page, 'Save')
  await page.locator('.item').getByText('Lower prices').first().waitFor()
  await press(page, 'Delete… Lower prices')
  await press(page, 'Delete Lower prices')
  await page.getByText('No notes on these days.').waitFor()
  expect([(await ask('annotations')).count, faults]).toEqual([0, []])
  await close()
})

it('filters can be saved as a segment, which can be used, renamed and deleted; other filters stay', async () => {
  const path = `/websites/${websiteId}?country=DE&path=c.cart&match=any&eventType=1&epf.1.plan=pro`
  const { page, faults, close } = await openAs(browser, owner, path)
  const chips = () => page.locator('.chip').allTextContents()
  await settle(page)
  expect(await chips()).toEqual([
    ...['Country is Germany', 'Page contains cart', 'Filters: one is enough', 'Event type is Page view'],
    'plan is pro',
  ])
  await press(page, 'Remove plan is pro')
  await settle(page)
  // These are four visitors from Germany, and two more who saw the cart.
  expect(await figureOf(page, 'visitors')).toBe('6')
  await press(page, 'Save as segment')
  await page.getByText('These stay beside it: Event type is Page view').waitFor()
  await expectForEveryone(page, 'a new segment')
  await page.getByLabel('Name', { exact: true }).fill(`Buyers ${evil}`)
  await page.keyboard.press('Enter')
  await closed(page)
  await expect.poll(chips).toEqual([`Segment is Buyers ${evil}`, 'Event type is Page view'])
  await settle(page)
  expect(await figureOf(page, 'visitors')).toBe('6')
  const [{ id, parameters }] = (await ask('segments?type=segment')).data
  expect(parameters).toEqual({
    match: 'any',
    filters: [
      { name: 'country', operator: 'eq', value: ['DE'] },
      { name: 'path', operator: 'c', value: 'cart' },
    ],
  })
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ segment: id, eventType: '1' })

  const openSegments = async () => {
    await page.getByRole('button', { name: /Filter$/ }).press('Enter')
    await press(page, 'Segments and cohorts')
  }
  await press(page, 'Remove all')
  const action = { type: 'event', value: `buy ${evil}` }
  await ask('segments', { type: 'cohort', name: 'Paid', parameters: { action, dateRange: '7day' } })
  // If the user's rights cannot be read, the page asks for them again.
  await routeFirst(page, '**/shares?*', unreadable)
  await page.reload()
  await page.getByRole('button', { name: 'New goal' }).waitFor()
  await openSegments()
  await page.getByText(`Did buy ${evil}`).waitFor()
  await press(page, 'Use Paid')
  await expect.poll(chips).toEqual(['Cohort is Paid'])
  await expect.poll(() => figureOf(page, 'visitors')).toBe('3')
  await press(page, 'Remove Cohort is Paid')
  await openSegments()
  await page.getByText('Country is Germany or Page contains cart').waitFor()
  // Escape closes only what was opened last.
  await press(page, `Rename Buyers ${evil}`)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `Rename Buyers ${evil}` }).waitFor()
  await page.keyboard.press('Escape')
  await closed(page)
  await page.getByRole('button', { name: 'Segments and cohorts' }).and(page.locator(':focus')).press('Enter')
  await press(page, `Rename Buyers ${evil}`)
  await page.locator('.item').getByLabel('Name', { exact: true }).fill('Shoppers')
  await press(page, 'Save')
  await press(page, 'Use Shoppers')
  await closed(page)
  await expect.poll(chips).toEqual(['Segment is Shoppers'])
  // A card that still asks for a deleted segment gets a 400.
  await settle(page)
  await openSegments()
  await expectForEveryone(page, 'segments')
  await press(page, 'Delete… Shoppers')
  await press(page, 'Delete Shoppers')
  await page.getByText('Set filters, then choose').waitFor()
  expect([await chips(), (await ask('segments?type=segment')).count]).toEqual([[], 0])
  expect(faults.filter((fault) => !fault.includes('503'))).toEqual([])
  await close()
})

it('viewers see what is open to them, but no buttons to change it', async () => {
  await ask('goals', { name: 'Prices', parameters: { type: 'path', value: '/pricing' } })
  await ask('annotations', { date: new Date(Date.now() - day).toISOString(), note: 'n' })
  const viewer = await newPerson()
  await join(team, viewer, 'team-view-only')
  const buttons = (page: Page) => page.getByRole('button', { name: /^(New |Edit |Notes|Save as segment)/ }).count()
  const { page, close } = await openAs(browser, viewer, `/websites/${websiteId}?country=DE`)
  await expect.poll(() => counted(page, 'goals')).toEqual([['Prices', '4']])
  await settle(page)
  expect(await buttons(page)).toBe(0)
  await close()
  for (let left = 9; left > 0; left--) {
    await ask('goals', { name: `Cart ${left}`, parameters: { type: 'path', value: '/cart/*' } })
  }
  const { slug } = await share({ overview: true, goals: true }, { website_id: websiteId })
  const shared = await openDashboard(browser, `/share/${slug}?country=DE&excludeBounce=true&match=all`)
  const carts = Array.from({ length: 9 }, (_, index) => [`Cart ${index + 1}`, '4'])
  await expect.poll(() => counted(shared.page, 'goals')).toEqual(carts)
  await shared.page.locator('[data-card=goals] .more').press('Enter')
  await expect.poll(() => counted(shared.page, 'goals')).toEqual([...carts, ['Prices', '4']])
  expect([await buttons(shared.page), await shared.page.locator('[data-card=funnels]').count()]).toEqual([0, 0])
  expect(await shared.page.locator('.chip').allTextContents()).toEqual([
    ...['Country is Germany', 'Bounces: left out', 'Filters: all must match'],
  ])
  expect([await figureOf(shared.page, 'bounces'), shared.faults]).toEqual(['0%', []])
  await shared.close()
})
