import { type Fragment, sql, text, uint8 } from '../../../src/query/language/sql.ts'
import { isForeign } from '../../../src/query/tables/where.ts'

/** A condition: the domain is one of these entries or below one. Entries that end in a dot are brands. */
function isAmong(domain: Fragment, entries: readonly string[]): Fragment {
  const escaped = (isBrand: boolean) =>
    entries.filter((entry) => entry.endsWith('.') === isBrand).map((entry) => entry.replaceAll('.', '\\.'))
  const brands = escaped(true).map((brand) => `${brand}(?:[a-z]+|[a-z]{2,3}\\.[a-z]{2})`)
  return sql`match(${domain}, ${text(`^(?:.*\\.)?(?:${[...escaped(false), ...brands].join('|')})$`)})`
}

/** The rules of `events.channel` (`sql/events/0002_events.sql`), for a layout that computes channels when asked. */

const lists = {
  llm: ['chatgpt.com', 'claude.ai', 'copilot.microsoft.com', 'gemini.google.com', 'meta.ai', 'perplexity.ai'],
  mail: [
    ...['gmail.', 'hotmail.', 'mail.google.com', 'mail.yahoo.', 'outlook.', 'outlook.live.com'],
    ...['outlook.office.com', 'proton.me', 'protonmail.'],
  ],
  search: [
    ...['baidu.com', 'bing.com', 'duckduckgo.com', 'ecosia.org', 'google.', 'msn.com', 'search.brave.com', 'yandex.'],
  ],
  social: [
    ...['bsky.app', 'facebook.com', 'fb.com', 'ig.com', 'instagram.com', 'linkedin.', 'news.ycombinator.com'],
    ...['pinterest.', 'reddit.', 'snapchat.', 't.co', 'threads.net', 'tiktok.', 'twitter.com', 'x.com'],
  ],
  shop: [
    ...['alibaba.com', 'aliexpress.com', 'amazon.', 'bestbuy.com', 'ebay.com', 'etsy.com'],
    ...['newegg.com', 'target.com', 'walmart.com'],
  ],
  video: ['twitch.', 'vimeo.com', 'youtube.'],
} as const

/** A foreign referrer in lower case, without a leading `www.`; else empty. */
export const referrer = sql`if(${isForeign}, replaceRegexpOne(lowerUTF8(referrer_domain), '^www[.]', ''), '')`

/** The channel of a visit, from `columns`, the channel's columns at its landing. The first rule that holds decides. */
export function channelOf(columns: Fragment): Fragment {
  // With LowCardinality, ClickHouse evaluates each distinct text once.
  const [r, m, u] = [1, 2, 3].map((place) => sql`toLowCardinality(tupleElement(${columns}, ${uint8(place)}))`) as [
    Fragment,
    Fragment,
    Fragment,
  ]
  const site = sql`toLowCardinality(if(${r} = '' and position(${u}, '.') > 0, ${u}, ${r}))`
  const isPaid = sql`match(${m}, '^(.*cp.*|ppc|retargeting|paid.*)$')`
  const paidOr = (paid: Fragment, organic: Fragment) => sql`if(${isPaid}, ${paid}, ${organic})`
  const rules: readonly (readonly [Fragment, Fragment])[] = [
    [sql`tupleElement(${columns}, 4)`, sql`'paidAds'`],
    [sql`${m} in ('referral', 'app', 'link')`, sql`'referral'`],
    [sql`${m} in ('affiliate', 'affiliates')`, sql`'affiliate'`],
    [sql`(${m} = 'sms' or ${u} = 'sms')`, sql`'sms'`],
    [isAmong(site, lists.llm), sql`'llm'`],
    [sql`(${isAmong(site, lists.mail)} or position(${m}, 'mail') > 0)`, sql`'email'`],
    [sql`(${isAmong(site, lists.search)} or ${m} = 'organic')`, paidOr(sql`'paidSearch'`, sql`'organicSearch'`)],
    [
      sql`(${isAmong(site, lists.social)} or ${m} in ('social', 'social-network', 'social-media', 'sm'))`,
      paidOr(sql`'paidSocial'`, sql`'organicSocial'`),
    ],
    [
      sql`(${isAmong(site, lists.shop)} or match(${m}, '(^|[^a-df-z])shop|shopping'))`,
      paidOr(sql`'paidShopping'`, sql`'organicShopping'`),
    ],
    [
      sql`(${isAmong(site, lists.video)} or position(${m}, 'video') > 0)`,
      paidOr(sql`'paidVideo'`, sql`'organicVideo'`),
    ],
    [isPaid, sql`'paidAds'`],
    [sql`${r} != ''`, sql`'referral'`],
  ]
  const cases = rules.reduce((list, [holds, name]) => sql`${list}${holds}, ${name}, `, sql``)
  return sql`multiIf(${cases}'direct')`
}
