import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { isolate } from '../support/isolate.ts'
import { websiteOf } from '../support/people.ts'
import { publicWebsite, share } from '../support/ways.ts'
import { running } from '../support/weir.ts'

/** The headers that every page and every file loaded by pages must have. */
const strict = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

const open = (path: string, init: RequestInit = {}) => fetch(running.url + path, { redirect: 'manual', ...init })

const linksOf = (html: string): string[] =>
  [...html.matchAll(/(?:href|src)="([^"#]+)/g)].map(([, target]) => target!).filter((one) => !one.startsWith('http'))

it('pages and their files have strict headers, and a 304 if the ETag matches', async () => {
  const front = await (await open('/')).text()
  const [script, style] = ['js', 'css'].map((end) => new RegExp(`/assets/front-\\w+\\.${end}`).exec(front)![0])
  for (const [path, type, cached] of [
    ['/', 'text/html; charset=utf-8', 'public, max-age=0, must-revalidate'],
    ['/account', 'text/html; charset=utf-8', 'public, max-age=0, must-revalidate'],
    ['/audit', 'text/html; charset=utf-8', 'public, max-age=0, must-revalidate'],
    ['/users', 'text/html; charset=utf-8', 'public, max-age=0, must-revalidate'],
    ['/websites', 'text/html; charset=utf-8', 'public, max-age=0, must-revalidate'],
    ['/websites/x/settings', 'text/html; charset=utf-8', 'public, max-age=0, must-revalidate'],
    ['/explorer', 'text/html; charset=utf-8', 'public, max-age=0, must-revalidate'],
    [script!, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    [style!, 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/assets/demo.js', 'text/javascript; charset=utf-8', 'public, max-age=0, must-revalidate'],
    ['/assets/page.css', 'text/css; charset=utf-8', 'public, max-age=0, must-revalidate'],
    ['/assets/icon.svg', 'image/svg+xml', 'public, max-age=0, must-revalidate'],
    ['/docs/access.md', 'text/html; charset=utf-8', 'public, max-age=0, must-revalidate'],
    ['/docs/pictures/dashboard-light.webp', 'image/webp', 'public, max-age=0, must-revalidate'],
    ['/docs/decisions/0005-access.md', 'text/html; charset=utf-8', 'public, max-age=0, must-revalidate'],
  ] as const) {
    const answer = await open(path)
    const text = await answer.text()
    const etag = answer.headers.get('etag')
    expect([path, answer.status, text.length > 0]).toEqual([path, 200, true])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...strict,
      'content-type': type,
      'cache-control': cached,
      etag: expect.stringMatching(/^(W\/)?".+"$/),
    })
    const again = await open(path, { headers: { 'if-none-match': etag! } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(Object.fromEntries(again.headers)).toMatchObject({ ...strict, 'cache-control': cached, etag })
    const head = await open(path, { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag])
    const written = await open(path, { method: 'POST' })
    expect([written.status, written.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  }
})

it('every link on a page works', async () => {
  const seen = new Set(['/'])
  for (const page of seen) {
    const answer = await open(page)
    expect([page, answer.status]).toEqual([page, 200])
    const isPage = answer.headers.get('content-type')?.startsWith('text/html')
    for (const target of isPage ? linksOf(await answer.text()) : []) {
      seen.add(new URL(target, running.url + page).pathname)
    }
  }
  expect(seen.size).toBeGreaterThan(40)
})

it('the link to a missing or expired share leads to a 404 page', async () => {
  const { slug } = await share({}, { expires_at: 1 })
  for (const path of [`/share/${slug}`, `/share/${randomUUID()}`, '/share/%20', '/share/%E0']) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await open(path, { method })
      expect([path, answer.status]).toEqual([path, 404])
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        ...strict,
        'content-type': 'text/html; charset=utf-8',
      })
      expect(await answer.text()).toContain(method === 'GET' ? 'Nothing is shared here' : '')
    }
  }
})

it('a public website has a page, while any other website is a 404', async () => {
  const websiteId = await publicWebsite({ overview: true })
  const closed = [
    await publicWebsite({ expiresAt: '2020-01-01T00:00:00Z' }),
    await websiteOf(),
    randomUUID(),
    'x',
    '%E0',
  ]
  for (const [id, status] of [[websiteId, 200], ...closed.map((id) => [id, 404])]) {
    const answer = await open(`/public/${id}`)
    expect([id, answer.status]).toEqual([id, status])
    const cached = status === 200 ? heldForSeconds : 'private, no-cache'
    expect(Object.fromEntries(answer.headers)).toMatchObject({ ...strict, 'cache-control': cached })
    expect(await answer.text()).toContain(status === 200 ? 'id="dashboard"' : 'Nothing is shared here')
  }
})

const heldForSeconds = expect.stringMatching(/^public, s-maxage=(?:[3-9]|10), max-age=0, must-revalidate$/)

it('a share page contains the share’s data, which cannot terminate the script', async () => {
  const evil = '</script><script>alert(1)</script><!--<script>$&'
  const { slug } = await share({ overview: true, theme: evil })
  const websiteId = await websiteOf({}, { name: evil, public: JSON.stringify({ overview: true }) })
  for (const [page, asked] of [
    [`/share/${slug}`, `/api/share/${slug}`],
    [`/public/${websiteId}`, `/api/websites/${websiteId}`],
  ] as const) {
    const answer = await open(page, { headers: { 'if-none-match': '*' } })
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, null])
    expect(Object.fromEntries(answer.headers)).toMatchObject({ ...strict, 'cache-control': heldForSeconds })
    const html = await answer.text()
    expect(html.match(/<script/g)).toHaveLength(3)
    const [, given] = /<script id="opening" type="application\/json">(.*?)<\/script>/.exec(html)!
    expect(given).toContain('alert(1)')
    expect(JSON.parse(given!)).toEqual(await (await open(asked)).json())
  }
})

