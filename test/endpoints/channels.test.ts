import { describe, expect, it } from 'vitest'
import { id, view } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { forEach } from '../support/concurrently.ts'
import { day, websiteWith } from '../support/website.ts'
import { read } from '../support/weir.ts'

/** The contract's rules, written by hand. `test/rules/channels.test.ts` compares every name in the lists. */

type Landing = Partial<IngestRow>

const from = (referrer_domain: string, changes: Landing = {}): Landing => ({ referrer_domain, ...changes })
const marked = (utm_medium: string, utm_source = '', referrer_domain = ''): Landing => ({
  ...{ utm_medium, utm_source, referrer_domain },
})
const each = (domains: string): Landing[] => domains.split(' ').map((domain) => from(domain))

const rules: Readonly<Record<string, readonly (readonly [channel: string, landings: readonly Landing[]])[]>> = {
  '1: an ad click id in the query or in its column': [
    [
      'paidAds',
      [
        ...['gclid=1', 'GCLID=1', 'q=1&yclid=x', 'li%5Ffat_id=x', 'pc_id=+', 'aid=&aid=2', 'gad_source=1'].map(
          (url_query) => from('google.com', { url_query, utm_medium: 'email' }),
        ),
        ...['gclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid'].map((column) => from('', { [column]: 'x' })),
      ],
    ],
    [
      'organicSearch',
      ['gclid=', 'gclid', 'said=1', '?gclid=1', 'q=gclid%3D1', 'fbclid=1&epik=2'].map((url_query) =>
        from('google.com', { url_query }),
      ),
    ],
    // A parameter that a network adds to all links does not indicate an ad.
    ['organicSocial', [from('l.facebook.com', { url_query: 'fbclid=IwAR0', fbclid: 'IwAR0' })]],
    ['direct', [from('', { fbclid: 'IwAR0' })]],
  ],
  '2 to 4: media of links, affiliates and messages': [
    ['referral', [marked('Referral', '', 'google.com'), marked('app'), marked('link')]],
    ['affiliate', [marked('affiliate'), marked('affiliates')]],
    ['sms', [marked('SMS'), marked('cpc', 'sms')]],
  ],
  '5 and 6: assistants and mail, before the brand of a search engine': [
    ['llm', [from('gemini.google.com'), marked('cpc', '', 'chatgpt.com'), ...each('grok.com duck.ai chat.mistral.ai')]],
    ['email', [...each('mail.google.com de.mail.yahoo.com gmx.net'), marked('E-Mailing', '', 'google.com')]],
    ['email', [marked('newsletter'), marked('', 'My-Newsletter')]],
  ],
  '7 and 8: search and social, paid or not': [
    ['organicSearch', [...each('www.google.co.uk ya.ru search.yahoo.com google.com.br'), marked('organic')]],
    ['paidSearch', [marked('cpc', '', 'google.com'), marked('banner', '', 'bing.com')]],
    ['organicSocial', [...each('t.co l.facebook.com threads.com facebook.de'), marked('sm')]],
    ['paidSocial', [marked('paid-social', '', 'x.com')]],
  ],
  '9 and 10: shops and videos, paid or not': [
    ['organicShopping', [from('smile.amazon.de'), ...['e-shop', 'eshop', 'newshopping'].map((one) => marked(one))]],
    ['paidShopping', [marked('cpc-shop')]],
    ['organicVideo', [...each('m.youtube.com youtu.be'), marked('video')]],
    ['paidVideo', [marked('ppc', '', 'vimeo.com')]],
  ],
  '11 to 13: other ads, other links, nothing': [
    [
      'paidAds',
      [marked('cpm', '', 'example.org'), marked('retargeting'), marked('display', 'partner'), marked('paid')],
    ],
    ['referral', [from('example.org'), marked('qr'), marked('', 'partner'), marked('workshop')]],
    ['direct', [from('', { utm_campaign: 'spring' }), ...each('www.shop.com shop.com'), from('')]],
  ],
  'a brand is a name with one ending, or with two if the last one has two letters': [
    ['organicSearch', each('google.example google.info')],
    ['referral', each('netflix.com fedex.com budget.com notgoogle.com google.example.com google.com.evil google.c1')],
  ],
  'without a foreign referrer, a source is a brand or, with a dot, a site': [
    ['organicSearch', [marked('', 'Google.com'), marked('', 'google.com', 'shop.com'), marked('', 'google')]],
    ['llm', [marked('', 'openai'), marked('', 'Perplexity')]],
    ['email', [marked('', 'outlook'), marked('', 'mail.yahoo')]],
    ['referral', [marked('', 'google.com', 'example.org'), marked('', 'chatgpt'), from('google')]],
  ],
  'an app is recognised by its package name, but only as a referrer': [
    ['email', each('com.google.android.gm com.microsoft.office.outlook')],
    ['organicSearch', each('com.google.android.googlequicksearchbox')],
    ['organicVideo', each('com.google.android.youtube')],
    ['organicSocial', [...each('com.pinterest com.twitter.android'), marked('', 'com.linkedin.android')]],
    ['llm', each('com.openai.chatgpt')],
    ['referral', [from('com.slack'), marked('', 'com.google.android.gm')]],
  ],
  'an event that older lists classified keeps its channel': [
    ['paidAds', [{ fbclid: 'x', channel_lists: 0 }]],
    [
      'direct',
      [marked('qr'), marked('', 'google'), { url_query: 'yclid=1' }].map((one) => ({ ...one, channel_lists: 0 })),
    ],
    ['referral', [from('youtu.be', { channel_lists: 0 })]],
  ],
}

const domains: readonly (readonly [referrer: string, domain: string])[] = [
  ['google.com', 'google.com'],
  ['www.Google.co.uk', 'google.com'],
  ['mail.google.com', 'google.com'],
  ['search.brave.com', 'brave.com'],
  ['t.co', 'twitter.com'],
  ['mobile.x.com', 'twitter.com'],
  ['netflix.com', 'Other'],
  ['ig.com', 'instagram.com'],
  ['dig.com', 'Other'],
  ['ya.yandex.com.tr', 'yandex.ru'],
  ['news.ycombinator.com', 'news.ycombinator.com'],
  ['ycombinator.com', 'Other'],
]

const landings = [
  ...Object.values(rules).flatMap((some) => some.flatMap(([, own]) => own)),
  ...domains.map(([domain]) => from(domain)),
]

const rows = landings.map((landing, place) =>
  view('10:00:00', {
    ...{ event_id: id(place), session_id: id(place), visit_id: id(place) },
    ...{ hostname: 'www.shop.com', url_path: `/${place}`, ...landing },
  }),
)
const websiteId = await websiteWith(...rows)

const ask = async (type: string, place: number) =>
  (await read(websiteId, 'metrics', { ...day, type, path: `/${place}` })).body

describe('a landing’s channel', () => {
  it.each(Object.entries(rules))('%s', async (_, some) => {
    await forEach(some, async ([channel, own]) => {
      const first = landings.indexOf(own[0]!)
      const found = await Promise.all(own.map((_, place) => ask('channel', first + place)))
      expect([channel, found]).toEqual([channel, own.map(() => [{ x: channel, y: 1 }])])
    })
  })
})

describe('a referrer’s domain', () => {
  it.each(domains.map((one, place) => [...one, place] as const))('%s belongs to %s', async (_, domain, place) => {
    const first = landings.length - domains.length
    expect(await ask('domain', first + place)).toEqual([{ x: domain, y: 1 }])
  })
})
