import { beforeAll, expect, it } from 'vitest'
import { type Answer, answers } from './ask.ts'
import { type Comparison, compared } from './compare.ts'
import { differences } from './differences.ts'
import { asLines, recorded } from './recorded.ts'

/** More than these are counted only. */
const mostShown = 40

let now: readonly Answer[]
let comparison: Comparison

beforeAll(async () => {
  now = await answers()
  comparison = compared(recorded(), now, differences)
}, 600_000)

it('answers as before issue 13, except for the changes that the issue asks for', () => {
  const { unexplained } = comparison
  const more = unexplained.length > mostShown ? [`and ${unexplained.length - mostShown} more`] : []
  expect([...unexplained.slice(0, mostShown), ...more].join('\n')).toBe('')
})

it('has no entry in its list of differences that explains nothing', () => {
  expect(comparison.useless).toEqual([])
})

it('finds differences in status, headers and bodies, long or short, and added or missing ones', () => {
  const [first, ...others] = asLines(now)
  const broken = { ...first!, status: 599, headers: { ...first!.headers, 'x-odd': '1' }, body: `${first!.body} ` }
  expect(compared([broken, ...others], now, []).unexplained).toHaveLength(3)
  expect(compared(others, now, []).unexplained).toHaveLength(1)
  expect(compared(asLines(now), now.slice(1), []).unexplained).toHaveLength(1)
  const long = now.findIndex(({ body }) => body.length > 2000)
  const changed = now.map((answer, place) => (place === long ? { ...answer, body: `${answer.body} ` } : answer))
  expect(compared(asLines(now), changed, []).unexplained).toHaveLength(1)
  const undo = (text: string): string => text.trimEnd()
  const explained = { point: 'a test', answers: () => true, parts: ['body'], undo }
  expect(compared(asLines(now), changed, [explained])).toEqual({ unexplained: [], useless: [] })
  expect(compared(asLines(now), now, [explained]).useless).toEqual(['a test'])
})
