import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPage, startBrowser, stored } from '../support/browser.ts'
import { axeFaults } from '../support/dashboard.ts'
import { newPerson, type Person, password, websiteOf } from '../support/people.ts'
import { running, send } from '../support/weir.ts'

const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>'

let browser: Browser

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** Fills in the form to sign in, and sends it by keyboard. */
async function signIn(page: Page, { username }: Pick<Person, 'username'>, secret = password): Promise<void> {
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password').fill(secret)
  await page.keyboard.press('Enter')
}

const form = (page: Page) => page.getByRole('heading', { name: 'Sign in to Weir' })

it('asks for a sign-in, which the tab keeps until somebody signs out in any tab', async () => {
  const person = await newPerson()
  const id = await websiteOf({ userId: person.id }, { name: `Shop ${evil}` })
  const { context, page, faults } = await openPage(browser, running.url)
  await page.goto(`${running.url}/websites`)
  await form(page).waitFor()
  expect(await page.evaluate('document.activeElement.name')).toBe('username')
  await signIn(page, person, 'wrong')
  await page.getByText('There is no user of this name with this password.').waitFor()
  expect(await stored(page)).toEqual({ local: {}, session: {}, cookies: '' })
  await signIn(page, person)
  const link = page.getByRole('link', { name: `Shop ${evil}` })
  expect(await link.getAttribute('href')).toBe(`/websites/${id}`)
  expect(await stored(page)).toEqual({ local: {}, session: { 'weir.token': expect.any(String) }, cookies: '' })
  await page.reload()
  await link.waitFor()
  expect(await axeFaults(page)).toEqual([])

  const token = await page.evaluate('sessionStorage["weir.token"]')
  const other = await context.newPage()
  await other.goto(`${running.url}/websites`)
  await form(other).waitFor()
  await signIn(other, person)
  await other.getByRole('button', { name: 'Sign out' }).click()
  for (const tab of [other, page]) await form(tab).waitFor()
  expect(await stored(page)).toEqual({ local: {}, session: {}, cookies: '' })
  await expect
    .poll(async () => (await send('/api/me', { headers: { authorization: `Bearer ${token}` } })).status)
    .toBe(401)
  expect(faults.filter((fault) => !fault.includes('401'))).toEqual([])
  await context.close()
})
