import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  all,
  any,
  compile,
  decimals,
  type Fragment,
  from,
  having,
  instant,
  sql,
  text,
  texts,
  uint8s,
  uint64,
  uuid,
} from '../../src/query/language/sql.ts'
import { select } from '../../src/query/language/statement.ts'
import { isoSecond } from '../../src/query/language/time.ts'

describe('sql', () => {
  it.each(['events', 1, true, null, undefined, {}, [], () => 'x', { type: 'String', value: 'x' }])(
    'throws if a value is not bound: %j',
    (value) => {
      const bare = value as unknown as Fragment
      expect(() => sql`select ${bare}`).toThrow(new TypeError('A bare value cannot enter SQL.'))
      expect(() => select(z.unknown)`select ${bare}`).toThrow(TypeError)
    },
  )

  it('numbers bound values in order of appearance, even across fragments', () => {
    const where: Fragment = sql`a = ${text('x')} and b in ${texts(['y', 'z'])}`
    expect(
      compile(sql`select ${uint64(1)} from t where ${where} and c = ${uuid('u')} limit ${uint64(2)}`),
    ).toStrictEqual({
      query:
        'select {p0:UInt64} from t where a = {p1:String} and b in {p2:Array(String)} and c = {p3:UUID} limit {p4:UInt64}',
      query_params: { p0: 1, p1: 'x', p2: ['y', 'z'], p3: 'u', p4: 2 },
      tables: [],
    })
  })

  it('encloses a condition with `or` in brackets when conditions are joined', () => {
    const joined = (...conditions: Fragment[]) => compile(all(...conditions)).query
    const [one, other] = [sql`a = 1`, sql`b = 2 or c = ${text(' or ')}`]
    expect(joined(one, other)).toBe('a = 1 and (b = 2 or c = {p0:String})')
    expect(joined(sql`${one} OR\n${one}`, one)).toBe('(a = 1 OR\na = 1) and a = 1')
    expect(compile(having(other)).query).toBe('having (b = 2 or c = {p0:String})')
    // Nothing is added if there are already brackets, or there is no `or`.
    const plain = [sql`(b or c)`, sql`f(x -> (x or y))`, sql`name = 'a or ''b'' or \\' or'`, sql`color = organ`]
    expect(joined(...plain)).toBe(plain.map((each) => compile(each).query).join(' and '))
  })

  it('lists the tables that a statement reads, without repetition', () => {
    const [events, days] = [from('events'), from('daily_events')]
    const { query, tables } = compile(sql`select 1 ${days} where a in (select a ${events} union all select a ${days})`)
    expect({ query, tables }).toEqual({
      query: 'select 1 from daily_events where a in (select a from events union all select a from daily_events)',
      tables: ['daily_events', 'events'],
    })
  })

  it('binds a fragment twice if it is used twice', () => {
    const piece = sql`a = ${text('x')}`
    expect(compile(sql`${piece} or ${piece}`)).toStrictEqual({
      query: 'a = {p0:String} or a = {p1:String}',
      query_params: { p0: 'x', p1: 'x' },
      tables: [],
    })
  })

  it('has the same text for all values, and never contains a value', () => {
    const hostile = ["'; DROP TABLE events; --", '\\', '{p0:String}', '`', '\0', '$', '?']
    const statements = hostile.map((value) => compile(sql`select ${text(value)}, ${texts([value])}, ${uint8s([1])}`))
    expect(new Set(statements.map(({ query }) => query))).toStrictEqual(
      new Set(['select {p0:String}, {p1:Array(String)}, {p2:Array(UInt8)}']),
    )
    expect(statements.map(({ query_params }) => query_params.p0)).toStrictEqual(hostile)
  })

  it('is sent without indentation or empty lines', () => {
    const { query } = compile(sql`
      select a

        from b
      where ${sql`
        c`}`)
    expect(query).toBe('select a\nfrom b\nwhere\nc')
  })

  it('binds moments as milliseconds and decimals as texts', () => {
    expect(compile(sql`${instant(-1)} ${decimals(['1', '-2.5'])}`)).toStrictEqual({
      query: "fromUnixTimestamp64Milli({p0:Int64}, 'UTC') cast({p1:Array(String)} as Array(Decimal(38, 10)))",
      query_params: { p0: -1, p1: ['1', '-2.5'] },
      tables: [],
    })
  })
})

describe('conditions', () => {
  const [a, b, c] = [sql`a`, sql`b`, sql`c = ${text('x')}`]
  const textOf = (fragment: Fragment | undefined): string | undefined => fragment && compile(fragment).query

  it('all() is true without conditions, and ignores undefined ones', () => {
    expect(textOf(all())).toBe('true')
    expect(textOf(all(undefined))).toBe('true')
    expect(textOf(all(a))).toBe('a')
    expect(textOf(all(undefined, a, undefined, b, c))).toBe('a and b and c = {p0:String}')
  })

  it('any() is undefined without conditions, and otherwise encloses them in brackets', () => {
    expect(textOf(any())).toBeUndefined()
    expect(textOf(any(undefined))).toBeUndefined()
    expect(textOf(any(a))).toBe('(a)')
    expect(textOf(all(c, any(a, undefined, c)))).toBe('c = {p0:String} and (a or c = {p1:String})')
  })
})

it.each([
  [0, '1970-01-01T00:00:00Z'],
  [999, '1970-01-01T00:00:00Z'],
  [-1, '1969-12-31T23:59:59Z'],
  [1_760_545_588_999, '2025-10-15T16:26:28Z'],
  [9_999_999_999_999, '2286-11-20T17:46:39Z'],
])('%i ms is %s, rounded down to the second', (milliseconds, iso) => {
  expect(isoSecond(milliseconds)).toBe(iso)
})
