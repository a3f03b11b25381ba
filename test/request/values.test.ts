import { describe, expect, it } from 'vitest'
import { filterValues, parseCommaList } from '../../src/request/operators.ts'
import { encodeCursor, pages, slices } from '../../src/request/page.ts'
import { group, oneOf, query, required, wholeNumber } from '../../src/request/query-string.ts'

const never = (message: string): never => {
  throw new Error(message)
}

describe('a comma-separated list', () => {
  it.each([
    ['', ['']],
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    ['a,', ['a', '']],
    [',', ['', '']],
    ['a\\,b', ['a,b']],
    ['a\\,b,c', ['a,b', 'c']],
    ['a\\\\,b', ['a\\,b']],
    ['a\\', ['a\\']],
    ['\\a,\\', ['\\a', '\\']],
    [' a , b ', [' a ', ' b ']],
    ['a\0,😀', ['a\0', '😀']],
  ])('%j is %j', (text, values) => {
    expect(parseCommaList(text, never)).toStrictEqual(values)
  })

  it('has at most a hundred values', () => {
    const refusals: string[] = []
    expect(parseCommaList(','.repeat(99), never)).toHaveLength(100)
    expect(parseCommaList(','.repeat(100), (message) => refusals.push(message))).toBeUndefined()
    expect(refusals).toStrictEqual(['At most 100 values may be listed.'])
  })
})

describe('a filter’s values', () => {
  it.each([
    ['', ['']],
    ['a', ['a']],
    ['a,b', ['a', 'b', 'a,b']],
    ['Rain, wind', ['Rain', ' wind', 'Rain, wind']],
    [',', ['', '', ',']],
    ['a\\,b', ['a,b']],
    ['a\\,b,c', ['a,b', 'c']],
  ])('of %j are %j', (text, values) => {
    expect(filterValues(text)).toStrictEqual(values)
  })
})

describe('a cursor', () => {
  const { schema } = query(pages)
  const cursor = { createdAt: 1_760_529_600_123, eventId: 'ffffffff-ffff-4fff-bfff-ffffffffffff', before: 40, ties: 0 }

  it('survives encoding and decoding', () => {
    for (const createdAt of [0, -1, 1_760_529_600_123, 9_999_999_999_999, -2_208_988_800_000]) {
      for (const before of [0, 1, 999_999_999_999]) {
        const one = { ...cursor, createdAt, before, ties: before % 1000 }
        expect(schema.parse({ cursor: encodeCursor(one) }).page.cursor).toStrictEqual(one)
      }
    }
  })

  it('does not need to be encoded in a URL', () => {
    expect(encodeCursor(cursor)).toMatch(/^[\w-]+$/)
  })

  it('contains its page number', () => {
    const { page } = schema.parse({ cursor: encodeCursor(cursor), pageSize: '20', maxResults: '50' })
    expect(page).toStrictEqual({ page: 3, pageSize: 20, offset: 40, cursor, maxResults: 50 })
  })

  it.each(['', 'x', '=', 'A'.repeat(121), encodeCursor(cursor).slice(1), `${encodeCursor(cursor)}AAAA`, 'MSAxIDE'])(
    'cannot be %j',
    (text) => {
      expect(schema.safeParse({ cursor: text }).error?.issues.map(({ path }) => path)).toStrictEqual([['cursor']])
    },
  )
})

it('the default page is the first one, with twenty rows', () => {
  expect(query(pages).schema.parse({})).toStrictEqual({
    page: { page: 1, pageSize: 20, offset: 0, cursor: undefined, maxResults: undefined },
  })
  expect(query(pages).schema.parse({ page: '3', pageSize: '7' })).toStrictEqual({
    page: { page: 3, pageSize: 7, offset: 14, cursor: undefined, maxResults: undefined },
  })
})

it('a list has 500 rows by default', () => {
  expect(query(slices).schema.parse({})).toStrictEqual({ slice: { limit: 500, offset: 0 } })
  expect(query(slices).schema.parse({ limit: '1', offset: '9' })).toStrictEqual({ slice: { limit: 1, offset: 9 } })
})

describe('parameters', () => {
  const { schema, parameters } = query(
    group(
      { size: required(wholeNumber('Size.', { min: -5, max: 5 })), colour: oneOf('Colour.', ['red', 'blue']) },
      ({ size, colour = 'red' }) => ({ size, colour }),
    ),
  )
  const issues = (raw: Record<string, string | string[]>) =>
    (schema.safeParse(raw).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message])

  it('are read and documented by the same declaration', () => {
    expect(schema.parse({ size: '-5', colour: 'blue' })).toStrictEqual({ size: -5, colour: 'blue' })
    expect(schema.parse({ size: '005' })).toStrictEqual({ size: 5, colour: 'red' })
    expect(parameters).toStrictEqual({
      size: { description: 'Size.', schema: { type: 'integer', minimum: -5, maximum: 5 }, required: true },
      colour: { description: 'Colour.', schema: { type: 'string', enum: ['red', 'blue'] } },
    })
  })

  it.each(['', ' ', '1.0', '1e0', '0x1', '+1', '--1', '6', '-6', 'NaN', '1\n', '١', '1'.repeat(17)])(
    'cannot be %j if they are whole numbers',
    (size) => {
      expect(issues({ size })).toStrictEqual([
        ['size', 'Must be a whole number from -5 to 5, in plain decimal digits.'],
      ])
    },
  )

  it('are identified if they are unknown, repeated, missing or not an allowed value', () => {
    expect(issues({ colour: 'green', __proto__x: '1', constructor: '1' })).toStrictEqual([
      ['colour', 'Must be one of: red, blue.'],
      ['__proto__x', 'Unknown parameter. Allowed: size, colour.'],
      ['constructor', 'Unknown parameter. Allowed: size, colour.'],
      ['size', 'This parameter is required.'],
    ])
    expect(issues({ size: ['1', '1'] })).toStrictEqual([['size', 'Give this parameter once.']])
  })
})
