import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { expectForEveryone } from '../support/dashboard.ts'
import { newPerson, newTeam, websiteOf } from '../support/people.ts'
import { openAs } from '../support/signed-in.ts'
import { get, running, send } from '../support/weir.ts'

let browser: Browser

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

const part = (page: Page, heading: string) =>
  page.locator('section', { has: page.getByRole('heading', { level: 2, name: heading, exact: true }) })

/** The status of a sign-in. */
async function signInStatus(username: string, password: string): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ username, password })
  return (await send('/api/auth/login', { method: 'POST', headers, body })).status
}

/** Shows the items of a list that contain this unique word. */
async function find(page: Page, heading: string, label: string, word: string) {
  const section = part(page, heading)
  const search = section.getByLabel(label, { exact: true })
  // A list with only one page has no search.
  await section.getByRole('listitem').first().waitFor()
  if ((await search.count()) > 0) {
    await search.fill(word)
    await page.keyboard.press('Enter')
  }
  return section.getByRole('listitem').filter({ hasText: word })
}

it('an admin makes a user, gives them another role and password, and deletes them', async () => {
  const admin = await newPerson({ role: 'admin' })
  const username = `made-${randomUUID()}`
  const { context, page, faults } = await openAs(browser, admin, '/websites')
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  const users = part(page, 'Users')
  await users.getByRole('button', { name: 'New user' }).click()
  await users.locator('form').last().getByLabel('User name').fill(username)
  await users.getByLabel('Password').fill('first password')
  await users.getByLabel('Role').selectOption('View only')
  await users.getByRole('button', { name: 'Create' }).press('Enter')
  await users.getByRole('button', { name: 'New user' }).waitFor()
  expect(await signInStatus(username, 'first password')).toBe(200)
  const item = await find(page, 'Users', 'User name', username)
  await item.getByText('View only').waitFor()
  await item.getByRole('button', { name: `Edit ${username}` }).click()
  await item.getByLabel('New password').fill('second password')
  await item.getByLabel('Role').selectOption('Admin')
  await expectForEveryone(page, 'the change of a user')
  await item.getByRole('button', { name: 'Save' }).press('Enter')
  await item.locator('.mark-of', { hasText: 'Admin' }).waitFor()
  expect(await signInStatus(username, 'first password')).toBe(401)
  expect(await signInStatus(username, 'second password')).toBe(200)
  await item.getByRole('button', { name: 'Delete' }).press('Enter')
  await item.getByText('Their websites and keys go, too').waitFor()
  await page.keyboard.press('Enter')
  await item.waitFor({ state: 'detached' })
  expect((await get('/api/users', { search: username })).body.count).toBe(0)
  // Users cannot delete themselves.
  await page.reload()
  const own = await find(page, 'Users', 'User name', admin.username)
  await own.getByRole('button', { name: 'Edit' }).waitFor()
  expect(await own.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  expect(faults).toEqual([])
  await context.close()
})

it('a member joins a team by its access code', async () => {
  const [owner, person] = [await newPerson(), await newPerson()]
  const team = await newTeam(owner)
  const { context, page } = await openAs(browser, person, '/account')
  for (const [code, said] of [
    ['nothing', 'There is no team with this access code.'],
    [team.accessCode, 'You are in the team'],
  ] as const) {
    await page.getByLabel('Access code').fill(code)
    await page.keyboard.press('Enter')
    await page.getByText(said).waitFor()
  }
  const after = await get('/api/admin/teams', { search: team.name })
  expect(after.body.data[0].members.map(({ userId }: { userId: string }) => userId)).toContain(person.id)
  await context.close()
})

it('an admin makes a team, renames it, adds, changes and removes a member, and deletes it', async () => {
  const [admin, person] = [await newPerson({ role: 'admin' }), await newPerson()]
  const [name, renamed] = [`Team ${randomUUID()}`, `Other ${randomUUID()}`]
  const { context, page, faults } = await openAs(browser, admin, '/users')
  const teams = part(page, 'Teams')
  await teams.getByRole('button', { name: 'New team' }).click()
  await teams.getByLabel('Name', { exact: true }).fill(name)
  await page.keyboard.press('Enter')
  await teams.getByRole('button', { name: 'New team' }).waitFor()
  const made = await find(page, 'Teams', 'Name of the team', name)
  await made.getByRole('button', { name: 'Rename' }).click()
  await made.getByLabel('Name', { exact: true }).fill(renamed)
  await page.keyboard.press('Enter')
  const item = await find(page, 'Teams', 'Name of the team', renamed)
  await item.getByText('choose “Transfer website”').waitFor()
  await item.getByText('1 member').click()
  const add = async (username: string) => {
    await item.getByLabel('User name').fill(username)
    await page.keyboard.press('Enter')
  }
  await add('nobody')
  await item.getByText('There is no user of this name.').waitFor()
  await add(person.username)
  const member = item.getByRole('listitem').filter({ hasText: person.username })
  await member.locator('.mark-of', { hasText: 'Member' }).waitFor()
  await expectForEveryone(page, 'a team with members')
  const roles = async () => {
    const { body } = await get('/api/admin/teams', { search: renamed })
    return body.data[0].members.map(({ role }: { role: string }) => role).sort()
  }
  expect(await roles()).toEqual(['team-member', 'team-owner'])
  await member.getByRole('button', { name: 'Edit' }).click()
  await member.getByLabel('Role').selectOption('Manager')
  await member.getByRole('button', { name: 'Save' }).press('Enter')
  await member.locator('.mark-of', { hasText: 'Manager' }).waitFor()
  expect(await roles()).toEqual(['team-manager', 'team-owner'])
  await member.getByRole('button', { name: 'Remove' }).press('Enter')
  await page.keyboard.press('Enter')
  await member.waitFor({ state: 'detached' })
  expect(await roles()).toEqual(['team-owner'])
  await item.getByRole('button', { name: `Delete… ${renamed}` }).press('Enter')
  await page.keyboard.press('Enter')
  await item.first().waitFor({ state: 'detached' })
  expect((await get('/api/admin/teams', { search: renamed })).body.count).toBe(0)
  expect(faults).toEqual([])
  await context.close()
})

it('shows nobody else any users', async () => {
  const { context, page, faults } = await openAs(browser, await newPerson(), '/users')
  await page.getByText('Only admins see this page.').waitFor()
  expect(await page.getByRole('link', { name: 'Users', exact: true }).count()).toBe(0)
  expect(faults).toEqual([])
  await context.close()
})

it('a theme that is chosen on one page holds on all', async () => {
  const admin = await newPerson({ role: 'admin' })
  const id = await websiteOf({ userId: admin.id })
  const { context, page, faults } = await openAs(browser, admin, '/websites', { colorScheme: 'light' })
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const light = await ground()
  await page.getByLabel('Theme').selectOption('Dark')
  const dark = await ground()
  expect(dark).not.toBe(light)
  const own = `/websites/${id}`
  for (const path of ['/account', '/users', own, `${own}/settings`, `/replays/${id}`, `/heatmaps/${id}`]) {
    await page.goto(running.url + path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect([path, await ground()]).toEqual([path, dark])
    expect(await page.getByLabel('Theme').count()).toBe(1)
  }
  await expectForEveryone(page, 'the bar')
  await page.getByLabel('Theme').selectOption('Automatic')
  await page.emulateMedia({ colorScheme: 'light' })
  expect([await ground(), faults]).toEqual([light, []])
  await context.close()
})
