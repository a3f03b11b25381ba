import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { root } from '../src/local/paths.ts'
import { openPage, startBrowser } from './support/browser.ts'
import { withDemo } from './support/demo.ts'

/** The docs' pictures. `npm run pictures` takes them from the demo and saves them in `docs/pictures`. */
const folder = `${root}/docs/pictures`

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true } as const
const screen = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 } as const

const pictures: readonly (readonly [name: string, page: 'share' | 'front', options: BrowserContextOptions])[] = [
  ['dashboard-light', 'share', { ...screen, colorScheme: 'light' }],
  ['dashboard-dark', 'share', { ...screen, colorScheme: 'dark' }],
  ['dashboard-phone', 'share', { ...phone, colorScheme: 'light' }],
  ['front-page', 'front', { ...screen, colorScheme: 'light' }],
]

/** Takes a picture of the window after all figures are loaded. Chromium can save WebP, unlike Playwright. */
async function take(browser: Browser, address: string, options: BrowserContextOptions): Promise<Buffer> {
  const { context, page, faults } = await openPage(browser, new URL(address).origin, {
    ...{ reducedMotion: 'reduce', timezoneId: 'Europe/Berlin', ...options },
  })
  await page.goto(address)
  await page.locator('[data-figure=visitors], .sparkline').first().waitFor()
  await page.locator('[data-figure=live]').filter({ hasNotText: '–' }).waitFor()
  while ((await page.locator('.bone, .waits').count()) > 0) await page.waitForTimeout(100)
  const session = await context.newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  if (faults.length > 0) throw new Error(`${address} has faults: ${faults.join('; ')}`)
  await context.close()
  return Buffer.from(data, 'base64')
}

const data = `${tmpdir()}/weir-pictures-${process.pid}`
await withDemo(data, async ({ share }) => {
  const browser = await startBrowser()
  mkdirSync(folder, { recursive: true })
  const addresses = { share, front: `${new URL(share).origin}/` }
  for (const [name, page, options] of pictures) {
    const picture = await take(browser, addresses[page], options)
    writeFileSync(`${folder}/${name}.webp`, picture)
    console.log(`${name}: ${Math.round(picture.length / 1000)} kB`)
  }
  await browser.close()
})
rmSync(data, { recursive: true, force: true })
