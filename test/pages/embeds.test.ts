import { randomUUID } from 'node:crypto'
import type { Frame } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../src/app.ts'
import { shareSnippets } from '../../src/pages/snippets.ts'
import { event, id } from '../oracle/fixtures.ts'
import { openPage } from '../support/browser.ts'
import { operator, post } from '../support/callers.ts'
import { listening } from '../support/listening.ts'
import { insert } from '../support/people.ts'
import { browser } from '../support/shared-browser.ts'
import { share } from '../support/ways.ts'
import { add, columnTime } from '../support/website.ts'
import { get, running } from '../support/weir.ts'

const open = (path: string, headers: Record<string, string> = {}) => fetch(running.url + path, { headers })
const badgeOf = (slug: string, query = '') => open(`/badge/${slug}.svg${query}`)

/** A long timeout for a busy machine. */
const patient = { timeout: 30_000 }

/** A third-party page on its own origin. */
async function pageWith(html: () => string) {
  const { server, port } = await listening((_, answer) => answer.setHeader('content-type', 'text/html').end(html()))
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Adds visitors on the last few days, one per country, and one from long ago. */
async function withVisitors(websiteId: string): Promise<void> {
  const day = 86_400_000
  const ages = [0.5, 3, 3, 20, 29, 31, 60]
  await add(
    websiteId,
    ...ages.map((age, index) =>
      event({
        ...{ event_id: id(700 + index), session_id: id(100 + index), visit_id: id(200 + index) },
        ...{ created_at: columnTime(Date.now() - age * day), event_type: 1, country: index === 0 ? 'NP' : 'DE' },
      }),
    ),
  )
}

describe('a share page in a frame', () => {
  let html = ''
  let page: Awaited<ReturnType<typeof pageWith>>
  beforeAll(async () => {
    page = await pageWith(() => html)
  })
  afterAll(() => page.close())

  /** Opens a page with this HTML, and returns the frame in it. */
  async function framed(given: string): Promise<{ frame: Frame; close: () => Promise<void> }> {
    html = `<!doctype html><body>${given}</body>`
    const opened = await openPage(browser, page.origin, { reducedMotion: 'reduce' })
    await opened.page.goto(page.origin, { waitUntil: 'load' })
    return { frame: opened.page.frames()[1]!, close: opened.close }
  }

  const snippetOf = (slug: string) => shareSnippets({ origin: running.url, slug }).embed

  it('is allowed if the share lists the origin: no header, transparent, and as tall as its content', async () => {
    const { websiteId, slug } = await share({ overview: true, frameAncestors: [page.origin], theme: 'light' })
    await withVisitors(websiteId)
    const { frame, close } = await framed(snippetOf(slug).replace('embed=1', 'embed=1&amp;theme=dark'))
    await frame.locator('[data-card=overview]').waitFor()
    await expect.poll(() => frame.locator('.bone, .waits').count(), patient).toBe(0)
    expect(await frame.locator('.head').isVisible()).toBe(false)
    expect(await frame.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgba(0, 0, 0, 0)')
    expect(await frame.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark')
    const [inside, content] = ['innerHeight', 'document.getElementById("dashboard").scrollHeight']
    await expect.poll(() => frame.evaluate(`${content} > 640 && ${inside} === ${content}`), patient).toBe(true)
    // In a frame, shortcuts are off, the frame's URL sets the theme, and links open another tab.
    expect(await frame.locator('.about :is(button, select)').count()).toBe(1)
    expect(await frame.locator('.meaning a').first().getAttribute('target')).toBe('_blank')
    // The page stays embedded after the reader has made choices.
    await frame.locator('.figure').nth(1).click()
    await expect.poll(() => frame.evaluate('location.search'), patient).toContain('embed=1&theme=dark')
    await close()
  })

  it.each([
    ['the share names another origin', { frameAncestors: ['https://blog.example'] }, '?embed=1'],
    ['the share names none', {}, '?embed=1'],
    ['the request is not for an embed', { frameAncestors: ['<own>'] }, ''],
    ['the request has another value of embed', { frameAncestors: ['<own>'] }, '?embed=true'],
  ])('is refused if %s', async (_, parameters, query) => {
    const own = JSON.parse(JSON.stringify(parameters).replace('<own>', page.origin))
    const { slug } = await share({ overview: true, ...own })
    const { frame, close } = await framed(`<iframe src="${running.url}/share/${slug}${query}"></iframe>`)
    await expect.poll(() => frame.url(), patient).toBe('chrome-error://chromewebdata/')
    await close()
  })

  it('is allowed for up to ten origins, written as browsers send them', async () => {
    const { websiteId } = await share()
    const made = (frameAncestors: unknown) =>
      post('/api/share', { entityId: websiteId, shareType: 1, name: 'a', parameters: { frameAncestors } })
    const origins = Array.from({ length: 10 }, (_, index) => `https://${index}.example`)
    expect((await made(origins)).status).toBe(200)
    for (const wrong of [
      ...[[], [...origins, 'https://a.example'], 'https://a.example', ['*'], ['https://*.example'], [5]],
      ...[['https://a.example/'], ['https://a.example; script-src *'], ["'self'"], ['data:'], ['https://a.example b']],
      // Browsers would drop these values from a policy, or misread them.
      ...[['http://[::1]:3000'], ['https://a..b'], ['https://a_b.example'], ['https://a.example.'], ['https://.a']],
      ...[
        ['https://A.example'],
        ['https://a.example:443'],
        ['https://a.example:99999'],
        [`https://${'a'.repeat(300)}`],
      ],
    ]) {
      const { status, body } = await made(wrong)
      expect([status, body.error.issues[0].path]).toEqual([
        400,
        expect.stringMatching(/^parameters\.frameAncestors(\.\d+)?$/),
      ])
    }
  })

  it('does not reveal who else may embed it, and is always sent completely, with its policy', async () => {
    const { slug } = await share({ overview: true, frameAncestors: ['https://blog.example'] })
    expect(JSON.stringify(await (await open(`/api/share/${slug}`)).json())).not.toContain('blog.example')
    const answer = await open(`/share/${slug}?embed=1`, { 'if-none-match': '*' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-security-policy')).toMatch(/; frame-ancestors https:\/\/blog\.example$/)
    expect(answer.headers.has('x-frame-options')).toBe(false)
  })
})

it('every page refuses to be framed', async () => {
  const { slug } = await share({ overview: true })
  const named: Record<string, string> = { ':slug': slug, ':page': 'access.md' }
  const paths = new Set(
    api()
      .routes.filter(({ method, path }) => method === 'GET' && !path.startsWith('/api/'))
      .map(({ path }) => path.replace('decisions/:page', 'decisions/0005-access.md'))
      .map((path) => path.replace(':file', path.startsWith('/badge') ? `${slug}.svg` : 'icon.svg'))
      .map((path) => path.replace(/:\w+/, (name) => named[name] ?? name)),
  )
  const drawn: string[] = []
  for (const path of [...paths, '/share/nothing']) {
    for (const query of path.startsWith('/badge') ? [''] : ['', '?embed=1']) {
      const { headers } = await open(path + query)
      if (!/^(text\/html|image\/svg)/.test(headers.get('content-type')!)) continue
      drawn.push(path)
      expect(headers.get('content-security-policy'), path).toMatch(/frame-ancestors 'none'(;|$)/)
      expect(headers.get('x-frame-options'), path).toBe('DENY')
    }
  }
  for (const path of ['/', `/share/${slug}`, '/share/nothing', `/badge/${slug}.svg`, '/docs/access.md']) {
    expect(drawn).toContain(path)
  }
})

describe('a badge', () => {
  it('shows the visitors of 30 days, escapes its label, and runs no code', async () => {
    const { websiteId, slug } = await share({ overview: true })
    await withVisitors(websiteId)
    const answer = await badgeOf(slug)
    const image = await answer.text()
    expect([answer.status, image.length < 1500]).toEqual([200, true])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(image).toContain('<title>visitors: 5</title>')
    const again = await open(`/badge/${slug}.svg`, { 'if-none-match': answer.headers.get('etag')! })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const label = `<script>"&'</script>`
    const named = await (await badgeOf(slug, `?label=${encodeURIComponent(label)}`)).text()
    expect(named).toContain("<title>&lt;script&gt;&quot;&amp;'&lt;/script&gt;: 5</title>")
    expect(named).not.toContain('<script')
  })

  it('counts UTC days, like last_30_days, rather than 30 times 24 hours', async () => {
    const { websiteId, slug } = await share({ overview: true })
    const first = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 29 * 86_400_000
    const at = (moment: number, index: number) =>
      event({
        ...{ event_id: id(800 + index), session_id: id(100 + index), visit_id: id(200 + index) },
        ...{ created_at: columnTime(moment), event_type: 1 },
      })
    await add(websiteId, ...[first - 1, first, first + 1].map(at))
    const visitorsIn = async (period: string) =>
      (await get(`/api/websites/${websiteId}/stats?period=${period}`)).body.visitors
    expect([await visitorsIn('last_30_days'), await visitorsIn('30d')]).toEqual([2, 3])
    expect(await (await badgeOf(slug)).text()).toContain('visitors: 2<')
  })

  it('obeys the share’s locked filters', async () => {
    const { websiteId, slug } = await share({ overview: true, filters: { country: 'NP' } })
    await withVisitors(websiteId)
    expect(await (await badgeOf(slug)).text()).toContain('visitors: 1<')
  })

  it('does not exist without the overview section, for a board, after expiry, or without a share', async () => {
    const closed = await share({ events: true, sessions: true })
    const ended = await share({ overview: true }, { expires_at: 1 })
    const elsewhere = await share({ overview: true, origins: ['https://a.example'] })
    const board = (await post('/api/boards', { name: 'B', type: 'mixed', parameters: {} })).body
    const slug = randomUUID()
    const row = { id: randomUUID(), share_type: 4, website_id: board.id, name: 'b', slug, parameters: '{}' }
    await insert('shares', { ...row, created_at: Date.now(), updated_at: Date.now() }).catch(() => undefined)
    for (const one of [
      closed.slug,
      ended.slug,
      elsewhere.slug,
      slug,
      randomUUID(),
      '%20',
      '..%2f..',
      'x'.repeat(500),
    ]) {
      const answer = await badgeOf(one)
      expect([one, answer.status, answer.headers.get('content-type')]).toEqual([one, 404, 'application/json'])
    }
    const { slug: right } = await share({ overview: true })
    for (const path of [`/badge/${right}`, `/badge/${right}.png`]) expect((await open(path)).status).toBe(404)
  })

  it.each(['', 'x'.repeat(41), 'a\nb', 'a\u0000', '\uffff'])('refuses the label %j', async (label) => {
    const { slug } = await share({ overview: true })
    const answer = await badgeOf(slug, `?label=${encodeURIComponent(label)}`)
    expect(await answer.json()).toMatchObject({ error: { status: 400, issues: [{ path: 'label' }] } })
  })

  it('refuses unknown parameters and repeated labels', async () => {
    const { slug } = await share({ overview: true })
    for (const [query, path] of [
      ['?label=a&label=b', 'label'],
      ['?colour=red', 'colour'],
      ['?__proto__=x', '__proto__'],
    ] as const) {
      expect(await (await badgeOf(slug, query)).json()).toMatchObject({ error: { status: 400, issues: [{ path }] } })
    }
  })

  it('ignores the caller’s credentials', async () => {
    const { slug } = await share({ events: true })
    expect((await open(`/badge/${slug}.svg`, operator)).status).toBe(404)
  })
})

it('snippets contain the URLs of the share’s page and badge', () => {
  const { embed, badge } = shareSnippets({ origin: 'https://weir.example', slug: 'a"b' })
  expect(badge).toBe(
    '<a href="https://weir.example/share/a%22b"><img src="https://weir.example/badge/a%22b.svg" alt="Visitors of this website" height="20" /></a>',
  )
  expect(embed).toContain('<iframe src="https://weir.example/share/a%22b?embed=1" title="Visitors of this website"')
})
