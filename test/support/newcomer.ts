import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { openPage, userAgent } from './browser.ts'
import { listening } from './listening.ts'

interface Printed {
  /** Weir's URL, without a slash at the end. */
  readonly url: string
  readonly username: string
  readonly password: string
}

/**
 * Follows a newcomer's steps in a browser, from the front page to a new website, a counted visit to a page on another
 * origin, and a share link that somebody else opens.
 */
export async function goNewcomersWay(browser: Browser, { url, username, password }: Printed): Promise<void> {
  const owner = await openPage(browser, url)
  const { page } = owner
  await page.goto(`${url}/`)
  await page.getByRole('link', { name: 'Your websites' }).click()
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const make = page.getByRole('button', { name: 'New website' })
  await make.or(page.getByLabel('Domain')).waitFor()
  if (await make.isVisible()) await make.click()
  await page.getByLabel('Name', { exact: true }).fill('My website')
  await page.getByLabel('Domain').fill('localhost')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Waiting for the first event.').waitFor()

  const tag = await page.locator('section', { hasText: 'Tracking code' }).locator('pre').textContent()
  const site = await listening((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Mine</title>${tag}`),
  )
  const visitor = await browser.newContext({ userAgent })
  try {
    await (await visitor.newPage()).goto(`http://localhost:${site.port}/`)
    await page.getByText('Receiving events.').waitFor()
  } finally {
    await visitor.close()
    site.server.closeAllConnections()
    site.server.close()
  }

  await page.getByRole('button', { name: 'New share link' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  const shared = page.locator('section', { hasText: 'Share links' }).locator('pre').first()
  const reader = await openPage(browser, url)
  await reader.page.goto((await shared.textContent())!)
  // A share shows data up to the last full minute. Its page repeats its requests every minute.
  const figure = reader.page.locator('[data-figure=visitors]')
  await expect.poll(() => figure.getAttribute('title'), { timeout: 100_000 }).toBe('1')
  await reader.page.getByRole('heading', { level: 1, name: 'My website' }).waitFor()
  expect([...owner.faults, ...reader.faults]).toEqual([])
  await reader.context.close()
  await owner.context.close()
}
