import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import type { Scope } from '../language/scope.ts'
import { alias, aliasName, commaList, exportName, type Fragment, sql, uint64, uuid } from '../language/sql.ts'
import type { Plan, Results } from '../language/statement.ts'
import { isoSecond } from '../language/time.ts'

/** Formats the columns of an export so that they are valid in its format. */
export interface ExportWriter {
  /** Formats a column of strings or ids. */
  readonly text: (column: Fragment) => Fragment
  /** Formats arrays and tuples. */
  readonly nested: (column: Fragment) => Fragment
}

/** A row in ClickHouse's answer. Its field names come from `aliasName`. */
export type Row = Readonly<Record<string, unknown>>

/** An expression in a select list, with the name of its alias and the schema of its values. */
export interface SelectItem {
  readonly name: string
  readonly expression: Fragment
  readonly row: () => z.ZodType
}

/** The part of the input that a column may use. */
type ColumnInput = {
  readonly websiteId: string
}

/** A column in a list: the select items that it reads, its JSON value, and its form in exports. */
interface Column<Value = unknown> {
  readonly reads: readonly SelectItem[]
  readonly schema: () => z.ZodType<Value>
  readonly value: (row: Row, input: ColumnInput) => Value
  readonly exported: (writer: ExportWriter, input: ColumnInput) => Fragment
}

/** Creates a column from its field name in the list. The column's alias has the same name. */
export type NamedColumn<Value = unknown> = (name: string) => Column<Value>

/** A column that contains one value, from an expression or from a select item that other columns share. */
const column =
  <Value>(
    schema: () => z.ZodType<Value>,
    row: () => z.ZodType,
    value: (stored: unknown) => Value,
    exported: (column: Fragment, writer: ExportWriter) => Fragment,
  ) =>
  (source: Fragment | SelectItem): NamedColumn<Value> =>
  (name) => {
    const read = 'name' in source ? source : { name, expression: source, row }
    return {
      reads: [read],
      schema,
      value: (row) => value(row[aliasName(read.name)]),
      exported: (writer) => exported(alias(read.name), writer),
    }
  }

const integer = () => z.number().int()
const listOfTexts = () => z.array(z.string())

/** A text or an id. */
export const textColumn = column(z.string, z.string, String, (stored, writer) => writer.text(stored))

/** A text, or null if it is empty. */
export const textOrNullColumn =
  (expression: Fragment): NamedColumn<string | null> =>
  (name) => ({
    reads: [{ name, expression, row: () => z.string() }],
    schema: () => z.string().nullable(),
    value: (row) => (row[aliasName(name)] as string) || null,
    exported: (writer) => sql`nullIf(${writer.text(alias(name))}, '')`,
  })

/** A whole number. */
export const integerColumn = column(integer, z.number, Number, (stored) => stored)

/** A number that may have a fraction. */
export const numberColumn = column(z.number, z.number, Number, (stored) => stored)

/** A time, selected in milliseconds since 1970 and returned as ISO 8601 in UTC, to the second. */
export const momentColumn = column(
  z.string,
  z.number,
  (stored) => isoSecond(Number(stored)),
  (stored) => isoSecondOf(stored),
)

export const textsColumn = column(
  listOfTexts,
  listOfTexts,
  (stored) => stored as string[],
  (stored, writer) => writer.nested(stored),
)

/** The id of the website, from the path. */
export const websiteIdColumn: NamedColumn<string> = () => ({
  reads: [],
  schema: z.string,
  value: (_, input) => input.websiteId,
  exported: (writer, input) => writer.text(sql`${uuid(input.websiteId)}`),
})

/** Formats milliseconds since 1970 in SQL, just as `isoSecond` does. */
export const isoSecondOf = (milliseconds: Fragment): Fragment =>
  sql`formatDateTime(fromUnixTimestamp64Milli(${milliseconds}, 'UTC'), '%Y-%m-%dT%H:%i:%SZ', 'UTC')`

/** String columns that a table stores in one array, so that a page opens one file instead of many, or in one tuple. */
type PackedColumns<Name extends string> = {
  /** The columns, in order. */
  readonly names: readonly Name[]
  readonly text: (name: Name) => NamedColumn<string>
  readonly flag: (name: Name) => NamedColumn<number>
}

export function packedColumns<const Name extends string>(
  packed: Fragment,
  names: readonly Name[],
  isTuple = false,
): PackedColumns<Name> {
  const read: SelectItem = { name: 'packed', expression: packed, row: () => z.array(z.string()).length(names.length) }
  const textAt = (name: Name) => {
    const place = names.indexOf(name)
    const [all, number] = [alias(read.name), uint64(place + 1)]
    return {
      of: (row: Row): string => (row[aliasName(read.name)] as readonly string[])[place]!,
      element: isTuple ? sql`tupleElement(${all}, ${number})` : sql`${all}[${number}]`,
    }
  }
  return {
    names,
    text: (name) => () => {
      const { of, element } = textAt(name)
      return { reads: [read], schema: z.string, value: of, exported: (writer) => writer.text(element) }
    },
    flag: (name) => () => {
      const { of, element } = textAt(name)
      return {
        reads: [read],
        schema: integer,
        value: (row) => Number(of(row)),
        exported: () => sql`toUInt8(${element})`,
      }
    },
  }
}

