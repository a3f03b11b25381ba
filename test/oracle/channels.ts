import type { IngestRow } from './model.ts'
import { isOf, referringDomain } from './referrers.ts'
import { lowerCase } from './text.ts'

const words = (text: string): string[] => text.trim().split(/\s+/)

const AD_CLICK_IDS = words(
  'ad_id aid dclid epik fbclid gclid li_fat_id msclkid ob_click_id pc_id rdt_cid scid ttclid twclid',
)
const CLICK_ID_COLUMNS = ['gclid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid'] as const

const LLM = words('chatgpt.com claude.ai copilot.microsoft.com gemini.google.com meta.ai perplexity.ai')
const MAIL = words(
  'gmail. hotmail. mail.google.com mail.yahoo. outlook. outlook.live.com outlook.office.com proton.me protonmail.',
)
const SEARCH = words('baidu.com bing.com duckduckgo.com ecosia.org google. msn.com search.brave.com yandex.')
const SOCIAL = words(`
  bsky.app facebook.com fb.com ig.com instagram.com linkedin. news.ycombinator.com pinterest. reddit. snapchat. t.co
  threads.net tiktok. twitter.com x.com
`)
const SHOP = words('alibaba.com aliexpress.com amazon. bestbuy.com ebay.com etsy.com newegg.com target.com walmart.com')
const VIDEO = words('twitch. vimeo.com youtube.')

/** The channel of a visit, from its landing: the first rule that holds. */
export function channelOf(landing: IngestRow): string {
  const referrer = referringDomain(landing)
  const medium = lowerCase(landing.utm_medium)
  const source = lowerCase(landing.utm_source)
  const site = referrer === '' && source.includes('.') ? source : referrer
  const isSiteOf = (entries: string[]) => entries.some((entry) => isOf(site, entry))
  const isMedium = (...names: string[]) => names.includes(medium)
  const isPaid = medium.includes('cp') || isMedium('ppc', 'retargeting') || medium.startsWith('paid')

  if (hasAdClickId(landing)) return 'paidAds'
  if (isMedium('referral', 'app', 'link')) return 'referral'
  if (isMedium('affiliate', 'affiliates')) return 'affiliate'
  if (isMedium('sms') || source === 'sms') return 'sms'
  if (isSiteOf(LLM)) return 'llm'
  if (isSiteOf(MAIL) || medium.includes('mail')) return 'email'
  if (isSiteOf(SEARCH) || isMedium('organic')) return isPaid ? 'paidSearch' : 'organicSearch'
  if (isSiteOf(SOCIAL) || isMedium('social', 'social-network', 'social-media', 'sm'))
    return isPaid ? 'paidSocial' : 'organicSocial'
  if (isSiteOf(SHOP) || /(^|[^a-df-z])shop|shopping/.test(medium)) return isPaid ? 'paidShopping' : 'organicShopping'
  if (isSiteOf(VIDEO) || medium.includes('video')) return isPaid ? 'paidVideo' : 'organicVideo'
  if (isPaid) return 'paidAds'
  return referrer === '' ? 'direct' : 'referral'
}

/** Whether the click id is in its own column, or in a parameter with a value, in any letter case of the name. */
function hasAdClickId(landing: IngestRow): boolean {
  // `URLSearchParams` drops the question mark added here. A stored one belongs to a name.
  const parameters = [...new URLSearchParams(`?${landing.url_query}`)].filter(([, value]) => value !== '')
  const names = parameters.map(([name]) => lowerCase(name))
  const columns = CLICK_ID_COLUMNS.filter((column) => (landing[column] ?? '') !== '')
  return [...names, ...columns].some((name) => AD_CLICK_IDS.includes(name))
}
