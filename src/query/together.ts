import * as z from 'zod'
import type { ValueOf } from '../made.ts'
import { ascending, descending, limitEach, order } from './order.ts'
import {
  alias,
  commaList,
  compile,
  type Fragment,
  type Grouping,
  type Result,
  type Statement,
  select,
  sql,
  uint64,
} from './sql.ts'

/**
 * Joins groupings of a batch over equal rows into one statement, which reads the rows once (`grouping sets`). Each gets
 * the result that it would have alone.
 */
interface JoinedGroupings {
  readonly statement: Statement<JoinedRow>
  /** The result of each group, in their order. */
  readonly results: (joined: Result<JoinedRow>) => Result<unknown>[]
}

const JoinedRow = () =>
  z.object({
    f_set: z.number(),
    f_first: z.string(),
    f_second: z.string(),
    f_count: z.number(),
    f_measures: z.array(z.number()),
    f_total: z.number(),
  })

type JoinedRow = ValueOf<typeof JoinedRow>

/** Equal for groups that can be joined. */
export const joinKey = ({ from, counted }: Grouping<never>): string => JSON.stringify([compile(from), compile(counted)])

/** The most rows and the most groupings of one statement. */
const maxRows = 10_000
const maxGroups = 30

/** How many groupings of so many rows each fit into one statement. */
export const groupingsPerStatement = (groups: readonly Grouping<never>[]): number =>
  Math.min(maxGroups, Math.floor(maxRows / rowsWanted(groups)))

/** Whether these can be one statement: `grouping sets` need an expression. */
export const canJoin = (groups: readonly Grouping<never>[]): boolean =>
  groups.length > 1 && groups.some(({ by }) => by.length > 0)

const rowsWanted = (groups: readonly Grouping<never>[]): number =>
  Math.max(...groups.map(({ limit, offset }) => limit + offset))

const [set, first, second, count, measures, total] = [
  alias('set'),
  alias('first'),
  alias('second'),
  alias('count'),
  alias('measures'),
  alias('total'),
]

/** Groupings that `canJoin`. */
export function joinGroupings(groups: readonly Grouping<never>[]): JoinedGroupings {
  const { from, counted } = groups[0]!
  // ClickHouse treats equal expressions as one key.
  const expressions = distinct(groups.flatMap(({ by }) => keysOf(by)))
  const texts = [...expressions.keys()]
  const columns = texts.map((_, index) => alias(`k${index}`))
  const columnOf = (key: Fragment): Fragment => columns[texts.indexOf(textOf(key))]!
  const measured = distinct(groups.flatMap(({ measures = [] }) => measures))
  const measureTexts = [...measured.keys()]
  /** The value of `grouping` for this set: a bit for each column, 0 if the set has it. */
  const setOf = ({ by }: Grouping<never>): number => {
    const own = keysOf(by).map(textOf)
    return texts.reduce((bits, one) => 2 * bits + Number(!own.includes(one)), 0)
  }
  const sets = new Map(groups.map((group) => [setOf(group), group.by]))
  const chosen = (which: 0 | 1): Fragment => {
    const cases = [...sets].flatMap(([bits, by]) => {
      const key = keysOf(by)[which]
      return key ? [sql`${set} = ${uint64(bits)}, toString(${columnOf(key)})`] : []
    })
    return cases.length > 0 ? sql`multiIf(${commaList([...cases, sql`''`])})` : sql`''`
  }
  const grouped = sql`
    select ${commaList([...expressions.values()].map((key) => sql`${key} as ${columnOf(key)}`))},
      ${counted} as ${count}, ${numbers([...measured.values()])} as ${measures}, grouping(${commaList(columns)}) as ${set}
    ${from}
    group by grouping sets (${commaList([...sets.values()].map((by) => sql`(${commaList(keysOf(by).map(columnOf))})`))})`
  const byCount = order([ascending(set), descending(count), ascending(first), ascending(second)])
  return {
    statement: select(JoinedRow)`
      select ${set}, ${first}, ${second}, ${count}, ${measures}, count() over (partition by ${set}) as ${total}
      from (select ${set}, ${chosen(0)} as ${first}, ${chosen(1)} as ${second}, ${count}, ${measures} from (${grouped}))
      where ${count} > 0 and (${first} != '' or ${set} = ${uint64(2 ** texts.length - 1)})
      ${limitEach(byCount, rowsWanted(groups), set)}`,
    results: ({ rows }) =>
      groups.map((group) => {
        const bits = setOf(group)
        const own = rows.filter(({ f_set }) => f_set === bits)
        return resultOf(group, own, measureTexts)
      }),
  }
}

/** What a group gets of its rows. `measured`: the texts of all measures in the statement. */
function resultOf(group: Grouping<never>, own: readonly JoinedRow[], measured: readonly string[]): Result<unknown> {
  const places = (group.measures ?? []).map((measure) => measured.indexOf(textOf(measure)))
  // ClickHouse makes no group without rows, not even the one of all rows.
  const rows = own.length === 0 && group.by.length === 0 ? [ofNothing(measured)] : own
  return {
    rows: rows.slice(group.offset, group.offset + group.limit).map(({ f_first, f_second, f_count, f_measures }) => {
      const figures = places.map((place) => f_measures[place]!)
      return group.row(f_first, f_second, f_count, figures)
    }),
    total: rows[0]?.f_total ?? 0,
  }
}

/** The group of all rows, if there are none. */
const ofNothing = (measured: readonly string[]): JoinedRow => ({
  ...{ f_set: 0, f_first: '', f_second: '', f_count: 0, f_total: 1 },
  f_measures: measured.map(() => 0),
})

const keysOf = (by: Grouping<never>['by']): Fragment[] => [...by].filter((key) => key !== undefined)

const textOf = (expression: Fragment): string => JSON.stringify(compile(expression))

/** Each expression once, by its text. */
const distinct = (expressions: readonly Fragment[]): Map<string, Fragment> =>
  new Map(expressions.map((one) => [textOf(one), one]))

/** An array of whole numbers. */
const numbers = (values: readonly Fragment[]): Fragment =>
  sql`cast([${commaList(values.map((value) => sql`toInt64(${value})`))}] as Array(Int64))`
