import * as fc from 'fast-check'
import { properties } from './generate-properties.ts'
import { once, skewed, skewedText } from './generate-text.ts'
import { columnInstant, yearEarlier } from './instants.ts'
import type { IngestRow, Property } from './model.ts'
import type { SessionRecord } from './session-records.ts'

/** Websites with their events. All events are in the window, except for some exactly a year earlier. */
export type World = {
  websiteIds: string[]
  rows: IngestRow[]
  window: { start: number; end: number }
  /** The session records, which only some worlds have. */
  records?: SessionRecord[]
}

const DAY = 86_400_000
const HOUR = 3_600_000

/**
 * A leap day, the year after it, a new year, and both clock changes in New York, St. John's, Lord Howe, Chatham,
 * Santiago and Cairo.
 */
const WINDOW_STARTS = [
  ...(['2024-02-27', '2025-02-27', '2025-03-08', '2025-11-01', '2025-12-30'] as const),
  ...(['2025-04-04', '2025-10-03', '2025-09-26', '2025-09-05', '2025-04-23', '2025-10-29'] as const),
]

export const WEBSITE_IDS = [
  '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001',
  '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a002',
  'ffffffff-ffff-ffff-ffff-fffffffffffe',
]

/** Times in the window: a few that many events share; the edges of days, seconds and the window; or any time. */
const offsets = fc.oneof(
  { weight: 4, arbitrary: skewed(2 * DAY + 1, 2 * DAY + 36_000_500, 2 * DAY + 36_000_501, DAY, 2 * DAY + 36_001_000) },
  { weight: 2, arbitrary: fc.constantFrom(0, DAY - 1, DAY, 2 * DAY - 1, 2 * DAY, 3 * DAY - 1, 3 * DAY, 4 * DAY - 1) },
  { weight: 4, arbitrary: fc.nat({ max: 4 * DAY - 1 }) },
)

const eventTypes = skewed(2, 1, 2, 1, 3, 4, 5)

const eventNames = skewedText('signup', 'buy', 'Signup', 'sign,up', 'buy now', '')

/** Values of the other channels, and longer names that contain a channel's name. */
const MEDIA = [
  ...['display', 'newsletter', 'qr', 'social', 'affiliate', 'referral', 'eshop', 'workshop', 'video', 'paid-social'],
  ...['sms', 'retargeting'],
]
const SITES = [
  ...['www.Google.co.uk', 'mail.google.com', 'gemini.google.com', 'google.example.com', 'm.facebook.com', 'x.com'],
  ...['netflix.com', 'dig.com', 'chatgpt.com', 'smile.amazon.de', 'youtube.com', 'news.ycombinator.com', 'www.'],
  ...['news.example.org', 'com.google.android.gm', 'com.slack', 'search.yahoo.com', 'youtu.be', 'grok.com'],
]

const hostnames = skewedText('example.com', 'www.example.com', '')

const columns = fc.record({
  ...{ event_type: eventTypes, event_name: eventNames, hostname: hostnames },
  browser: skewedText('chrome', 'firefox', 'Chrome', 'chrome-ios', 'edge-chromium', ''),
  os: skewedText('Windows 10', 'Mac OS', 'Linux', 'Android OS', ''),
  device: skewedText('desktop', 'mobile', 'laptop'),
  screen: skewedText('1920x1080', '390x844'),
  language: skewedText('en-US', 'de', 'en', 'EN_gb', 'fil-PH', 'zh-Hans-CN', 'de-AT', ''),
  country: skewedText('US', 'DE', 'IN', ''),
  region: skewedText('US-CA', 'DE-BE', ''),
  city: skewedText('Berlin', 'San José', 'Zürich', 'ZÜRICH', ''),
  url_path: skewedText('/', '/pricing', '/Pricing', '/blog/a_b', '/100%', '/search'),
  url_query: skewedText(
    '',
    'q=1',
    'q=a%20b&r=2',
    'a,b',
    'gclid=',
    'q=1&FBCLID=x',
    'said=1',
    'li%5Ffat_id=+',
    'wbraid=x',
  ),
  utm_source: skewedText('', 'news', 'google.com', 'ads', 'sms', 'Facebook.com', 'openai', 'newsletter-1'),
  utm_medium: skewedText('', 'email', 'cpc', 'Organic', ...MEDIA),
  ...{ utm_campaign: skewedText('', 'spring', 'Spring,2025'), utm_content: skewedText('', 'top', 'bottom') },
  ...{ utm_term: skewedText('', 'analytics'), referrer_path: skewedText('/', '', '/r') },
  referrer_query: skewedText('', 'q=weir'),
  referrer_domain: skewedText('', 'google.com', 't.co', 'example.com', 'c.example.com', 'www.example.com', ...SITES),
  page_title: skewedText('Home', 'Pricing – Weir', 'home', ''),
  tag: skewedText('', 'a', 'b'),
  distinct_id: skewedText('', 'user-1', 'user-2'),
})