it('static files do not hide any API path, and other paths among them are not found', async () => {
  const nothing = 'There is nothing at this path. See /openapi.json for all paths.'
  for (const path of [
    ...['/index.html', '/share.html', '/missing.html', '/share', '/share/', '/assets', '/assets/', '/docs/'],
    ...['/assets/nothing.js', '/assets/nothing', '/assets/..%2findex.html', '/docs/nothing.md', '/api', '/api/nothing'],
    `/${'x'.repeat(3000)}`,
  ]) {
    const answer = await open(path)
    const { error } = (await answer.json()) as { error: { message: string } }
    expect([path.slice(0, 50), answer.status, error.message]).toEqual([path.slice(0, 50), 404, nothing])
  }
  for (const path of ['/health', '/openapi.json']) {
    expect((await open(path)).headers.get('content-type')).toBe('application/json')
  }
  for (const path of ['/q/none', '/p/none', '/api/websites']) {
    expect((await open(path)).headers.get('content-type')).toBe('application/json')
  }
})

it('without static files, the API responds as usual, and a page is a 404', async () => {
  const ask = isolate()
  expect((await ask('/health', {})).status).toBe(200)
  expect((await ask('/', {})).status).toBe(404)
})

it.each([
  ['/docs', '/docs/api.md'],
  ['/login', '/websites'],
  ['/dashboard', '/websites'],
  ['/replays', '/websites'],
  ['/heatmaps', '/websites'],
  ['/websites/', '/websites'],
])('a path that people may guess leads to the right page: %s', async (typed, page) => {
  const answer = await open(typed)
  expect([answer.status, answer.headers.get('location')]).toEqual([307, page])
  expect((await open(page)).status).toBe(200)
})

it('the icon that browsers request automatically exists', async () => {
  const answer = await open('/favicon.ico')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
})

it('an unknown path returns a page to browsers, and JSON to all other clients', async () => {
  const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }
  for (const path of ['/websites-typo', '/docs/nothing.md', `/badge/${randomUUID()}.txt`]) {
    const page = await open(path, browser)
    expect([page.status, page.headers.get('vary')]).toEqual([404, expect.stringContaining('Accept')])
    expect(Object.fromEntries(page.headers)).toMatchObject({ ...strict, 'cache-control': 'no-store' })
    const html = await page.text()
    expect(html).toContain('<h1>Page not found</h1>')
    for (const link of linksOf(html)) expect([link, (await open(link)).status]).toEqual([link, 200])
    for (const asked of [open(path), open(path, { ...browser, method: 'POST' })]) {
      const answer = await asked
      expect([answer.status, answer.headers.get('content-type')]).toEqual([expect.any(Number), 'application/json'])
    }
  }
  expect((await open('/api/nothing', browser)).headers.get('content-type')).toBe('application/json')
})
