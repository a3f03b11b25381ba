import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { places } from '../../src/local/paths.ts'
import { openPage, userAgent } from '../support/browser.ts'
import { isolate } from '../support/isolate.ts'
import { listening } from '../support/listening.ts'
import { passOn } from '../support/proxy.ts'
import { seed } from '../support/seed.ts'
import { browser } from '../support/shared-browser.ts'
import { openSite, run, siteOfFile } from '../support/site.ts'
import { soon } from '../support/soon.ts'
import { share } from '../support/ways.ts'
import { running } from '../support/weir.ts'

const opened = siteOfFile()

/** The Worker's static files. */
const ASSETS = {
  fetch: async (url: string) =>
    new Response(readFileSync(`${places(running.dataDir).bundle}/pages${new URL(url).pathname}`)),
}

describe('the script', () => {
  it('has a second file for optional attributes, which any page may cache for a day', async () => {
    const answer = await fetch(`${running.url}/more.js`)
    const text = await answer.text()
    expect([answer.status, gzipSync(text).length < 3000]).toEqual([200, true])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...{ 'content-type': 'text/javascript; charset=utf-8', 'access-control-allow-origin': '*' },
      ...{ 'cache-control': 'public, max-age=86400, must-revalidate', etag: expect.any(String) },
    })
    const headers = { 'if-none-match': answer.headers.get('etag')! }
    expect((await fetch(`${running.url}/more.js`, { headers })).status).toBe(304)
  })

  it('is under 3 kB, and any page may cache it for a day', async () => {
    const answer = await fetch(`${running.url}/script.js`)
    const text = await answer.text()
    expect(gzipSync(text).length).toBeLessThan(3000)
    const headers = {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=86400, must-revalidate',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      etag: expect.stringMatching(/^"[\da-f]{32}"$/),
    }
    expect(Object.fromEntries(answer.headers)).toMatchObject(headers)
    const etag = answer.headers.get('etag')!
    const again = await fetch(`${running.url}/umami.js`, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    const head = await fetch(`${running.url}/script.js`, { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag])
    const posted = await fetch(`${running.url}/script.js`, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('can be given other names, and another path for `/api/send`, in the settings', async () => {
    const names = { TRACKER_SCRIPT_NAME: '/x.js, deep/er/y.js,', COLLECT_API_ENDPOINT: '/in/it' }
    const ask = isolate(undefined, { ASSETS, ...names })
    const plain = await (await fetch(`${running.url}/script.js`)).text()
    const texts = new Map<string, string>()
    for (const path of ['/x.js', '/deep/er/y.js', '/script.js', '/umami.js']) {
      const { status, text, headers } = await ask(path, {})
      expect([path, status, text === plain]).toEqual([path, 200, false])
      expect((await ask(path, { 'if-none-match': headers.get('etag')! })).status).toBe(304)
      texts.set(path, text)
    }
    for (const path of ['/y.js', '/deep/y.js', '/other.js'])
      expect([path, (await ask(path, {})).status]).toEqual([path, 404])
    for (const path of ['/in/it', '/api/send']) {
      const { status, text } = await ask(path, {}, 'POST', '{}')
      expect([path, status, JSON.parse(text).error.message]).toEqual([
        path,
        404,
        'This server does not collect events.',
      ])
    }
    expect((await fetch(`${running.url}/in/it`, { method: 'POST', body: '{}' })).status).toBe(404)
    expect((await isolate()('/script.js', {})).status).toBe(404)

    const renamed = await openSite({ texts })
    for (const [place, script] of [...texts.keys()].entries()) {
      // In each run, half of the names belong to modules.
      const type = (place + seed) % 2 === 0 ? { type: 'module' } : {}
      // The second file is in the folder of the first, if its other names allow that.
      const { sent, close } = await renamed.visit({ script, attributes: { ...type, 'data-404': '' }, status: 404 })
      await soon(() => expect(sent().map(({ path }) => path)).toEqual(['/in/it', '/in/it']))
      const names = sent().map(({ payload }) => payload.name)
      expect(names.sort()).toEqual(['404', undefined])
      await close()
    }
    await renamed.close()
  })

  it('looks for its second file in its own folder, even behind a proxy’s path', async () => {
    const files = ['script.js', 'more.js'].map(async (file): Promise<[string, string]> => {
      const answer = await fetch(`${running.url}/${file}`)
      return [`/stats/${file}`, await answer.text()]
    })
    const proxied = await openSite({ texts: new Map(await Promise.all(files)) })
    const { sent, close } = await proxied.visit({
      script: '/stats/script.js',
      attributes: { 'data-404': '' },
      status: 404,
    })
    await soon(() => expect(sent().map(({ path }) => path)).toEqual(['/stats/api/send', '/stats/api/send']))
    expect(sent().map(({ payload }) => payload.name)).toContain('404')
    await close()
    await proxied.close()
  })

  it('sends to `data-host-url`, which may include a path or be just a path', async () => {
    for (const [host, path] of [
      [`${opened.site.trackerOrigin}/below`, '/below/api/send'],
      [`${opened.site.trackerOrigin}/`, '/api/send'],
    ] as const) {
      const { sent, close } = await opened.site.visit({ attributes: { 'data-host-url': host } })
      await soon(() => expect(sent().map((one) => one.path)).toEqual([path]))
      await close()
    }
    const { page, errors } = await opened.site.visit({
      attributes: { 'data-host-url': '/of-page', 'data-auto-track': 'false' },
    })
    const [request] = await Promise.all([page.waitForRequest(/send/), run(page, 'umami.track()')])
    expect(request.url()).toBe(`${opened.site.origin}/of-page/api/send`)
    expect(errors()).toEqual([])
  })
})

describe('the page /demo', () => {
  it('shows its own events as they arrive, and exists only if `npm start` enables it', async ({ onTestFinished }) => {
    expect((await fetch(`${running.url}/demo`)).status).toBe(404)
    const { slug, websiteId } = await share({ realtime: true })
    let shown = slug
    const ask = isolate(undefined, { ASSETS, DEMO: true })
    const { server, port } = await listening(async (incoming, outgoing) => {
      if (incoming.url === '/assets/demo.js') {
        outgoing.writeHead(200, { 'content-type': 'text/javascript' }).end(`export const slug = '${shown}'`)
      } else if (incoming.url === '/demo') {
        const { status, headers, text } = await ask('/demo', {})
        outgoing.writeHead(status, Object.fromEntries(headers)).end(text)
      } else passOn(running.url, incoming, outgoing)
    })
    const origin = `http://127.0.0.1:${port}`
    const { context, page, faults } = await openPage(browser, origin, { userAgent })
    onTestFinished(async () => {
      await context.close()
      server.closeAllConnections()
      server.close()
    })
    await page.goto(`${origin}/demo`)
    await page.getByText(`<script defer src="${origin}/script.js" data-website-id="${websiteId}"></script>`).waitFor()
    // `waitForFunction` evaluates a string in the page, which the page's policy forbids.
    await soon(async () => expect(await run(page, 'typeof umami')).toBe('object'))
    await page.click('#view')
    await page.click('[data-umami-event]')
    await soon(async () => expect(await page.locator('[data-name]').allTextContents()).toEqual(['2', '1', '1']))
    expect(await page.locator('#message').textContent()).toContain('Your events are here.')
    expect(await page.locator('#newest').textContent()).toContain('signup on /demo')
    expect(faults).toEqual([])
    shown = 'a-share-that-ended'
    await page.goto(`${origin}/demo`)
    await page.getByText('The demo website or its share was deleted.').waitFor()
    for (const name of ['#tag', '#view', '.numbers', '#share']) expect(await page.isVisible(name)).toBe(false)
  })
})
