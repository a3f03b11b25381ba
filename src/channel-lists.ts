/**
 * The lists that determine a visit's channel. `events.channel_lists` stores the version of the lists with which a row
 * was classified, so a changed list gets the next number, and `npm run channels` writes a new migration; see
 * docs/repair.md.
 *
 * An entry `x.com` matches the domain and its subdomains. An entry that ends with a dot is a brand under any top-level
 * domain.
 */
export const channelLists = {
  number: 1,

  /** Query parameters that only ads use. */
  adClickIds: [
    ...['ad_id', 'aid', 'dclid', 'gad_source', 'gbraid', 'gclid', 'li_fat_id', 'msclkid', 'ob_click_id', 'pc_id'],
    ...['rdt_cid', 'scid', 'ttclid', 'twclid', 'wbraid', 'yclid'],
  ],

  llm: [
    ...['chat.deepseek.com', 'chat.mistral.ai', 'chat.openai.com', 'chatgpt.com', 'claude.ai', 'copilot.microsoft.com'],
    ...['deepseek.', 'duck.ai', 'gemini.google.com', 'grok.com', 'meta.ai', 'openai.', 'perplexity.', 'poe.com'],
    'you.com',
  ],
  mail: [
    ...['fastmail.com', 'gmail.', 'gmx.', 'hotmail.', 'mail.google.com', 'mail.ru', 'mail.yahoo.', 'outlook.'],
    ...['outlook.live.com', 'outlook.office.com', 'proton.me', 'protonmail.'],
  ],
  search: [
    ...['baidu.com', 'bing.com', 'brave.', 'duckduckgo.com', 'ecosia.org', 'google.', 'kagi.com', 'msn.com'],
    ...['presearch.com', 'qwant.com', 'search.brave.com', 'search.naver.com', 'search.yahoo.', 'so.com', 'sogou.com'],
    ...['startpage.com', 'ya.ru', 'yandex.', 'yep.com'],
  ],
  social: [
    ...['bsky.app', 'facebook.', 'fb.com', 'ig.com', 'instagram.com', 'linkedin.', 'lnkd.in', 'mastodon.social'],
    ...['news.ycombinator.com', 'pinterest.', 'reddit.', 'snapchat.', 't.co', 't.me', 'telegram.org', 'threads.com'],
    ...['threads.net', 'tiktok.', 'twitter.com', 'vk.com', 'weibo.com', 'x.com'],
  ],
  shop: [
    ...['alibaba.com', 'aliexpress.com', 'amazon.', 'bestbuy.com', 'ebay.com', 'etsy.com', 'newegg.com', 'target.com'],
    'walmart.com',
  ],
  video: ['twitch.', 'vimeo.com', 'youtu.be', 'youtube.'],

  /** Apps that send their package name as the referrer, with the domain to count instead. */
  apps: {
    'com.facebook.katana': 'facebook.com',
    'com.facebook.lite': 'facebook.com',
    'com.google.android.gm': 'mail.google.com',
    'com.google.android.googlequicksearchbox': 'google.com',
    'com.google.android.youtube': 'youtube.com',
    'com.instagram.android': 'instagram.com',
    'com.linkedin.android': 'linkedin.com',
    'com.microsoft.office.outlook': 'outlook.com',
    'com.openai.chatgpt': 'chatgpt.com',
    'com.pinterest': 'pinterest.com',
    'com.reddit.frontpage': 'reddit.com',
    'com.twitter.android': 'x.com',
    'com.zhiliaoapp.musically': 'tiktok.com',
    'org.telegram.messenger': 't.me',
  },

  /** Values of `utm_medium`. `paid` and `shopMedium` are regular expressions. */
  referralMedia: ['referral', 'app', 'link'],
  affiliateMedia: ['affiliate', 'affiliates'],
  sms: 'sms',
  mailMedium: 'mail',
  newsletter: 'newsletter',
  searchMedium: 'organic',
  socialMedia: ['social', 'social-network', 'social-media', 'sm'],
  shopMedium: '(^|[^a-df-z])shop|shopping',
  videoMedium: 'video',
  paid: '^(.*cp.*|ppc|retargeting|paid.*|display|banner|interstitial)$',
} as const
