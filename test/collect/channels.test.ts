import { describe, expect, it } from 'vitest'
import { eventsOf, sendOne } from '../support/collecting.ts'
import { newWebsite, read } from '../support/weir.ts'

/** Referrers and parameters of real visits, with their channels, from public bug reports. */

const startAt = Date.now() - 3_600_000

async function channels(...payloads: readonly object[]): Promise<{ website: string; names: string[] }> {
  const website = await newWebsite()
  for (const payload of payloads) await sendOne({ website, hostname: 'example.com', url: '/', ...payload })
  await eventsOf(website, payloads.length)
  const { body } = await read(website, 'metrics', { startAt, endAt: Date.now() + 60_000, type: 'channel' })
  return { website, names: (body as { x: string }[]).map(({ x }) => x) }
}

describe('the channel of a visit', () => {
  it.concurrent.each<[string, object]>([
    ['organicSocial', { url: '/?fbclid=IwAR0', referrer: 'https://l.facebook.com/' }],
    ['organicSocial', { url: '/?epik=dj0y', referrer: 'https://www.pinterest.com/' }],
    ['paidAds', { url: '/?gad_source=1&gbraid=0AAAA', referrer: 'https://www.google.com/' }],
    ['paidAds', { url: '/?wbraid=0AAAA' }],
    ['paidAds', { url: '/?yclid=1', referrer: 'https://ya.ru/' }],
    ['email', { referrer: 'android-app://com.google.android.gm/' }],
    ['organicSearch', { referrer: 'android-app://com.google.android.googlequicksearchbox/https/www.google.com' }],
    ['referral', { referrer: 'ios-app://389801252/instagram' }],
    ['paidAds', { url: '/?utm_source=partner&utm_medium=display' }],
    ['organicVideo', { referrer: 'https://youtu.be/' }],
  ])('is %s: %j', async (channel, payload) => {
    expect((await channels(payload)).names).toEqual([channel])
  })

  it.concurrent('is that of its landing page, even if a later view has a payment page as its referrer', async () => {
    const paid = { url: '/thanks', referrer: 'https://checkout.stripe.com/c/pay' }
    const { website, names } = await channels({ referrer: 'https://www.google.com/' }, paid)
    expect(names).toEqual(['organicSearch'])
    const range = { startAt, endAt: Date.now() + 60_000 }
    const { body } = await read(website, 'metrics', { ...range, type: 'referrer' })
    expect(body).toEqual([
      { x: 'checkout.stripe.com', y: 1 },
      { x: 'google.com', y: 1 },
    ])
  })

  it.concurrent('is not an ad for the attribution report if there is only an fbclid', async () => {
    const { website } = await channels({ url: '/?fbclid=IwAR0', referrer: 'https://l.facebook.com/' })
    const range = { startAt, endAt: Date.now() + 60_000 }
    const { body } = await read(website, 'attribution', { ...range, model: 'last-click', type: 'path', step: '/' })
    expect(body).toMatchObject({ paidAds: [], referrer: [{ name: 'l.facebook.com', value: 1 }] })
  })
})
