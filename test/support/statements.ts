import type { Compiled, Statement } from '../../src/query/sql.ts'
import { Fragment } from '../../src/query/sql.ts'

/** What is sent first of a statement: its cheaper statement, where it has one, or the cheaper one of that. */
export const sentFirst = ({ body, cheaper }: Statement<unknown>): Fragment =>
  cheaper ? sentFirst(cheaper.statement) : body

/** All that may be sent of a plan, by name; a cheaper statement is called `short.NAME`. */
export const sentBy = (plan: Readonly<Record<string, Statement<unknown>>>): Record<string, Fragment> =>
  Object.fromEntries(Object.entries(plan).flatMap(([name, statement]) => named(name, statement)))

const named = (name: string, { body, cheaper }: Statement<unknown>): [string, Fragment][] => [
  [name, body],
  ...(cheaper ? named(`short.${name}`, cheaper.statement) : []),
]

/** One place of a statement that reads a table of events. */
export interface Read {
  readonly table: string
  /** What stands in its own `where`, joined by `and`; `…` for what is in brackets, so that no condition of a subquery counts. */
  readonly conditions: readonly string[]
}

/** Every `from` of a statement that names a table, wherever it stands. */
export function readsOf(query: string): Read[] {
  const text = withoutLiterals(query)
  return [...text.matchAll(/\bfrom (\w+)/g)].map((found) => {
    const rest = upToOwnEnd(text.slice(found.index))
    const [, where = ''] =
      /\bwhere (.*?)(?= group by | order by | limit | having | settings | union all |$)/.exec(emptied(rest)) ?? []
    return { table: found[1]!, conditions: where.split(' and ').map((condition) => condition.trim()) }
  })
}

/** The statement itself without what stands in brackets: its own clauses. */
export const outline = (query: string): string => emptied(withoutLiterals(query))

/** On one line, literals emptied, moments as the parameter they are made of. */
const withoutLiterals = (query: string): string =>
  query
    .replace(/'[^']*'/g, "''")
    .replace(/\s+/g, ' ')
    .replace(/fromUnixTimestamp64Milli\((\{p\d+:Int64\}), ''\)/g, '$1')
    .replace(/toDate32\((\{p\d+:Int64\})\)/g, 'toDate32[$1]')

/** Up to the bracket that closes the subquery which begins here, or to the end. */
function upToOwnEnd(text: string): string {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') depth += 1
    if (text[index] === ')') depth -= 1
    if (depth < 0) return text.slice(0, index)
  }
  return text
}

/** `…` in place of every bracket and what stands in it. */
function emptied(text: string): string {
  const outer = text.replace(/\([^()]*\)/g, '…')
  return outer === text ? text : emptied(outer)
}

/** The value of the parameter in a condition such as `website_id = {p0:UUID}`. */
export function boundIn(condition: string, { query_params }: Compiled): unknown {
  const [, name] = /\{(p\d+):/.exec(condition) ?? []
  return name === undefined ? undefined : query_params[name]
}

/** The pieces of text that a statement is put together from. */
export function piecesOf({ texts, parts }: Fragment): { texts: readonly string[] }[] {
  return [{ texts }, ...parts.flatMap((part) => (part instanceof Fragment ? piecesOf(part) : []))]
}
