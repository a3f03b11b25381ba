import { isOf } from './referrers.ts'

const GROUPS = [
  ['baidu.com', 'baidu.'],
  ['bing.com', 'bing.'],
  ['brave.com', 'brave.'],
  ['chatgpt.com', 'chatgpt.'],
  ['duckduckgo.com', 'duckduckgo.'],
  ['facebook.com', 'facebook.'],
  ['github.com', 'github.'],
  ['google.com', 'google.'],
  ['news.ycombinator.com', 'news.ycombinator.com'],
  ['instagram.com', 'instagram.', 'ig.com'],
  ['linkedin.com', 'linkedin.'],
  ['pinterest.com', 'pinterest.'],
  ['reddit.com', 'reddit.'],
  ['snapchat.com', 'snapchat.'],
  ['twitter.com', 'twitter.', 't.co', 'x.com'],
  ['yahoo.com', 'yahoo.'],
  ['yandex.ru', 'yandex.'],
]

/** The group of a referring domain, or `Other`. Empty if there is no domain. */
export function domainGroup(domain: string): string {
  if (domain === '') return ''
  const group = GROUPS.find(([, ...entries]) => entries.some((entry) => isOf(domain, entry)))
  return group === undefined ? 'Other' : group[0]!
}
