import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Headers, post } from '../support/callers.ts'
import { curl, eventsOf, person, sendOne, stored } from '../support/collecting.ts'
import { newWebsite, running } from '../support/weir.ts'

/** The answer to bots. */
const beep = { beep: 'boop', reason: 'bot' }
const google = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

/** User-Agents that `isbot` mistakes for bots. */
const mailProxies = [
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  'Outlook-Android/2.0',
]

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const newsApps = [
  `${iphone} Mobile/15E148 SmartNews/24.1`,
  `${iphone} Mobile/15E148 Feedly/90`,
  `${iphone} Mobile/15E148 AppleNews/910.0.1 Version/16.0.1`,
  'Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0 Mobile Safari/537.36 NewsBreak/24.3',
]
const fetchers = [
  'Feedly/1.0 (+http://www.feedly.com/fetcher.html; 12 subscribers)',
  'Mozilla/5.0 (compatible; Feedly/1.0)',
  `${iphone} Mobile/15E148 (compatible; Feedly/1.0; +http://www.feedly.com/fetcher.html)`,
  `${iphone} Mobile/15E148 SmartNews (compatible; Googlebot/2.1)`,
]

/** Creates a link or pixel. */
async function newSource(kind: 'link' | 'pixel'): Promise<{ readonly id: string; readonly slug: string }> {
  const slug = randomUUID()
  const url = 'https://example.com/to'
  const { body } = await post(`/api/${kind}s`, { name: 'One', slug, ...(kind === 'link' && { url }) })
  return { id: body.id, slug }
}

const visit = (path: string, headers: Headers = {}) =>
  fetch(running.url + path, { redirect: 'manual', headers: { ...person, ...headers } })

describe('an answer', () => {
  it('treats the web view of a news app as a person, and a news fetcher as a bot', async () => {
    const website = await newWebsite()
    for (const userAgent of newsApps) {
      expect((await sendOne({ website }, { 'user-agent': userAgent })).body).toEqual(stored)
      expect((await sendOne({ website, userAgent }, { 'user-agent': curl })).body).toEqual(stored)
    }
    for (const userAgent of fetchers) {
      expect((await sendOne({ website }, { 'user-agent': userAgent })).body).toEqual(beep)
    }
    await eventsOf(website, 2 * newsApps.length)
  })
})

describe('a visit', () => {
  it.concurrent('counts for a pixel even through the image proxies of mail programs', async () => {
    const [pixel, link, website] = [await newSource('pixel'), await newSource('link'), await newWebsite()]
    for (const userAgent of mailProxies) {
      expect((await visit(`/p/${pixel.slug}`, { 'user-agent': userAgent })).status).toBe(200)
      expect((await visit(`/q/${link.slug}`, { 'user-agent': userAgent })).status).toBe(307)
      expect((await sendOne({ pixel: pixel.id, userAgent }, { 'user-agent': curl })).body).toEqual(stored)
      expect((await sendOne({ website }, { 'user-agent': userAgent })).body).toEqual(beep)
    }
    expect((await visit(`/p/${pixel.slug}`, { 'user-agent': google })).status).toBe(200)
    await eventsOf(pixel.id, 2 * mailProxies.length)
    await eventsOf(link.id, 0)
  })

  it.concurrent('counts for a pixel even if its URL ends like that of an image', async () => {
    const [pixel, link] = [await newSource('pixel'), await newSource('link')]
    const answer = await visit(`/p/${pixel.slug}.gif?utm_source=mail`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/gif'])
    for (const path of [`/p/${pixel.slug}.png`, `/p/${pixel.slug}.gif.gif`, '/p/.gif', `/q/${link.slug}.gif`]) {
      expect((await visit(path)).status).toBe(404)
    }
    const [row] = await eventsOf(pixel.id, 1)
    expect(row).toMatchObject({ url_path: `/p/${pixel.slug}`, url_query: 'utm_source=mail' })
  })
})
