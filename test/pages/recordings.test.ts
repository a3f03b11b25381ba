import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hold, routeFirst, unreadable } from '../support/browser.ts'
import { operator, post } from '../support/callers.ts'
import { storedOf } from '../support/collecting.ts'
import { axeFaults } from '../support/dashboard.ts'
import { hostileRecording } from '../support/hostile-recording.ts'
import { listening } from '../support/listening.ts'
import { inTurn } from '../support/long.ts'
import { framesOf, openSignedIn, seek, storeUnmasked } from '../support/played.ts'
import { chunks, eventsOf } from '../support/recorded-page.ts'
import { eventually, newVisit, record, recordedWebsite } from '../support/recording.ts'
import { seed } from '../support/seed.ts'
import { browser } from '../support/shared-browser.ts'
import { run, siteOfFile } from '../support/site.ts'
import { get, running } from '../support/weir.ts'

const opened = siteOfFile()

/** A third-party server that records its requests. Connections without a request are counted, too. */
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

/** The HTML of a page without rrweb's own additions and without masked values. */
const compared = (html: string) =>
  html
    .replace(/ (?:autocomplete="off"|style=""|class=":hover"|value="[^"]*")| :hover(?=")/g, '')
    .replace(/(<style>)[^<]*/g, '$1')

describe('the replay page', () => {
  it('shows the page as the visitor saw it, except for masked text, and a timeline of events', async () => {
    const fields = ['text', 'password', 'email', 'number', 'date', 'checkbox', 'radio', 'range', 'color']
    const { website, page, sent } = await opened.site.visit({
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
    await storedOf([website], 3)
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

    // The player has an opaque origin and cannot access the page.
    expect(await player.evaluate('origin')).toBe('null')
    for (const code of [
      'parent.document',
      'parent.localStorage',
      'localStorage',
      'sessionStorage',
      'document.cookie',
    ]) {
      await expect(player.evaluate(code)).rejects.toThrow('SecurityError')
    }
    await expect(recorded.evaluate('parent.parent.document')).rejects.toThrow('SecurityError')
    expect(open.faults).toEqual([])
    await open.close()
  })

  it('prevents a hostile recording from running code, leaving the page, or sending requests', async () => {
    const { port, asked, connections, close } = await stranger()
    const evil = `http://127.0.0.1:${port}`
    const websiteId = await recordedWebsite()
    const start = Date.now() - 60_000
    const visit = await storeUnmasked(websiteId, hostileRecording(evil, start))
    for (const shows of inTurn(['', '?site=shown'], seed, 2)) {
      const { page, close: leave } = await openSignedIn(browser, `/replays/${websiteId}/${visit}${shows}`)
      const dialogs: string[] = []
      page.on('dialog', (dialog) => dialogs.push(dialog.message()))
      const { recorded } = await framesOf(page)
      await page.getByText('https://example.com/last').or(page.getByText('/last')).first().waitFor()
      await page.getByRole('button', { name: 'Play', exact: true }).click()
      await expect.poll(() => page.locator('.clock').textContent()).toMatch(/^0:0[1-9]/)
      await seek(page)
      // The player has rendered the whole hostile page.
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
    // The third-party server would have noticed.
    await fetch(`${evil}/check`)
    expect([asked, connections.count]).toEqual([['/check'], 1])
    close()
  })

  it('loads images from the website if the viewer allows it, and from nowhere else', async () => {
    const [own, other] = await Promise.all([stranger(), stranger()])
    const websiteId = await recordedWebsite()
    await post(`/api/websites/${websiteId}`, { domain: `localhost:${own.port}` }, operator)
    const images = [`http://localhost:${own.port}/own`, `http://127.0.0.1:${other.port}/other`, `${running.url}/p/x`]
    const visit = await storeUnmasked(websiteId, pageWith(images))
    const { page, close } = await openSignedIn(browser, `/replays/${websiteId}/${visit}`)
    const asked: string[] = []
    page.on('response', (response) => asked.push(new URL(response.url()).pathname))
    await framesOf(page)
    await page.getByText('Nothing is loaded from the website').waitFor()
    expect([own.asked, other.asked]).toEqual([[], []])
    await page.getByRole('link', { name: `Show images and fonts from localhost:${own.port}` }).click()
    await page.getByText('Images and fonts come from').waitFor()
    await framesOf(page)
    await expect.poll(() => own.asked).toEqual(['/own'])
    expect([other.asked, asked.filter((path) => path === '/p/x')]).toEqual([[], []])
    await page.getByRole('link', { name: 'Load nothing from there' }).click()
    await framesOf(page)
    expect(own.asked).toEqual(['/own'])
    await close()
    for (const one of [own, other]) one.close()
  })

  it('plays, pauses, seeks by keyboard, skips inactivity, and reports what it cannot show', async () => {
    const websiteId = await recordedWebsite()
    const start = Date.now() - 600_000
    const silent = [...pageWith([], start), click(start + 1000), click(start + 120_000)]
    const [visit, empty] = await Promise.all([
      storeUnmasked(websiteId, silent),
      storeUnmasked(websiteId, [click(start), click(start + 1000)]),
    ])
    const { page, faults, close } = await openSignedIn(browser, `/replays/${websiteId}/${visit}`, phone)
    await framesOf(page)
    await expect.poll(() => page.locator('.clock').textContent()).toBe('0:00 of 2:00')
    const bar = page.getByRole('slider', { name: 'Time' })
    await bar.focus()
    for (const [key, at] of [
      ['ArrowRight', '0:05'],
      ['ArrowRight', '0:10'],
      ['ArrowLeft', '0:05'],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(() => page.locator('.clock').textContent()).toBe(`${at} of 2:00`)
    }
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.getByLabel('Skip silence').check()
    await expect.poll(() => page.locator('.clock').textContent()).toBe('2:00 of 2:00')
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(await axeFaults(page)).toEqual([])

    await page.goto(`${running.url}/replays/${websiteId}/${empty}`)
    await page.getByText('This replay contains no page that can be shown.').waitFor()
    await page.goto(`${running.url}/replays/${websiteId}/${randomUUID()}`)
    await page.getByText('This website has no such replay.').waitFor()
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
    await close()
  })
})

const phone = { viewport: { width: 360, height: 640 }, colorScheme: 'dark' } as const

/** A page with these images, as the replay's first two events. */
const pageWith = (images: readonly string[], timestamp = Date.now() - 5000) => {
  const nodes = images.map((src, place) => ({
    ...{ type: 2, id: 10 + place, tagName: 'img', attributes: { src }, childNodes: [] },
  }))
  const body = { type: 2, id: 3, tagName: 'body', attributes: {}, childNodes: nodes }
  const html = { type: 2, id: 2, tagName: 'html', attributes: {}, childNodes: [body] }
  const node = { type: 0, id: 1, childNodes: [html] }
  return [
    { type: 4, timestamp, data: { href: 'https://example.com/', width: 1280, height: 720 } },
    { type: 2, timestamp: timestamp + 1, data: { node, initialOffset: { left: 0, top: 0 } } },
  ]
}

const click = (timestamp: number) => ({ type: 3, timestamp, data: { source: 2, type: 2, id: 3, x: 5, y: 5 } })

it('the list of replays has filters, shows which are viewed or saved, and links to them', async () => {
  const websiteId = await recordedWebsite()
  const [first, second] = [await newVisit(websiteId, { url: '/first' }), await newVisit(websiteId, { url: '/second' })]
  const now = Date.now()
  await Promise.all([
    storeUnmasked(websiteId, [...pageWith([], now - 9000), click(now - 8000)], first.visitId, first.sessionId),
    storeUnmasked(websiteId, [...pageWith([], now - 90_000), click(now - 1000)], second.visitId, second.sessionId),
  ])
  await storedOf([websiteId], 2)
  const { page, faults, close } = await openSignedIn(browser, `/replays/${websiteId}`)
  const rows = page.locator('.replay-row')
  const lengths = () => rows.locator('.length').allTextContents()
  await expect.poll(lengths).toEqual(['0:01', '1:29'])
  expect(await rows.locator('.seen').allTextContents()).toEqual(['new', 'new'])
  expect(await axeFaults(page)).toEqual([])
  expect(await page.evaluate('getComputedStyle(document.querySelector(".bar .zone")).columnGap')).toBe('8px')
  await page.setViewportSize({ width: 320, height: 640 })
  const [, length, , device, changes, seen] = await rows.first().locator('> *').all()
  const [above, below, last] = await Promise.all([length, device, changes].map((one) => one!.boundingBox()))
  expect(below!.y).toBeGreaterThanOrEqual(above!.y + above!.height)
  expect((await seen!.boundingBox())!.x).toBeGreaterThanOrEqual(last!.x + last!.width)
  await page.getByLabel('Length').selectOption('60')
  await expect.poll(lengths).toEqual(['1:29'])
  await page.getByLabel('Length').selectOption('')
  await page.getByLabel('Page', { exact: true }).fill('/fir')
  await page.keyboard.press('Enter')
  await expect.poll(lengths).toEqual(['0:01'])
  expect(new URL(page.url()).searchParams.get('path')).toBe('/fir')
  await page.goBack()
  await expect.poll(lengths).toEqual(['0:01', '1:29'])
  await routeFirst(page, '**/replays/saved/*', unreadable)
  await rows.first().click()
  await framesOf(page)
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Saved' }).waitFor()
  await page.getByRole('link', { name: 'Replays' }).click()
  await expect.poll(() => rows.locator('.seen').allTextContents()).toEqual(['seen', 'new'])
  await page.getByRole('button', { name: 'Saved' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  await page.setViewportSize(phone.viewport)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  expect(await axeFaults(page)).toEqual([])
  await rows.first().click()
  await framesOf(page)
  await page.getByRole('button', { name: 'Delete' }).dblclick()
  await page.getByText('It is gone for good.').waitFor()
  expect(new URL(page.url()).pathname).toMatch(/replays\/.*\//)
  await page.getByRole('button', { name: 'Delete the replay' }).click()
  await expect.poll(lengths).toEqual(['1:29'])
  expect(faults.filter((fault) => !fault.includes('503'))).toEqual([])
  await close()
})

/** The opacity of a heatmap from 0 to 255, at a fortieth of its height and at this share of its width. */
const painted = (page: Page, left: number) =>
  page.locator('.ground canvas').evaluate((canvas, share) => {
    const it = canvas as unknown as {
      width: number
      height: number
      getContext(kind: '2d'): { getImageData(...at: number[]): { data: number[] } }
    }
    return it.getContext('2d').getImageData(Math.round(it.width * share), Math.round(it.height * 0.025), 1, 1).data[3]
  }, left)

it('a heatmap shows clicks and scroll depths, and the website in a frame only on request', async () => {
  const { port, asked, close: end } = await stranger()
  const websiteId = await recordedWebsite()
  await post(`/api/websites/${websiteId}`, { domain: `localhost:${port}` }, operator)
  const visit = await newVisit(websiteId, { hostname: `localhost`, url: '/page' })
  const sizes = { url: '/page', pageW: 1280, pageH: 2000, viewportW: 1280, viewportH: 800 }
  const clicks = [100, 100, 640].map((x) => ({ type: 'click', x, y: 50, pageX: x, pageY: 50, ...sizes }))
  const narrow = { ...clicks[0], pageW: 400, viewportW: 400 }
  await record(visit, 'heatmap', [...clicks, narrow, { type: 'scroll', scrollPct: 40, ...sizes }])
  await eventually(
    () => get(`/api/websites/${websiteId}/heatmaps`, { startAt: '0', endAt: '9999999999999', mode: 'scroll' }),
    ({ body }) => body.pages.length === 1,
  )
  const { page, faults, close } = await openSignedIn(browser, `/heatmaps/${websiteId}`)
  const table = () => page.locator('.values-table tbody tr').allTextContents()
  await expect.poll(table).toEqual(['5%2%2', '25%2%1', '50%2%1'])
  await expect.poll(() => painted(page, 0.5)).toBeGreaterThan(50)
  expect(await painted(page, 0.8)).toBe(0)
  expect(await axeFaults(page)).toEqual([])
  await page.getByLabel('Width').selectOption('phone')
  await expect.poll(table).toEqual(['25%2%1'])
  await page.getByRole('button', { name: 'Scroll depth' }).click()
  await expect.poll(async () => (await table()).slice(7, 10)).toEqual(['35%1100%', '40%1100%', '45%00%'])
  expect([asked, faults]).toEqual([[], []])
  await page.getByRole('link', { name: `Draw over localhost:${port}` }).click()
  await expect.poll(() => asked).toEqual(['/page'])
  const frame = page.locator('.ground iframe')
  expect([await frame.getAttribute('sandbox'), await frame.getAttribute('src')]).toEqual([
    '',
    `http://localhost:${port}/page`,
  ])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(phone.viewport)
  // The map is redrawn after the browser has reported its new width.
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  expect(await axeFaults(page)).toEqual([])
  await close()
  end()
})

/** A website with clicks on two pages, at one place each: on `/left` at a tenth of the width, on `/right` at half. */
async function clickedWebsite(): Promise<string> {
  const websiteId = await recordedWebsite()
  const visit = await newVisit(websiteId)
  const clicks = Object.entries({ '/left': [128, 128], '/right': [640] }).flatMap(([url, places]) =>
    places.map((x) => ({
      ...{ type: 'click', x, y: 50, pageX: x, pageY: 50, url },
      ...{ pageW: 1280, pageH: 2000, viewportW: 1280, viewportH: 800 },
    })),
  )
  await record(visit, 'heatmap', clicks)
  await eventually(
    () => get(`/api/websites/${websiteId}/heatmaps`, { startAt: '0', endAt: '9999999999999', mode: 'click' }),
    ({ body }) => body.pages.length === 2,
  )
  return websiteId
}

const ofOnePage = '**/heatmaps?*urlPath=*'

it('a heatmap is redrawn for another page, and never stands under the path of another page', async () => {
  const { page, close } = await openSignedIn(browser, `/heatmaps/${await clickedWebsite()}`)
  const heading = page.locator('#map')
  const choose = (path: string) => page.getByRole('button', { name: path }).press('Enter')
  const drawn = async () => [await heading.textContent(), await painted(page, 0.1), await painted(page, 0.5)]
  const isPainted = expect.not.closeTo(0)
  await expect.poll(drawn).toEqual(['/left', isPainted, 0])
  const release = await hold(page, ofOnePage)
  const asked = page.waitForRequest(ofOnePage)
  await choose('/right')
  await asked
  await page.locator('[aria-current=page]', { hasText: '/right' }).waitFor()
  expect(await drawn()).toEqual(['/left', isPainted, 0])
  release()
  await expect.poll(drawn).toEqual(['/right', 0, isPainted])
  await close()
})

it('a heatmap or a list of pages that cannot be read is replaced by the reason, and can be retried', async () => {
  const { page, close } = await openSignedIn(browser, `/heatmaps/${await clickedWebsite()}`)
  const [heading, alert] = [page.locator('#map'), page.getByRole('alert')]
  await page.locator('.ground canvas').waitFor()
  await page.route(ofOnePage, (route) => route.abort())
  await page.getByRole('button', { name: '/right' }).press('Enter')
  await alert.waitFor()
  expect([await heading.textContent(), await page.locator('.ground').count()]).toEqual(['/right', 0])
  await page.unroute(ofOnePage)
  await alert.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect.poll(() => page.locator('.values-table tbody tr').allTextContents()).toEqual(['50%2%1'])
  expect([await heading.textContent(), await alert.count()]).toEqual(['/right', 0])

  const ofAllPages = '**/heatmaps?*search=lef*'
  await page.route(ofAllPages, (route) => route.abort())
  await page.getByLabel('Pages with').fill('lef')
  await page.keyboard.press('Enter')
  await alert.waitFor()
  expect(await page.getByRole('button', { name: '/right' }).count()).toBe(0)
  await page.unroute(ofAllPages)
  await alert.getByRole('button', { name: 'Try again' }).press('Enter')
  await page.getByRole('button', { name: '/left' }).waitFor()
  expect([await page.getByRole('button', { name: '/right' }).count(), await alert.count()]).toEqual([0, 0])
  await close()
})

it('an answer that arrives while a search is typed does not remove the typed text', async () => {
  const { page, faults, close } = await openSignedIn(browser, `/heatmaps/${await clickedWebsite()}`)
  const field = page.getByLabel('Pages with')
  await page.locator('.ground canvas').waitFor()
  const release = await hold(page, ofOnePage)
  await page.getByRole('button', { name: '/right' }).press('Enter')
  await field.fill('/lef')
  release()
  await page.locator('#map', { hasText: '/right' }).waitFor()
  await expect.poll(() => page.locator('.values-table tbody tr').allTextContents()).toEqual(['50%2%1'])
  expect(await field.inputValue()).toBe('/lef')
  await field.press('Enter')
  await page.getByRole('button', { name: '/right' }).waitFor({ state: 'detached' })
  expect([await field.inputValue(), new URL(page.url()).searchParams.get('search')]).toEqual(['/lef', '/lef'])
  await page.goBack()
  await expect.poll(() => field.inputValue()).toBe('')
  expect(faults).toEqual([])
  await close()
})
