import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { openAlone, stored, userAgent } from '../support/browser.ts'
import { itOn, run, type Sent, siteOfFile } from '../support/site.ts'
import { soon } from '../support/soon.ts'
import { clickhouse, newWebsite } from '../support/weir.ts'

const opened = siteOfFile()
const it = itOn(opened)

/** Waits until the page has received the response to its last request. A view of a new URL uses its token. */
const answered = (page: Page, sent: () => readonly Sent[]) =>
  soon(async () => expect(await run(page, 'umami.getSession().cache')).toBe(sent().at(-1)?.answer.cache))

/** Longer than the tracker waits before it sends a view for a new URL. */
const settled = () => pause(700)

const payloads = (sent: readonly Sent[]) => sent.map(({ payload }) => payload)

const push = (page: Page, path: string) => run(page, `history.pushState(null, '', '${path}')`)

/** Serves a page that prerenders the next one, and opens it after the tracker has run there. */
function placePrerendered(name: string, website: string): void {
  const rules = JSON.stringify({ prerender: [{ urls: [`/${name}-next`], eagerness: 'immediate' }] })
  opened.site.place(
    `${name}-next`,
    `<!doctype html><title>Next</title><p>Next</p>
    <script>
      const said = document.prerendering
      document.addEventListener('prerenderingchange', () => {
        const [at, { activationStart }] = [Date.now(), performance.getEntriesByType('navigation')[0]]
        setTimeout(() => {
          umami.track('shown', { at, said, activationStart })
          history.pushState(null, '', '?further')
        }, 300)
      })
      // A change of the URL before the page is seen is not a view of its own.
      addEventListener('load', () => history.replaceState(null, '', '?early'))
      const early = () => {
        umami.track('early')
        localStorage.setItem('${name}', 'there')
      }
    </script>
    <script defer src="${opened.site.trackerOrigin}/script.js" data-website-id="${website}" data-performance="true"
      onload="early()"></script>`,
  )
  const first = `<!doctype html><script type="speculationrules">${rules}</script>First`
  opened.site.place(
    name,
    `${first}<script>onstorage = () => setTimeout(() => { location.href = '/${name}-next' }, 600)</script>`,
  )
}

