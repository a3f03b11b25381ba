import * as fc from 'fast-check'
import { shortestDecimal } from './decimals.ts'
import { hostileText, once, skewed, skewedText } from './generate-text.ts'
import { ARRAY, BOOLEAN, DATE, NUMBER, type Property, STRING } from './model.ts'

type Value = Omit<Property, 'key'>

/** Names that usually have the same type, so that counts exceed 1. */
const USUAL_TYPES: { [key: string]: number } = {
  ...{ plan: STRING, price: NUMBER, ok: BOOLEAN, at: DATE, tags: ARRAY, 'plan.id': STRING, '100%': NUMBER },
  'a b': STRING,
  ключ: STRING,
  _: NUMBER,
  step1: STRING,
}

const keys = fc.oneof(
  {
    weight: 20,
    arbitrary: skewed('plan', 'price', 'tags', 'at', 'ok', 'plan.id', '100%', 'a b', 'ключ', '_', 'step1'),
  },
  { weight: 1, arbitrary: hostileText },
)

const strings: fc.Arbitrary<Value> = skewedText('pro', 'Pro', 'free', 'pro,team', '10', 'true').map((text) =>
  value(STRING, text),
)

const decimals = fc.oneof(
  { weight: 4, arbitrary: skewed('10.0000', '10.5000', '0.0000', '-3.2500', '0.0001', '99.9900', '1000000.0000') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('123456789012345678.1234', '-999999999999999999.9999', '9007199254740993.0000'),
  },
  { weight: 1, arbitrary: fc.integer({ min: -2_000_000, max: 2_000_000 }).map((units) => (units / 10_000).toFixed(4)) },
)

/** The origin stores four decimals, while other writers store the plain number. */
const numbers: fc.Arbitrary<Value> = fc.tuple(decimals, fc.boolean()).map(([decimal, isPlain]) => {
  const shortest = shortestDecimal(decimal)
  const exact = shortest === '0' ? '0.0000' : decimal
  return { ...value(NUMBER, isPlain ? shortest : exact), numberValue: exact }
})

const booleans: fc.Arbitrary<Value> = fc.boolean().map((truth) => value(BOOLEAN, String(truth)))

const instants = fc.oneof(
  {
    weight: 5,
    arbitrary: skewed(
      '2025-03-09T04:30:00.000Z',
      '2025-03-09T04:30:00.999Z',
      '2025-03-09T23:59:59.999Z',
      '2025-03-10T00:00:00.000Z',
      '2024-02-29T18:29:59.999Z',
      '2024-02-29T18:30:00.000Z',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['1969-12-31T23:59:59.500Z', '1970-01-01T00:00:00.000Z', '1955-11-05T06:15:00.001Z'],
      ...['1900-01-02T06:00:00.000Z', '2298-12-30T06:00:00.000Z'],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: -300_000_000, max: 2_000_000_000 }).map((s) => new Date(s * 1000).toISOString()),
  },
)

const dates: fc.Arbitrary<Value> = fc.tuple(instants, fc.boolean()).map(([iso, isShort]) => {
  const text = isShort ? iso.replace('.000Z', 'Z') : iso
  return { ...value(DATE, text), dateValue: iso.replace('T', ' ').replace('Z', '') }
})

const elements: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: skewed<unknown>('red', 'Red', 'blue', 'a,b', 1, 2.5, -3, '1', 'say "hi"', '') },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(true, null, ['x', 1], { a: 'b"c', d: [1] }, { путь: '/a\\b' }, []) },
  { weight: 1, arbitrary: hostileText },
)

const arrays: fc.Arbitrary<Value> = fc
  .array(elements, { maxLength: 4 })
  .map((members) => value(ARRAY, JSON.stringify(members)))

const values: { [dataType: number]: fc.Arbitrary<Value> } = {
  [STRING]: strings,
  [NUMBER]: numbers,
  [BOOLEAN]: booleans,
  [DATE]: dates,
  [ARRAY]: arrays,
}

function value(dataType: number, stringValue: string): Value {
  return { dataType, stringValue, numberValue: null, dateValue: null }
}

const anyValue = fc.oneof(strings, numbers, booleans, dates, arrays)

const property: fc.Arbitrary<Property> = fc.tuple(keys, once(6)).chain(([key, isUnusual]) => {
  const usual = values[USUAL_TYPES[key] ?? STRING] ?? strings
  return (isUnusual ? anyValue : usual).map((drawn) => ({ key, ...drawn }))
})

const differentKeys = fc.uniqueArray(property, { minLength: 1, maxLength: 6, selector: (drawn) => drawn.key })

/** Half of the events have no properties. A key rarely occurs twice. */
export const properties: fc.Arbitrary<Property[]> = fc.oneof(
  { weight: 20, arbitrary: fc.constant<Property[]>([]) },
  { weight: 20, arbitrary: differentKeys },
  { weight: 1, arbitrary: fc.array(property, { minLength: 2, maxLength: 6 }) },
)
