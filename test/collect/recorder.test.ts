import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { stored } from '../support/browser.ts'
import { contents } from '../support/contents.ts'
import { attributesOf, chunks, eventsOf, heatmaps, hide, nodesOf, requestsOf } from '../support/recorded-page.ts'
import { itOn, run, type Sent, siteOfFile } from '../support/site.ts'
import { soon } from '../support/soon.ts'
import { clickhouse, get, running, send } from '../support/weir.ts'

const opened = siteOfFile()
const it = itOn(opened)

/** A minute before this file's tests. */
const began = Date.now() - 60_000

const replayed = { replayEnabled: true, sampleRate: 1 }
const mapped = { heatmapEnabled: true, heatmapSampleRate: 1 }

/** A replay's events, once it contains a snapshot. */
async function snapshots(sent: () => readonly Sent[], count = 1) {
  await soon(() => expect(eventsOf(chunks(sent())).filter(({ type }) => type === 2)).toHaveLength(count))
  return eventsOf(chunks(sent()))
}

/** Asserts that a replay with this many events exists, and that Weir's answers and tables contain none of the texts. */
async function keptWithout(website: string, visit: string, events: number, texts: RegExp): Promise<void> {
  const others = ['replays', 'heatmaps', 'heatmaps?mode=scroll', 'metrics?type=path', 'sessions', 'events']
  const paths = [`replays/${visit}`, ...others]
  const range = `startAt=${Date.now() - 60_000}&endAt=${Date.now() + 60_000}`
  const ask = async (path: string) => {
    const between = path.endsWith(visit) ? '' : path.includes('?') ? `&${range}` : `?${range}`
    return get(`/api/websites/${website}/${path}${between}`)
  }
  await soon(async () => expect((await ask(`replays/${visit}`)).body.eventCount).toBeGreaterThanOrEqual(events))
  const answers = await Promise.all(paths.map(ask))
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
  const rows = await clickhouse<{ events: string }>(`SELECT events FROM replay_chunks WHERE visit_id = '${visit}'`)
  const kept = JSON.stringify([answers.map(({ body }) => body), rows])
  // This proves that the search finds texts that are stored.
  expect(kept).toContain('Words to read')
  expect(kept).not.toMatch(texts)
}

/** Asserts that none of the data folder's files contain these texts, although some contain the visit. */
function nowhereInFiles(visit: string, texts: RegExp): void {
  let found = 0
  for (const [path, content] of contents(running.dataDir, began)) {
    const text = content.toString('latin1')
    if (text.includes(visit)) found++
    expect(texts.exec(text)?.[0], path).toBe(undefined)
  }
  expect(found).toBeGreaterThan(0)
}

/** A page with every kind of field, whose values begin with `secret`. */
function everyField(): string {
  const types = ['text', 'email', 'tel', 'url', 'search', 'password', 'number', 'date', 'color', 'range', 'hidden']
  const given: Record<string, string> = { number: '7770001', date: '1977-07-07', color: '#770077', range: '77' }
  return `${types
    .map((type) => `<input id="${type}" type="${type}" max="100" value="${given[type] ?? `secret-${type}`}">`)
    .join('')}
    <input id="box" type="checkbox" value="secret-box"><input type="radio" name="r" id="one" value="secret-one" checked>
    <textarea id="area">secret-area</textarea><input type="submit" value="secret-submit">
    <select id="choice"><option value="secret-a" label="secret-label">secret-text-a<option value="secret-b">secret-text-b</select>
    <p>Words to read</p><img alt="A picture" id="picture"><input id="ignored" class="rr-ignore">
    <div id="editable" contenteditable="">secret-editable</div><div id="masked" class="rr-mask">secret-masked</div>
    <div id="styled" style="-webkit-user-modify: read-write">Not yet</div><meta name="token" content="secret-token">
    <select id="styled-choice" style="appearance: base-select"><button><selectedcontent></selectedcontent></button>
      <option value="a">secret-first</option><option value="b">secret-second</option></select>
    <div id="toggled" contenteditable></div><div id="context" tabindex="0">Not yet</div><x-field value="secret-own"></x-field>
    <iframe id="editor" srcdoc="<p>secret-framed</p><script>document.designMode = 'on'</script>"></iframe>`
}

