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
  it.each([['gclid=1'], ['GCLID=1'], ['q=1&fbclid=x'], ['li%5Ffat_id=x'], ['pc_id=+'], ['aid=&aid=2']])(
    '1: an ad click id in the query: %s',
    (url_query) => {
      expect(from('google.com', { url_query, utm_medium: 'email' })).toBe('paidAds')
    },
  )

  it.each([['gclid='], ['gclid'], ['said=1'], ['aids=1'], ['?gclid=1'], ['q=gclid%3D1'], ['']])(
    '1: no ad click id in the query: %s',
    (url_query) => {
      expect(from('google.com', { url_query })).toBe('organicSearch')
    },
  )

  it.each(['gclid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid'] as const)(
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
    ['9: not within workshop', marked('workshop'), 'direct'],
    ['9: paid', marked('cpc-shop'), 'paidShopping'],
    ['10', from('m.youtube.com'), 'organicVideo'],
    ['10: by the medium', marked('video'), 'organicVideo'],
    ['10: paid', marked('ppc', '', 'vimeo.com'), 'paidVideo'],
    ['11: whatever the referrer', marked('cpm', '', 'example.org'), 'paidAds'],
    ['11', marked('retargeting'), 'paidAds'],
    ['11', marked('paid'), 'paidAds'],
    ['12', from('example.org'), 'referral'],
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
    expect(marked('', 'google')).toBe('direct')
    expect(marked('', 'google.com', 'shop.com')).toBe('organicSearch')
    expect(marked('', 'google.com', 'example.org')).toBe('referral')
    expect(marked('', 'example.org')).toBe('direct')
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
