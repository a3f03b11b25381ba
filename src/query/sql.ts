import type * as z from 'zod'

/** A value that travels beside the statement, never in its text. `type` is ClickHouse's. */
export class Bound {
  constructor(
    readonly type: string,
    readonly value: unknown,
  ) {}
}

/** A piece of SQL: text with bound values and further pieces between. */
export class Fragment {
  constructor(
    readonly texts: readonly string[],
    readonly parts: readonly FragmentPart[],
  ) {}
}

/** The name of a table, which only `rows.ts` puts into SQL. */
class TableName {
  constructor(readonly name: string) {}
}

/** The name of a selected column. */
class Alias {
  constructor(readonly name: string) {
    if (!/^\w{1,60}$/.test(name)) throw new TypeError(`${name} cannot name a column.`)
  }
}

export type FragmentPart = Bound | Fragment | TableName | Alias

/** The rows of one statement; `total` is how many there were before its limit. */
export interface Result<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

/** A whole statement and the schema that each of its rows must fit. */
export interface Statement<Row> {
  readonly body: Fragment
  readonly row: z.ZodType<Row>
  readonly cheaper?: CheaperStatement<Row>
  /** The same rows in an order that is read without sorting, for an export. */
  readonly streamed?: Fragment
}

/**
 * A cheaper statement that is sent first: `result` makes of its rows what the whole statement would answer, or finds
 * them unfit for it (undefined), and the whole statement is sent.
 */
export interface CheaperStatement<Row> {
  readonly statement: Statement<unknown>
  readonly result: (result: Result<never>) => Result<Row> | undefined
}

/** The statements of a report, by the names that its `shape` knows their results by. */
export type Plan<Rows> = { readonly [Name in keyof Rows]: Statement<Rows[Name]> }

/** The results of a plan, by the names of its statements. */
export type Results<Rows> = { readonly [Name in keyof Rows]: Result<Exclude<Rows[Name], undefined>> }

/** A statement as it is sent: `{p0:UUID}`, `{p1:String}`… in `query`, their values in `query_params`. */
export interface Compiled {
  readonly query: string
  readonly query_params: Readonly<Record<string, unknown>>
}

const boundAs =
  <Value>(type: string) =>
  (value: Value) =>
    new Bound(type, value)

export const uuid = boundAs<string>('UUID')
export const text = boundAs<string>('String')
export const texts = boundAs<readonly string[]>('Array(String)')
export const uint64 = boundAs<number>('UInt64')
export const uint8 = boundAs<number>('UInt8')
export const uint32 = boundAs<number>('UInt32')
export const uint8s = boundAs<readonly number[]>('Array(UInt8)')
/** Decimal text; scale 10 holds more digits than `number_value` stores, so that comparisons stay exact. */
export const decimal = boundAs<string>('Decimal(38, 10)')

/** The elements of an array parameter are quoted, which ClickHouse reads as texts only. */
export const decimals = (values: readonly string[]): Fragment => sql`cast(${texts(values)} as Array(Decimal(38, 10)))`

/** Milliseconds since 1970, also where DateTime64 cannot hold them. */
export const milliseconds = boundAs<number>('Int64')

/** A moment, in milliseconds since 1970, as ClickHouse's DateTime64(3). */
export const instant = (moment: number): Fragment => sql`fromUnixTimestamp64Milli(${milliseconds(moment)}, 'UTC')`

/** SQL whose `${…}` take only bound values and other fragments; a bare value throws. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Bound | Fragment)[]): Fragment {
  for (const part of parts) {
    if (!(part instanceof Bound || part instanceof Fragment)) throw new TypeError('A bare value cannot enter SQL.')
  }
  return new Fragment(strings, parts)
}

const naming = (strings: TemplateStringsArray, name: TableName | Alias): Fragment => new Fragment(strings, [name])

/** `from` a table. Only `rows.ts` calls it, which adds what each read has to state. */
export const from = (table: string): Fragment => naming`from ${new TableName(table)}`

const aliasPrefix = 'f_'

/** What a row calls the column that `alias` names. */
export const aliasName = (name: string): string => `${aliasPrefix}${name}`

/** A name for a selected column. Its prefix keeps it from hiding the column of a table that a filter means. */
export const alias = (name: string): Fragment => naming`${new Alias(aliasName(name))}`

/** The name of a column in an export, where no table is read beside it. */
export const exportName = (name: string): Fragment => naming`${new Alias(name)}`

/** `select(Row)`: a statement together with the schema of its rows. */
export const select =
  <Row>(row: z.ZodType<Row>) =>
  (strings: TemplateStringsArray, ...parts: readonly (Bound | Fragment)[]): Statement<Row> => ({
    body: sql(strings, ...parts),
    row,
  })

type Conditions = readonly (Fragment | undefined)[]

/** Joins conditions by `and`; those left undefined are left out; none is true. */
export const all = (...conditions: Conditions): Fragment => join(conditions, sql` and `) ?? sql`true`

/** Joins conditions by `or`; undefined where there is none. */
export const any = (...conditions: Conditions): Fragment | undefined => {
  const joined = join(conditions, sql` or `)
  return joined && sql`(${joined})`
}

/** `having` these conditions; nothing where there is none. */
export const having = (...conditions: Conditions): Fragment => {
  const joined = join(conditions, sql` and `)
  return joined ? sql`having ${joined}` : sql``
}

/** What a statement selects, groups by or orders by. */
export const commaList = (pieces: readonly Fragment[]): Fragment => join(pieces, sql`, `) ?? sql``

/** Selects that together are all rows, as a subquery. */
export const union = (selects: readonly Fragment[]): Fragment => sql`(${join(selects, sql` union all `) ?? sql``})`

function join(pieces: Conditions, separator: Fragment): Fragment | undefined {
  const present = pieces.filter((piece) => piece !== undefined)
  return present.length === 0 ? undefined : present.reduce((left, right) => sql`${left}${separator}${right}`)
}

type CompiledWithTables = Compiled & { readonly tables: readonly string[] }

const compiledFragments = new WeakMap<Fragment, CompiledWithTables>()

/** Text and parameters, numbered in order of appearance: equal plans have equal text. And the tables it reads. */
export function compile(body: Fragment): CompiledWithTables {
  const before = compiledFragments.get(body)
  if (before) return before
  const compiled = compileNow(body)
  compiledFragments.set(body, compiled)
  return compiled
}

function compileNow(body: Fragment): CompiledWithTables {
  const query_params: Record<string, unknown> = {}
  const tables = new Set<string>()
  let next = 0
  const write = (fragment: Fragment): string =>
    fragment.texts.reduce((query, piece, index) => query + place(fragment.parts[index - 1]!) + piece)
  const place = (part: FragmentPart): string => {
    if (part instanceof Fragment) return write(part)
    if (part instanceof Alias) return part.name
    if (part instanceof TableName) {
      tables.add(part.name)
      return part.name
    }
    const name = `p${next++}`
    query_params[name] = part.value
    return `{${name}:${part.type}}`
  }
  return { query: unindented(write(body)), query_params, tables: [...tables] }
}

/** Statements are written indented in TypeScript; they are sent without that indentation. */
const unindented = (query: string): string =>
  query
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
