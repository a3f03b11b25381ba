import { all, type Fragment, sql, text } from '../language/sql.ts'
import { isForeign } from './where.ts'

/** The foreign referrers of views, and the groups of their domains. */

/** An RE2 pattern for the domains of these entries and their subdomains. Entries that end in a dot are brands. */
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

/** Whether a domain is one of these entries or a subdomain of one. */
export const isAmong = (domain: Fragment, entries: readonly string[]): Fragment =>
  sql`match(${domain}, ${text(patternOf(entries))})`

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

/** The group of a foreign referrer; empty where it is empty. */
export function domainGroup(domain: Fragment): Fragment {
  const bare = sql`replaceRegexpOne(lowerUTF8(${domain}), '^www[.]', '')`
  return groups.reduceRight(
    (rest, [name, entries]) => sql`if(${isAmong(bare, entries)}, ${text(name)}, ${rest})`,
    sql`if(${bare} = '', '', 'Other')`,
  )
}

export const isForeignReferrer: Fragment = all(isForeign, sql`referrer_domain != ''`)

/** The foreign referrer as stored; empty where there is none. */
export const foreignReferrer: Fragment = sql`if(${isForeignReferrer}, referrer_domain, '')`
