import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContextOptions } from 'playwright-core'
import { describe, expect } from 'vitest'
import { openPage, userAgent } from '../support/browser.ts'
import { lend } from '../support/kept-pages.ts'
import { inTurn } from '../support/long.ts'
import { chunks, eventsOf, requestsOf } from '../support/recorded-page.ts'
import { seed } from '../support/seed.ts'
import { browser } from '../support/shared-browser.ts'
import { itOn, run, type Sent, siteOfFile } from '../support/site.ts'
import { soon } from '../support/soon.ts'
import { newWebsite } from '../support/weir.ts'

const opened = siteOfFile()

/** Longer than the tracker waits before it sends a view for a new URL. */
const settled = () => pause(700)

const payloads = (sent: readonly Sent[]) => sent.map(({ payload }) => payload)
const names = (sent: readonly Sent[]) => payloads(sent).map(({ name }) => name ?? '')

/** Opens a page with this HTML. */
async function openHtml(html: string, origin = opened.site.origin, options: BrowserContextOptions = {}) {
  const name = randomUUID()
  opened.site.place(name, `<!doctype html><title>A page</title>${html}`)
  const { page, faults, close } = await openPage(browser, origin, { userAgent, ...options })
  const printed: string[] = []
  page.on('console', (message) => message.type() === 'warning' && printed.push(message.text()))
  const url = `${origin}/${name}`
  await page.goto(url, { waitUntil: 'load' })
  const errors = () => faults.filter((error) => !/^(request to|referrer|Failed to load resource)/.test(error))
  return { page, url, errors, printed, close }
}

const it = itOn(opened).extend<{ open: typeof openHtml }>({
  open: ({ task }, use) => lend(task, openHtml, use),
})

const tag = (website: string, own = 'defer') =>
  `<script ${own} src="${opened.site.trackerOrigin}/script.js" data-website-id="${website}"></script>`

const insert = (website: string) =>
  `document.body.append(Object.assign(document.createElement('script'), { src: '${opened.site.trackerOrigin}/script.js' }))
  document.body.lastChild.dataset.websiteId = '${website}'
  document.body.lastChild.remove()`

describe('a tag', () => {
  it('does nothing when it runs again for the same website, but two websites are both counted', async ({ open }) => {
    const [one, other] = [await newWebsite(), await newWebsite()]
    const body = '<button data-umami-event="click">x</button>'
    const { page, errors } = await open(tag(one) + tag(one, 'async') + tag(other) + tag(one, 'type=module') + body)
    const add = insert(one).replace(/\n.*remove\(\)/, '')
    await run(page, `${add}; new Promise((done) => (document.body.lastChild.onload = done))`)
    await settled()
    await page.click('button')
    await run(page, `history.pushState(null, '', '?next')`)
    await soon(() => expect(opened.site.sent(other)).toHaveLength(3))
    await settled()
    for (const website of [one, other]) expect(names(opened.site.sent(website)).sort()).toEqual(['', '', 'click'])
    expect(await run(page, 'umami.getSession().website')).toBe(one)
    expect(errors()).toEqual([])
  })

  it.for(['defer', 'async', '', 'type=module', 'type="module" async'] as const)(
    'works with `%s`',
    async (own, { open }) => {
      const website = await newWebsite()
      const { url, errors } = await open(tag(website, own))
      await soon(() => expect(payloads(opened.site.sent(website))).toMatchObject([{ url }]))
      expect(errors()).toEqual([])
    },
  )

  it('works if it is inserted later, also as a module, and if it is removed afterwards', async ({ open }) => {
    const [one, other] = [await newWebsite(), await newWebsite()]
    const { page, errors } = await open('')
    await run(page, insert(one))
    await run(
      page,
      insert(other)
        .replace('{ src', `{ type: 'module', src`)
        .replace(/\n.*remove\(\)/, ''),
    )
    for (const website of [one, other]) await soon(() => expect(opened.site.sent(website)).toHaveLength(1))
    expect(errors()).toEqual([])
  })

  it('finds its own element among other modules, so that each website gets its own view', async ({ open }) => {
    const [one, other] = [await newWebsite(), await newWebsite()]
    const own = '<script type="module" src="/js/script.js"></script><svg><script type="module"></script></svg>'
    const { errors } = await open(own + tag(one, 'type=module') + tag(other, 'type=module'))
    for (const website of [one, other]) await soon(() => expect(opened.site.sent(website)).toHaveLength(1))
    expect(errors()).toEqual([])
  })
})

