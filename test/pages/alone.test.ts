import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { metrics } from '../../src/pages/dashboard/figures/metrics.ts'
import { event } from '../oracle/fixtures.ts'
import { curl, sendOne } from '../support/collecting.ts'
import { expectForEveryone, figureOf, settle } from '../support/dashboard.ts'
import { inTurn } from '../support/long.ts'
import { newPerson, websiteOf } from '../support/people.ts'
import { seed } from '../support/seed.ts'
import { browser } from '../support/shared-browser.ts'
import { openAs } from '../support/signed-in.ts'
import { add, columnTime } from '../support/website.ts'
import { running } from '../support/weir.ts'

/** Checks the help texts for an owner working alone: the next step, reasons for missing data, the meaning of terms. */

it('an empty website shows what to do, why events may be missing, and what Weir refused', async () => {
  const person = await newPerson()
  const id = await websiteOf({ userId: person.id })
  const { context, page, faults } = await openAs(browser, person, '/websites')
  await page.clock.install()
  await page.goto(`${running.url}/websites/${id}`)
  await page.getByText(`data-website-id="${id}"`).waitFor()
  await page.getByText('Waiting for the first event. Open one of your pages.').waitFor()
  expect(await page.locator('.overview, .cards').count()).toBe(0)
  await page.getByText('Why events may be missing').press('Enter')
  await page.getByText('Weir has seen no event with this id.').waitFor()
  for (const reason of ['Id', 'Script', 'Blocker', 'Bot', 'Domain'])
    await page.getByText(`${reason}.`, { exact: true }).waitFor()
  await sendOne({ website: id }, { 'user-agent': curl })
  await sendOne({ website: id, eventId: '5' })
  const seen = page.getByText('1 from bots, 1 refused because of “eventId”')
  await afterAWhile(page, () => seen.count())
  await expectForEveryone(page, 'an empty website')
  await add(id, event({ event_type: 1, created_at: columnTime(Date.now()) }))
  await afterAWhile(page, async () => Number(await figureOf(page, 'views')))
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByText('Receiving events.').waitFor()
  expect(await page.getByText('Why events may be missing').count()).toBe(0)
  await page.getByRole('link', { name: 'See the numbers' }).click()
  await page.locator('.overview').waitFor()
  await settle(page)
  // A single point is drawn as a dot of about 50 pixels in the colour of the line.
  await expect.poll(() => page.evaluate<number>(coloured)).toBeGreaterThan(30)
  expect(faults).toEqual([])
  await context.close()
})

/** The number of chart pixels in the colour of the line. */
const coloured = `(() => {
  const canvas = document.querySelector('.plot canvas')
  const span = document.body.appendChild(document.createElement('span'))
  span.style.color = 'var(--chart)'
  const colour = getComputedStyle(span).color.match(/\\d+/g).map(Number)
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  let count = 0
  for (let at = 0; at < data.length; at += 4) if (colour.every((part, index) => data[at + index] === part)) count++
  return count
})()`

/** Runs the page's clock until a number is not 0. */
async function afterAWhile(page: Page, count: () => Promise<number>): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.clock.runFor(1000)
        return count()
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(0)
}

it('a term’s meaning is shown by keyboard and by touch, in the words of the docs', async () => {
  const docs = readFileSync(new URL('../../docs/what-is-counted.md', import.meta.url), 'utf8')
  const sentences = docs.replaceAll('**', '').replace(/\s+/g, ' ')
  const person = await newPerson()
  const id = await websiteOf({ userId: person.id })
  await add(id, event({ event_type: 1, created_at: columnTime(Date.now()) }))
  const { page, faults, close } = await openAs(browser, person, `/websites/${id}`, { hasTouch: true })
  await settle(page)
  for (const { meaning, chapter } of metrics) {
    expect(sentences).toContain(meaning)
    expect(docs.toLowerCase()).toContain(`\n## ${chapter}\n`)
  }
  for (const { question, meaning, chapter } of inTurn(metrics, seed, 5)) {
    const button = page.getByRole('button', { name: question })
    await button.focus()
    await page.keyboard.press('Enter')
    expect([question, await page.getByText(meaning).isVisible()]).toEqual([question, true])
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.href')).toContain(`/docs/what-is-counted.md#${chapter}`)
    await page.keyboard.press('Escape')
    expect([question, await page.getByText(meaning).isVisible()]).toEqual([question, false])
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe(question)
    await button.tap()
    await page.getByText(meaning).waitFor()
    await expectForEveryone(page, question)
    await page.touchscreen.tap(2, 2)
    await page.getByText(meaning).waitFor({ state: 'hidden' })
  }
  expect(await page.locator('.figure[aria-pressed="true"]').textContent()).toContain('Visitors')
  expect(faults).toEqual([])
  await close()
})
