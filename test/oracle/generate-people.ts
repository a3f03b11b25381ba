import * as fc from 'fast-check'
import { properties } from './generate-properties.ts'
import { once, skewed, skewedText } from './generate-text.ts'
import { columnText, nested, sessionId, type World } from './generate-world.ts'
import { columnInstant } from './instants.ts'
import { type IngestRow, NUMBER, PERFORMANCE, type Property, STRING, storedProperties } from './model.ts'
import type { SessionRecord } from './session-records.ts'

const DAY = 86_400_000

/** A few times that many records share, in the window, before it, or years ago. */
const offsets = fc.oneof(
  { weight: 4, arbitrary: skewed(2 * DAY, 2 * DAY + 1, 2 * DAY + 36_000_500, DAY - 1) },
  { weight: 2, arbitrary: fc.integer({ min: -DAY, max: 4 * DAY }) },
  { weight: 1, arbitrary: fc.constantFrom(-400 * DAY, -40 * DAY, -3000 * DAY) },
)

const drafts = fc.record({
  website: fc.nat({ max: 2 }),
  visitor: fc.oneof(fc.constantFrom(0, 1), fc.nat({ max: 9 })),
  ...{ offset: offsets, distinctId: skewedText('', 'user-1', 'user-2', 'User-1'), properties },
})

/** Identify calls for some sessions, including sessions without events. The values and types of keys change. */
function recordsOf({ websiteIds, window }: World): fc.Arbitrary<SessionRecord[]> {
  return fc.array(drafts, { minLength: 10, maxLength: 60, size: 'max' }).map((list) =>
    list.map(({ website, visitor, offset, distinctId, properties }) => ({
      ...{ website_id: websiteIds[website % websiteIds.length]!, session_id: sessionId(visitor) },
      ...{ distinct_id: distinctId, created_at: columnText(window.start + offset) },
      ...nested(properties),
    })),
  )
}

const REVENUE_KEYS = [
  ...['revenue', 'Revenue', 'lines.0.revenue', 'lines.1.REVENUE', 'order.revenue', 'a.b.revenue'],
] as const
const CURRENCY_KEYS = ['currency', 'Currency', 'lines.currency', 'lines.0.currency', 'lines.1.Currency'] as const

const text = (key: string, stringValue: string): Property => {
  return { key, dataType: STRING, stringValue, numberValue: null, dateValue: null }
}

const number = (key: string, amount: string): Property => {
  return { key, dataType: NUMBER, stringValue: amount, numberValue: amount, dateValue: null }
}

const amounts = skewed('10.0000', '0.1000', '-3.2500', '0.0000', '0.2000', '123456789012345678.1234')

const written = skewed(
  ...(['19.9999', '5', '-0.00005', '0.00004999', '007', 'abc', '', ' 5', '1.', '+1', '1e3'] as const),
  ...(['123456789012345678.12345', '1234567890123456789', '-999999999999999999.9999', '5\n', '٣'] as const),
)

/** Amounts as numbers and as texts, some of which are not amounts. */
const revenue: fc.Arbitrary<Property> = fc
  .tuple(skewed(...REVENUE_KEYS, '.revenue', 'revenue_tax', 'revenue.'), amounts, written, fc.boolean())
  .map(([key, amount, words, isText]) => (isText ? text(key, words) : number(key, amount)))

const currency: fc.Arbitrary<Property> = fc
  .tuple(skewed(...CURRENCY_KEYS, 'order.CURRENCY', 'a.currency', '.currency', 'currency_name'), once(10))
  .chain(([key, isNumber]) =>
    isNumber
      ? fc.constant(number(key, '5.0000'))
      : skewed('USD', 'usd', ' Eur ', 'EUR', 'GBP', '').map((one) => text(key, one)),
  )

const byKey = { selector: ({ key }: Property) => key, size: 'max' } as const

const sales: fc.Arbitrary<Property[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Property[]>([]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.uniqueArray(revenue, { minLength: 1, maxLength: 3, ...byKey }),
        fc.uniqueArray(currency, { minLength: 1, maxLength: 3, ...byKey }),
      )
      .map((drawn) => drawn.flat()),
  },
)

/** Column values that reports depend on, for some of the events. */
const touches = fc.record({
  sales,
  path: fc.oneof(
    fc.constant(null),
    skewed('/blog/a_b', '/100%', '/blog/aXb', '/100%25', '/a*b', '*', '/blog/*', '/pricing/'),
  ),
  isVital: once(4),
  /** Times that are whole days earlier. */
  earlier: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(1, 30, 31, 32, 33) },
  ),
  name: fc.oneof(fc.constant(null), skewed('buy*', '*', 'sign_up', 'buy')),
})

type Touch = typeof touches extends fc.Arbitrary<infer Value> ? Value : never

/** The same worlds, but with session records, sales, more web vitals, and names that look like wildcards. */
export function peopled(worlds: fc.Arbitrary<World>): fc.Arbitrary<World> {
  return worlds.chain((world) =>
    fc
      .tuple(recordsOf(world), fc.array(touches, { minLength: 31, maxLength: 31, size: 'max' }))
      .map(([records, some]) => ({
        ...world,
        records,
        rows: world.rows.map((row, index) => touched(row, some[index % some.length]!)),
      })),
  )
}

function touched(row: IngestRow, { sales, path, isVital, name, earlier }: Touch): IngestRow {
  const kept = storedProperties(row).filter(({ key }) => sales.every((sale) => sale.key !== key))
  return {
    ...row,
    created_at: columnText(columnInstant(row.created_at) - earlier * DAY),
    ...(isVital ? { event_type: PERFORMANCE } : {}),
    ...(path === null ? {} : { url_path: path }),
    ...(name === null || row.event_name === '' ? {} : { event_name: name }),
    ...nested([...kept, ...sales]),
  }
}