describe('a recorder tag', () => {
  it('may be a module, and uses settings from `umamiConfig`', async ({ visit }) => {
    const recorded = { replayEnabled: true, sampleRate: 1 }
    const type = { type: 'module' }
    const { page, sent, errors } = await visit({
      ...{ recorded, recorder: type, attributes: type, path: '?secret=1', body: '<p>secret</p>' },
      before: `window.umamiConfig = { excludeSearch: true, maskLevel: 'strict' }`,
    })
    await soon(() => expect(eventsOf(chunks(sent())).map(({ type }) => type)).toContain(2))
    expect(JSON.stringify(sent())).not.toContain('secret')
    await run(page, `umami.record.stop()`)
    expect(errors()).toEqual([])
  })

  it('stays off next to another tracker if `umamiConfig` asks to respect Do Not Track', async ({ visit }) => {
    const recorded = { replayEnabled: true, sampleRate: 0 }
    for (const doNotTrack of [true, false]) {
      const { page, close } = await visit({
        ...{ recorded, attributes: { 'data-auto-track': 'false' } },
        before: `window.umamiConfig = { doNotTrack: ${doNotTrack} }
          Object.defineProperty(navigator, 'doNotTrack', { value: '1' })
          const website = () => document.querySelector('script').dataset.websiteId
          window.umami = { track() {}, getSession: () => ({ cache: 'token', website: website() }) }`,
      })
      const requests = requestsOf(page)
      await page.reload()
      await settled()
      expect(requests.filter((path) => path.endsWith('/recorder'))).toHaveLength(doNotTrack ? 0 : 1)
      await close()
    }
  })
})