/** Both halves repeat and exceed the sign bit, which tests ties and the engine's order of UUIDs. */
const idHalves = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('000000000000', '7fffffffffff', '800000000000', 'ffffffffffff') },
  { weight: 2, arbitrary: fc.nat({ max: 0xffffffff }).map((drawn) => hex(drawn, 8) + hex(drawn % 0xffff, 4)) },
)

const secondHalves = fc.oneof(
  fc.constantFrom('8000000000000000', '7fffffffffffffff', '0000000000000001', 'b000000000000000'),
  idHalves.map((half) => `a1b2${half}`),
)

type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never

const ofLooks = { columns, properties, isOwnReferrer: once(5) }

/** The columns of an event that other events may share. */
export const looks = fc.record(ofLooks)

export type Look = Drawn<typeof looks>

/** The random parts of an event's id. Its third part is its index in the list. */
export const ids = { idHalf: idHalves, secondHalf: secondHalves }

type Identified = Look & { idHalf: string; secondHalf: string }

/** An event's visitor, visit, time and index. */
type Happening = { website: number; visitor: number; visit: number; instant: number; index: number }

const drafts = fc.record({
  ...ofLooks,
  ...ids,
  moment: fc.tuple(offsets, once(8)),
  visitor: fc.oneof(fc.constantFrom(0, 1), fc.nat({ max: 7 })),
  visit: fc.constantFrom(0, 0, 0, 1, 2),
})

type Draft = Drawn<typeof drafts>

const eventLists = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Draft[]>([]) },
  { weight: 3, arbitrary: fc.array(drafts, { maxLength: 30, size: 'max' }) },
  { weight: 10, arbitrary: fc.array(drafts, { minLength: 40, maxLength: 120, size: 'max' }) },
)

export const worlds: fc.Arbitrary<World> = fc
  .record({
    day: fc.constantFrom(...WINDOW_STARTS),
    lists: fc.array(eventLists, { minLength: 1, maxLength: WEBSITE_IDS.length, size: 'max' }),
  })
  .map(({ day, lists }) => {
    const start = columnInstant(`${day} 00:00:00.000`)
    return {
      websiteIds: WEBSITE_IDS.slice(0, lists.length),
      rows: lists.flatMap((list, website) =>
        list.map((draft, index) => happened(draft, { ...draft, website, index, instant: momentOf(draft, start) })),
      ),
      window: { start, end: start + 4 * DAY - 1 },
    }
  })

export function sessionId(visitor: number): string {
  return `5e551000-0000-4000-8000-${hex(visitor, 12)}`
}

export function happened(draft: Identified, { website, visitor, visit, instant, index }: Happening): IngestRow {
  const { columns } = draft
  return {
    website_id: WEBSITE_IDS[website]!,
    session_id: sessionId(visitor),
    visit_id: `b151f000-0000-4000-8000-${hex(visitor, 6)}${hex(visit, 6)}`,
    event_id: dashed(draft.idHalf + hex(index, 4) + draft.secondHalf),
    created_at: columnText(instant),
    ...columns,
    referrer_domain: draft.isOwnReferrer ? columns.hostname : columns.referrer_domain,
    ...nested(draft.properties),
  }
}

/** One event in eight is at the same time a year earlier, or is an hour off, as after a clock change. */
function momentOf({ moment: [offset, isLastYear] }: Draft, start: number): number {
  const shift = [0, 0, -HOUR, HOUR][offset % 4]!
  return isLastYear ? yearEarlier(start + offset) + shift : start + offset
}

export function nested(list: Property[]) {
  return {
    'properties.key': list.map((property) => property.key),
    'properties.data_type': list.map((property) => property.dataType),
    'properties.string_value': list.map((property) => property.stringValue),
    'properties.number_value': list.map((property) => property.numberValue),
    'properties.date_value': list.map((property) => property.dateValue),
  }
}

export function columnText(instant: number): string {
  return new Date(instant).toISOString().replace('T', ' ').replace('Z', '')
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0')
}

function dashed(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
