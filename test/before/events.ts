import { ids, knownEvent } from './names.ts'

/** The events: the same each time, all of them from 2023 to 2025. */

type Property = readonly [key: string, type: number, text: string, number: string | null, date: string | null]
type Row = Readonly<Record<string, unknown>>

/** A generator of numbers from 0 to below 2^32 (xorshift), the same each time. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}

const columnTime = (moment: number): string => new Date(moment).toISOString().replace('T', ' ').replace('Z', '')

const browsers = ['chrome', 'chrome', 'firefox', 'safari', 'edge-chromium', 'Chrome', '']
const systems = ['Mac OS', 'Windows 10', 'Linux', 'iOS', 'Android OS', '']
const devices = ['desktop', 'mobile', 'laptop', 'tablet']
const countries = ['DE', 'US', 'FR', 'IN', '']
const cities = ['Berlin', 'San José', 'Zürich', 'ZÜRICH', "L'Aquila", '']
const paths = ['/', '/pricing', '/Pricing', '/blog/a_b', '/100%', '/search', '/über', '/a,b']
const names = ['buy', 'sign-up', 'Buy', 'search, site', 'a "quoted" name', 'Größe', 'play', '']
const referrers = ['', 'google.com', 't.co', 'own.example', 'news.example.org']
const types = [1, 1, 1, 2, 2, 2, 2, 3, 4, 5]

const start = Date.UTC(2023, 0, 1)
const end = Date.UTC(2026, 0, 1)
const october = Date.UTC(2025, 9, 1)
const day = 86_400_000

function rowsOf(website: string, seed: number, count: number): Row[] {
  const next = numbers(seed)
  const below = (limit: number): number => next() % limit
  const one = <Item>(list: readonly Item[], place = next()): Item => list[place % list.length]!
  const hex = (digits: number): string => next().toString(16).padStart(8, '0').slice(0, digits)
  const website_id = ids.website[website]!
  let moment = start

  const property = (): Property => {
    const kind = below(9)
    if (kind < 3)
      return [one(['plan', 'plan', 'coupon', 'Größe']), 1, one(['pro', 'free', 'Pro', 'a,b', 'ä"x\\']), null, null]
    if (kind < 5) {
      const number = one(['1', '19.99', '-5', '0.0001', '100000000000000000', '3'])
      return [one(['price', 'plan']), 2, number, number, null]
    }
    if (kind === 5) return ['trial', 3, one(['true', 'false']), null, null]
    if (kind < 8) {
      const at = Date.UTC(2025, below(12), 1 + below(28), below(24), 30, 15)
      return ['renewal', 4, new Date(at).toISOString(), null, columnTime(at)]
    }
    return ['tags', 5, one(['["a","b"]', '["b"]', '[]', '[1,"ü"]']), null, null]
  }

  const row = (index: number): Row => {
    // Some events share a moment; two in five are of October 2025.
    if (index % 40 !== 39)
      moment = index % 5 < 2 ? october + below(31 * day) : start + (next() / 2 ** 32) * (end - start)
    const visitor = below(60)
    const type = one(types)
    const isCustom = type === 2
    const properties = (isCustom ? below(4) > 0 : below(12) === 0) ? Array.from({ length: 1 + below(4) }, property) : []
    return {
      website_id,
      session_id: `a0000000-0000-8000-8000-${String(visitor).padStart(12, '0')}`,
      visit_id: `b0000000-0000-8000-8000-${String(visitor * 10 + below(6)).padStart(12, '0')}`,
      event_id: `${hex(8)}-${hex(4)}-8${hex(3)}-${hex(4)}-${hex(8)}${hex(4)}`,
      created_at: columnTime(Math.floor(moment)),
      event_type: type,
      event_name: isCustom ? one(names) : '',
      hostname: one(['own.example', 'own.example', 'www.own.example']),
      browser: one(browsers, visitor),
      os: one(systems, visitor + below(2)),
      device: one(devices, visitor),
      screen: one(['1920x1080', '390x844']),
      language: one(['en-US', 'de', 'de-CH'], visitor),
      country: one(countries, visitor),
      region: one(['DE-BE', 'US-CA', ''], visitor),
      city: one(cities, visitor),
      url_path: one(paths),
      url_query: one(['', '', 'q=1', 'q=a%20b&r=2']),
      utm_source: one(['', '', 'news', 'ads']),
      utm_medium: one(['', 'email', 'cpc']),
      utm_campaign: one(['', 'spring', 'Spring,2025']),
      utm_content: one(['', 'top', 'bottom']),
      utm_term: one(['', 'analytics']),
      referrer_path: one(['', '/r']),
      referrer_query: one(['', 'q=weir']),
      referrer_domain: one(referrers),
      page_title: one(['Home', 'Pricing – Weir', 'home', '']),
      tag: one(['', 'a', 'b']),
      distinct_id: visitor % 4 === 0 ? '' : `user-${visitor % 9}`,
      ...columnsOf(properties),
    }
  }

  const known: Row = {
    ...row(0),
    event_id: knownEvent,
    created_at: '2025-10-15 12:00:00.123',
    event_type: 2,
    event_name: 'buy',
    browser: 'chrome',
    ...columnsOf([
      ['plan', 1, 'pro', null, null],
      ['price', 2, '19.99', '19.99', null],
      ['trial', 3, 'true', null, null],
      ['renewal', 4, '2025-11-01T00:00:00.000Z', null, '2025-11-01 00:00:00.000'],
      ['tags', 5, '["a","b"]', null, null],
    ]),
  }
  return [known, ...Array.from({ length: count - 1 }, (_, index) => row(index + 1))]
}

const columnsOf = (properties: readonly Property[]): Row => ({
  'properties.key': properties.map(([key]) => key),
  'properties.data_type': properties.map(([, type]) => type),
  'properties.string_value': properties.map(([, , text]) => text),
  'properties.number_value': properties.map(([, , , number]) => number),
  'properties.date_value': properties.map(([, , , , date]) => date),
})

/** An event whose name and property are no UTF-8. */
const odd: Row = {
  ...rowsOf('own', 4711, 1)[0],
  event_id: '00000000-0000-8000-8000-00000000e1e2',
  created_at: '2024-06-15 08:00:00.000',
  event_name: 'odd\xff',
  url_path: '/odd',
  city: 'Berlin',
  page_title: 'Odd',
  ...columnsOf([['plan', 1, 'odd\xfe', null, null]]),
}

/** What `INSERT INTO ingest FORMAT JSONEachRow` takes. */
export function body(): Buffer {
  const rows = [
    ...rowsOf('own', 1, 4000),
    ...rowsOf('teams', 2, 200),
    ...rowsOf('public', 3, 400),
    ...rowsOf('locked', 4, 400),
    ...rowsOf('origins', 5, 100),
    ...rowsOf('reset', 6, 800),
    ...rowsOf('elsewhere', 7, 100),
    ...rowsOf('doomed', 8, 50),
    ...rowsOf('changing', 9, 50),
  ]
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  return Buffer.concat([Buffer.from(text), Buffer.from(JSON.stringify(odd), 'latin1')])
}
