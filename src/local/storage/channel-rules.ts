import { channelLists } from '../../channel-lists.ts'
import { clickIds } from '../../collect/row.ts'
import { literal } from '../engine/literal.ts'

/**
 * The rules of `events.channel`, as SQL from the lists. The first rule that holds decides. `landing_…` are the medium
 * and the source in lower case, the foreign referrer (without `www.`, of an app its domain), and the site: the
 * referrer, or the source where there is none. Only such a source may name a brand alone.
 */

const lists = channelLists

/** The most characters of a line of a list. */
const longest = 90

/** The pieces in lines of a list, each with as many as fit. */
function lined(pieces: readonly string[]): string[] {
  const lines: string[] = []
  for (const piece of pieces) {
    if (lines.length > 0 && lines.at(-1)!.length + piece.length <= longest) lines[lines.length - 1] += piece
    else lines.push(piece)
  }
  return lines
}

/** A regular expression over a site: one of these, or below one of these. */
function isBelow(names: readonly string[], ending: string): string {
  const pieces = names.map((name, place) => `${place === 0 ? '' : '|'}${name.replaceAll('.', '[.]')}`)
  const [first, ...others] = lined(['^(?:.*[.])?(?:', ...pieces, `)${ending}$`]).map(literal)
  return others.length === 0 ? first! : `concat(\n            ${[first, ...others].join(',\n            ')})`
}

/** A list of texts in lines. */
const listed = (texts: readonly string[]): string =>
  lined(texts.map((one, place) => `${literal(one)}${place < texts.length - 1 ? ', ' : ''}`))
    .map((line) => `\n                    ${line.trimEnd()}`)
    .join('')

const among = (names: readonly string[]): string => `IN (${names.map(literal).join(', ')})`

/** Whether the site is of an entry of the list: of a domain, or of a brand with any ending. */
function isOf(entries: readonly string[], site = 'landing_site'): string {
  const brands = entries.filter((entry) => entry.endsWith('.')).map((entry) => entry.slice(0, -1))
  const domains = entries.filter((entry) => !entry.endsWith('.'))
  return `match(${site}, ${isBelow(domains, '')})
        OR match(landing_site, ${isBelow(brands, '[.](?:[a-z]+|[a-z]{2,3}[.][a-z]{2})')})
        OR landing_referrer = '' AND landing_source ${among(brands)}`
}

const adColumns = clickIds.filter((id) => (lists.adClickIds as readonly string[]).includes(id))

/** The columns of click ids, and the parameters with a value as a form reads them. */
const hasAdClickId = `${adColumns.map((column) => `${column} != ''`).join(' OR ')}
        OR arrayExists(
            pair -> position(pair, '=') BETWEEN 1 AND length(pair) - 1
                AND lowerUTF8(decodeURLFormComponent(substring(pair, 1, position(pair, '=') - 1))) IN (${listed(lists.adClickIds)}),
            splitByChar('&', url_query))`

/** The foreign referrer as a site; the packages of apps are looked up. */
const referrer = `transform(
                if(
                    hostname = '' OR referrer_domain != hostname
                        AND referrer_domain != if(startsWith(hostname, 'www.'), substring(hostname, 5), hostname),
                    replaceRegexpOne(lowerUTF8(referrer_domain), '^www[.]', ''), ''),
                [${listed(Object.keys(lists.apps))}],
                [${listed(Object.values(lists.apps))}])`

/** The referrer, else the source. With LowCardinality, ClickHouse looks at each distinct text once. */
const site = `
            (toLowCardinality(if(
                (${referrer} AS landing_referrer) = '',
                landing_source, landing_referrer)) AS landing_site)`

const has = (column: string, word: string): string => `position(${column}, ${literal(word)}) > 0`

/** Conditions and channels, in the order of the contract. */
const rules: readonly (readonly [condition: string, channel: string])[] = [
  [hasAdClickId, `'paidAds'`],
  [`(lowerUTF8(utm_medium) AS landing_medium) ${among(lists.referralMedia)}`, `'referral'`],
  [`landing_medium ${among(lists.affiliateMedia)}`, `'affiliate'`],
  [
    `landing_medium = ${literal(lists.sms)} OR (lowerUTF8(utm_source) AS landing_source) = ${literal(lists.sms)}`,
    `'sms'`,
  ],
  [isOf(lists.llm, site), `'llm'`],
  [
    `${isOf(lists.mail)}
        OR ${has('landing_medium', lists.mailMedium)}
        OR ${has('landing_medium', lists.newsletter)} OR ${has('landing_source', lists.newsletter)}`,
    `'email'`,
  ],
  [
    `${isOf(lists.search)}
        OR landing_medium = ${literal(lists.searchMedium)}`,
    `if(
            (match(landing_medium, ${literal(lists.paid)}) AS is_paid_landing),
            'paidSearch', 'organicSearch')`,
  ],
  [
    `${isOf(lists.social)}
        OR landing_medium ${among(lists.socialMedia)}`,
    `if(is_paid_landing, 'paidSocial', 'organicSocial')`,
  ],
  [
    `${isOf(lists.shop)}
        OR match(landing_medium, ${literal(lists.shopMedium)})`,
    `if(is_paid_landing, 'paidShopping', 'organicShopping')`,
  ],
  [
    `${isOf(lists.video)}
        OR ${has('landing_medium', lists.videoMedium)}`,
    `if(is_paid_landing, 'paidVideo', 'organicVideo')`,
  ],
  ['is_paid_landing', `'paidAds'`],
  [`landing_referrer != '' OR landing_medium != '' OR landing_source != ''`, `'referral'`],
]

/** The channel of a visit that begins with a row of `events`: an expression over its columns. */
export const channelRules = `multiIf(
        ${rules.map(([condition, channel]) => `${condition},\n        ${channel},`).join('\n\n        ')}

        'direct')`

/** The migration by which new rows are judged by these lists. */
export const channelMigration = `-- Channels by the lists number ${lists.number} of src/channel-lists.ts. \`npm run channels\` wrote this file. The first rule that
-- holds decides. A domain of a list stands for itself and what is below it; a brand has any public suffix. Rows that
-- are stored keep their channel and the number of its lists, until \`weir rebuild --channels\`.
ALTER TABLE events
    MODIFY COLUMN channel LowCardinality(String) DEFAULT ${channelRules},
    MODIFY COLUMN channel_lists UInt8 DEFAULT ${lists.number};
`
