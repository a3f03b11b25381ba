import { describe, expect, it } from 'vitest'
import { eventsIn } from '../support/lines.ts'
import { day, websiteWith } from '../support/website.ts'
import { read } from '../support/weir.ts'

/**
 * A arrives from a search, then directly, then through an ad. B only arrives directly. C converts before arriving
 * again.
 */
const websiteId = await websiteWith(
  ...eventsIn(`
    A1 10:00:00      /home     hostname=www.weir.dev  referrer_domain=google.com
    A1 10:01:00      /pricing  hostname=www.weir.dev  referrer_domain=weir.dev     utm_source=late  utm_medium=email
    A2 11:00:00      /home     hostname=www.weir.dev  referrer_domain=weir.dev
    A2 11:05:00      buy       hostname=www.weir.dev
    A3 12:00:00      /home     hostname=www.weir.dev  fbclid=x  li_fat_id=l  utm_source=fb  utm_medium=cpc  utm_campaign=autumn
    A3 12:00:00      buy       hostname=www.weir.dev  browser=safari
    B1 10:00:00      /home
    B2 11:00:00      /home     utm_content=blue       utm_term=run
    B2 11:00:01      buy       browser=safari
    C1 10:00:00      buy
    C1 10:00:00      /home     referrer_domain=Bing.com
    C2 10:00:00.001  /home     referrer_domain=news.example  gclid=y  twclid=z
    D1 10:00:00      buy
    D1 10:00:01      /home     referrer_domain=late.example
    E1 10:00:00      /home     referrer_domain=nobody.example  fbclid=x
    F1 10:00:00      buy       event_type=5  event_name=buy
  `),
)

const none = {
  ...{ referrer: [], paidAds: [], utm_source: [], utm_medium: [], utm_campaign: [], utm_content: [], utm_term: [] },
}

const attribution = async (more: object) =>
  (await read(websiteId, 'attribution', { ...day, type: 'event', step: 'buy', model: 'first-click', ...more } as never))
    .body

const one = (name: string) => [{ name, value: 1 }]

describe('attribution', () => {
  it('credits the first touch that is not direct', async () => {
    expect(await attribution({})).toStrictEqual({
      ...none,
      // B has only direct touches, and the first of them has no names. D converts before its first touch.
      referrer: [
        { name: 'Bing.com', value: 1 },
        { name: 'google.com', value: 1 },
      ],
      total: { pageviews: 5, visitors: 4, visits: 5 },
    })
  })

  it('can also credit the last touch, up to the last conversion', async () => {
    expect(await attribution({ model: 'last-click' })).toStrictEqual({
      ...{ referrer: one('Bing.com'), paidAds: one('LinkedIn Ads'), utm_source: one('fb'), utm_medium: one('cpc') },
      ...{ utm_campaign: one('autumn'), utm_content: one('blue'), utm_term: one('run') },
      total: { pageviews: 5, visitors: 4, visits: 5 },
    })
  })

  it('can also use views of a path as conversions, with * as a wildcard', async () => {
    const ofHome = await attribution({ type: 'path', step: '*/ho*', model: 'last-click' })
    expect(ofHome).toStrictEqual({
      ...none,
      referrer: ['late.example', 'news.example', 'nobody.example'].map((name) => ({ name, value: 1 })),
      // The first ad click id counts, so Google's comes before Twitter's. fbclid does not count.
      ...{ paidAds: [...one('Google Ads'), ...one('LinkedIn Ads')], utm_source: one('fb'), utm_medium: one('cpc') },
      ...{ utm_campaign: one('autumn'), utm_content: one('blue'), utm_term: one('run') },
      total: { pageviews: 9, visitors: 5, visits: 9 },
    })
    expect(await attribution({ type: 'path', step: 'buy' })).toStrictEqual({
      ...none,
      total: { pageviews: 0, visitors: 0, visits: 0 },
    })
  })
})
