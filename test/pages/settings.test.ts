import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { event } from '../oracle/fixtures.ts'
import { hold } from '../support/browser.ts'
import { post } from '../support/callers.ts'
import { expectForEveryone } from '../support/dashboard.ts'
import { join, newPerson, newTeam, websiteOf } from '../support/people.ts'
import { browser } from '../support/shared-browser.ts'
import { openAs } from '../support/signed-in.ts'
import { add, columnTime } from '../support/website.ts'
import { get } from '../support/weir.ts'

const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>'

const part = (page: Page, heading: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: heading, exact: true }) })

const stored = async (id: string) => (await get(`/api/websites/${id}`)).body

it('a website can be renamed and its domain changed by keyboard; errors are shown', async () => {
  const person = await newPerson()
  const id = await websiteOf({ userId: person.id })
  const { page, faults, close } = await openAs(browser, person, `/websites/${id}/settings`)
  const general = part(page, 'General')
  await general.waitFor()
  // Nothing that can be clicked is on the page while lists above it load.
  const release = await hold(page, '**/api/me/api-keys')
  const shares = page.waitForResponse('**/shares?*')
  await page.reload()
  await (await shares).finished()
  expect(await general.count()).toBe(0)
  release()
  await general.getByLabel('Name').fill(`Shop ${evil}`)
  await general.getByLabel('Domain').fill('no host')
  await page.keyboard.press('Enter')
  await general.getByText('Domain: Must be a host name').waitFor()
  await general.getByLabel('Domain').fill('https://shop.example/basket')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: `Shop ${evil}` }).waitFor()
  await general.getByText('Saved.').waitFor()
  expect(await general.getByLabel('Domain').inputValue()).toBe('shop.example')
  expect(await stored(id)).toMatchObject({ name: `Shop ${evil}`, domain: 'shop.example' })
  expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
  await close()
})

it('a website is reset or deleted only after its name is typed', async () => {
  const person = await newPerson()
  const id = await websiteOf({ userId: person.id }, { name: `My  ${evil}` })
  await add(id, event({ event_type: 1, created_at: columnTime(Date.now() - 60_000), event_id: randomUUID() }))
  const { page, faults, close } = await openAs(browser, person, `/websites/${id}/settings`)
  const grave = part(page, 'Reset, transfer, delete')
  const views = async () => (await get(`/api/websites/${id}/stats`, { period: '24h' })).body.pageviews
  expect(await views()).toBe(1)
  for (const button of ['Reset statistics', 'Delete website']) {
    await grave.getByText(button, { exact: true }).first().click()
    const form = grave.locator('details', { hasText: button })
    await form.getByLabel('Type the name').fill('My')
    await page.keyboard.press('Enter')
    await form.getByText('This is not the name of the website.').waitFor()
    expect((await stored(id)).resetAt === null).toBe(button === 'Reset statistics')
    await expectForEveryone(page, button)
    await form.getByLabel('Type the name').fill(`My ${evil}`)
    await page.keyboard.press('Enter')
    if (button === 'Delete website') await page.waitForURL('**/websites')
    else {
      await form.getByText('The statistics begin now.').waitFor()
      await expect.poll(views).toBe(0)
    }
  }
  expect((await get('/api/admin/websites', { search: evil.slice(0, 20) })).body.data).not.toContainEqual(
    expect.objectContaining({ id }),
  )
  await page.getByRole('heading', { level: 1, name: 'Websites' }).waitFor()
  expect(faults).toEqual([])
  await close()
})

