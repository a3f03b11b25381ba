import { channelLists } from '../../../src/channel-lists.ts'
import { commaList, type Fragment, sql, text, uint8 } from '../../../src/query/language/sql.ts'
import { isForeign } from '../../../src/query/tables/where.ts'

/** The condition that the domain is one of these entries or a subdomain. Entries that end in a dot are brands. */
function isAmong(domain: Fragment, entries: readonly string[]): Fragment {
  const escaped = (isBrand: boolean) =>
    entries.filter((entry) => entry.endsWith('.') === isBrand).map((entry) => entry.replaceAll('.', '\\.'))
  const brands = escaped(true).map((brand) => `${brand}(?:[a-z]+|[a-z]{2,3}\\.[a-z]{2})`)
  return sql`match(${domain}, ${text(`^(?:.*\\.)?(?:${[...escaped(false), ...brands].join('|')})$`)})`
}

/**
 * The rules of `events.channel` (`src/local/storage/channel-rules.ts`), for a layout that computes channels when they
 * are queried.
 */

const lists = channelLists

const listOf = (texts: readonly string[]): Fragment => sql`[${commaList(texts.map((one) => sql`${text(one)}`))}]`

/**
 * A foreign referrer's domain in lower case, without a leading `www.`. An app has a domain, too. Empty if there is no
 * foreign referrer.
 */
const domain = sql`if(${isForeign}, replaceRegexpOne(lowerUTF8(referrer_domain), '^www[.]', ''), '')`
export const referrer = sql`transform(${domain}, ${listOf(Object.keys(lists.apps))}, ${listOf(Object.values(lists.apps))})`

/** Returns the condition that the query string has an ad's click id. */
export const hasClickId = (query: Fragment): Fragment =>
  sql`match(${query}, ${text(`(?i)(^|&)(${lists.adClickIds.join('|')})=[^&]`)})`

/** The channel of a visit, from `columns`, the channel's columns at its landing. The first matching rule decides. */
export function channelOf(columns: Fragment): Fragment {
  // With LowCardinality, ClickHouse evaluates each distinct text only once.
  const [r, m, u] = [1, 2, 3].map((place) => sql`toLowCardinality(tupleElement(${columns}, ${uint8(place)}))`) as [
    Fragment,
    Fragment,
    Fragment,
  ]
  const site = sql`toLowCardinality(if(${r} = '', ${u}, ${r}))`
  const isPaid = sql`match(${m}, ${text(lists.paid)})`
  const isOf = (entries: readonly string[]): Fragment => {
    const brands = entries.filter((entry) => entry.endsWith('.')).map((entry) => entry.slice(0, -1))
    return sql`(${isAmong(site, entries)} or (${r} = '' and ${u} in ${listOf(brands)}))`
  }
  const paidOr = (paid: Fragment, organic: Fragment) => sql`if(${isPaid}, ${paid}, ${organic})`
  const rules: readonly (readonly [Fragment, Fragment])[] = [
    [sql`tupleElement(${columns}, 4)`, sql`'paidAds'`],
    [sql`${m} in ${listOf(lists.referralMedia)}`, sql`'referral'`],
    [sql`${m} in ${listOf(lists.affiliateMedia)}`, sql`'affiliate'`],
    [sql`(${m} = 'sms' or ${u} = 'sms')`, sql`'sms'`],
    [isOf(lists.llm), sql`'llm'`],
    [sql`(${isOf(lists.mail)} or match(${m}, 'mail|newsletter') or position(${u}, 'newsletter') > 0)`, sql`'email'`],
    [sql`(${isOf(lists.search)} or ${m} = 'organic')`, paidOr(sql`'paidSearch'`, sql`'organicSearch'`)],
    [
      sql`(${isOf(lists.social)} or ${m} in ${listOf(lists.socialMedia)})`,
      paidOr(sql`'paidSocial'`, sql`'organicSocial'`),
    ],
    [
      sql`(${isOf(lists.shop)} or match(${m}, ${text(lists.shopMedium)}))`,
      paidOr(sql`'paidShopping'`, sql`'organicShopping'`),
    ],
    [sql`(${isOf(lists.video)} or position(${m}, 'video') > 0)`, paidOr(sql`'paidVideo'`, sql`'organicVideo'`)],
    [isPaid, sql`'paidAds'`],
    [sql`(${r} != '' or ${m} != '' or ${u} != '')`, sql`'referral'`],
  ]
  const cases = rules.reduce((list, [holds, name]) => sql`${list}${holds}, ${name}, `, sql``)
  return sql`multiIf(${cases}'direct')`
}