describe.concurrent('the tracker', () => {
  it('counts pages in the hash, through links, `location.hash` and back, but not links to headings', async ({
    visit,
  }) => {
    const { page, sent, url, errors } = await visit({
      body: '<a id="guide" href="#/guide">x</a><a id="bang" href="#!/bang">x</a><a id="heading" href="#section">x</a>',
    })
    const viewed = () => payloads(sent()).map((one) => one.url.replace(url, ''))
    const steps = [
      [`guide.click()`, ['', '#/guide']],
      [`bang.click()`, ['', '#/guide', '#!/bang']],
      [`location.hash = '#/own'`, ['', '#/guide', '#!/bang', '#/own']],
      [`heading.click()`, ['', '#/guide', '#!/bang', '#/own']],
      [`location.hash = 'other'`, ['', '#/guide', '#!/bang', '#/own']],
      [`location.hash = '#!page'`, ['', '#/guide', '#!/bang', '#/own', '#!page']],
    ] as const
    await soon(() => expect(viewed()).toEqual(['']))
    for (const [code, views] of steps) {
      await run(page, code)
      await settled()
      await soon(() => expect(viewed()).toEqual(views))
    }
    await run(page, 'history.go(-3)')
    await soon(() => expect(viewed()).toEqual([...steps.at(-1)![1], '#/own']))
    expect(payloads(sent()).at(-1).referrer).toBe(`${url}#!page`)
    expect(errors()).toEqual([])
  })

  it('removes a page’s hash on request', async ({ visit }) => {
    const { page, sent } = await visit({ attributes: { 'data-exclude-hash': 'true' } })
    await soon(() => expect(sent()).toHaveLength(1))
    await run(page, `location.hash = '#/secret'`)
    await settled()
    expect(JSON.stringify(sent())).not.toContain('secret')
    expect(sent()).toHaveLength(1)
  })

  it('sees clicks in open shadow roots, even nested ones, and around slots, but not in closed ones', async ({
    visit,
  }) => {
    const { page, sent, errors } = await visit({
      body: `<div id="host"><i id="slotted">x</i></div><div id="shut"></div><script>
        const root = (host, mode, html) => {
          const shadow = host.attachShadow({ mode })
          shadow.innerHTML = html
          return shadow
        }
        const shadow = root(host, 'open', '<button data-umami-event="E" data-umami-event-plan="pro"><b>x</b></button>' +
          '<p data-umami-event="around"><slot></slot></p><div></div>')
        root(shadow.querySelector('div'), 'open', '<u data-umami-event="inner">x</u>')
        window.within = root(shut, 'closed', '<b data-umami-event="closed">x</b>')
      </script>`,
    })
    await soon(() => expect(sent()).toHaveLength(1))
    await page.click('b')
    await page.click('#slotted')
    await page.click('u')
    await run(page, 'within.querySelector("b").click()')
    await soon(() => expect(names(sent()).slice(1).sort()).toEqual(['E', 'around', 'inner']))
    expect(sent().find(({ payload }) => payload.name === 'E')!.payload.data).toEqual({ plan: 'pro' })
    await settled()
    expect(sent()).toHaveLength(4)
    expect(errors()).toEqual([])
  })

  it('can identify a visitor by a number, and through an attribute of the tag', async ({ visit }) => {
    const { page, sent, errors } = await visit({ attributes: { 'data-distinct-id': 'of-tag' } })
    await soon(() => expect(sent()).toHaveLength(1))
    await run(page, `umami.identify(12345, { team: 'a' })`)
    await run(page, `umami.identify(null, { team: 'b' })`)
    await run(page, `umami.identify(0)`)
    await run(page, `umami.identify(Symbol('x'))`)
    expect(payloads(sent()).map(({ id }) => id)).toEqual(['of-tag', '12345', '12345', '0', 'Symbol(x)'])
    expect(payloads(sent())[1].data).toEqual({ team: 'a' })
    expect(sent().map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(errors()).toEqual([])
  })

  it('uses settings from `umamiConfig`, but attributes override them', async ({ open }) => {
    const website = await newWebsite()
    const config = `<script>umamiConfig = { websiteId: '${website}', tag: 'config', distinctId: 17, excludeHash: true,
      hostUrl: '${opened.site.trackerOrigin}/below', excludeSearch: true }</script>`
    const src = `src="${opened.site.trackerOrigin}/script.js"`
    const { page, errors } = await open(`${config}<script data-tag="own" data-exclude-hash="" ${src}></script>`)
    await run(page, `history.pushState(null, '', '?secret#shown')`)
    await soon(() => expect(opened.site.sent(website)).toHaveLength(2))
    const [first, second] = opened.site.sent(website)
    expect(first).toMatchObject({ path: '/below/api/send', payload: { tag: 'own', id: '17' } })
    expect(second!.payload.url).toMatch(/[^?]*#shown$/)
    expect(errors()).toEqual([])
  })

  const values = [
    ['an element', '<form id="umamiConfig"><input name="tag"></form>', ''],
    ['a collection of elements', '<a id="umamiConfig"></a><a id="umamiConfig" name="tag"></a>', ''],
    ['an object that is not plain', '', `window.umamiConfig = new (class { tag = 'config' })()`],
    ['an array', '', `window.umamiConfig = Object.assign([], { tag: 'config' })`],
    ['nothing', '', `window.umamiConfig = null`],
    ['an inherited value', '', `Object.prototype.tag = 'config'; window.umamiConfig = {}`],
    ['a value that is not a text, boolean or number', '', `window.umamiConfig = { tag: ['config'], distinctId: {} }`],
  ] as const
  it.for(inTurn(values, seed, 3))('accepts no setting from %s', async ([_, head, before], { visit }) => {
    const { sent, errors } = await visit({ head, before })
    await soon(() => expect(payloads(sent())).toHaveLength(1))
    expect(Object.keys(payloads(sent())[0])).not.toContain('tag')
    expect(Object.keys(payloads(sent())[0])).not.toContain('id')
    expect(errors()).toEqual([])
  })

  it('treats Global Privacy Control like Do Not Track', async ({ visit }) => {
    const before = `Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })`
    const asked = await visit({ before, attributes: { 'data-do-not-track': 'true' } })
    const configured = await visit({ before: `${before}; window.umamiConfig = { doNotTrack: true }` })
    const { sent } = await visit({ before })
    await soon(() => expect(sent()).toHaveLength(1))
    await settled()
    expect([...asked.sent(), ...configured.sent()]).toEqual([])
  })

  const devices = [
    ['an iPad that claims to be a Mac', 'Macintosh; Intel Mac OS X 10_15_7', 5, { device: 'tablet', os: 'iOS' }],
    ['a Mac', 'Macintosh; Intel Mac OS X 10_15_7', 0, {}],
    ['a touch screen', 'Windows NT 10.0; Win64; x64', 10, {}],
  ] as const
  it.for(inTurn(devices, seed, 3))('detects the device: %s', async ([_, system, points, expected], { visit }) => {
    const { page, sent } = await visit({
      before: `Object.defineProperty(navigator, 'maxTouchPoints', { value: ${points} })`,
      options: { userAgent: userAgent.replace('X11; Linux x86_64', system) },
    })
    await soon(() => expect(sent()).toHaveLength(1))
    await run(page, `umami.track('own')`)
    for (const { device, os } of payloads(sent())) expect({ device, os }).toEqual(expected)
    expect(sent().map(({ status }) => status)).toEqual([200, 200])
  })

  it('treats a frame without a URL as part of the page around it', async ({ open }) => {
    const website = await newWebsite()
    const inner = `${tag(website).replace('script.js"', 'script.js" data-performance="true" data-domains="localhost"')}
      <button data-umami-event="inside">x</button>`
    const frame = `<iframe srcdoc="${inner.replaceAll('"', '&quot;')}"></iframe>`
    const { page, url, errors } = await open(frame)
    await page.frameLocator('iframe').locator('button').click()
    await soon(() => expect(opened.site.sent(website).length).toBeGreaterThan(0))
    await settled()
    const all = opened.site.sent(website)
    expect(all.map(({ type, payload }) => [type, payload.name])).toEqual([['event', 'inside']])
    expect(all[0]!.payload).toMatchObject({ url, hostname: 'localhost' })
    expect(errors()).toEqual([])
  })

  it('prints response warnings on development hosts only', async ({ open }) => {
    const port = new URL(opened.site.origin).port
    const hosts = [
      ['localhost', '', true],
      ['127.0.0.2', 'data-debug', true],
      ['shop.localhost', '', true],
      ['127.0.0.2', '', false],
      ['127.0.0.2', 'data-debug="false"', false],
      ['127.0.0.1', '', true],
    ] as const
    for (const [host, own, isPrinted] of inTurn(hosts, seed, 3)) {
      const website = await newWebsite()
      const warnings = [{ path: 'payload.name', message: 'Cut to 50 characters.' }]
      opened.site.answer(website, [{ cache: 'token', warnings }])
      const { page, printed, close } = await open(tag(website, `defer ${own}`), `http://${host}:${port}`)
      await soon(async () => expect(await run(page, 'umami.getSession().cache')).toBe('token'))
      expect([host, own, printed]).toEqual([host, own, isPrinted ? ['payload.name: Cut to 50 characters.'] : []])
      await close()
    }
  })
})

describe.concurrent('the second file', () => {
  const stay = 'onclick="event.preventDefault()"'

  it('sends an event for a link to another host, without the parts that must be omitted', async ({ visit }) => {
    const elsewhere = 'http://name:word@elsewhere.example/a?secret=1#secret'
    const { page, sent, errors } = await visit({
      attributes: { 'data-outbound-links': '', 'data-exclude-search': 'true', 'data-exclude-hash': 'true' },
      body: `<a id="out" ${stay} href="${elsewhere}"><i>x</i></a><a id="own" ${stay} href="/other">x</a>
        <a id="mail" ${stay} href="mailto:a@elsewhere.example">x</a><a id="none" ${stay}>x</a>
        <a id="file" ${stay} href="/a.pdf" download>x</a>
        <map name="m"><area shape="default" href="https://area.example/" ${stay}></map><img usemap="#m" width="9" height="9">
        <div id="host"></div><script>host.attachShadow({ mode: 'open' }).innerHTML =
          '<a id="inner" href="https://shadow.example/">x</a>'; host.onclick = (event) => event.preventDefault()</script>`,
    })
    await soon(async () =>
      expect(await run(page, `performance.getEntriesByType('resource').map(({ name }) => name).join()`)).toContain(
        'more.js',
      ),
    )
    await settled()
    for (const id of ['#own', '#mail', '#none', '#file', 'i', 'img', '#inner']) await page.click(id)
    await page.click('#out', { button: 'right' })
    await soon(() => expect(sent()).toHaveLength(4))
    const events = payloads(sent()).slice(1)
    expect(events.map(({ name, data }) => [name, data.url]).sort()).toEqual([
      ['Outbound link', 'http://elsewhere.example/a'],
      ['Outbound link', 'https://area.example/'],
      ['Outbound link', 'https://shadow.example/'],
    ])
    expect(errors()).toEqual([])
  })

  it('sends an event when a middle click opens a tab, and before a plain click follows the link', async ({ visit }) => {
    const { page, sent, url } = await visit({
      attributes: { 'data-outbound-links': 'true' },
      body: `<a href="${opened.site.trackerOrigin}/robots.txt">x</a>`,
    })
    await soon(() => expect(sent()).toHaveLength(1))
    await settled()
    await page.click('a', { button: 'middle' })
    await soon(() => expect(names(sent())).toEqual(['', 'Outbound link']))
    expect(page.url()).toBe(url)
    await page.click('a')
    await page.waitForURL('**/robots.txt')
    await soon(() => expect(names(sent())).toEqual(['', 'Outbound link', 'Outbound link']))
  })

  it('sends an event for a download, which it recognises by the attribute or the end of the path', async ({
    visit,
  }) => {
    const paths = ['a.pdf?x=1', 'b.ZIP', 'c.epub', 'd.html', 'pdf', 'e.pdf/f', 'https://elsewhere.example/g.xlsx']
    const links = paths.map((path, index) => `<a id="l${index}" ${stay} href="${path}">x</a>`)
    const { page, sent, errors } = await visit({
      attributes: { 'data-downloads': '.epub, mobi' },
      body: `${links.join('')}<a id="named" ${stay} href="/report" download="r">x</a>
        <a id="made" ${stay} href="data:text/plain,secret" download>x</a>`,
    })
    await soon(() => expect(sent()).toHaveLength(1))
    await settled()
    for (const id of [...paths.map((_, index) => `l${index}`), 'named', 'made']) await page.click(`#${id}`)
    const { origin } = opened.site
    const urls = ['/a.pdf?x=1', '/b.ZIP', '/c.epub', '/report'].map((path) => origin + path)
    await soon(() => expect(sent()).toHaveLength(7))
    expect(
      payloads(sent())
        .slice(1)
        .map(({ name, data }) => [name, data.url])
        .sort(),
    ).toEqual([...urls, 'https://elsewhere.example/g.xlsx', 'data:'].sort().map((url) => ['Download', url]))
    expect(errors()).toEqual([])
  })

  it('sends an event for a missing page, in addition to its view', async ({ visit }) => {
    const attributes = { 'data-404': 'true', 'data-exclude-search': 'true' }
    const missing = await visit({ attributes, status: 404, path: '?secret' })
    const there = await visit({ attributes })
    const unasked = await visit({ status: 404 })
    await soon(() => expect(names(missing.sent()).sort()).toEqual(['', '404']))
    await soon(() => expect([there, unasked].map(({ sent }) => names(sent()))).toEqual([[''], ['']]))
    await settled()
    const event = missing.sent().find(({ payload }) => payload.name)!
    expect(event.payload.data).toEqual({ url: missing.url.replace('?secret', '') })
    expect([names(there.sent()), names(unasked.sent())]).toEqual([[''], ['']])
  })

  it('is loaded only if an attribute needs it; everything else works without it', async ({ visit }) => {
    for (const [attributes, isLoaded] of [
      [{}, false],
      [{ 'data-downloads': 'false', 'data-404': 'false', 'data-performance': 'false' }, false],
      [{ 'data-outbound-links': '', 'data-auto-track': 'false' }, false],
      [{ 'data-outbound-links': '', 'data-domains': 'elsewhere.example' }, false],
      [{ 'data-outbound-links': '' }, true],
    ] as const) {
      const { page, errors, close } = await visit({ attributes })
      await settled()
      const loaded = await run(page, `performance.getEntriesByType('resource').map(({ name }) => name).join()`)
      expect([attributes, String(loaded).includes('/more.js')]).toEqual([attributes, isLoaded])
      expect(errors()).toEqual([])
      await page.route('**/more.js', (route) => route.abort())
      await page.reload()
      await run(page, `umami.track('own')`)
      expect(errors()).toEqual([])
      await close()
    }
  })
})
