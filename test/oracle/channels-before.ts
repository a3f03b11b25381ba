import { hasClickId } from './click-ids.ts'
import type { IngestRow } from './model.ts'
import { isOf, referringDomain } from './referrers.ts'
import { lowerCase, words } from './text.ts'

const AD_CLICK_IDS = words(
  'ad_id aid dclid epik fbclid gclid li_fat_id msclkid ob_click_id pc_id rdt_cid scid ttclid twclid',
)

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

/** The channel according to list version 0, which was used until 28 November 2026. */
export function channelOfBefore(landing: IngestRow): string {
  const referrer = referringDomain(landing)
  const medium = lowerCase(landing.utm_medium)
  const source = lowerCase(landing.utm_source)
  const site = referrer === '' && source.includes('.') ? source : referrer
  const isSiteOf = (entries: string[]) => entries.some((entry) => isOf(site, entry))
  const isMedium = (...names: string[]) => names.includes(medium)
  const isPaid = medium.includes('cp') || isMedium('ppc', 'retargeting') || medium.startsWith('paid')

  if (hasClickId(landing, AD_CLICK_IDS)) return 'paidAds'
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
