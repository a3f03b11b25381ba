import * as z from 'zod'
import type { Scope } from './scope.ts'
import {
  alias,
  aliased,
  commaList,
  count,
  exportName,
  type Fragment,
  type Plan,
  type Result,
  sql,
  uuid,
} from './sql.ts'
import { isoSecond } from './time.ts'

/** How the columns of an export are written, so that they are valid in its format. */
export interface Writing {
  /** A column of texts or ids. */
  readonly text: (column: Fragment) => Fragment
  /** Arrays and tuples. */
  readonly nested: (column: Fragment) => Fragment
}

/** A row as ClickHouse answers it; `aliased` says by which names. */
export type Row = Readonly<Record<string, unknown>>

/** What a statement selects under an alias, and the schema of what comes back. */
export interface Read {
  readonly name: string
  readonly expression: Fragment
  readonly row: z.ZodType
}

/** What a column may know of the request. */
interface Asked {
  readonly websiteId: string
}

/** A column of a list: what it reads, its value in JSON, and what it is in an export. */
export interface Column<Value = unknown> {
  readonly reads: readonly Read[]
  readonly schema: z.ZodType<Value>
  readonly value: (row: Row, asked: Asked) => Value
  readonly exported: (writing: Writing, asked: Asked) => Fragment
}

/** A column that takes the name of its alias from its place among the columns of a list. */
export type NamedColumn<Value = unknown> = (name: string) => Column<Value>

/** A column of one value, from an expression or from what other columns read too. */
const column =
  <Value>(
    schema: z.ZodType<Value>,
    row: z.ZodType,
    value: (stored: unknown) => Value,
    exported: (column: Fragment, writing: Writing) => Fragment,
  ) =>
  (source: Fragment | Read): NamedColumn<Value> =>
  (name) => {
    const read = 'name' in source ? source : { name, expression: source, row }
    return {
      reads: [read],
      schema,
      value: (found) => value(found[aliased(read.name)]),
      exported: (writing) => exported(alias(read.name), writing),
    }
  }

/** A text or an id. */
export const text = column(z.string(), z.string(), String, (stored, writing) => writing.text(stored))

/** A whole number. */
export const whole = column(z.number().int(), z.number(), Number, (stored) => stored)

/** A moment, read in milliseconds since 1970: ISO 8601 in UTC, to the second. */
export const moment = column(
  z.string(),
  z.number(),
  (stored) => isoSecond(Number(stored)),
  (stored) => isoSecondOf(stored),
)

/** A list of texts. */
export const texts = column(
  z.array(z.string()),
  z.array(z.string()),
  (stored) => stored as string[],
  (stored, writing) => writing.nested(stored),
)

/** The id of the website that is asked about. */
export const websiteId: NamedColumn<string> = () => ({
  reads: [],
  schema: z.string(),
  value: (_, asked) => asked.websiteId,
  exported: (writing, asked) => writing.text(sql`${uuid(asked.websiteId)}`),
})

/** Milliseconds since 1970 as `isoSecond` writes them. */
export const isoSecondOf = (milliseconds: Fragment): Fragment =>
  sql`formatDateTime(fromUnixTimestamp64Milli(${milliseconds}, 'UTC'), '%Y-%m-%dT%H:%i:%SZ', 'UTC')`

/** Columns of texts that a table stores in one array, so that a page opens one file in place of many. */
export interface Packed<Name extends string> {
  /** What stands in the array, in its order. */
  readonly names: readonly Name[]
  readonly text: (name: Name) => NamedColumn<string>
  readonly flag: (name: Name) => NamedColumn<number>
}

export function packed<const Name extends string>(array: Fragment, names: readonly Name[]): Packed<Name> {
  const read: Read = { name: 'packed', expression: array, row: z.array(z.string()).length(names.length) }
  const textAt = (name: Name) => {
    const place = names.indexOf(name)
    return {
      of: (row: Row): string => (row[aliased(read.name)] as readonly string[])[place]!,
      element: sql`${alias(read.name)}[${count(place + 1)}]`,
    }
  }
  return {
    names,
    text: (name) => () => {
      const { of, element } = textAt(name)
      return { reads: [read], schema: z.string(), value: of, exported: (writing) => writing.text(element) }
    },
    flag: (name) => () => {
      const { of, element } = textAt(name)
      return {
        reads: [read],
        schema: z.number().int(),
        value: (row) => Number(of(row)),
        exported: () => sql`toUInt8(${element})`,
      }
    },
  }
}