/** Types into every field, and changes some with code. */
async function typeEverywhere(page: Page): Promise<void> {
  await page.fill('#text', 'typed-text')
  await page.fill('#password', 'typed-password')
  await run(page, `document.getElementById('password').type = 'text'`)
  await page.fill('#password', 'typed-shown')
  await page.fill('#area', 'typed-area')
  await page.fill('#ignored', 'typed-ignored')
  await page.check('#box')
  await page.selectOption('#choice', 'secret-b')
  await page.click('#editable')
  await page.keyboard.type('typed-editable')
  await page.keyboard.press('Enter')
  await page.keyboard.type('typed-line')
  await run(
    page,
    `const own = document.getElementById('context')
    own.editContext = new EditContext()
    own.editContext.addEventListener('textupdate', () => (own.textContent = own.editContext.text))`,
  )
  await page.selectOption('#styled-choice', 'b')
  await page.click('#context')
  await page.keyboard.type('typed-context')
  await page.click('#styled')
  await page.keyboard.type('typed-styled')
  await page.click('#toggled')
  await page.keyboard.type('typed-toggled')
  await run(
    page,
    `document.getElementById('toggled').contentEditable = 'false'
    document.getElementById('toggled').append(' typed-still')`,
  )
  await page.frameLocator('#editor').locator('p').click()
  await page.keyboard.type('typed-framed')
  await run(
    page,
    `document.getElementById('hidden').value = 'typed-hidden'
    document.getElementById('hidden').setAttribute('value', 'typed-attribute')
    document.querySelector('option').firstChild.data = 'typed-option'
    document.querySelector('option').setAttribute('selected', '')
    document.getElementById('area').insertAdjacentHTML('afterend', '<textarea>typed-later</textarea><input value="typed-new">')`,
  )
}

/** A page with marked content in everything that is left out or masked, also in frames and shadow trees. */
function markedPage(): string {
  const marks = ['class="rr-block"', 'data-umami-block', 'class="site"', 'class="tag"']
  const blocks = marks.map((mark, index) => `<div id="b${index}" ${mark} style="width:50px;height:20px">secret</div>`)
  return `${blocks.join('')}<p class="rr-mask">secret <b>secret</b></p><div data-umami-mask id="host"></div>
        <div data-umami-mask><iframe srcdoc="<p>secret frame</p>"></iframe></div>
        <iframe id="blocked-frame" class="rr-block" srcdoc="<p title='secret'>secret frame</p>"></iframe>
        <div id="blocked-host" data-umami-block></div><object data="data:text/html,secret"></object>
        <iframe src="https://other.invalid/?secret"></iframe>
        <script>const own = 'secret'
          document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<i>secret shadow</i>'
          document.getElementById('blocked-host').attachShadow({ mode: 'open' }).innerHTML = '<i>secret shadow</i>'</script>
        <!-- secret --><noscript>secret</noscript><a href="#" onclick="secret()">Open</a><canvas></canvas>`
}

/** Adds more marked content later. */
const laterSecrets = `document.getElementById('host').shadowRoot.firstChild.firstChild.data = 'secret changed'
      document.getElementById('host').shadowRoot.append(Object.assign(document.createElement('u'), { textContent: 'secret' }))
      document.querySelector('.rr-mask').append(Object.assign(document.createElement('u'), { textContent: 'secret' }))
      document.querySelector('iframe').contentDocument.querySelector('p').textContent = 'secret again'
      document.getElementById('b0').append('secret')
      const within = document.getElementById('blocked-host').shadowRoot
      within.append(Object.assign(document.createElement('i'), { title: 'secret', textContent: 'secret' }))
      const framed = document.getElementById('blocked-frame').contentDocument
      framed.body.append(Object.assign(framed.createElement('i'), { title: 'secret', textContent: 'secret' }))
      setTimeout(() => {
        within.lastChild.title = 'secret later'
        framed.body.lastChild.title = 'secret later'
      })
      document.body.insertAdjacentHTML('beforeend', '<noscript>secret later</noscript>')
      document.querySelector('canvas').getContext('2d').fillText('secret', 5, 5)
      console.log('secret')
      document.body.append('Done')`