describe.concurrent('the tracker', () => {
  it('sends a view when a page from another origin is loaded, and the Worker stores it', async ({ visit }) => {
    const { website, page, sent, errors, url } = await visit({
      attributes: { 'data-tag': 'spring' },
      path: '/a/b?utm_source=news#part',
    })
    await soon(() => expect(sent()).toHaveLength(1))
    expect(sent()).toMatchObject([
      {
        path: '/api/send',
        type: 'event',
        payload: {
          website,
          eventId: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
          ...{ hostname: 'localhost', screen: '1280x720', language: 'en-GB', title: 'A page' },
          ...{ url, referrer: '', tag: 'spring' },
        },
        status: 200,
      },
    ])
    const [{ answer }] = sent() as [Sent]
    await soon(async () =>
      expect(await run(page, 'umami.getSession()')).toEqual({ cache: answer.cache, website, visitId: answer.visitId }),
    )
    expect(errors()).toEqual([])
    expect(await stored(page)).toEqual({ local: {}, session: {}, cookies: '' })
    const query = `SELECT url_path, url_query, page_title, browser, tag FROM events WHERE website_id = '${website}'`
    const [url_path, url_query] = [`/${website}/a/b#part`, 'utm_source=news']
    await soon(async () =>
      expect(await clickhouse(query)).toEqual([
        { url_path, url_query, page_title: 'A page', browser: 'chrome', tag: 'spring' },
      ]),
    )
  })

  it('sends a view for each change of the URL, including back and forward, in the same visit', async ({ visit }) => {
    const { page, sent, url, errors } = await visit({
      referer: 'https://search.example/find?q=1',
      body: '<a id="anchor" href="#heading">x</a>',
    })
    const viewed = (): string[] => payloads(sent()).map((one) => one.url.replace(url, ''))
    await soon(() => expect(viewed()).toEqual(['']))
    for (const [code, views] of [
      [`history.pushState(1, '', location.pathname + '/a'); document.title = 'Page of a'`, ['', '/a']],
      [`history.replaceState(null, '', location.pathname.replace(/a$/, 'b'))`, ['', '/a', '/b']],
      ['history.back()', ['', '/a', '/b', '']],
      ['history.forward()', ['', '/a', '/b', '', '/b']],
    ] as const) {
      await answered(page, sent)
      await run(page, code)
      await soon(() => expect(viewed()).toEqual(views))
    }
    // Neither the same URL nor a link to a heading counts as a view. Two quick changes count as two views.
    await run(page, `history.replaceState(2, '', location.href); document.querySelector('a').click()`)
    await settled()
    await run(page, `history.pushState(1, '', '${url}/c'); history.pushState(1, '', '${url}/d')`)
    await soon(() => expect(viewed().slice(5).sort()).toEqual(['/c', '/d']))
    // This is what happens when the browser restores the page from its back-forward cache.
    await run(page, `dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
    await soon(() => expect(viewed().slice(7)).toEqual(['/d']))
    expect(
      payloads(sent())
        .map((one) => one.title)
        .slice(0, 2),
    ).toEqual(['A page', 'Page of a'])
    const steps = payloads(sent()).map((one) => [one.url, one.referrer].map((each) => each.replace(url, '.')).join(' '))
    expect(steps.slice(0, 5)).toEqual(['. https://search.example/find?q=1', './a .', './b ./a', '. ./b', './b .'])
    expect(steps.slice(5).sort()).toEqual(['./c ./b', './d ./c', './d ./c'])
    expect(new Set(sent().map(({ answer }) => answer.visitId)).size).toBe(1)
    const tokens = sent().map(({ headers }) => headers['x-umami-cache'])
    const given = sent().map(({ answer }) => answer.cache)
    expect(tokens.slice(0, 5)).toEqual([undefined, ...given.slice(0, 4)])
    expect(errors()).toEqual([])
  })

  it('omits referrers from its own origin on load, and removes the query and hash on request', async ({ visit }) => {
    const attributes = { 'data-exclude-search': 'true', 'data-exclude-hash': 'true' }
    const { page, sent, url } = await visit({
      attributes,
      path: '?secret=1#secret',
      body: '<a href="#b">x</a>',
    })
    await soon(() => expect(sent()).toHaveLength(1))
    await run(page, `location.href = location.pathname + '/next?secret=2'`)
    await soon(() => expect(sent()).toHaveLength(2))
    await run(page, `history.pushState(null, '', '?secret=3#secret')`)
    await run(page, `history.pushState(null, '', location.pathname + '/further?secret=4')`)
    await soon(() => expect(sent()).toHaveLength(3))
    await settled()
    expect(payloads(sent()).map((one) => [one.url, one.referrer])).toEqual([
      [url.replace(/\?.*/, ''), ''],
      [url.replace(/\?.*/, '/next'), ''],
      [url.replace(/\?.*/, '/next/further'), url.replace(/\?.*/, '/next')],
    ])
  })

  it('sends no view for a link to a heading if the query is removed', async ({ visit }) => {
    const { page, sent, url } = await visit({
      attributes: { 'data-exclude-search': 'true' },
      path: '?secret=1',
      body: '<a href="#heading">x</a>',
    })
    await soon(() => expect(sent()).toHaveLength(1))
    await page.click('a')
    expect(page.url()).toBe(`${url}#heading`)
    await settled()
    await run(page, `history.pushState(null, '', location.pathname + '/next?secret=2')`)
    await soon(() => expect(sent().length).toBeGreaterThan(1))
    await settled()
    const path = url.replace(/\?.*/, '')
    expect(payloads(sent()).map((one) => [one.url, one.referrer])).toEqual([
      [path, ''],
      [`${path}/next`, path],
    ])
  })

  it('sends an event for a click on an element or within it, with its data', async ({ visit }) => {
    const { page, sent, errors } = await visit({
      body: `<button data-umami-event="buy" data-umami-event-plan="pro" data-umami-event-price-eur="9"><b>Buy</b></button>
        <button id="none" data-umami-event="">x</button>`,
    })
    await page.click('#none')
    await page.click('b')
    await soon(() => expect(sent()).toHaveLength(2))
    expect(sent()[1]).toMatchObject({
      type: 'event',
      payload: { name: 'buy', data: { plan: 'pro', 'price-eur': '9' } },
    })
    expect(errors()).toEqual([])
  })

  it('follows a plain link once its event is sent, and leaves other clicks to the browser and the page', async ({
    visit,
  }) => {
    const { page, context, sent, url } = await visit({
      body: `<a id="plain" href="?to=plain" data-umami-event="plain"><i>x</i></a>
        <a id="own" href="?to=own" data-umami-event="own">x</a>
        <a id="tab" href="?to=tab" target="_blank" data-umami-event="tab">x</a>
        <script>document.getElementById('own').onclick = (event) => {
          event.preventDefault()
          history.pushState(null, '', '?routed')
        }</script>`,
    })
    const names = () => payloads(sent()).map((one) => one.name ?? one.url.replace(url, ''))
    await page.click('#own')
    await soon(() => expect(names().sort()).toEqual(['', '?routed', 'own']))
    expect(page.url()).toBe(`${url}?routed`)
    const [tab] = await Promise.all([context.waitForEvent('page'), page.click('#tab')])
    await soon(() => expect(names().slice(3).sort()).toEqual(['?to=tab', 'tab']))
    expect(tab.url()).toBe(`${url}?to=tab`)
    await tab.close()
    expect(page.url()).toBe(`${url}?routed`)
    await page.click('i')
    await page.waitForURL('**?to=plain')
    await soon(() => expect(names().slice(5).sort()).toEqual(['?to=plain', 'plain']))
  })

  it('lets the browser follow downloads, links within the page, and links that open elsewhere', async ({ visit }) => {
    const silence = Array(5).fill('silence')
    const { page, context, sent, url } = await visit({
      head: '<base target="_blank">',
      body: `<a id="jump" href="#part" target="_self" data-umami-event="jump">x</a>
        <a id="save" href="?to=save" target="_self" download data-umami-event="save">x</a>
        <a id="base" href="?to=base" data-umami-event="base">x</a>`,
      faults: [undefined, ...silence],
    })
    await soon(() => expect(sent()).toHaveLength(1))
    await page.click('#jump')
    expect(page.url()).toBe(`${url}#part`)
    await Promise.all([page.waitForEvent('download'), page.click('#save')])
    await Promise.all([context.waitForEvent('page'), page.click('#base')])
    expect(page.url()).toBe(`${url}#part`)
  })

  it('works on pages that forbid history changes and have an element named like the tracker', async ({ visit }) => {
    const { page, sent, errors } = await visit({
      body: '<b id="umami">x</b>',
      before: 'Object.freeze(history)',
    })
    await soon(() => expect(sent()).toHaveLength(1))
    await run(page, `umami.track('own')`)
    expect(payloads(sent()).map(({ name }) => name)).toEqual([undefined, 'own'])
    expect(errors()).toEqual([])
  })

  it('follows a link even if Weir does not answer', async ({ visit }) => {
    const { page, sent } = await visit({
      body: '<a href="?to=there" data-umami-event="go">x</a>',
      faults: [undefined, 'silence'],
    })
    await soon(() => expect(sent()).toHaveLength(1))
    await page.click('a')
    await page.waitForURL('**?to=there')
  })

  it('offers track, identify and getSession', async ({ visit }) => {
    const { website, page, sent, errors, url } = await visit({
      attributes: { 'data-auto-pageview': 'false' },
    })
    await run(page, `umami.track()`)
    await run(page, `umami.track('signup', { plan: 'pro', seats: 3, since: '2026-01-01T00:00:00Z' })`)
    await run(page, `umami.track({ url: '/virtual', title: 'Virtual' })`)
    await run(page, `umami.track((payload) => ({ ...payload, url: '/changed' }))`)
    await run(page, `umami.identify('user-1', { team: 'a' })`)
    await run(page, `umami.identify({ team: 'b' })`)
    await run(page, `umami.identify(undefined, { team: 'c' })`)
    await run(page, `umami.track('later')`)
    const eventId = expect.any(String)
    expect(sent().map(({ type }) => type)).toEqual([...Array(4).fill('event'), ...Array(3).fill('identify'), 'event'])
    expect(payloads(sent())).toMatchObject([
      { url },
      { url, name: 'signup', data: { plan: 'pro', seats: 3, since: '2026-01-01T00:00:00Z' } },
      { website, url: '/virtual', title: 'Virtual', eventId },
      { website, url: '/changed', hostname: 'localhost' },
      { id: 'user-1', data: { team: 'a' } },
      { id: 'user-1', data: { team: 'b' } },
      { id: 'user-1', data: { team: 'c' } },
      { id: 'user-1', name: 'later' },
    ])
    expect(Object.keys(payloads(sent())[2]).sort()).toEqual(['eventId', 'title', 'url', 'website'])
    expect(sent().map(({ status }) => status)).toEqual(Array(8).fill(200))
    // Signing in does not create a second visitor.
    expect(new Set(sent().map(({ answer }) => answer.sessionId)).size).toBe(1)
    expect(errors()).toEqual([])
  })

  it('lets a function on the page change or drop what is sent', async ({ visit }) => {
    const { page, sent, errors } = await visit({
      attributes: { 'data-before-send': 'filtered' },
      head: `<script defer src="data:text/javascript,${encodeURIComponent(
        `window.filtered = async (type, payload) => {
          if (payload.name === 'fail') throw new Error('of the page')
          return payload.name !== 'drop' && { ...payload, title: type }
        }`,
      )}"></script>`,
    })
    await soon(() => expect(sent()).toHaveLength(1))
    for (const name of ['drop', 'fail', 'keep']) await run(page, `umami.track('${name}')`)
    await run(page, `umami.identify('someone')`)
    expect(payloads(sent()).map((one) => [one.name, one.title])).toEqual([
      [undefined, 'event'],
      ['keep', 'event'],
      [undefined, 'identify'],
    ])
    expect(errors()).toEqual([])
  })

  it.for([
    ['umami.disabled is set', {}, `localStorage.setItem('umami.disabled', '1')`],
    ['the host is not listed', { 'data-domains': 'example.com, www.example.com' }, ''],
    [
      'Do Not Track is on and respected',
      { 'data-do-not-track': 'true' },
      `Object.defineProperty(navigator, 'doNotTrack', { value: '1' })`,
    ],
    ['there is no website', { 'data-website-id': '' }, ''],
  ] as const)('sends nothing if %s', async ([_, attributes, before], { visit }) => {
    const { page, sent, errors } = await visit({
      ...{ attributes, before },
      body: '<a href="#x" data-umami-event="click">x</a>',
    })
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await push(page, '?a')
    await page.click('a')
    await run(page, `umami.track('own')`)
    await run(page, `umami.identify('someone')`)
    await settled()
    expect([sent(), requests, errors()]).toEqual([[], [], []])
  })

  it.for([
    ['no host is listed', { 'data-domains': '' }, ''],
    ['the host is listed', { 'data-domains': 'example.com, LOCALHOST' }, ''],
    ['Do Not Track is on but not respected', {}, `Object.defineProperty(navigator, 'doNotTrack', { value: '1' })`],
    ['Do Not Track is off', { 'data-do-not-track': 'true' }, ''],
    [
      'the browser denies storage',
      {},
      `Object.defineProperty(window, 'localStorage', { get() { throw new Error() } })`,
    ],
  ] as const)('sends if %s', async ([_, attributes, before], { visit }) => {
    const { sent } = await visit({ attributes, before })
    await soon(() => expect(sent()).toHaveLength(1))
  })

  it('sends nothing itself with data-auto-track="false", and no views with data-auto-pageview="false"', async ({
    visit,
  }) => {
    const body = '<b data-umami-event="click">x</b>'
    for (const [attribute, expected] of [
      ['data-auto-track', ['own']],
      ['data-auto-pageview', ['click', 'own']],
    ] as const) {
      const { page, sent, url, close } = await visit({ attributes: { [attribute]: 'false' }, body })
      await push(page, '?a')
      await page.click('b')
      await settled()
      await run(page, `umami.track('own')`)
      const names = () => payloads(sent()).map(({ name }) => name)
      await soon(() => expect(names().sort()).toEqual(expected))
      expect(payloads(sent()).find(({ name }) => name === 'own')).toMatchObject({ url: `${url}?a`, referrer: url })
      await close()
    }
  })

  it('stops when a response tells it to', async ({ visit }) => {
    const { page, sent, errors } = await visit({
      attributes: { 'data-auto-pageview': 'false' },
      faults: [{ disabled: true }],
    })
    // `track` resolves once the page has received the response.
    await run(page, 'umami.track()')
    await run(page, `umami.track('more')`)
    expect(sent()).toHaveLength(1)
    expect(errors()).toEqual([])
  })

  it.for([503, 'cut'] as const)('repeats an event only once, with the same id, after %s', async (fault, { visit }) => {
    const { website, page, sent, errors } = await visit({ faults: [fault, undefined, fault, fault] })
    await soon(() => expect(sent()).toHaveLength(2))
    const [first, second] = sent() as [Sent, Sent]
    expect([second.payload, second.status]).toEqual([first.payload, 200])
    await run(page, `umami.track('lost')`)
    await run(page, `umami.track('kept')`)
    expect(payloads(sent()).map(({ name }) => name)).toEqual([undefined, undefined, 'lost', 'lost', 'kept'])
    expect(errors()).toEqual([])
    const query = `SELECT event_name FROM events WHERE website_id = '${website}' ORDER BY created_at`
    await soon(async () => expect(await clickhouse(query)).toEqual([{ event_name: '' }, { event_name: 'kept' }]))
  })

  it('does not repeat a refused event, but sends the next ones', async ({ visit }) => {
    const { page, sent, errors } = await visit({})
    await soon(() => expect(sent()).toHaveLength(1))
    await run(page, `umami.track((payload) => ({ ...payload, timestamp: 1 }))`)
    await pause(1500)
    await run(page, `umami.track('next')`)
    await run(page, `umami.track('cyclic', window)`)
    expect(sent().map(({ status }) => status)).toEqual([200, 400, 200])
    expect(errors()).toEqual([])
  })

  it('waits while offline, then sends everything, even events too large for a keepalive request', async ({ visit }) => {
    const { page, context, sent, errors } = await visit()
    await soon(() => expect(sent()).toHaveLength(1))
    await context.setOffline(true)
    await run(
      page,
      `for (let i = 0; i < 5; i++) {
        void umami.track('offline', Object.fromEntries(Array.from({ length: 9 }, (_, key) => [key, 'x'.repeat(2000)])))
      }`,
    )
    await pause(1500)
    expect(sent()).toHaveLength(1)
    await context.setOffline(false)
    await soon(() => expect(sent()).toHaveLength(6))
    expect(sent().map(({ payload, status }) => [payload.name, status])).toEqual([
      [undefined, 200],
      ...Array(5).fill(['offline', 200]),
    ])
    expect(errors()).toEqual([])
  })

  it('sends an event that is too large for a keepalive request', async ({ visit }) => {
    const { page, sent } = await visit()
    await run(
      page,
      `umami.track('large', Object.fromEntries(Array.from({ length: 35 }, (_, i) => [i, 'é'.repeat(1000)])))`,
    )
    await soon(() => expect(sent().map(({ payload, status }) => [payload.name, status])).toContainEqual(['large', 200]))
  })

  it('sends nothing while a page is prerendered, and measures from when it is shown', async ({ onTestFinished }) => {
    const [website, name] = [await newWebsite(), randomUUID()]
    placePrerendered(name, website)
    onTestFinished(await openAlone(`${opened.site.origin}/${name}`, userAgent))
    const what = () => opened.site.sent(website).map(({ type, payload }) => payload.name ?? type)
    await soon(() => expect(what()).toHaveLength(5))
    expect(what().sort()).toEqual(['early', 'event', 'event', 'performance', 'shown'])
    const views = payloads(opened.site.sent(website).filter((_, at) => what()[at] === 'event'))
    const next = `${opened.site.origin}/${name}-next`
    expect(views.map(({ url, referrer }) => [url, referrer]).sort()).toEqual([
      [`${next}?early`, ''],
      [`${next}?further`, `${next}?early`],
    ])
    const payloadOf = (name: string) => opened.site.sent(website)[what().indexOf(name)]!.payload
    const { at, said, activationStart: since } = payloadOf('shown').data
    expect([said, since > 500]).toEqual([true, true])
    // The two processes' clocks differ by some milliseconds.
    expect(opened.site.sent(website).filter((one) => one.at < at - 100)).toEqual([])
    const { ttfb, fcp, lcp } = payloadOf('performance')
    expect([ttfb, fcp < since, lcp < since]).toEqual([0, true, true])
  })
})

/** The browser's measurements, from observers on the page itself. */
interface Measured {
  readonly shifts: readonly { readonly value: number; readonly startTime: number; readonly hadRecentInput: boolean }[]
  readonly interactions: readonly { readonly duration: number; readonly interactionId: number }[]
  readonly lcp: number
  readonly fcp: number
  readonly ttfb: number
}

/** Records every entry in `measured`. */
const observing = `
  window.measured = { shifts: [], interactions: [] }
  const seen = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take))
    .observe({ type, buffered: true, durationThreshold: 16 })
  seen('layout-shift', ({ value, startTime, hadRecentInput }) => measured.shifts.push({ value, startTime, hadRecentInput }))
  seen('event', ({ duration, interactionId }) => interactionId && measured.interactions.push({ duration, interactionId }))
  seen('largest-contentful-paint', ({ startTime }) => { measured.lcp = startTime })
  seen('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') measured.fcp = startTime })
  addEventListener('load', () => { measured.ttfb = performance.getEntriesByType('navigation')[0].responseStart })`

/** The largest sum of shifts that are less than 1 s apart and span less than 5 s. */
function worstWindow(shifts: Measured['shifts']): number {
  const sums = shifts.map((first, index) => {
    let [sum, before] = [0, first.startTime]
    for (const { value, startTime } of shifts.slice(index)) {
      if (startTime - before >= 1000 || startTime - first.startTime >= 5000) break
      sum += value
      before = startTime
    }
    return sum
  })
  return Math.max(0, ...sums)
}

describe.concurrent('web vitals', () => {
  const interacted = 'new Set(measured.interactions.map(({ interactionId }) => interactionId)).size'
  const body = `<h1>Heading</h1><div id="above"></div><p>Text that moves</p>
    <button onclick="for (const end = performance.now() + 80; performance.now() < end;);">Slow</button>`
  const attributes = { 'data-performance': 'true' }
  const speeds = (sent: readonly Sent[]) => payloads(sent.filter(({ type }) => type === 'performance'))
  /** Moves the text, and waits until the browser has noticed. */
  const shift = async (page: Page, height: number) => {
    const shifts = (await run(page, 'measured.shifts.length')) as number
    await run(page, `document.getElementById('above').style.height = '${height}px'`)
    await soon(async () => expect(await run(page, 'measured.shifts.length')).toBeGreaterThan(shifts))
  }

  it('are sent once, when the URL changes, for the page that they belong to', async ({ visit }) => {
    const { page, sent, url, errors } = await visit({ ...{ attributes, body }, before: observing })
    await soon(async () => expect(await run(page, 'measured.lcp > 0')).toBe(true))
    for (const height of [30, 90]) await shift(page, height)
    await pause(1100)
    await shift(page, 190)
    for (let count = 0; count < 3; count++) await page.click('button')
    await soon(async () => expect(await run(page, interacted)).toBe(3))
    await pause(300)
    await push(page, '?next')
    await soon(() => expect(speeds(sent())).toHaveLength(1))
    const { shifts, interactions, lcp, fcp, ttfb } = (await run(page, 'measured')) as Measured
    const counted = shifts.filter(({ hadRecentInput }) => !hadRecentInput)
    expect(counted.length).toBeGreaterThan(2)
    expect(worstWindow(counted)).toBeLessThan(counted.reduce((sum, { value }) => sum + value, 0))
    const inp = Math.max(...interactions.map(({ duration }) => duration))
    const [speed] = speeds(sent())
    expect(speed).toMatchObject({ url, title: 'A page', lcp, fcp, ttfb, inp })
    expect(speed.cls).toBeCloseTo(worstWindow(counted), 10)
    expect(inp).toBeGreaterThanOrEqual(72)
    await push(page, '?further')
    await page.goto('about:blank')
    await settled()
    expect(speeds(sent())).toHaveLength(1)
    expect(errors()).toEqual([])
  })

  it('are sent when the page is left', async ({ visit }) => {
    const { page, sent, url } = await visit({ attributes, body })
    await soon(() => expect(sent()).toHaveLength(1))
    const second = `performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/more.js'))`
    await soon(async () => expect(await run(page, second)).toBe(true))
    await run(page, 'new Promise((done) => setTimeout(done, 100))')
    await page.goto('about:blank')
    await soon(() => expect(speeds(sent())).toMatchObject([{ url, cls: 0, ttfb: expect.any(Number) }]))
    expect(speeds(sent())[0]).not.toHaveProperty('inp')
    expect(sent().map(({ status }) => status)).toEqual([200, 200])
  })

  it('are sent after ten seconds', async ({ visit }) => {
    const { page, sent, url } = await visit({ attributes, body, hasClock: true })
    await soon(() => expect(sent()).toHaveLength(1))
    await page.clock.runFor(9000)
    expect(speeds(sent())).toEqual([])
    await page.clock.runFor(2000)
    await soon(() => expect(speeds(sent())).toMatchObject([{ url, cls: 0 }]))
  })
})