/** What a list selects: `expression as alias` of everything that its columns read. */
export interface Selected {
  readonly columns: Fragment
  readonly row: z.ZodType<Row>
}

/** The envelope of a paged list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item),
    count: z.number().int(),
    page: z.number().int(),
    pageSize: z.number().int(),
    isCapped: z.literal(true).optional(),
  })

/** What stands around the items of a list in JSON. */
const envelopes = { page: pageOf, array: <Item extends z.ZodType>(item: Item) => z.array(item) }

/** The body of a list in each envelope. */
interface Bodies<Item> {
  readonly page: z.infer<ReturnType<typeof pageOf<z.ZodType<Item>>>>
  readonly array: Item[]
}

/** What a list answers, and what goes into headers beside it. */
interface ListAnswer<Body> {
  readonly body: Body
  readonly next?: string | undefined
  readonly total?: number
}

type Results<Rows> = { readonly [Name in keyof Rows]: Result<Exclude<Rows[Name], undefined>> }

/** Where the rows of a list come from. */
export interface ListSource<Input, Rows, Envelope extends keyof Bodies<unknown>> {
  readonly envelope: Envelope
  /** What it reads for itself, beside the columns of the list. */
  readonly reads: readonly Read[]
  readonly plan: (selected: Selected, input: Input, scope: Scope) => Plan<Rows>
  readonly shape: <Item>(
    results: Results<Rows>,
    input: Input,
    item: (row: Row) => Item,
  ) => ListAnswer<Bodies<Item>[Envelope]>
  /** The rows of an export; and where it can be gone on with after a row, as a column over them. */
  readonly exported: (plan: Plan<Rows>, input: Input) => { readonly rows: Fragment; readonly cursor?: Fragment }
}

type Columns = Readonly<Record<string, NamedColumn>>

type ItemOf<C extends Columns> = { -readonly [Name in keyof C]: z.infer<ReturnType<C[Name]>['schema']> }

/** A list: its columns stand once, and give what is selected, answered, described and exported. */
export function list<Input, Rows, Envelope extends keyof Bodies<unknown>, const C extends Columns>(declared: {
  readonly columns: C
  readonly from: ListSource<Input, Rows, Envelope>
}) {
  const { from } = declared
  const columns = Object.entries(declared.columns).map(([name, column]) => [name, column(name)] as const)
  const selected = selectedBy([...from.reads, ...columns.flatMap(([, { reads }]) => reads)])
  const item = z.object(Object.fromEntries(columns.map(([name, { schema }]) => [name, schema])))
  type Body = Bodies<ItemOf<C>>[Envelope]
  return {
    answer: envelopes[from.envelope](item) as unknown as z.ZodType<Body>,
    plan: (input: Input & Asked, scope: Scope): Plan<Rows> => from.plan(selected, input, scope),
    shape: (results: Results<Rows>, input: Input & Asked): ListAnswer<Body> =>
      from.shape(
        results,
        input,
        (row) => Object.fromEntries(columns.map(([name, { value }]) => [name, value(row, input)])) as ItemOf<C>,
      ),
    export({
      input,
      plan,
      ...writing
    }: Writing & { readonly input: Input & Asked; readonly plan: Plan<Rows> }): Fragment {
      const { rows, cursor } = from.exported(plan, input)
      const exported = columns.map(([name, column]) => sql`${column.exported(writing, input)} as ${exportName(name)}`)
      const all = cursor ? [...exported, sql`${cursor} as ${exportName('cursor')}`] : exported
      return sql`select ${commaList(all)} from (${rows})`
    },
  }
}

/** Selects everything that is read, once. */
export function selectedBy(reads: readonly Read[]): Selected {
  const unique = [...new Map(reads.map((read) => [read.name, read])).values()]
  return {
    columns: commaList(unique.map(({ name, expression }) => sql`${expression} as ${alias(name)}`)),
    row: z.object(Object.fromEntries(unique.map(({ name, row }) => [aliased(name), row]))),
  }
}