describe.concurrent('a replay', () => {
  it('is sent in requests that the Worker stores: each page’s snapshot, then what happens on the page', async ({
    visit,
  }) => {
    const { website, page, sent, url, errors } = await visit({
      ...{ recorded: replayed, body: '<h1>Words</h1><button id="more" onclick="document.title += 1">More</button>' },
    })
    await snapshots(sent)
    await page.click('#more')
    await run(page, `document.body.append(Object.assign(document.createElement('p'), { textContent: 'Added' }))`)
    await run(page, `history.pushState(null, '', '?next')`)
    await soon(() => expect(JSON.stringify(eventsOf(chunks(sent())))).toContain('url-change'))
    const requests = chunks(sent())
    const events = eventsOf(requests)
    // A snapshot is sent in a separate request.
    const [first] = requests
    expect(first!.payload.events.map(({ type }: { type: number }) => type)).toEqual([4, 2])
    expect(events[0]!.data).toMatchObject({ href: url, width: 1280, height: 720 })
    expect(nodesOf(events).map(({ textContent }) => textContent)).toEqual(expect.arrayContaining(['Words', 'Added']))
    expect(events).toContainEqual({
      ...{ type: 5, timestamp: expect.any(Number) },
      data: { tag: 'url-change', payload: { url: `${url}?next` } },
    })
    const [view] = sent()
    for (const { path, headers, answer, status } of requests) {
      expect([path, status, answer, headers['content-encoding']]).toEqual(['/api/record', 200, { ok: true }, 'gzip'])
    }
    expect(first!.headers['x-umami-cache']).toBe(view!.answer.cache)
    const seconds = requests.map(({ payload }) => payload.timestamp)
    expect(seconds).toEqual([...new Set(seconds)].sort((one, other) => one - other))
    expect(Math.abs(seconds[0] - Date.now() / 1000)).toBeLessThan(120)
    expect(await stored(page)).toEqual({ local: {}, session: {}, cookies: '' })
    expect(errors()).toEqual([])
    await soon(async () => {
      const { status, body } = await get(`/api/websites/${website}/replays/${view!.answer.visitId}`)
      expect([status, body.eventCount]).toEqual([200, eventsOf(chunks(sent())).length])
    })
  })

  it('contains nothing that was typed or chosen, in any kind of field', async ({ visit }) => {
    const { website, page, sent } = await visit({ recorded: replayed, body: everyField() })
    await snapshots(sent)
    await typeEverywhere(page)
    await pause(100)
    await hide(page)
    const texts = () => eventsOf(chunks(sent())).flatMap(({ data }) => (data.source === 5 ? [data.text] : []))
    await soon(() => expect(texts().length).toBeGreaterThan(5))
    await soon(() => expect(nodesOf(eventsOf(chunks(sent()))).map(({ tagName }) => tagName)).toContain('textarea'))
    const events = eventsOf(chunks(sent()))
    const all = JSON.stringify(events)
    const secrets = /secret|typed|7770001|1977-07-07|#770077/
    expect(JSON.stringify(sent())).not.toMatch(secrets)
    expect(all).not.toContain('"selected"')
    expect(texts().join('')).toMatch(/^\*+$/)
    expect(attributesOf(events, 'range')).toMatchObject({ type: 'range', value: '*' })
    const ids = nodesOf(events).find(({ attributes }) => attributes?.id === 'ignored')!.id
    expect(events.filter(({ data }) => data.source === 5 && data.id === ids)).toEqual([])
    expect(all).toContain('Words to read')
    expect(attributesOf(events, 'picture')).toMatchObject({ alt: 'A picture' })
    await keptWithout(website, sent()[0]!.answer.visitId, events.length, secrets)
  })

  it('is stored without typed text even if the recorder masks nothing', async ({ visit }) => {
    const { website, page, sent } = await visit({
      ...{ recorded: replayed, recorder: { 'data-auto-start': 'false' } },
      body: `<p>Words to read</p><input id="text" value="unmasked-text"><input id="password" type="password">
        <textarea id="area">unmasked-area</textarea><div id="editable" contenteditable="true">unmasked-editable</div>
        <select id="choice"><option value="unmasked-a">unmasked-option-a<option value="unmasked-b">unmasked-option-b</select>`,
    })
    await soon(() => expect(sent().length).toBeGreaterThan(0))
    await page.addScriptTag({ path: new URL('record.umd.cjs', import.meta.resolve('@rrweb/record')).pathname })
    await run(
      page,
      `globalThis.events = []; rrwebRecord.record({ emit: (event) => events.push(event), maskInputOptions: {} })`,
    )
    for (const id of ['text', 'password', 'area', 'editable']) {
      await page.click(`#${id}`)
      await page.keyboard.type(`unmasked-typed-${id}`)
    }
    await page.selectOption('#choice', 'unmasked-b')
    await pause(100)
    const events = (await run(page, 'events')) as { type: number }[]
    expect(JSON.stringify(events)).toMatch(/unmasked-typed-password/)
    const [{ answer, headers }] = sent() as [Sent]
    const { status } = await send('/api/record', {
      method: 'POST',
      headers: { 'user-agent': String(headers['user-agent']), 'x-umami-cache': answer.cache },
      body: JSON.stringify({ type: 'record', payload: { website, events: events.slice(0, 200) } }),
    })
    expect([status, events.length < 200]).toEqual([200, true])
    await keptWithout(website, answer.visitId, events.length, /unmasked-/)
    // The recorder has sent these texts, so here the files show what Weir does.
    nowhereInFiles(answer.visitId, /unmasked-/)
  })

  it('contains no text at all if the level is strict', async ({ visit }) => {
    const { page, sent } = await visit({
      recorded: { ...replayed, maskLevel: 'strict' },
      head: '<style>p { color: rgb(1, 2, 3) }</style>',
      body: `<p title="secret">secret one</p><img id="picture" alt="secret" aria-label="secret" aria-description="secret" src="data:image/svg+xml,secret">
        <input id="box" type="checkbox" placeholder="secret" checked><button value="secret">secret</button>`,
    })
    await snapshots(sent)
    await run(
      page,
      `document.querySelector('p').firstChild.data = 'secret two'
      document.querySelector('p').title = 'secret three'
      document.getElementById('picture').srcset = 'a.png 1x, data:image/svg+xml,secret 2x'
      document.body.append('secret four')`,
    )
    await page.uncheck('#box')
    await hide(page)
    await soon(() => expect(JSON.stringify(eventsOf(chunks(sent())))).toContain('****** ****'))
    const events = eventsOf(chunks(sent()))
    const all = JSON.stringify(events)
    expect(all).not.toMatch(/secret|A page/)
    expect(all).toContain('rgb(1, 2, 3)')
    expect(attributesOf(events, 'picture')).toMatchObject({ alt: '*', 'aria-label': '*' })
    expect(attributesOf(events, 'box')).not.toHaveProperty('checked')
    expect(events.filter(({ data }) => data.source === 5).map(({ data }) => data.isChecked)).not.toContain(true)
  })

  it('omits and masks what the page marks, also later, in shadow trees and in frames', async ({ visit }) => {
    const { page, sent } = await visit({
      recorded: { ...replayed, blockSelector: '.site' },
      recorder: { 'data-block-selector': '.tag' },
      body: markedPage(),
    })
    await snapshots(sent)
    await run(page, laterSecrets)
    await pause(100)
    await hide(page)
    await soon(() => expect(JSON.stringify(eventsOf(chunks(sent())))).toContain('Done'))
    const events = eventsOf(chunks(sent()))
    expect(JSON.stringify(events)).not.toContain('secret')
    for (let index = 0; index < 4; index++) {
      const { attributes, childNodes } = nodesOf(events).find(
        (one) => one.attributes?.rr_width && nodesOf(events).indexOf(one) >= 0 && isNth(one, index),
      )!
      expect(attributes).toMatchObject({ class: expect.stringContaining('rr-block'), rr_width: '50px' })
      expect(childNodes).toEqual([])
    }
    expect(nodesOf(events).map(({ tagName }) => tagName)).not.toContain('script')
    function isNth(one: object, index: number): boolean {
      return nodesOf(events).filter(({ attributes }) => attributes?.rr_width)[index] === one
    }
  })

  it('removes the query and hash from URLs if the tracker does', async ({ visit }) => {
    const { page, sent, url } = await visit({
      recorded: { ...replayed, ...mapped },
      attributes: { 'data-exclude-search': 'true', 'data-exclude-hash': 'true' },
      ...{ path: '/a?secret=1#secret', body: '<p>Words</p>' },
    })
    await snapshots(sent)
    await run(page, `history.pushState(null, '', location.pathname + '/b?secret=2#secret')`)
    await run(page, `history.pushState(null, '', '?secret=3')`)
    await page.click('p')
    await hide(page)
    await soon(() => expect(heatmaps(sent()).length).toBeGreaterThan(0))
    await soon(() => expect(JSON.stringify(eventsOf(chunks(sent())))).toContain('url-change'))
    const changes = eventsOf(chunks(sent())).filter(({ type }) => type === 5)
    const bare = url.replace(/\?.*/, '')
    expect(changes.map(({ data }) => data.payload.url)).toEqual([`${bare}/b`])
    expect(eventsOf(chunks(sent()))[0]!.data.href).toBe(bare)
    expect(JSON.stringify(sent())).not.toContain('secret')
  })

  it('is sent in requests of at most 100 events, with a new snapshot every thousand events', async ({ visit }) => {
    const { page, sent, errors } = await visit({ recorded: replayed, body: '<input>' })
    await snapshots(sent)
    await run(
      page,
      `const field = document.querySelector('input')
      for (let count = 1; count <= 1050; count++) {
        field.value = 'x'.repeat(count)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }`,
    )
    await snapshots(sent, 2)
    const requests = chunks(sent())
    expect(Math.max(...requests.map(({ payload }) => payload.events.length))).toBe(100)
    expect(requests.map(({ status }) => status)).toEqual(requests.map(() => 200))
    expect(errors()).toEqual([])
  })

  it('ends after the maximum duration, which the tag can only shorten', async ({ visit }) => {
    const { page, sent } = await visit({
      recorded: { ...replayed, maxDuration: 60_000 },
      recorder: { 'data-max-duration': '1500' },
      body: `<p>0</p><script>setInterval(() => { document.querySelector('p').firstChild.data += 1 }, 50)</script>`,
    })
    await snapshots(sent)
    await pause(2500)
    await hide(page)
    await soon(() => expect(chunks(sent()).length).toBeGreaterThan(1))
    const events = eventsOf(chunks(sent()))
    expect(events.at(-1)!.timestamp - events[0]!.timestamp).toBeLessThanOrEqual(1500)
    await run(page, `document.body.append('more')`)
    await hide(page)
    await pause(300)
    expect(eventsOf(chunks(sent()))).toEqual(events)
  })

  it('sends the remaining events in a keepalive request when the page is left', async ({ visit }) => {
    const { page, sent } = await visit({ recorded: { ...replayed, ...mapped }, body: '<button>x</button>' })
    await snapshots(sent)
    await page.click('button')
    await run(page, `document.body.append('last words')`)
    await page.goto('about:blank')
    await soon(() => expect(JSON.stringify(eventsOf(chunks(sent())))).toContain('last words'))
    await soon(() => expect(eventsOf(heatmaps(sent())).map(({ type }) => type)).toContain('click'))
    expect(sent().map(({ status, answer }) => [status, answer.error])).toEqual(sent().map(() => [200, undefined]))
  })

  it('belongs to one visit; if the next visit begins on the same page, a new replay begins, too', async ({ visit }) => {
    const { page, sent } = await visit({ recorded: replayed })
    await snapshots(sent)
    // The page was idle for longer than a visit, so its token is no longer valid.
    await run(
      page,
      `const { getSession } = umami
      umami.getSession = () => ({ ...getSession(), visitId: '00000000-0000-4000-8000-000000000000' })
      document.body.append('of the first visit')`,
    )
    await snapshots(sent, 2)
    const events = eventsOf(chunks(sent()))
    expect(events.filter(({ type }) => type === 4)).toHaveLength(2)
  })

  it('is sent in pieces if the browser does not support compression', async ({ visit }) => {
    const { website, sent } = await visit({
      recorded: replayed,
      before: 'delete window.CompressionStream',
      body: `<p>${'many words '.repeat(60_000)}</p>`,
    })
    await soon(() => expect(eventsOf(chunks(sent())).length).toBeGreaterThanOrEqual(4))
    const requests = chunks(sent())
    const pieces = eventsOf(requests).filter(({ type }) => type === 'umami:rrweb-event-fragment')
    expect(pieces.map(({ data }) => [data.index, data.total])).toEqual([0, 1, 2].map((index) => [index, 3]))
    expect(new Set(pieces.map(({ data }) => data.id)).size).toBe(1)
    const whole = JSON.parse(pieces.map(({ data }) => data.value).join(''))
    expect([whole.type, whole.timestamp]).toEqual([2, pieces[0]!.timestamp])
    expect(requests.map(({ headers, status }) => [headers['content-encoding'], status])).toEqual(
      requests.map(() => [undefined, 200]),
    )
    const { visitId } = sent()[0]!.answer
    await soon(async () => {
      const { body } = await get(`/api/websites/${website}/replays/${visitId}`)
      expect(body.events?.map(({ type }: { type: number }) => type)).toEqual([4, 2])
    })
  })

  it('is not recorded on pages with over 50,000 elements, although a heatmap is', async ({ visit }) => {
    const { sent } = await visit({
      recorded: { ...replayed, ...mapped },
      body: `<script>document.body.innerHTML = '<i></i>'.repeat(50001)</script>`,
    })
    await soon(() => expect(heatmaps(sent()).length).toBeGreaterThan(0))
    expect(chunks(sent())).toEqual([])
  })
})

