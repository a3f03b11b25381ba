import { all, type Fragment, sql, text, texts } from '../language/sql.ts'
import { isForeign } from './where.ts'

/** The foreign referrers of views, and the groups that their domains belong to. */

/**
 * The groups of domains with their entries. An entry is a whole domain, or a brand, which ends with a dot. No domain
 * matches two groups.
 */
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

const entries = groups.flatMap(([name, own]) => own.map((entry) => ({ name, entry, label: entry.split('.', 1)[0]! })))

/**
 * An RE2 pattern that matches the domains of all entries and their subdomains. Its capture group begins with the
 * entry's label.
 */
const pattern = (() => {
  const escaped = (isBrand: boolean) =>
    entries
      .filter(({ entry }) => entry.endsWith('.') === isBrand)
      .map(({ entry }) => entry.replaceAll('.', '\\.'))
      .join('|')
  return `^(?:.*\\.)?((?:${escaped(true)})(?:[a-z]+|[a-z]{2,3}\\.[a-z]{2})|${escaped(false)})$`
})()

/**
 * The group that a foreign referrer belongs to; empty if the referrer is empty. A single pattern is used for all
 * groups, because ClickHouse compiles each pattern.
 */
export function domainGroup(domain: Fragment): Fragment {
  const bare = sql`replaceRegexpOne(lowerUTF8(toLowCardinality(${domain})), '^www[.]', '')`
  const label = sql`splitByChar('.', extract(${bare}, ${text(pattern)}))[1]`
  const [labels, names] = [entries.map((entry) => entry.label), entries.map(({ name }) => name)]
  return sql`if(${bare} = '', '', transform(${label}, ${texts(labels)}, ${texts(names)}, 'Other'))`
}

export const isForeignReferrer: Fragment = all(isForeign, sql`referrer_domain != ''`)

/** The foreign referrer as it is stored; empty if there is none. */
export const foreignReferrer: Fragment = sql`if(${isForeignReferrer}, referrer_domain, '')`
