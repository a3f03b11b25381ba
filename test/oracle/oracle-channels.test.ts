import { describe, expect, it } from 'vitest'
import { channelOf } from './channels.ts'
import { domainGroup } from './domains.ts'
import { event } from './fixtures.ts'
import type { IngestRow } from './model.ts'
import { referringDomain } from './referrers.ts'

const from = (referrer_domain: string, changes: Partial<IngestRow> = {}) =>
  channelOf(event({ hostname: 'www.shop.com', referrer_domain, ...changes }))

const marked = (utm_medium: string, utm_source = '', referrer_domain = '') =>
  from(referrer_domain, { utm_medium, utm_source })

describe('the channel of a landing, rule by rule', () => {
  it.each([
    ['gclid=1'],
    ['GCLID=1'],
    ['q=1&yclid=x'],
    ['li%5Ffat_id=x'],
    ['pc_id=+'],
    ['aid=&aid=2'],
    ['gad_source=1'],
  ])('1: an ad click id in the query: %s', (url_query) => {
    expect(from('google.com', { url_query, utm_medium: 'email' })).toBe('paidAds')
  })

  it.each([['gclid='], ['gclid'], ['said=1'], ['aids=1'], ['?gclid=1'], ['q=gclid%3D1'], [''], ['fbclid=1&epik=2']])(
    '1: no ad click id in the query: %s',
    (url_query) => {
      expect(from('google.com', { url_query })).toBe('organicSearch')
    },
  )

  it('1: what is on every link of a network is no ad', () => {
    expect(from('l.facebook.com', { url_query: 'fbclid=IwAR0', fbclid: 'IwAR0' })).toBe('organicSocial')
    expect(from('', { fbclid: 'IwAR0' })).toBe('direct')
  })

  it.each(['gclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid'] as const)(
    '1: an ad click id in its column: %s',
    (column) => {
      expect(from('', { [column]: 'x' })).toBe('paidAds')
      expect(from('', { [column]: '' })).toBe('direct')
    },
  )

  it.each([
    ['2: a medium of links, before the search engine', marked('Referral', '', 'google.com'), 'referral'],
    ['2', marked('app'), 'referral'],
    ['2', marked('link'), 'referral'],
    ['3', marked('affiliate'), 'affiliate'],
    ['3', marked('affiliates'), 'affiliate'],
    ['4: by the medium', marked('SMS'), 'sms'],
    ['4: by the source', marked('cpc', 'sms'), 'sms'],
    ['5: before the brand of a search engine', from('gemini.google.com'), 'llm'],
    ['5: paid or not', marked('cpc', '', 'chatgpt.com'), 'llm'],
    ['6: before the brand of a search engine', from('mail.google.com'), 'email'],
    ['6: a brand of two parts', from('de.mail.yahoo.com'), 'email'],
    ['6: by the medium', marked('E-Mailing', '', 'google.com'), 'email'],
    ['6: a newsletter', marked('newsletter'), 'email'],
    ['6: a newsletter as the source', marked('', 'My-Newsletter'), 'email'],
    ['7', from('www.google.co.uk'), 'organicSearch'],
    ['7: paid', marked('cpc', '', 'google.com'), 'paidSearch'],
    ['7: by the medium', marked('organic'), 'organicSearch'],
    ['8', from('t.co'), 'organicSocial'],
    ['8: below the entry', from('l.facebook.com'), 'organicSocial'],
    ['8: by the medium', marked('sm'), 'organicSocial'],
    ['8: paid', marked('paid-social', '', 'x.com'), 'paidSocial'],
    ['9', from('smile.amazon.de'), 'organicShopping'],
    ['9: by the medium', marked('e-shop'), 'organicShopping'],
    ['9: by the medium, as eshop', marked('eshop'), 'organicShopping'],
    ['9: within shopping', marked('newshopping'), 'organicShopping'],
    ['9: not within workshop', marked('workshop'), 'referral'],
    ['9: paid', marked('cpc-shop'), 'paidShopping'],
    ['10', from('m.youtube.com'), 'organicVideo'],
    ['10: by the medium', marked('video'), 'organicVideo'],
    ['10: paid', marked('ppc', '', 'vimeo.com'), 'paidVideo'],
    ['11: whatever the referrer', marked('cpm', '', 'example.org'), 'paidAds'],
    ['11', marked('retargeting'), 'paidAds'],
    ['11: a partner’s banner', marked('display', 'partner'), 'paidAds'],
    ['7: paid by a banner', marked('banner', '', 'bing.com'), 'paidSearch'],
    ['11', marked('paid'), 'paidAds'],
    ['12', from('example.org'), 'referral'],
    ['12: whatever is tagged', marked('qr'), 'referral'],
    ['12: by the source alone', marked('', 'partner'), 'referral'],
    ['13: a campaign alone', from('', { utm_campaign: 'spring' }), 'direct'],
    ['13: nothing', from(''), 'direct'],
    ['13: its own host', from('www.shop.com'), 'direct'],
    ['13: its own host without www.', from('shop.com'), 'direct'],
  ])('%s', (_rule, channel, expected) => {
    expect(channel).toBe(expected)
  })

  it.each([['netflix.com'], ['fedex.com'], ['budget.com'], ['microsoft.com'], ['notgoogle.com'], ['google.example']])(
    'is of a name, not of letters: %s',
    (domain) => {
      expect(from(domain)).toBe(domain === 'google.example' ? 'organicSearch' : 'referral')
    },
  )

  it('takes one ending for a brand, or two parts of which the last has two letters', () => {
    expect(['google.com', 'google.com.br', 'google.co.uk', 'google.info'].map((domain) => from(domain))).toEqual(
      Array(4).fill('organicSearch'),
    )
    expect(['google.example.com', 'google.com.evil', 'google.c1'].map((domain) => from(domain))).toEqual(
      Array(3).fill('referral'),
    )
  })

  it('takes a source with a dot for the site, where there is no foreign referrer', () => {
    expect(marked('', 'Google.com')).toBe('organicSearch')
    expect(marked('', 'google.com', 'shop.com')).toBe('organicSearch')
    expect(marked('', 'google.com', 'example.org')).toBe('referral')
    expect(marked('', 'example.org')).toBe('referral')
  })

  it('takes a source for a brand, where there is no foreign referrer', () => {
    expect(['openai', 'Perplexity', 'google', 'outlook', 'mail.yahoo'].map((source) => marked('', source))).toEqual([
      ...['llm', 'llm', 'organicSearch', 'email', 'email'],
    ])
    expect([marked('', 'chatgpt'), marked('', 'google', 'example.org'), from('google')]).toEqual(
      Array(3).fill('referral'),
    )
  })

  it.each([
    ['com.google.android.gm', 'email'],
    ['com.google.android.googlequicksearchbox', 'organicSearch'],
    ['com.google.android.youtube', 'organicVideo'],
    ['com.pinterest', 'organicSocial'],
    ['com.twitter.android', 'organicSocial'],
    ['com.linkedin.android', 'organicSocial'],
    ['com.reddit.frontpage', 'organicSocial'],
    ['com.facebook.katana', 'organicSocial'],
    ['com.facebook.lite', 'organicSocial'],
    ['com.instagram.android', 'organicSocial'],
    ['com.zhiliaoapp.musically', 'organicSocial'],
    ['org.telegram.messenger', 'organicSocial'],
    ['com.openai.chatgpt', 'llm'],
    ['com.microsoft.office.outlook', 'email'],
    ['com.slack', 'referral'],
  ])('looks up the package of an app: %s', (referrer_domain, expected) => {
    expect(from(referrer_domain)).toBe(expected)
  })

  it('looks up no source: its name is what the lists say of it', () => {
    expect([marked('', 'com.google.android.gm'), marked('', 'com.linkedin.android')]).toEqual([
      ...['referral', 'organicSocial'],
    ])
  })

  it.each([
    ['chat.deepseek.com grok.com duck.ai chat.openai.com poe.com you.com chat.mistral.ai', 'llm'],
    ['mail.ru fastmail.com gmx.net', 'email'],
    [
      'search.yahoo.com search.yahoo.co.jp startpage.com qwant.com kagi.com search.naver.com sogou.com',
      'organicSearch',
    ],
    ['ya.ru so.com yep.com presearch.com brave.com', 'organicSearch'],
    ['threads.com lnkd.in vk.com t.me telegram.org mastodon.social weibo.com facebook.de', 'organicSocial'],
    ['youtu.be', 'organicVideo'],
    ['yahoo.com mastodon.example naver.com', 'referral'],
  ])('knows newer sites: %s', (domains, expected) => {
    expect(domains.split(' ').map((domain) => [domain, from(domain)])).toEqual(
      domains.split(' ').map((domain) => [domain, expected]),
    )
  })

  it('is by the lists that judged it', () => {
    const earlier = (changes: Partial<IngestRow>) => from('', { ...changes, channel_lists: 0 })
    expect([earlier({ fbclid: 'x' }), earlier({ utm_medium: 'qr' }), earlier({ utm_source: 'google' })]).toEqual([
      ...['paidAds', 'direct', 'direct'],
    ])
    expect([earlier({ referrer_domain: 'youtu.be' }), earlier({ url_query: 'yclid=1' })]).toEqual([
      'referral',
      'direct',
    ])
  })
})

describe('the domain of a referrer', () => {
  it.each([
    ['google.com', 'google.com'],
    ['www.Google.co.uk', 'google.com'],
    ['mail.google.com', 'google.com'],
    ['search.brave.com', 'brave.com'],
    ['t.co', 'twitter.com'],
    ['mobile.x.com', 'twitter.com'],
    ['netflix.com', 'Other'],
    ['l.instagram.com', 'instagram.com'],
    ['ig.com', 'instagram.com'],
    ['dig.com', 'Other'],
    ['ya.yandex.com.tr', 'yandex.ru'],
    ['gist.github.com', 'github.com'],
    ['news.ycombinator.com', 'news.ycombinator.com'],
    ['ycombinator.com', 'Other'],
    ['shop.com', ''],
    ['', ''],
  ])('%s is of %s', (referrer_domain, expected) => {
    expect(domainGroup(referringDomain(event({ hostname: 'www.shop.com', referrer_domain })))).toBe(expected)
  })
})
