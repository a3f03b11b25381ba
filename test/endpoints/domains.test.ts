import { expect, it } from 'vitest'
import { domainGroup } from '../oracle/domains.ts'
import { event, id } from '../oracle/fixtures.ts'
import { referringDomain } from '../oracle/referrers.ts'
import { day, websiteWith } from '../support/website.ts'
import { read } from '../support/weir.ts'

const brands = 'baidu bing brave chatgpt duckduckgo facebook github google instagram linkedin pinterest reddit'.split(
  ' ',
)
const names = [
  ...brands,
  ...['snapchat', 'twitter', 'yahoo', 'yandex', 'news.ycombinator', 'ycombinator', 'news', 'ig', 't', 'x'],
]
const starts = ['', 'www.', 'WWW.', 'mail.', 'not', 'a\nb.', 'google.', 'é.', '.']
const ends = ['.com', '.co', '.co.uk', '.com.br', '.example', '.info.uk', '.c1', '', '.', '.bing.com', '.x.com', '\n']
const domains = starts.flatMap((start) => names.flatMap((name) => ends.map((end) => `${start}${name}${end}`)))

it('domains are grouped by brands and hosts, whatever precedes and follows the name', async () => {
  const rows = domains.map((referrer_domain, place) =>
    event({ event_id: id(place), session_id: id(place), visit_id: id(place), event_type: 1, referrer_domain }),
  )
  const expected: Record<string, number> = {}
  for (const row of rows)
    expected[domainGroup(referringDomain(row))] = (expected[domainGroup(referringDomain(row))] ?? 0) + 1
  const { body } = await read(await websiteWith(...rows), 'metrics', { ...day, type: 'domain' })
  const found = Object.fromEntries(body.map(({ x, y }: { x: string; y: number }) => [x, y]))
  expect(found).toStrictEqual(expected)
})
