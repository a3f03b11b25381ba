import { readdirSync, writeFileSync } from 'node:fs'
import { channelLists } from '../../channel-lists.ts'
import { clickIds } from '../../collect/row.ts'
import { literal } from '../engine/literal.ts'

/**
 * The rules of `events.channel` as SQL, generated from the lists. The first rule that matches decides. `landing_medium`
 * and `landing_source` are in lower case. `landing_referrer` is the domain of a foreign referrer, without `www.`.
 * `landing_site` is the referrer (for an app, its domain), or else the source. A source that is only a brand name is
 * treated as its `.com` domain.
 */

const lists = channelLists

/** The maximum length of a line in a list, in characters. */
const longest = 90

/** Joins the pieces into lines that are as long as the maximum allows. */
function lined(pieces: readonly string[]): string[] {
  const lines: string[] = []
  for (const piece of pieces) {
    if (lines.length > 0 && lines.at(-1)!.length + piece.length <= longest) lines[lines.length - 1] += piece
    else lines.push(piece)
  }
  return lines
}

/** Writes a list of strings on several lines. */
const listed = (texts: readonly string[]): string =>
  lined(texts.map((one, place) => `${literal(one)}${place < texts.length - 1 ? ', ' : ''}`))
    .map((line) => `\n                    ${line.trimEnd()}`)
    .join('')

const among = (names: readonly string[]): string => `IN (${names.map(literal).join(', ')})`

const isBrand = (entry: string): boolean => entry.endsWith('.')

/** Whether the site matches an entry: the domain, a subdomain, or the brand under any top-level domain. */
function isOf(entries: readonly string[], site = 'landing_site'): string {
  const names = (some: readonly string[]) =>
    some.map((name, place) => `${place === 0 ? '' : '|'}${name.replaceAll('.', '[.]')}`)
  const [domains, brands] = [entries.filter((entry) => !isBrand(entry)), entries.filter(isBrand).map(withoutDot)]
  const pieces = [...names(domains), '|(?:', ...names(brands), ')[.](?:[a-z]+|[a-z]{2,3}[.][a-z]{2})']
  const lines = lined(['^(?:.*[.])?(?:', ...pieces, ')$']).map(literal)
  return `match(${site}, concat(\n            ${lines.join(',\n            ')}))`
}

const withoutDot = (brand: string): string => brand.slice(0, -1)

const adColumns = clickIds.filter((id) => (lists.adClickIds as readonly string[]).includes(id))

/** Whether there is a click id, in its column or as a query parameter with a value. */
const hasAdClickId = `${adColumns.map((column) => `${column} != ''`).join(' OR ')}
        OR arrayExists(
            pair -> position(pair, '=') BETWEEN 1 AND length(pair) - 1
                AND lowerUTF8(decodeURLFormComponent(substring(pair, 1, position(pair, '=') - 1))) IN (${listed(lists.adClickIds)}),
            splitByChar('&', url_query))`

const referrer = `if(
                    hostname = '' OR referrer_domain != hostname
                        AND referrer_domain != if(startsWith(hostname, 'www.'), substring(hostname, 5), hostname),
                    replaceRegexpOne(lowerUTF8(referrer_domain), '^www[.]', ''), '')`

const brands = [lists.llm, lists.mail, lists.search, lists.social, lists.shop, lists.video]
  .flat()
  .filter(isBrand)
  .map(withoutDot)

const lookedUp = (name: string, from: readonly string[], to: readonly string[]): string =>
  `transform(${name}, [${listed(from)}], [${listed(to)}])`

/** For LowCardinality values, ClickHouse evaluates each distinct string once. */
const site = `
            (toLowCardinality(if(
                (${referrer} AS landing_referrer) = '',
                ${lookedUp(
                  'landing_source',
                  brands,
                  brands.map((brand) => `${brand}.com`),
                )},
                ${lookedUp('landing_referrer', Object.keys(lists.apps), Object.values(lists.apps))})) AS landing_site)`

const has = (column: string, word: string): string => `position(${column}, ${literal(word)}) > 0`

/** Conditions and channels, in the order of the API contract. */
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

/** An expression over the columns of `events`: the channel of a visit that begins with this row. */
export const channelRules = `multiIf(
        ${rules.map(([condition, channel]) => `${condition},\n        ${channel},`).join('\n\n        ')}

        'direct')`

/** A migration that makes new rows use these lists, under a number. */
export const channelMigration = (
  number: number,
): string => `-- Channels by the lists number ${number} of src/channel-lists.ts. \`npm run channels\` wrote this file. The first rule that
-- holds decides. A domain of a list stands for itself and what is below it; a brand has any public suffix. Rows that
-- are stored keep their channel and the number of its lists, until \`weir rebuild --channels\`.
ALTER TABLE events
    MODIFY COLUMN channel LowCardinality(String) DEFAULT ${channelRules},
    MODIFY COLUMN channel_lists UInt8 DEFAULT ${number};
`

/**
 * Writes the migration into a folder: replaces the file for these lists, or adds the next file. The lists with the
 * number 1 are part of the table `events`.
 */
export function writeChannelMigration(folder: string, number: number = lists.number): string {
  if (number < 2) throw new Error('The first lists are in 0002_events.sql. Take the next number.')
  const names = readdirSync(folder).sort()
  const ending = `_channels_${number}.sql`
  const next = String(Number(names.at(-1)!.slice(0, 4)) + 1).padStart(4, '0')
  const name = names.find((one) => one.endsWith(ending)) ?? next + ending
  writeFileSync(`${folder}/${name}`, channelMigration(number))
  return name
}