/** A statement's select list (`expression as alias, …`) and the schema of its rows. */
export interface SelectList {
  readonly columns: Fragment
  readonly row: () => z.ZodType<Row>
}

/** The JSON of a paged list. */
export const pageSchema =
  <Item extends z.ZodType>(item: () => Item) =>
  () =>
    z.object({
      data: z.array(item()),
      count: z.number().int(),
      page: z.number().int(),
      pageSize: z.number().int(),
      isCapped: z.literal(true).optional(),
    })

/** The two JSON forms that a list can have: a page object or a bare array. */
const envelopes = {
  page: pageSchema,
  array:
    <Item extends z.ZodType>(item: () => Item) =>
    () =>
      z.array(item()),
}

/** The type of the body in each form. */
interface Bodies<Item> {
  readonly page: ValueOf<ReturnType<typeof pageSchema<z.ZodType<Item>>>>
  readonly array: Item[]
}

/** A list's body and the values that become headers. */
type ListAnswer<Body> = {
  readonly body: Body
  readonly next?: string | undefined
  readonly total?: number
}

export interface ListSource<Input, Rows, Envelope extends keyof Bodies<unknown>> {
  readonly envelope: Envelope
  /** Additional select items, besides those of the list's columns. */
  readonly reads: readonly SelectItem[]
  readonly plan: (selectList: SelectList, input: Input, scope: Scope) => Plan<Rows>
  readonly shape: <Item>(
    results: Results<Rows>,
    input: Input,
    item: (row: Row) => Item,
  ) => ListAnswer<Bodies<Item>[Envelope]>
  /**
   * The rows of an export. `cursor` is a column with the position after each row, from which an export can be resumed.
   */
  readonly exported: (plan: Plan<Rows>, input: Input) => { readonly rows: Fragment; readonly cursor?: Fragment }
}

type Columns = Readonly<Record<string, NamedColumn>>

type ItemOf<C extends Columns> = { -readonly [Name in keyof C]: ValueOf<ReturnType<C[Name]>['schema']> }

/**
 * A list. Its columns are declared once and define the select list, the answer, its schema and the export.
 *
 * @example list({ from: newestFirst, columns: { id: textColumn(eventIdItem), type: integerColumn(sql`event_type`) } })
 */
export function list<Input, Rows, Envelope extends keyof Bodies<unknown>, const C extends Columns>(declared: {
  readonly columns: C
  readonly from: ListSource<Input, Rows, Envelope>
}) {
  const { from } = declared
  const columns = Object.entries(declared.columns).map(([name, column]) => [name, column(name)] as const)
  const selectList = selectListOf([...from.reads, ...columns.flatMap(([, { reads }]) => reads)])
  const item = () => z.object(Object.fromEntries(columns.map(([name, { schema }]) => [name, schema()])))
  type Body = Bodies<ItemOf<C>>[Envelope]
  return {
    answer: envelopes[from.envelope](item) as unknown as () => z.ZodType<Body>,
    plan: (input: Input & ColumnInput, scope: Scope): Plan<Rows> => from.plan(selectList, input, scope),
    shape: (results: Results<Rows>, input: Input & ColumnInput): ListAnswer<Body> =>
      from.shape(
        results,
        input,
        (row) => Object.fromEntries(columns.map(([name, { value }]) => [name, value(row, input)])) as ItemOf<C>,
      ),
    export({
      input,
      plan,
      ...writer
    }: ExportWriter & { readonly input: Input & ColumnInput; readonly plan: Plan<Rows> }): Fragment {
      const { rows, cursor } = from.exported(plan, input)
      const exported = columns.map(([name, column]) => sql`${column.exported(writer, input)} as ${exportName(name)}`)
      const all = cursor ? [...exported, sql`${cursor} as ${exportName('cursor')}`] : exported
      return sql`select ${commaList(all)} from (${rows})`
    },
  }
}

/** Selects each item once, even if several columns read it. */
export function selectListOf(items: readonly SelectItem[]): SelectList {
  const unique = [...new Map(items.map((item) => [item.name, item])).values()]
  return {
    columns: commaList(unique.map(({ name, expression }) => sql`${expression} as ${alias(name)}`)),
    row: () => z.object(Object.fromEntries(unique.map(({ name, row }) => [aliasName(name), row()]))),
  }
}
