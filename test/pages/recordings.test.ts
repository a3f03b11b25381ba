import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { axeFaults } from '../support/dashboard.ts'
import { hostileRecording } from '../support/hostile-recording.ts'
import { framesOf, openSignedIn, seek, storeUnmasked } from '../support/played.ts'
import { chunks, eventsOf } from '../support/recorded-page.ts'
import { eventually, recordedWebsite } from '../support/recording.ts'
import { listening, openSite, run, userAgent } from '../support/site.ts'
import { get, running } from '../support/weir.ts'

let browser: Browser
let site: Awaited<ReturnType<typeof openSite>>

beforeAll(async () => {
  browser = await startBrowser(userAgent)
  site = await openSite(browser)
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

/** A server of somebody else, with what was asked of it. Connections without a request count, too. */
async function stranger() {
  const asked: string[] = []
  const { server, port } = await listening((request, response) => {
    asked.push(request.url!)
    const image = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    response.writeHead(200, { 'content-type': 'image/svg+xml', 'access-control-allow-origin': '*' }).end(image)
  })
  const connections = { count: 0 }
  server.on('connection', () => connections.count++)
  return { port, asked, connections, close: () => server.close() }
}

/** A page without what rrweb adds to what it builds, and without masked values. */
const compared = (html: string) =>
  html
    .replace(/ (?:autocomplete="off"|style=""|class=":hover"|value="[^"]*")| :hover(?=")/g, '')
    .replace(/(<style>)[^<]*/g, '$1')

describe('the page of a replay', () => {
  it('shows in the player the page that the visitor saw, masking aside, and what happened when', async () => {
    const fields = ['text', 'password', 'email', 'number', 'date', 'checkbox', 'radio', 'range', 'color']
    const { website, page, sent } = await site.visit({
      recorded: { replayEnabled: true, sampleRate: 1 },
      body: `<style>h1 { color: rgb(1, 2, 3) }</style><h1>Words</h1><a href="https://example.com/else">Elsewhere</a><div id="here"></div>
        ${fields.map((type) => `<input id="${type}" type="${type}">`).join('')}
        <textarea id="area"></textarea><select id="choice"><option></option><option></option></select>`,
    })
    await eventually(
      async () => eventsOf(chunks(sent())),
      (events) => events.some(({ type }) => type === 2),
    )
    for (const id of ['text', 'password', 'area']) await page.fill(`#${id}`, `secret-${id}`)
    await page.check('#checkbox')
    await run(
      page,
      `document.getElementById('here').innerHTML = '<p class="new">Added</p><ul><li>1<li>2</ul>'
      document.querySelector('h1').textContent = 'Other words'
      document.body.setAttribute('data-state', 'late')
      umami.track('signup')
      history.pushState(null, '', '?next')`,
    )
    const { visitId } = sent()[0]!.answer
    await eventually(
      () => get(`/api/websites/${website}/replays/${visitId}`),
      ({ body }) => JSON.stringify(body).includes('url-change'),
    )
    const shown = compared(String(await run(page, 'document.body.outerHTML')))
    await page.close()

    const open = await openSignedIn(browser, `/replays/${website}/${visitId}`)
    const { player, recorded } = await framesOf(open.page)
    await seek(open.page)
    const built = () => recorded.evaluate<string>('document.body.outerHTML')
    await expect.poll(async () => compared(await built())).toBe(shown)
    expect(await recorded.evaluate('document.getElementById("area").value')).toBe('***********')
    expect(await recorded.evaluate('document.getElementById("checkbox").checked')).toBe(true)
    expect(await recorded.evaluate('getComputedStyle(document.querySelector("h1")).color')).toBe('rgb(1, 2, 3)')
    const moments = open.page.locator('.moments bdi')
    await expect
      .poll(() => moments.allTextContents())
      .toEqual(expect.arrayContaining([expect.stringMatching(/\?next$/), 'signup']))
    expect(await axeFaults(open.page)).toEqual([])
    const { body } = await get(`/api/websites/${website}/replays`, { startAt: '0', endAt: '9999999999999' })
    expect(body.data[0].isViewed).toBe(false)

    // The player is of no origin, and reaches nothing of the page.
    expect(await player.evaluate('origin')).toBe('null')
    for (const code of ['parent.document', 'parent.sessionStorage', 'sessionStorage', 'document.cookie']) {
      await expect(player.evaluate(code)).rejects.toThrow('SecurityError')
    }
    await expect(recorded.evaluate('parent.parent.document')).rejects.toThrow('SecurityError')
    expect(open.faults).toEqual([])
    await open.close()
  })

  it('keeps a hostile recording from running code, leaving, or asking anybody', async () => {
    const { port, asked, connections, close } = await stranger()
    const evil = `http://127.0.0.1:${port}`
    const websiteId = await recordedWebsite()
    const start = Date.now() - 60_000
    const visit = await storeUnmasked(websiteId, hostileRecording(evil, start))
    for (const shows of ['', '?site=shown']) {
      const { page, close: leave } = await openSignedIn(browser, `/replays/${websiteId}/${visit}${shows}`)
      const dialogs: string[] = []
      page.on('dialog', (dialog) => dialogs.push(dialog.message()))
      const { recorded } = await framesOf(page)
      await page.getByText('https://example.com/last').or(page.getByText('/last')).first().waitFor()
      await page.getByRole('button', { name: 'Play' }).click()
      await expect.poll(() => page.locator('.clock').textContent(), { timeout: 15_000 }).toMatch(/^0:0[1-9]/)
      await seek(page)
      // It has built the hostile page, and not stopped at a part of it.
      await expect.poll(() => recorded.evaluate('document.querySelectorAll("#bait").length')).toBe(2)
      await page.locator('.stage iframe').click({ position: { x: 60, y: 60 }, force: true })
      await page.waitForTimeout(500)
      for (const frame of page.frames()) {
        const found = await frame.evaluate('globalThis.pwned').catch(() => 'gone')
        expect([frame.url().slice(0, 30), found]).toEqual([frame.url().slice(0, 30), undefined])
      }
      expect(page.url()).toBe(`${running.url}/replays/${websiteId}/${visit}${shows}`)
      expect([page.context().pages().length, dialogs]).toEqual([1, []])
      expect(await page.locator('.moments img, .moments script').count()).toBe(0)
      expect([asked, connections.count]).toEqual([[], 0])
      await leave()
    }
    // The stranger would have noticed.
    await fetch(`${evil}/check`)
    expect([asked, connections.count]).toEqual([['/check'], 1])
    close()
  })
})
