import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { openPage, userAgent } from '../support/browser.ts'
import { inTurn } from '../support/long.ts'
import { once } from '../support/once.ts'
import { chunks, eventsOf, heatmaps, hide, nodesOf } from '../support/recorded-page.ts'
import { seed } from '../support/seed.ts'
import { browser } from '../support/shared-browser.ts'
import { itOn, run, type Sent, siteOfFile } from '../support/site.ts'
import { soon } from '../support/soon.ts'

const opened = siteOfFile()
const it = itOn(opened)

const evil = 'https://evil.example'

/** The names of all properties that a document and a form have in a browser. */
const propertyNames = once(async () => {
  const { page, close } = await openPage(browser, opened.site.origin, { userAgent })
  await page.goto(`${opened.site.origin}/none`)
  const names = await run(
    page,
    `[document, document.createElement('form')].map((object) => {
      const names = new Set()
      for (let one = object; one; one = Object.getPrototypeOf(one)) Object.getOwnPropertyNames(one).forEach((name) => names.add(name))
      return [...names].filter((name) => name !== '__proto__')
    })`,
  )
  await close()
  return names as [ofDocument: string[], ofForm: string[]]
})

/** Images whose names hide every property of the document. */
const images = (names: readonly string[]) =>
  names
    .map((name) => `<img name="${name}" src="${evil}/x.js" data-website-id="evil" data-host-url="${evil}/">`)
    .join('')

/** Forms with these names, whose fields are named like functions and settings. */
const forms = (names: readonly string[]) =>
  names
    .map(
      (name) =>
        `<form id="${name}"><input name="track" value="${evil}"><input name="getSession"><input name="hostUrl" value="${evil}"></form>`,
    )
    .join('')

const globals = ['umami', 'umamiConfig', 'doNotTrack', 'script', 'event', 'track']

