import { expect, it } from 'vitest'
import * as z from 'zod'
import { run } from '../../src/clickhouse/run.ts'
import { areApart, isWithin, matches, stepMatch } from '../../src/query/figures/wildcards.ts'
import { commaList, compile, sql, text } from '../../src/query/language/sql.ts'
import { select } from '../../src/query/language/statement.ts'
import { pairs } from '../support/concurrently.ts'
import { sharedRoute } from '../support/weir.ts'

const texts = ['', '*', '**', '/a', '/a/b', '/A/b', 'x/a', '/a%', '/ab', 'a_c', 'abc', "it's \\ \0", 'é*é', 'éxé']

/** The texts that each value matches. */
const found: Readonly<Record<string, readonly string[]>> = {
  ...{ '': [''], '*': texts, '**': texts, '***': ['*', '**', 'é*é'], '/a': ['/a'] },
  ...{ '/a*': ['/a', '/a/b', '/a%', '/ab'], '/a%': ['/a%'], a_c: ['a_c'], '*/a': ['/a', 'x/a'], '*/A*': ['/A/b'] },
  ...{ '*b': ['/a/b', '/A/b', '/ab'], '*b*': ['/a/b', '/A/b', '/ab', 'abc'], 'é*é': ['é*é'] },
  '*\\ *': ["it's \\ \0"],
  "it's*": ["it's \\ \0"],
}

it('a star at the start or end matches any text; other characters match themselves', async () => {
  const values = Object.keys(found)
  const hits = values.map((value) => commaList(texts.map((one) => sql`toUInt8(${matches(sql`${text(one)}`, value)})`)))
  const Row = () => z.object({ hits: z.array(z.array(z.number())) })
  const statement = select(Row)`select [${commaList(hits.map((row) => sql`[${row}]`))}] as hits`
  const { rows } = await run(sharedRoute, statement, new AbortController().signal)
  const answer = rows[0]!.hits.map((row) => texts.filter((_, place) => row[place] === 1))
  expect(Object.fromEntries(values.map((value, place) => [value, answer[place]]))).toStrictEqual(found)
})

it('a step is either a view of the path or a custom event with the name', () => {
  expect(compile(stepMatch({ type: 'path', value: '/a*' }))).toMatchObject({
    query: 'event_type in (1, 3, 4) and startsWith(url_path, {p0:String})',
    query_params: { p0: '/a' },
  })
  expect(compile(stepMatch({ type: 'event', value: '*' })).query).toBe('event_type = 2 and true')
})

const path = (value: string) => ({ type: 'path', value }) as const
const valuePairs = pairs(Object.keys(found), Object.keys(found))

it('steps are disjoint only if no text matches both', () => {
  const apart: string[] = []
  for (const [one, other] of valuePairs) {
    if (!areApart(path(one), path(other))) continue
    expect(
      found[one]!.filter((text) => found[other]!.includes(text)),
      `${one} and ${other}`,
    ).toEqual([])
    apart.push(`${one} ${other}`)
  }
  expect(apart).toEqual(expect.arrayContaining(['/a /a%', '/a* a_c', "it's* /a*", ' /a']))
  expect(apart).not.toContain('/a /a*')
  expect(areApart({ type: 'path', value: '*' }, { type: 'event', value: '*' })).toBe(true)
  expect(isWithin({ type: 'path', value: '/a' }, { type: 'event', value: '*' })).toBe(false)
  // Both are sent as U+FFFD.
  expect(areApart({ type: 'event', value: '\ud800' }, { type: 'event', value: '\ud801' })).toBe(false)
})

it('a step is within another one only if all of its matches also match the other one', () => {
  const within: string[] = []
  for (const [inner, outer] of valuePairs) {
    if (!isWithin(path(inner), path(outer))) continue
    expect(found[outer], `${inner} and ${outer}`).toEqual(expect.arrayContaining([...found[inner]!]))
    within.push(`${inner} ${outer}`)
  }
  expect(within).toEqual(expect.arrayContaining(['/a /a', '/a /a*', '/a* *', '*b **', '* *', ' *']))
  expect(within).not.toContain('/a* /a')
})