describe.concurrent('the recorder', () => {
  const visitOf = (first: string, last: string) => ({
    ...{ cache: 'a token', sessionId: '00000000-0000-4000-8000-000000000000' },
    visitId: `${first}-0000-4000-8000-0000${last}`,
  })

  it.for([
    ['replay', visitOf('7fffffff', '80000000'), ['record']],
    ['heatmap', visitOf('80000000', '7fffffff'), ['heatmap']],
  ] as const)('samples by visit id, so that it records only the %s', async ([_, told, expected], { visit }) => {
    const { sent } = await visit({
      recorded: { ...replayed, sampleRate: 0.5, ...mapped, heatmapSampleRate: 0.5 },
      faults: [told],
      recorderFaults: Array(9).fill({ ok: true }),
    })
    await soon(() => expect(sent().length).toBeGreaterThan(1))
    await pause(600)
    expect([
      ...new Set(
        sent()
          .slice(1)
          .map(({ type }) => type),
      ),
    ]).toEqual(expected)
    expect(sent()[1]!.headers['x-umami-cache']).toBe('a token')
  })

  it.for([
    ['neither is on', { replayEnabled: false, heatmapEnabled: false }, {}],
    ['the rate is 0', { ...replayed, sampleRate: 0 }, {}],
    ['the tag’s rate is 0', replayed, { 'data-sample-rate': '0' }],
    ['a selector of the tag does not parse', replayed, { 'data-block-selector': '.a[' }],
  ] as const)('loads no second file if %s', async ([_, recorded, recorder], { visit }) => {
    const { page, sent, errors } = await visit({ recorded, recorder })
    const requests = requestsOf(page)
    await page.reload()
    await soon(() => expect(requests.filter((path) => path.endsWith('/recorder'))).not.toEqual([]))
    await pause(300)
    expect(requests).not.toContain('/replay.js')
    expect([chunks(sent()), errors()]).toEqual([[], []])
  })

  it.for([
    ['umami.disabled is set', {}, `localStorage.setItem('umami.disabled', '1')`],
    ['the host is not listed', { 'data-domains': 'example.com' }, ''],
    [
      'Global Privacy Control is on and respected',
      { 'data-do-not-track': 'true' },
      `Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })`,
    ],
  ] as const)('requests nothing if %s', async ([_, attributes, before], { visit }) => {
    const { page, sent, errors } = await visit({ recorded: { ...replayed, ...mapped }, attributes, before })
    const requests = requestsOf(page)
    await page.reload()
    await pause(500)
    expect(requests.filter((path) => !/\.js$|^\/[\w-]{36}$/.test(path) && path !== '/api/send')).toEqual([])
    expect([chunks(sent()), heatmaps(sent()), errors()]).toEqual([[], [], []])
  })

  it('stops when the visitor opts out, and when the tracker has stopped', async ({ visit }) => {
    for (const [code, faults] of [
      [`localStorage.setItem('umami.disabled', '1')`, []],
      [`umami.track('more')`, [undefined, { disabled: true }]],
    ] as const) {
      const { page, sent, close } = await visit({ recorded: replayed, faults: [...faults] })
      await snapshots(sent)
      await run(page, code)
      const before = chunks(sent()).length
      await run(page, `document.body.append('more')`)
      await hide(page)
      await pause(300)
      expect(chunks(sent())).toHaveLength(before)
      await close()
    }
  })

  it('waits for consent, and stops if it is refused', async ({ visit }) => {
    const { page, sent } = await visit({
      recorded: { ...replayed, ...mapped },
      recorder: { 'data-auto-start': 'false' },
      body: '<button>x</button>',
    })
    await soon(() => expect(sent()).toHaveLength(1))
    await pause(500)
    expect(sent()).toHaveLength(1)
    await run(page, 'umami.record.start()')
    await snapshots(sent)
    await page.click('button')
    await run(page, `document.body.append('after'); umami.record.stop()`)
    const before = sent().length
    await hide(page)
    await page.goto('about:blank')
    await pause(300)
    expect(sent()).toHaveLength(before)
    expect(JSON.stringify(sent())).not.toContain('after')
  })

  it('runs only once, even if the page contains its tag twice', async ({ visit }) => {
    const tag = (origin: string, website: string) =>
      `document.head.append(Object.assign(document.createElement('script'), { src: '${origin}/recorder.js' }))
      document.head.lastChild.dataset.websiteId = '${website}'`
    const { website, page, sent } = await visit({
      recorded: replayed,
      recorder: { 'data-auto-start': 'false' },
    })
    await soon(() => expect(sent()).toHaveLength(1))
    await run(page, tag(opened.site.trackerOrigin, website))
    await pause(500)
    await run(page, 'umami.record.start()')
    await snapshots(sent)
    await run(page, `umami.record.stop(); document.body.append('after')`)
    await hide(page)
    await pause(300)
    expect(JSON.stringify(chunks(sent()))).not.toContain('after')
    expect(eventsOf(chunks(sent())).filter(({ type }) => type === 2)).toHaveLength(1)
  })

  it('does not send data that was still being compressed when it stopped', async ({ visit }) => {
    const { page, sent } = await visit({
      ...{ recorded: replayed, recorder: { 'data-auto-start': 'false' } },
      before: `const [Own, gate] = [CompressionStream, new Promise((go) => (globalThis.goOn = go))]
        CompressionStream = class {
          constructor(format) {
            const { readable, writable } = new Own(format)
            this.writable = writable
            const slowly = async (part, to) => (document.title = 'slow', await gate, to.enqueue(part))
            this.readable = readable.pipeThrough(new TransformStream({ transform: slowly }))
          }
        }`,
    })
    await soon(() => expect(sent()).toHaveLength(1))
    await run(page, 'umami.record.start()')
    await page.waitForFunction('document.title === "slow"')
    await run(page, 'umami.record.stop(); goOn()')
    await pause(1000)
    expect(chunks(sent())).toEqual([])
  })

  it('repeats failed requests in order, and stops if one is refused', async ({ visit }) => {
    const { page, sent, errors } = await visit({
      recorded: replayed,
      recorderFaults: [503, 'cut', undefined, { ok: false, reason: 'visit_full' }],
    })
    await soon(() => expect(chunks(sent()).length).toBeGreaterThanOrEqual(3))
    const [first, second, third] = chunks(sent()) as [Sent, Sent, Sent]
    expect([second.payload, third.payload, third.answer]).toEqual([first.payload, first.payload, { ok: true }])
    expect([second.at - first.at > 900, third.at - second.at > 3900]).toEqual([true, true])
    await run(page, `document.body.append('one')`)
    await soon(() => expect(chunks(sent())).toHaveLength(4))
    await pause(500) // The page gets the answer after the test has seen it.
    await run(page, `document.body.append('two')`)
    await hide(page)
    await pause(300)
    expect(chunks(sent())).toHaveLength(4)
    expect(errors()).toEqual([])
  })

  it('does nothing if there is no tracker', async ({ visit }) => {
    const { page, sent, errors } = await visit({
      recorded: replayed,
      attributes: { 'data-auto-track': 'false' },
    })
    const requests = requestsOf(page)
    await pause(1000)
    expect([requests, sent(), errors()]).toEqual([[], [], []])
  })

  it('is small, and loads its second file only if necessary', async () => {
    for (const [path, most] of [
      ['/recorder.js', 3000],
      ['/replay.js', 26_000],
    ] as const) {
      const answer = await fetch(running.url + path)
      const text = await answer.text()
      expect([answer.status, gzipSync(text).length <= most]).toEqual([200, true])
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        ...{ 'content-type': 'text/javascript; charset=utf-8', 'access-control-allow-origin': '*' },
        ...{ 'cache-control': 'public, max-age=86400, must-revalidate', etag: expect.any(String) },
      })
      const headers = { 'if-none-match': answer.headers.get('etag')! }
      expect((await fetch(running.url + path, { headers })).status).toBe(304)
    }
  })
})
