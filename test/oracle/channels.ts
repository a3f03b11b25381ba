import { hasClickId } from './click-ids.ts'
import type { IngestRow } from './model.ts'
import { isOf, referringDomain } from './referrers.ts'
import { lowerCase, words } from './text.ts'

const AD_CLICK_IDS = words(`
  ad_id aid dclid gad_source gbraid gclid li_fat_id msclkid ob_click_id pc_id rdt_cid scid ttclid twclid wbraid yclid
`)

const LLM = words(`
  chat.deepseek.com chat.mistral.ai chat.openai.com chatgpt.com claude.ai copilot.microsoft.com deepseek. duck.ai
  gemini.google.com grok.com meta.ai openai. perplexity. poe.com you.com
`)
const MAIL = words(`
  gmail. hotmail. mail.google.com mail.yahoo. outlook. outlook.live.com outlook.office.com proton.me protonmail.
  mail.ru fastmail.com gmx.
`)
const SEARCH = words(`
  baidu.com bing.com brave. duckduckgo.com ecosia.org google. kagi.com msn.com search.naver.com presearch.com qwant.com
  search.brave.com search.yahoo. so.com sogou.com startpage.com ya.ru yandex. yep.com
`)
const SOCIAL = words(`
  bsky.app facebook. fb.com ig.com instagram.com linkedin. lnkd.in mastodon.social news.ycombinator.com pinterest.
  reddit. snapchat. t.co t.me telegram.org threads.com threads.net tiktok. twitter.com vk.com weibo.com x.com
`)
const SHOP = words('alibaba.com aliexpress.com amazon. bestbuy.com ebay.com etsy.com newegg.com target.com walmart.com')
const VIDEO = words('twitch. vimeo.com youtu.be youtube.')

/** The channel source for each app package. */
const APPS: { readonly [name: string]: string } = {
  ...{ 'com.google.android.gm': 'mail.google.com', 'com.google.android.googlequicksearchbox': 'google.com' },
  ...{ 'com.google.android.youtube': 'youtube.com', 'com.pinterest': 'pinterest.com' },
  ...{ 'com.twitter.android': 'x.com', 'com.linkedin.android': 'linkedin.com', 'com.reddit.frontpage': 'reddit.com' },
  ...{ 'com.facebook.katana': 'facebook.com', 'com.facebook.lite': 'facebook.com' },
  ...{ 'com.instagram.android': 'instagram.com', 'com.zhiliaoapp.musically': 'tiktok.com' },
  ...{ 'org.telegram.messenger': 't.me', 'com.openai.chatgpt': 'chatgpt.com' },
  'com.microsoft.office.outlook': 'outlook.com',
}

/** All names in the lists: click ids, domains and brands, and apps. Test requests are built from them. */
export const channelNames = {
  ...{ clickIds: AD_CLICK_IDS, entries: [LLM, MAIL, SEARCH, SOCIAL, SHOP, VIDEO].flat(), apps: Object.keys(APPS) },
} as const

/** The channel by the older lists of `test/support/older-channels.ts`. */
function olderChannelOf({ fbclid = '', referrer_domain }: IngestRow): string {
  if (fbclid !== '') return 'paidAds'
  return referrer_domain === '' ? 'direct' : 'referral'
}

/** The channel of a visit, determined from its landing and its list version. The first matching rule applies. */
export function channelOf(landing: IngestRow): string {
  if (landing.channel_lists === 0) return olderChannelOf(landing)
  const domain = referringDomain(landing)
  const referrer = Object.hasOwn(APPS, domain) ? APPS[domain]! : domain
  const medium = lowerCase(landing.utm_medium)
  const source = lowerCase(landing.utm_source)
  const isEntry = (entry: string) =>
    referrer === '' ? isOf(source, entry) || entry === `${source}.` : isOf(referrer, entry)
  const isSiteOf = (entries: string[]) => entries.some(isEntry)
  const isMedium = (...names: string[]) => names.includes(medium)
  const isPaid =
    medium.includes('cp') ||
    isMedium('ppc', 'retargeting', 'display', 'banner', 'interstitial') ||
    medium.startsWith('paid')

  if (hasClickId(landing, AD_CLICK_IDS)) return 'paidAds'
  if (isMedium('referral', 'app', 'link')) return 'referral'
  if (isMedium('affiliate', 'affiliates')) return 'affiliate'
  if (isMedium('sms') || source === 'sms') return 'sms'
  if (isSiteOf(LLM)) return 'llm'
  if (isSiteOf(MAIL) || medium.includes('mail') || [medium, source].some((text) => text.includes('newsletter')))
    return 'email'
  if (isSiteOf(SEARCH) || isMedium('organic')) return isPaid ? 'paidSearch' : 'organicSearch'
  if (isSiteOf(SOCIAL) || isMedium('social', 'social-network', 'social-media', 'sm'))
    return isPaid ? 'paidSocial' : 'organicSocial'
  if (isSiteOf(SHOP) || /(^|[^a-df-z])shop|shopping/.test(medium)) return isPaid ? 'paidShopping' : 'organicShopping'
  if (isSiteOf(VIDEO) || medium.includes('video')) return isPaid ? 'paidVideo' : 'organicVideo'
  if (isPaid) return 'paidAds'
  return referrer === '' && medium === '' && source === '' ? 'direct' : 'referral'
}
