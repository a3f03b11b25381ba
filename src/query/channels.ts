import { packedTexts, textsIn } from './packed-texts.ts'
import { all, commaList, type Fragment, sql, text, texts, uint8 } from './sql.ts'
import { isForeign, isForeignTo } from './where.ts'

/** Where visits come from: the channel of a visit, from its landing view, and the group of a referring domain. */

/** Entries that end in a dot are brands, with any public suffix. */
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

const clickIds = [
  ...['ad_id', 'aid', 'dclid', 'epik', 'fbclid', 'gclid', 'li_fat_id', 'msclkid'],
  ...['ob_click_id', 'pc_id', 'rdt_cid', 'scid', 'ttclid', 'twclid'],
]

/** An RE2 pattern for the domains of these entries and their subdomains. */
function patternOf(entries: readonly string[]): string {
  const escaped = (some: readonly string[]) => some.map((entry) => entry.replaceAll('.', '\\.')).join('|')
  const brands = entries.filter((entry) => entry.endsWith('.'))
  const domains = entries.filter((entry) => !entry.endsWith('.'))
  const parts = [
    ...(domains.length > 0 ? [escaped(domains)] : []),
    ...(brands.length > 0 ? [`(?:${escaped(brands)})(?:[a-z]+|[a-z]{2,3}\\.[a-z]{2})`] : []),
  ]
  return `^(?:.*\\.)?(?:${parts.join('|')})$`
}

const isOf = (domain: Fragment, entries: readonly string[]): Fragment =>
  sql`match(${domain}, ${text(patternOf(entries))})`

/** A foreign referrer in lower case, without a leading `www.`; else empty. */
const referrerOf = (host: Fragment, domain: Fragment): Fragment =>
  sql`if(${isForeignTo(host, domain)}, replaceRegexpOne(lowerUTF8(${domain}), '^www[.]', ''), '')`

export const referrer = referrerOf(sql`hostname`, sql`referrer_domain`)

/** The columns of a view that decide its channel, as one text. */
const kept = [sql`hostname`, sql`referrer_domain`, sql`utm_medium`, sql`utm_source`] as const
const hasClickColumn = sql`gclid != '' or fbclid != '' or msclkid != '' or ttclid != '' or li_fat_id != '' or twclid != ''`

export const channelText: Fragment = sql`concat(${packedTexts(kept)}, if(${hasClickColumn}, '1', '0'), url_query)`

/** Their names after unpacking: different from the names of columns. */
export const landing = {
  host: sql`landing_host`,
  domain: sql`landing_domain`,
  medium: sql`landing_medium`,
  source: sql`landing_source`,
} as const

const landingNames = Object.values(landing)

/** The columns that are in such a text, as a list for `select`. */
export const landingColumns = (text: Fragment): Fragment =>
  commaList(textsIn(text, kept.length).texts.map((one, index) => sql`${one} as ${landingNames[index]!}`))

function hasClickId(text: Fragment): Fragment {
  const { rest } = textsIn(text, kept.length)
  return sql`(startsWith(${rest}, '1') or ${hasClickIn(sql`substring(${rest}, 2)`)})`
}

/** The values that decide the channel, as a tuple: referrer, medium, source, and whether there is an ad click id. */
const channelColumns: Fragment = sql`(
  ${referrerOf(landing.host, landing.domain)}, lowerUTF8(${landing.medium}), lowerUTF8(${landing.source}), has_click_id)`

/** The rows of `from`, with the channel that their text `made` gives. */
export const withChannel = (columns: Fragment, from: Fragment): Fragment => sql`(
  select ${columns}, ${channelOf(sql`kind`)} as channel
  from (
    select ${columns}, ${channelColumns} as kind
    from (select ${columns}, ${landingColumns(sql`made`)}, ${hasClickId(sql`made`)} as has_click_id from ${from})
  )
)`

const hasClickIn = (query: Fragment): Fragment => sql`arrayExists(
  pair -> position(pair, '=') between 1 and length(pair) - 1
    and has(${texts(clickIds)}, lowerUTF8(decodeURLFormComponent(substring(pair, 1, position(pair, '=') - 1)))),
  splitByChar('&', ${query}))`

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
    [isOf(site, lists.llm), sql`'llm'`],
    [sql`(${isOf(site, lists.mail)} or position(${m}, 'mail') > 0)`, sql`'email'`],
    [sql`(${isOf(site, lists.search)} or ${m} = 'organic')`, paidOr(sql`'paidSearch'`, sql`'organicSearch'`)],
    [
      sql`(${isOf(site, lists.social)} or ${m} in ('social', 'social-network', 'social-media', 'sm'))`,
      paidOr(sql`'paidSocial'`, sql`'organicSocial'`),
    ],
    [
      sql`(${isOf(site, lists.shop)} or match(${m}, '(^|[^a-df-z])shop|shopping'))`,
      paidOr(sql`'paidShopping'`, sql`'organicShopping'`),
    ],
    [sql`(${isOf(site, lists.video)} or position(${m}, 'video') > 0)`, paidOr(sql`'paidVideo'`, sql`'organicVideo'`)],
    [isPaid, sql`'paidAds'`],
    [sql`${r} != ''`, sql`'referral'`],
  ]
  const cases = rules.reduce((list, [holds, name]) => sql`${list}${holds}, ${name}, `, sql``)
  return sql`multiIf(${cases}'direct')`
}

const groups: readonly (readonly [name: string, entries: readonly string[]])[] = [
  ['baidu.com', ['baidu.']],
  ['bing.com', ['bing.']],
  ['brave.com', ['brave.']],
  ['chatgpt.com', ['chatgpt.']],
  ['duckduckgo.com', ['duckduckgo.']],
  ['facebook.com', ['facebook.']],
  ['github.com', ['github.']],
  ['google.com', ['google.']],
  ['news.ycombinator.com', ['news.ycombinator.com']],
  ['instagram.com', ['instagram.', 'ig.com']],
  ['linkedin.com', ['linkedin.']],
  ['pinterest.com', ['pinterest.']],
  ['reddit.com', ['reddit.']],
  ['snapchat.com', ['snapchat.']],
  ['twitter.com', ['twitter.', 't.co', 'x.com']],
  ['yahoo.com', ['yahoo.']],
  ['yandex.ru', ['yandex.']],
]

/** The group of a view's foreign referrer; empty where it has none. */
export const domainGroup: Fragment = groups.reduceRight(
  (rest, [name, entries]) => sql`if(${isOf(referrer, entries)}, ${text(name)}, ${rest})`,
  sql`if(${referrer} = '', '', 'Other')`,
)

export const isForeignReferrer: Fragment = all(isForeign, sql`referrer_domain != ''`)

/** The foreign referrer as stored; empty where there is none. */
export const foreignReferrer: Fragment = sql`if(${isForeignReferrer}, referrer_domain, '')`
