import type { D1Database, D1Result } from '@cloudflare/workers-types'
import { whileBusy } from './busy.ts'

/** A statement of SQLite and the values of its `?1`, `?2`… */
export type Sql = readonly [query: string, ...values: readonly (string | number | null)[]]

/** D1, as the look-ups and lists of one request use it. `now` is the moment of the request, in ms since 1970. */
export interface Store {
  readonly now: number
  first<Row>(...statement: Sql): Promise<Row | undefined>
  all<Row>(...statement: Sql): Promise<Row[]>
  /** Several reads in one round trip; the rows of each. */
  reads<Row>(...statements: readonly Sql[]): Promise<Row[][]>
  /** Writes together or not at all; what was looked up before is looked up again. Rows changed by each. */
  write(...statements: readonly Sql[]): Promise<number[]>
  /** Writes what no look-up depends on: what was looked up before stays. */
  note(...statement: Sql): Promise<void>
}

/** How long a request waits for a database that another process uses, in milliseconds. */
const busyPatience = 2000

export function storeOf(database: D1Database, now: number, written: () => void): Store {
  const prepared = ([query, ...values]: Sql) => database.prepare(query).bind(...values)
  const batch = <Row>(statements: readonly Sql[]) =>
    whileBusy(busyPatience, () => database.batch<Row>(statements.map(prepared)))
  return {
    now,
    first: async <Row>(...statement: Sql) =>
      (await whileBusy(busyPatience, () => prepared(statement).first<Row>())) ?? undefined,
    all: async <Row>(...statement: Sql) =>
      (await whileBusy(busyPatience, () => prepared(statement).all<Row>())).results,
    reads: async <Row>(...statements: readonly Sql[]) =>
      (await batch<Row>(statements)).map(({ results }: D1Result<Row>) => results),
    async write(...statements) {
      const results = await batch(statements).finally(written)
      return results.map(({ meta }) => meta.changes)
    },
    async note(...statement) {
      await whileBusy(busyPatience, () => prepared(statement).run())
    },
  }
}

/** Whether a write failed because this column, `table.column`, holds the value already. */
export const isTaken = (error: unknown, column: string): boolean =>
  error instanceof Error && error.message.includes(`UNIQUE constraint failed: ${column}`)