it('a user transfers a website to a team, and an admin to any user', async () => {
  const [person, manager, admin] = [await newPerson(), await newPerson(), await newPerson({ role: 'admin' })]
  const [team, other] = [await newTeam(manager), await newTeam(manager)]
  await join(team, person, 'team-member')
  const id = await websiteOf({ userId: person.id })
  const give = async (page: Page, to: string, username?: string) => {
    const grave = part(page, 'Reset, transfer, delete')
    await grave.getByText('Transfer website', { exact: true }).first().click()
    await grave.getByLabel('New owner').selectOption(to)
    if (username !== undefined) await grave.getByLabel('User name').fill(username)
    await grave.getByRole('button', { name: 'Transfer website' }).click()
    return grave
  }
  const first = await openAs(browser, person, `/websites/${id}/settings`)
  await give(first.page, `Team ${team.name}`)
  await first.page.waitForURL('**/websites')
  expect(await stored(id)).toMatchObject({ userId: null, teamId: team.id })
  // A member may change the website, but not transfer it.
  await first.page.goto(`${first.page.url()}/${id}/settings`)
  await part(first.page, 'Reset, transfer, delete').waitFor()
  expect(await first.page.getByText('Transfer website').count()).toBe(0)
  await first.close()

  const second = await openAs(browser, manager, `/websites/${id}/settings`)
  await give(second.page, `Team ${other.name}`)
  await second.page.waitForURL('**/websites')
  expect(await stored(id)).toMatchObject({ teamId: other.id })
  await second.close()

  const third = await openAs(browser, admin, `/websites/${id}/settings`)
  const grave = await give(third.page, 'Another user…', 'nobody')
  await grave.getByText('There is no user with this name.').waitFor()
  await grave.getByLabel('User name').fill(person.username)
  await grave.getByRole('button', { name: 'Transfer website' }).click()
  await third.page.waitForURL('**/websites')
  expect(await stored(id)).toMatchObject({ userId: person.id, teamId: null })
  expect([...first.faults, ...second.faults, ...third.faults]).toEqual([])
  await third.close()
})

it('the retention of a website’s data can be set', async () => {
  const person = await newPerson()
  const id = await websiteOf({ userId: person.id })
  const { page, faults, close } = await openAs(browser, person, `/websites/${id}/settings`)
  const retention = part(page, 'Retention')
  await retention.getByLabel('Events (months)').fill('13')
  await retention.getByLabel('Replays (days)').fill('7')
  await page.keyboard.press('Enter')
  await retention.getByText('Saved.').waitFor()
  expect((await stored(id)).retention).toEqual({ eventMonths: 13, replayDays: 7 })
  await expectForEveryone(page, 'retention')
  await page.reload()
  expect(await retention.getByLabel('Replays (days)').inputValue()).toBe('7')
  for (const label of ['Events (months)', 'Replays (days)']) await retention.getByLabel(label).fill('')
  await retention.getByRole('button', { name: 'Save' }).click()
  await retention.getByText('Saved.').waitFor()
  expect((await stored(id)).retention).toBe(null)
  for (const retention of [{ eventMonths: 0 }, { replayDays: 1.5 }, { heatmapDays: '7' }, { days: 1 }]) {
    expect((await post(`/api/websites/${id}`, { retention }, person.headers)).status).toBe(400)
  }
  expect(faults).toEqual([])
  await close()
})

it('recordings can be switched on and off, with a description of what is recorded', async () => {
  const person = await newPerson()
  const id = await websiteOf({ userId: person.id })
  const { page, faults, close } = await openAs(browser, person, `/websites/${id}/settings`)
  const recorder = part(page, 'Recordings')
  await recorder.getByText('What visitors type or choose is never recorded').waitFor()
  await recorder.getByLabel('Replays', { exact: false }).first().check()
  await recorder.getByLabel('Visits with a replay').fill('12.5')
  await recorder.getByLabel('Page texts').selectOption('Masked: each character is a *')
  await recorder.getByLabel('Hidden elements').fill('.a[')
  await page.keyboard.press('Enter')
  await recorder.getByText('Hidden elements: Must be a CSS selector').waitFor()
  await recorder.getByLabel('Hidden elements').fill('.account')
  await page.keyboard.press('Enter')
  await recorder.getByText('Saved.').waitFor()
  const replayConfig = {
    ...{ replayEnabled: true, heatmapEnabled: false, sampleRate: 0.125, heatmapSampleRate: 0.15 },
    ...{ maskLevel: 'strict', maxDuration: 300_000, blockSelector: '.account' },
  }
  expect((await stored(id)).replayConfig).toEqual(replayConfig)
  expect(await recorder.locator('pre').textContent()).toContain(`/recorder.js" data-website-id="${id}"`)
  await expectForEveryone(page, 'recordings')
  await page.reload()
  expect(await recorder.getByLabel('Page texts').inputValue()).toBe('strict')
  await recorder.getByLabel('Replays', { exact: false }).first().uncheck()
  await recorder.getByRole('button', { name: 'Save' }).click()
  await recorder.getByText('Saved.').waitFor()
  expect((await stored(id)).replayConfig).toEqual({ ...replayConfig, replayEnabled: false })
  await recorder.locator('pre').waitFor({ state: 'detached' })
  expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
  await close()
})
