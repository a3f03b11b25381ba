import type { CheaperStatement, Result, Statement } from '../language/sql.ts'
import { sortsElsewhere } from '../language/text.ts'

/**
 * Small questions that the Worker counts by itself. Over few rows, ClickHouse spends nearly all of its time on planning
 * what a whole statement counts. To hand over the rows costs it a quarter of that.
 */
export interface FewRows<Row> {
  /** The rows; one more than `most` if there are more. */
  readonly statement: Statement<Row>
  readonly most: number
  /** The texts of a row by which the Worker groups or sorts. */
  readonly texts: (row: Row) => readonly string[]
  /** Questions with the same key have about as many rows. */
  readonly triedAs: string
}

/**
 * The cheaper form of a whole statement: `count` makes the same rows of the few. With more rows, or with texts that
 * ClickHouse compares in another way, the whole statement runs. Several statements may share one reading of the rows.
 */
export const countedHere =
  <Few>({ statement, most, texts, triedAs }: FewRows<Few>) =>
  <Row>(count: (rows: readonly Few[]) => readonly Row[]): CheaperStatement<Row> => ({
    statement,
    triedAs,
    result({ rows: few }: Result<Few>) {
      if (few.length > most || few.some((row) => texts(row).some((one) => sortsElsewhere.test(one)))) return undefined
      const rows = count(few)
      return { rows, total: rows.length }
    },
  })

/** The rows by a key, in the order of their first rows. */
export function grouped<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const known = groups.get(key)
    if (known) known.push(row)
    else groups.set(key, [row])
  }
  return groups
}
