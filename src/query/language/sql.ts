import { madeFor } from '../../made.ts'

/** A value that is sent as a parameter and never becomes part of the statement's text. `type` is a ClickHouse type. */
export class Bound {
  constructor(
    readonly type: string,
    readonly value: unknown,
  ) {}
}

/** A piece of SQL: text, bound values and nested fragments. */
export class Fragment {
  constructor(
    readonly texts: readonly string[],
    readonly parts: readonly FragmentPart[],
  ) {}
}

/** A table name. Only `rows.ts` puts table names into SQL. */
class TableName {
  constructor(readonly name: string) {}
}

/** A column alias. */
class Alias {
  constructor(readonly name: string) {
    if (!/^\w{1,60}$/.test(name)) throw new TypeError(`${name} cannot name a column.`)
  }
}

/** A read of a table, as `from … where …`. */
export class Read extends Fragment {
  constructor(
    whole: Fragment,
    readonly table: string,
    /** The read without its subqueries, to estimate how many of the table's rows it visits. */
    readonly alone: () => Fragment,
    readonly granules?: Granules,
  ) {
    super(whole.texts, whole.parts)
  }
}

/** The granules that a limit or a look-up visits in each part of the table. */
interface Granules {
  /** The maximum number of granules in each part. */
  readonly most: number
  /** Whether more granules may be read than that, because a filter excludes rows. */
  readonly isUnsure?: boolean
}

type FragmentPart = Bound | Fragment | TableName | Alias

/** A statement as it is sent: `query` with `{p0:UUID}`, `{p1:String}`…, and their values in `query_params`. */
export interface Compiled {
  readonly query: string
  readonly query_params: Readonly<Record<string, unknown>>
}

const boundAs =
  <Value>(type: string) =>
  (value: Value) =>
    new Bound(type, value)

export const uuid = boundAs<string>('UUID')
export const uuids = (ids: readonly string[]): Fragment => sql`cast(${texts(ids)} as Array(UUID))`
export const text = boundAs<string>('String')
export const texts = boundAs<readonly string[]>('Array(String)')
export const uint64 = boundAs<number>('UInt64')
export const uint8 = boundAs<number>('UInt8')
export const uint32 = boundAs<number>('UInt32')
export const uint8s = boundAs<readonly number[]>('Array(UInt8)')
export const uint64s = boundAs<readonly number[]>('Array(UInt64)')
/**
 * A decimal number, sent as a string. The scale of 10 is larger than that of `number_value`, so comparisons are exact.
 */
export const decimal = boundAs<string>('Decimal(38, 10)')

/** The client quotes the elements of array parameters, and ClickHouse accepts quoted elements only as strings. */
export const decimals = (values: readonly string[]): Fragment => sql`cast(${texts(values)} as Array(Decimal(38, 10)))`

/** Milliseconds since 1970, even if they are outside DateTime64's range. */
export const milliseconds = boundAs<number>('Int64')

/** A time in milliseconds since 1970, as DateTime64(3). */
export const instant = (moment: number): Fragment => sql`fromUnixTimestamp64Milli(${milliseconds(moment)}, 'UTC')`

/** A template tag. `${…}` accepts only bound values and fragments; any other value throws. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Bound | Fragment)[]): Fragment {
  for (const part of parts) {
    if (!(part instanceof Bound || part instanceof Fragment)) throw new TypeError('A bare value cannot enter SQL.')
  }
  return new Fragment(strings, parts)
}

const naming = (strings: TemplateStringsArray, name: TableName | Alias): Fragment => new Fragment(strings, [name])

/** `from` a table. Only `rows.ts` calls this, adding the conditions that every read needs. */
export const from = (table: string): Fragment => naming`from ${new TableName(table)}`

const aliasPrefix = 'f_'

/** The name of the field in a row that contains `alias(name)`. */
export const aliasName = (name: string): string => `${aliasPrefix}${name}`

/** Wraps `whole`, a `from` clause for this table with its conditions, in a `Read`. Only `rows.ts` calls this. */
export const newRead = (table: string, whole: Fragment, alone: () => Fragment): Read => new Read(whole, table, alone)

/** A read that stops early or looks up only some granules. */
export const inGranules = (whole: Read, granules: Granules): Read => new Read(whole, whole.table, whole.alone, granules)

/** An alias for a selected column. Its prefix prevents it from shadowing a table column that a filter reads. */
export const alias = (name: string): Fragment => naming`${new Alias(aliasName(name))}`

/** A column name in an export. The statement reads no table whose columns the name could shadow. */
export const exportName = (name: string): Fragment => naming`${new Alias(name)}`

type Conditions = readonly (Fragment | undefined)[]

/**
 * Joins conditions with `and`. Omits undefined conditions; returns `true` if none is left. A condition with an `or` is
 * put in brackets.
 */
export const all = (...conditions: Conditions): Fragment => join(conditions.map(enclosed), sql` and `) ?? sql`true`

/** A sum over the rows that meet the conditions. */
export const sumWhere = (column: Fragment, ...conditions: Conditions): Fragment =>
  conditions.some((condition) => condition) ? sql`sumIf(${column}, ${all(...conditions)})` : sql`sum(${column})`

/** Joins conditions with `or`; undefined if there are none. */
export const any = (...conditions: Conditions): Fragment | undefined => {
  const joined = join(conditions, sql` or `)
  return joined && sql`(${joined})`
}

/** `having` these conditions; empty if there are none. */
export const having = (...conditions: Conditions): Fragment => {
  const joined = join(conditions.map(enclosed), sql` and `)
  return joined ? sql`having ${joined}` : sql``
}

/** A comma-separated list for `select`, `group by` or `order by`. */
export const commaList = (pieces: readonly Fragment[]): Fragment => join(pieces, sql`, `) ?? sql``

/** A subquery that is the `union all` of the selects. */
export const union = (selects: readonly Fragment[]): Fragment => sql`(${join(selects, sql` union all `) ?? sql``})`

/** The condition, in brackets if it contains an `or` outside brackets. */
const enclosed = (condition: Fragment | undefined): Fragment | undefined =>
  condition && hasOuterOr(compile(condition).query) ? sql`(${condition})` : condition

function hasOuterOr(query: string): boolean {
  let depth = 0
  for (const [token] of query.matchAll(/'(?:[^'\\]|\\.)*'|[()]|\bor\b/gi)) {
    if (token === '(') depth++
    else if (token === ')') depth--
    else if (depth === 0 && token.toLowerCase() === 'or') return true
  }
  return false
}

function join(pieces: Conditions, separator: Fragment): Fragment | undefined {
  const present = pieces.filter((piece) => piece !== undefined)
  return present.length === 0 ? undefined : present.reduce((left, right) => sql`${left}${separator}${right}`)
}

type CompiledWithTables = Compiled & { readonly tables: readonly string[] }

const compiledFragments = new WeakMap<Fragment, CompiledWithTables>()

/**
 * The statement's text, its parameters and the tables that it reads. Parameters are numbered in order, so equal plans
 * have equal text.
 */
export const compile = (body: Fragment): CompiledWithTables => madeFor(body, compiledFragments, compileNow)

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

/** The reads of a statement, including those in its subqueries. */
export const readsIn = (fragment: Fragment): readonly Read[] => [
  ...(fragment instanceof Read ? [fragment] : []),
  ...fragment.parts.flatMap((part) => (part instanceof Fragment ? readsIn(part) : [])),
]

/** Removes the indentation that statements have in the TypeScript source. */
const unindented = (query: string): string =>
  query
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
