import type { D1Database } from '@cloudflare/workers-types'
import { withoutQuoted } from '../clickhouse/masked.ts'
import { sha256 } from '../sha256.ts'
import { type Destination, type EntryTable, insertRows, notStored, RefusedRows, type WriteServer } from './insert.ts'
import { bytesOf, linesIn } from './lines.ts'
import { setAside } from './set-aside.ts'

/** Brings rows to ClickHouse, each once, however often they are sent. */
export class Delivery {
  readonly #destination: Destination
  readonly #server: WriteServer
  readonly #database: D1Database
  /** Milliseconds since 1970. */
  readonly #now: () => number
  #setAsideRows = 0

  constructor(destination: Destination, server: WriteServer, database: D1Database, now: () => number) {
    this.#destination = destination
    this.#server = server
    this.#database = database
    this.#now = now
  }

  /** How many rows ClickHouse refused. */
  get setAsideRows(): number {
    return this.#setAsideRows
  }

  /**
   * Inserts the rows that ClickHouse does not have. If the first insert filled only some tables, they differ from then
   * on; `weir check` reports that.
   */
  async deliverOld(table: EntryTable, rows: Uint8Array<ArrayBuffer>, token: string): Promise<void> {
    const lines = linesIn(rows)
    const missing = await notStored(this.#server, table, lines)
    if (missing.length === lines.length) return this.deliver(table, rows, token, true)
    if (missing.length === 0) return
    const left = bytesOf(missing)
    await this.deliver(table, left, `${token}-${await sha256(left)}`, true)
  }

  /** Inserts rows. Finds a row that ClickHouse refuses by bisection, and sets it aside. */
  async deliver(table: EntryTable, rows: Uint8Array<ArrayBuffer>, token: string, isRepeated: boolean): Promise<void> {
    try {
      await insertRows(this.#server, table, rows, token)
    } catch (error) {
      if (!(error instanceof RefusedRows)) throw error
      const lines = linesIn(rows)
      if (lines.length === 1) return this.#setAside(table, lines[0]!, error.message)
      const middle = Math.ceil(lines.length / 2)
      await this.deliver(table, bytesOf(lines.slice(0, middle)), `${token}0`, isRepeated)
      return this.deliver(table, bytesOf(lines.slice(middle)), `${token}1`, isRepeated)
    }
    if (isRepeated) await this.#makeSure(table, linesIn(rows), token)
  }

  /**
   * A killed ClickHouse may still know the token of rows that it lost. They are inserted again, so tables that kept
   * them have them twice. No insert can avoid that; `weir rebuild` corrects it.
   */
  async #makeSure(table: EntryTable, lines: readonly string[], token: string): Promise<void> {
    const missing = await notStored(this.#server, table, lines)
    if (missing.length === 0) return
    const bytes = bytesOf(missing)
    await insertRows(this.#server, table, bytes, `${token}-${await sha256(bytes)}`)
    this.tell('parts', `ClickHouse had lost ${missing.length} rows of ${table}, and has them again. Run weir check.`)
    const still = await notStored(this.#server, table, missing)
    if (still.length > 0) throw new Error(`ClickHouse took ${still.length} rows that cannot be read.`)
  }

  async #setAside(table: EntryTable, line: string, reason: string): Promise<void> {
    if (this.#destination.keepsRefused) await setAside(this.#database, table, line, reason, this.#now())
    this.#setAsideRows++
    this.tell('event', reason.slice(0, 300))
  }

  /** Writes a line to the log. */
  tell(failing: string, cause: string, more: object = {}): void {
    console.error(
      JSON.stringify({ time: new Date(this.#now()).toISOString(), failing, ...more, cause: withoutQuoted(cause) }),
    )
  }
}