describe('elements named like properties', () => {
  it('do not affect what the tracker sends or where it sends it', async ({ visit }) => {
    const [names, ofForm] = await propertyNames()
    expect(names).toEqual(expect.arrayContaining(['currentScript', 'scripts', 'title', 'referrer', 'addEventListener']))
    const head = images(names) + forms(globals)
    const fields = ofForm.map((name) => `<input name="${name}">`)
    for (const attributes of inTurn([{}, { type: 'module' }], seed, 2)) {
      const { page, sent, url, website, errors, close } = await visit({
        ...{ head, attributes: { ...attributes, 'data-outbound-links': '' } },
        referer: 'https://search.example/found',
        body: `<form data-umami-event="pressed" data-umami-event-plan="pro" style="padding: 20px">${fields.join('')}</form>
          <a data-umami-event="followed" href="?next">x</a>`,
      })
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await soon(() => expect(sent()).toHaveLength(1))
      const [view] = sent() as [Sent]
      expect(view).toMatchObject({
        ...{ path: '/api/send', status: 200 },
        payload: { website, url, title: 'A page', referrer: 'https://search.example/found', hostname: 'localhost' },
      })
      await run(
        page,
        `Reflect.apply(EventTarget.prototype.dispatchEvent,
          Reflect.apply(Document.prototype.querySelector, document, ['[data-umami-event=pressed]']),
          [new MouseEvent('click', { bubbles: true })])`,
      )
      await soon(() => expect(sent()[1]?.payload).toMatchObject({ name: 'pressed', data: { plan: 'pro' } }))
      await run(page, `Reflect.apply(Document.prototype.querySelector, document, ['a']).click()`)
      await soon(() => expect(sent().map(({ payload }) => payload.url)).toContain(`${url}?next`))
      expect(asked.filter((one) => one.startsWith(evil) && !one.endsWith('/x.js'))).toEqual([])
      expect(await run(page, 'umami.getSession().website')).toBe(website)
      expect(errors()).toEqual([])
      await close()
    }
  })

  it('do not affect what the recorder masks, sends and loads', async ({ visit }) => {
    // rrweb itself records nothing if other names are used.
    const names = ['currentScript', 'scripts', 'querySelectorAll', 'getElementsByTagName', 'createDocumentFragment']
    const more = ['hidden', 'prerendering', 'scrollingElement', 'designMode', 'title', 'referrer', 'cookie', 'forms']
    const { page, sent, url, errors } = await visit({
      ...{ head: images([...names, ...more]) + forms(globals), path: '?secret=1' },
      recorded: { replayEnabled: true, sampleRate: 1 },
      attributes: { 'data-exclude-search': 'true' },
      recorder: { 'data-mask-level': 'strict', 'data-block-selector': '.left-out' },
      body: '<p>secret words</p><div class="left-out"><p>secret</p></div>',
    })
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await soon(() => expect(eventsOf(chunks(sent())).map(({ type }) => type)).toContain(2))
    const events = eventsOf(chunks(sent()))
    expect(events[0]!.data.href).toBe(url.replace('?secret=1', ''))
    expect(nodesOf(events).filter(({ attributes }) => attributes?.rr_width)).toHaveLength(1)
    expect(JSON.stringify(sent())).not.toContain('secret')
    expect(JSON.stringify(events)).toContain('****** *****')
    await page.reload()
    await soon(() => expect(requests).toContain(`${opened.site.trackerOrigin}/replay.js`))
    expect(requests.filter((one) => one.startsWith(evil) && !one.endsWith('/x.js'))).toEqual([])
    expect(errors()).toEqual([])
  })

  it('do not affect a heatmap', async ({ visit }) => {
    const { sent, url, errors } = await visit({
      ...{ head: images((await propertyNames())[0]) + forms(globals), path: '?secret=1' },
      recorded: { heatmapEnabled: true, heatmapSampleRate: 1 },
      attributes: { 'data-exclude-search': 'true' },
      body: '<div style="height: 30000px"></div>',
    })
    await soon(() => expect(heatmaps(sent()).length).toBeGreaterThan(0))
    const events = eventsOf(heatmaps(sent())) as unknown as { url: string; pageH: number }[]
    for (const event of events) {
      expect([event.url, event.pageH > 30_000]).toEqual([url.replace('?secret=1', ''), true])
    }
    expect(errors()).toEqual([])
  })

  it('do not turn off the masking of a form, in a snapshot or later', async ({ visit }) => {
    const names = ['classList', 'matches', 'closest', 'parentElement', 'ownerDocument', 'getRootNode', 'tagName']
    // The fields are outside their forms, so the text around them is not masked.
    const fields = (form: string) => names.map((name) => `<input form="${form}" name="${name}">`).join('')
    const { page, sent, errors } = await visit({
      recorded: { replayEnabled: true, sampleRate: 1, blockSelector: '.site' },
      body: `<p>Words</p>${['class', 'mark', 'own', 'inner', 'itself'].map(fields).join('')}
        <form id="class" class="rr-block">secret <b>secret</b></form><form id="mark" data-umami-block>secret</form>
        <form id="own" class="site">secret</form><div class="rr-mask"><form id="inner">secret <b>secret</b></form></div>
        <form id="itself" data-umami-mask>secret</form>`,
    })
    await soon(() => expect(eventsOf(chunks(sent())).map(({ type }) => type)).toContain(2))
    expect(nodesOf(eventsOf(chunks(sent()))).filter(({ attributes }) => attributes?.rr_width)).toHaveLength(3)
    await run(
      page,
      `const html = (own) => '<form ' + own + '>secret later<i>secret</i><input name=classList><input name=closest></form>'
      document.body.insertAdjacentHTML('beforeend', html('data-umami-mask') + html('class=rr-block') + '<p>Done</p>')`,
    )
    await pause(100)
    await hide(page)
    await soon(() => expect(JSON.stringify(eventsOf(chunks(sent())))).toContain('Done'))
    const events = eventsOf(chunks(sent()))
    expect(JSON.stringify(events)).not.toContain('secret')
    expect(JSON.stringify(events)).toContain('Words')
    expect(nodesOf(events).filter(({ attributes }) => attributes?.rr_width)).toHaveLength(4)
    expect(errors()).toEqual([])
  })

  it('do not turn off the masking of an editable document', async ({ visit }) => {
    const framed = `<img name=designMode><img name=defaultView><p>secret</p><script>
      Reflect.set(Document.prototype, 'designMode', 'on', document)</script>`
    const { page, sent, errors } = await visit({
      recorded: { replayEnabled: true, sampleRate: 1 },
      body: `<p>Words</p><iframe srcdoc="${framed}"></iframe>`,
    })
    await soon(() => expect(JSON.stringify(eventsOf(chunks(sent())))).toContain('"designMode"'))
    await run(page, `document.querySelector('iframe').contentDocument.querySelector('p').append('secret later')`)
    await run(page, `document.body.append('Done')`)
    await hide(page)
    await soon(() => expect(JSON.stringify(eventsOf(chunks(sent())))).toContain('Done'))
    expect(JSON.stringify(eventsOf(chunks(sent())))).not.toContain('secret')
    expect(errors()).toEqual([])
  })
})

describe('a page that forbids history changes', () => {
  it('does not affect that the recorder starts on request', async ({ visit }) => {
    const { page, sent, errors } = await visit({
      before: 'Object.freeze(history)',
      recorded: { replayEnabled: true, sampleRate: 1 },
      recorder: { 'data-auto-start': 'false' },
    })
    await soon(async () => expect(await run(page, 'typeof umami.record')).toBe('object'))
    await run(page, 'umami.record.start()')
    await soon(() => expect(chunks(sent()).length).toBeGreaterThan(0))
    expect(errors()).toEqual([])
  })
})

describe('a `<base>` after the script tag', () => {
  it('does not affect where the script sends events, or what it loads', async ({ visit }) => {
    const { site } = opened
    for (const name of ['script.js', 'recorder.js']) {
      site.place(name, await (await fetch(`${site.trackerOrigin}/${name}`)).text())
    }
    const { website } = await visit({ recorded: { replayEnabled: true, sampleRate: 1 } })
    const tag = (path: string, more = '') => `<script defer src="${path}" data-website-id="${website}"${more}></script>`
    const host = ` data-host-url="${site.trackerOrigin}"`
    for (const [tags, beside] of [
      [tag('/script.js'), '/api/send'],
      [tag('script.js', host) + tag('recorder.js', host), '/replay.js'],
    ] as const) {
      site.place('based', `<!doctype html><title>A page</title>${tags}<body>A comment <base href="${evil}/x/">`)
      const { page, close } = await openPage(browser, site.origin, { userAgent })
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(`${site.origin}/based`)
      await soon(() => expect(asked).toContain(site.origin + beside))
      expect(asked.filter((one) => one.startsWith(evil))).toEqual([])
      await close()
    }
  })
})
