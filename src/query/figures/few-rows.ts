import type { Scope } from '../language/scope.ts'
import { type Fragment, sql, uint64 } from '../language/sql.ts'
import type { CheaperStatement, Result, Statement } from '../language/statement.ts'

/**
 * A count over few rows, which the Worker computes. If there are few rows, ClickHouse needs nearly all of its time to
 * plan the whole statement, and only a quarter of that time to return the rows.
 */
interface FewRows<Row> {
  /** Reads the rows. Returns `most` plus one if there are more. */
  readonly statement: Statement<Row>
  readonly most: number
  /** The strings in a row that the Worker compares; empty if they were too long. */
  readonly texts: (row: Row) => readonly string[]
  /** For a website, questions with the same name have similar numbers of rows. */
  readonly name: string
}

/**
 * The cheaper form of a whole statement, where `count` computes the same result from the few rows. If there are too
 * many rows, long strings or invalid UTF-8, the whole statement runs. Several statements may share one read of the
 * rows.
 */
export const countedHere =
  <Few>({ known }: Scope, { statement, most, texts, name }: FewRows<Few>) =>
  <Row>(count: (rows: readonly Few[]) => readonly Row[]): readonly CheaperStatement<Row>[] => {
    if (known?.failed.has(name)) return []
    const result = ([found]: readonly Result<Few>[]) => {
      const few = found!.rows
      if (few.length > most || !few.every((row) => areComparable(texts(row)))) return undefined
      const rows = count(few)
      return { rows, total: rows.length }
    }
    return [{ statements: [statement], name, result }]
  }

/** Whether strings can be compared. U+FFFD replaces invalid UTF-8, so two different strings may look equal. */
const areComparable = (texts: readonly string[]): boolean =>
  texts.length > 0 && texts.every((one) => !one.includes('\ufffd'))

/** An array of strings, or an empty array if they are longer than rows in the Worker may be, in bytes. */
export const ifShort = (texts: Fragment): Fragment => sql`if(byteSize(${texts}) > ${uint64(4096)}, [], ${texts})`

/** Groups rows by a key. The groups are in the order of their first rows. */
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
