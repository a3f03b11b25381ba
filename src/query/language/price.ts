import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { compile, type Read, readsIn } from './sql.ts'
import { type CheaperStatement, type Statement, select } from './statement.ts'

/** The estimated cost of a report, as the number of rows that it would read. */
export const Price = () =>
  z.object({
    tables: z.array(z.object({ table: z.string(), rows: z.number().int(), parts: z.number().int() })),
    rows: z.number().int().describe('The total of all tables.'),
    sources: z
      .record(z.string(), z.array(z.object({ source: z.string(), refused: z.string().optional() })))
      .describe('By statement: the sources considered, best first, and why they are not used. The last one is used.'),
  })

export type Price = ValueOf<typeof Price>

/** A report's plan, or the only statement of an export. */
export type Priced = Readonly<Record<string, Pick<Statement<unknown>, 'body' | 'cheaper' | 'sources'>>>

const Estimate = () => z.object({ rows: z.number(), parts: z.number(), marks: z.number() })

type Estimate = ValueOf<typeof Estimate>

/** Statements that estimate the different reads of a plan. */
interface Estimates {
  readonly statements: readonly Statement<Estimate>[]
  /** Computes the price from the rows of each statement. */
  readonly priceOf: (found: readonly (readonly Estimate[])[]) => Price
}

/**
 * Estimates each read separately, without its subqueries, which are separate reads. Computing the price therefore reads
 * no data, not even for sets and scalars.
 */
export function estimates(plan: Priced): Estimates {
  const priced = Object.values(plan)
  const reads = new Map(priced.flatMap(readsOf).map((read) => [textOf(read), read.alone()]))
  const texts = [...reads.keys()]
  return {
    statements: [...reads.values()].map((read) => select(Estimate)`explain estimate select 1 ${read}`),
    priceOf(found) {
      const sums = found.map(sumOf)
      const shared = new Set<Statement<unknown>>()
      const costs = priced.flatMap((one) => costsOf(one, (read) => sums[texts.indexOf(textOf(read))]!, shared))
      return { ...total(costs), sources: sourcesOf(plan) }
    },
  }
}

/** For a table that is spread over several shards, there is one row per shard. For an empty table, there is no row. */
const sumOf = (found: readonly Estimate[]): Estimate =>
  found.reduce(
    (sum, one) => ({ rows: sum.rows + one.rows, parts: sum.parts + one.parts, marks: sum.marks + one.marks }),
    { rows: 0, parts: 0, marks: 0 },
  )

const textOf = (read: Read): string => JSON.stringify(compile(read.alone()))

const readsOf = ({ body, cheaper }: Pick<Statement<unknown>, 'body' | 'cheaper'>): readonly Read[] => [
  ...readsIn(body),
  ...(cheaper?.[0] ? allOf(cheaper[0]).flatMap(readsOf) : []),
]

const allOf = ({ statements, checks = [] }: CheaperStatement<unknown>): readonly Statement<unknown>[] => [
  ...statements,
  ...checks,
]

interface Cost {
  readonly table: string
  readonly rows: number
  readonly parts: number
  /** The number of rows if the read does not stop early. */
  readonly most: number
}

type Find = (read: Read) => Estimate

/**
 * The estimated reads of a statement that has cheaper ones: only those of the cheaper statements, those plus the whole
 * statement's, or an amount in between. A shared statement is counted once.
 */
function costsOf(
  { body, cheaper }: Pick<Statement<unknown>, 'body' | 'cheaper'>,
  find: Find,
  shared: Set<Statement<unknown>>,
): readonly Cost[] {
  const whole = readsIn(body).map((read) => costOf(read, find(read)))
  const [attempt] = cheaper ?? []
  if (!attempt) return whole
  const { needs } = attempt
  const own = allOf(attempt).filter((one) => !shared.has(one))
  for (const one of own) shared.add(one)
  if (own.length === 0) return []
  const first = own.flatMap((one) => costsOf(one, find, shared))
  if (!needs) return first
  if (Math.min(...first.map(({ most }) => most)) < needs.rows) return [...first, ...whole]
  if (!needs.isUnsure) return first
  const [least, more] = [rowsOf(first), rowsOf(whole)]
  const part = more === 0 ? 0 : (between(least, least + more) - least) / more
  return [...first, ...whole.map((one) => ({ ...one, rows: one.rows * part }))]
}

const rowsOf = (costs: readonly Cost[]): number => costs.reduce((sum, one) => sum + one.rows, 0)

function costOf({ table, granules }: Read, { rows: most, parts, marks }: Estimate): Cost {
  if (!granules || marks === 0) return { table, rows: most, parts, most }
  const least = most * Math.min(1, (granules.most * parts) / marks)
  return { table, rows: granules.isUnsure ? between(least, most) : least, parts, most }
}

/** The geometric mean: its ratio to both numbers is the same. */
const between = (least: number, most: number): number => Math.sqrt(least * most)

const sourcesOf = (plan: Priced): Price['sources'] =>
  Object.fromEntries(Object.entries(plan).flatMap(([name, { sources }]) => (sources ? [[name, [...sources]]] : [])))

function total(costs: readonly Cost[]): Omit<Price, 'sources'> {
  const tables = [...new Set(costs.map(({ table }) => table))].sort().map((table) => {
    const its = costs.filter((one) => one.table === table)
    return { table, rows: Math.round(rowsOf(its)), parts: Math.max(...its.map((one) => one.parts)) }
  })
  return { tables, rows: tables.reduce((sum, one) => sum + one.rows, 0) }
}
