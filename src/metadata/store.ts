import type { D1Database, D1Result } from '@cloudflare/workers-types'
import { unlessD1IsSilent, withTimeout } from '../silence.ts'
import { whileBusy } from './busy.ts'
import { type DatedRows, newHeartbeat, readNearest, writingTo } from './near.ts'

/** An SQLite statement and the values for `?1`, `?2`… */
export type Sql = readonly [query: string, ...values: readonly (string | number | null)[]]

/** A row in D1. Its columns are named after the item's fields; the fields in `Json` are stored as JSON. */
export type Stored<Item, Json extends keyof Item> = Omit<Item, Json> & { readonly [Name in Json]: string }

/** Access to D1 for one request's look-ups and lists. `now` is the time of the request, in milliseconds since 1970. */
export interface Store {
  readonly now: number
  first<Row>(...statement: Sql): Promise<Row | undefined>
  /** The first row, converted to an item. */
  one<Row, Item>(itemOf: (row: Row) => Item, ...statement: Sql): Promise<Item | undefined>
  all<Row>(...statement: Sql): Promise<Row[]>
  /** Runs several reads in one round trip. Returns the rows that each one read. */
  reads<Row>(...statements: readonly Sql[]): Promise<Row[][]>
  /**
   * Like `reads`, but for look-ups, which read a copy of D1 near the reader, or the primary if that copy is not
   * sufficient. No row is older than `freshFor` allows, and none is missing.
   */
  readsNear<Row>(...statements: readonly Sql[]): Promise<DatedRows<Row>>
  /**
   * Writes all statements or none, then empties the look-up cache. Returns the number of rows that each statement
   * changed. After a failure, cached look-ups are read again, since the rows may have been written.
   */
  write(...statements: readonly Sql[]): Promise<number[]>
  /** Like `write`, for a single statement that returns rows. Returns the first of them. */
  writeFirst<Row>(...statement: Sql): Promise<Row | undefined>
  /**
   * Writes data that no look-up reads, so the look-up cache is not cleared. Returns the first row that the statement
   * returns.
   */
  note<Row = undefined>(...statement: Sql): Promise<Row | undefined>
}

/** Makes a round trip to D1, and may measure how long it takes. */
export type Watch = <Value>(trip: () => Promise<Value>) => Promise<Value>

const unwatched: Watch = (trip) => trip()

/** A round trip to D1 failed. The message comes from D1. */
export class MetadataError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** Called after a write. */
interface AfterWrite {
  /** All rows have been written. */
  written(statements: readonly Sql[]): Promise<void> | void
  /** The write failed. The rows may have been written. */
  failed(): void
}

/** Keeps work alive after the response. */
export type Later = (work: Promise<unknown>) => void

/** How long reads and writes wait while another process uses the database or D1 does not answer, in milliseconds. */
const busyPatience = 2000
const readPatience = 2000
const nearPatience = 1000
const writePatience = 10_000

export function storeOf(database: D1Database, now: number, after: AfterWrite, watch = unwatched, later?: Later): Store {
  const trip = <Value>(work: () => Promise<Value>, patience = readPatience) =>
    watch(async () => {
      try {
        return await whileBusy(busyPatience, () => unlessD1IsSilent(patience, work()))
      } catch (error) {
        throw new MetadataError(error)
      }
    })
  const prepared = ([query, ...values]: Sql) => database.prepare(query).bind(...values)
  const reads = async <Row>(...statements: readonly Sql[]) =>
    (await trip(() => database.batch<Row>(statements.map(prepared)))).map(({ results }: D1Result<Row>) => results)
  const firstWithin = async <Row>(patience: number, statement: Sql) =>
    (await trip(() => prepared(statement).first<Row>(), patience)) ?? undefined
  const first = <Row>(...statement: Sql) => firstWithin<Row>(readPatience, statement)
  const note = <Row>(...statement: Sql) => firstWithin<Row>(writePatience, statement)
  const written = async <Row>(...statements: readonly Sql[]) => {
    const { session, end } = writingTo(database)
    const made = statements.map(([query, ...values]) => session.prepare(query).bind(...values))
    const results = await trip(() => session.batch<Row>(made), writePatience)
      .finally(end)
      .catch((error: unknown) => {
        after.failed()
        throw error
      })
    await after.written(statements)
    return results
  }
  return {
    now,
    first,
    async one<Row, Item>(itemOf: (row: Row) => Item, ...statement: Sql) {
      const row = await first<Row>(...statement)
      return row && itemOf(row)
    },
    all: async <Row>(...statement: Sql) => (await trip(() => prepared(statement).all<Row>())).results,
    reads,
    async readsNear<Row>(...statements: readonly Sql[]) {
      // A copy may lack a table of the newest migration, or not answer.
      const near = await trip(() => withTimeout(nearPatience, readNearest<Row>(database, now, statements))).catch(
        () => undefined,
      )
      if (near?.isLate) later?.(note(...newHeartbeat(now)).catch(() => undefined))
      return near?.found ?? { rows: await reads<Row>(...statements), asOf: now }
    },
    write: async (...statements) => (await written(...statements)).map(({ meta }) => meta.changes),
    writeFirst: async <Row>(...statement: Sql) => (await written<Row>(statement))[0]!.results[0],
    note,
  }
}

/** Whether a write failed because another row has this value in the column (`table.column`). */
export const isTaken = (error: unknown, column: string): boolean =>
  error instanceof Error && error.message.includes(`UNIQUE constraint failed: ${column}`)
