import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { openPage, routeFirst, unreadable } from '../support/browser.ts'
import { expectForEveryone } from '../support/dashboard.ts'
import { startIssuer } from '../support/issuer.ts'
import { rowless } from '../support/rowless.ts'
import { browser } from '../support/shared-browser.ts'

it('a user signs in at an issuer, sees the linked identity, and also signs out there', async () => {
  const { url, issuer: at } = rowless
  const issuer = await startIssuer([`${url}/oidc/main`], `${url}/websites`, Number(new URL(at).port))
  onTestFinished(issuer.close)
  const subject = `subject-${randomUUID()}`
  const { page, faults } = await openPage(browser, url)
  const button = page.getByRole('button', { name: 'Sign in with your organisation', exact: true })
  // A code that this tab did not request does not sign anybody in.
  await routeFirst(page, '**/api/config', unreadable)
  await page.goto(`${url}/websites#sign-in=stolen`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await button.waitFor()
  await expectForEveryone(page, 'a sign-in at an issuer')
  await page.goto(`${url}/account?from=here`)
  // Some browsers let pages read the storage, but not write to it.
  await page.evaluate('Storage.prototype.setItem = () => { throw new Error("full") }')
  await button.click()
  await page.getByText('Something went wrong on this page.').waitFor()
  await page.reload()
  await button.click()
  await page.locator('[name=login]').fill(subject)
  await page.locator('[name=password]').fill('any')
  await page.locator('[type=submit]').click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${url}/account?from=here`)
  await page.locator('section', { hasText: 'Sign-in elsewhere' }).getByText(subject).waitFor()
  await expectForEveryone(page, 'the account of somebody at an issuer')
  expect(await page.evaluate('[location.hash, sessionStorage.length, document.cookie]')).toEqual(['', 0, ''])
  // A departure without a return is forgotten with the next page.
  await page.evaluate('sessionStorage["weir.away"] = "/account"')
  await page.reload()
  await page.getByRole('link', { name: `Account of ${subject}` }).waitFor()
  expect(await page.evaluate('sessionStorage.length')).toBe(0)
  // Who is signed in stays so after a refusal.
  await page.evaluate('sessionStorage["weir.away"] = "/account"')
  await page.goto(`${url}/websites#sign-in-failed=taken`)
  await page.getByText('This account already belongs to another user here.').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await page.waitForURL(`${url}/websites`)
  await button.waitFor()
  expect(faults.filter((fault) => !/^(request to|referrer|Failed to load)/.test(fault))).toEqual([])
})
