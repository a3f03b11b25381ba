import type { Compiled } from '../../src/query/language/sql.ts'
import { Fragment } from '../../src/query/language/sql.ts'
import type { Statement } from '../../src/query/language/statement.ts'

/** The first statement to be sent, which is the innermost cheaper one or the statement itself. */
export const sentFirst = ({ body, cheaper = [] }: Statement<unknown>): Fragment =>
  cheaper[0] ? sentFirst(cheaper[0].statements[0]!) : body

/**
 * Every statement that a plan may send, by name. Cheaper statements are `short.NAME`, their checks `check.NAME`, and
 * queries for wanted data `wants.NAME`.
 */
export const sentBy = (plan: Readonly<Record<string, Statement<unknown>>>): Record<string, Fragment> =>
  Object.fromEntries(Object.entries(plan).flatMap(([name, statement]) => named(name, statement)))

/** The statements of several plans. Statements of the second plan are named `known.NAME`. */
export const sentByAll = (plans: readonly Readonly<Record<string, Statement<unknown>>>[]): Record<string, Fragment> =>
  Object.fromEntries(
    plans.flatMap((plan, place) =>
      Object.entries(sentBy(plan)).map(([name, body]) => [place === 0 ? name : `known.${name}`, body]),
    ),
  )

const named = (name: string, { body, cheaper = [], wants }: Statement<unknown>): [string, Fragment][] => [
  [name, body],
  ...numbered(
    `short.${name}`,
    cheaper.flatMap(({ statements }) => statements),
  ),
  ...numbered(
    `check.${name}`,
    cheaper.flatMap(({ checks = [] }) => checks),
  ),
  ...(wants ? named(`wants.${name}`, wants.statement) : []),
]

const numbered = (name: string, statements: readonly Statement<unknown>[]): [string, Fragment][] =>
  statements.flatMap((one, place) => named(place === 0 ? name : `${name}.${place}`, one))

/** One read of an events table within a statement. */
export interface Read {
  readonly table: string
  /**
   * Its own conditions, of `prewhere` and `where`, split at `and`. `…` replaces brackets, so conditions of subqueries
   * do not count.
   */
  readonly conditions: readonly string[]
}

/** Every `from` with a table name, at any depth. */
export function readsOf(query: string): Read[] {
  const text = withoutLiterals(query)
  return [...text.matchAll(/\bfrom (\w+)/g)].map((found) => {
    const rest = upToOwnEnd(text.slice(found.index))
    const [, where = ''] =
      /\b(?:pre)?where (.*?)(?= group by | order by | limit | having | settings | union all |$)/.exec(emptied(rest)) ??
      []
    return { table: found[1]!, conditions: where.split(/ and | where /).map((condition) => condition.trim()) }
  })
}

/** The statement with the contents of brackets removed, so that only its own clauses remain. */
export const outline = (query: string): string => emptied(withoutLiterals(query))

/**
 * The statement on one line, with empty literals and with times reduced to their parameter. Conditions that only hint
 * at rows begin with `hint`.
 */
const withoutLiterals = (query: string): string =>
  query
    .replace(/'[^']*'/g, "''")
    .replace(/\s+/g, ' ')
    .replace(/fromUnixTimestamp64Milli\((\{p\d+:Int64\}), ''\)/g, '$1')
    .replace(/toDate32\((\{p\d+:Int64\}|hour)\)/g, 'toDate32[$1]')
    .replace(/indexHint\(([^()]*)\)/g, (_, hinted: string) => `hint ${hinted.replaceAll(' and ', ' and hint ')}`)

/** The text up to the bracket that closes the subquery starting here, or up to the end. */
function upToOwnEnd(text: string): string {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') depth += 1
    if (text[index] === ')') depth -= 1
    if (depth < 0) return text.slice(0, index)
  }
  return text
}

/** Replaces all brackets and their contents by `…`. */
function emptied(text: string): string {
  const outer = text.replace(/\([^()]*\)/g, '…')
  return outer === text ? text : emptied(outer)
}

/** The bound value in a condition such as `website_id = {p0:UUID}`. */
export function boundIn(condition: string, { query_params }: Compiled): unknown {
  const [, name] = /\{(p\d+):/.exec(condition) ?? []
  return name === undefined ? undefined : query_params[name]
}

/** The texts that a statement consists of, each listed once. */
export function piecesOf(statement: Fragment): { texts: readonly string[] }[] {
  const found = new Set<Fragment>()
  const look = (fragment: Fragment): void => {
    if (found.has(fragment)) return
    found.add(fragment)
    for (const part of fragment.parts) if (part instanceof Fragment) look(part)
  }
  look(statement)
  return [...found]
}
