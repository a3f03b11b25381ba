import type { SqlStorage, SqlStorageValue } from '@cloudflare/workers-types'
import { joined } from './lines.ts'
import { markFormat } from './log-format.ts'

/** Events that arrived within a few milliseconds and are written to SQLite together, with at most 1 MB of JSON. */
export interface Commit {
  readonly id: number
  /** The commit's flush, identified by the token of the flush's inserts. */
  readonly flush: string
  /** When its first event arrived, in milliseconds since 1970. */
  readonly at: number
  /** Rows for the log's first and second entry table, as lines of JSON. A line may continue in the next commit. */
  readonly events: Uint8Array | null
  readonly calls: Uint8Array | null
  /** What the log remembers about the events; see packed.ts. */
  readonly packed: Uint8Array
}

/**
 * A commit found when the object was loaded, without its JSON, because all commits together may contain a gigabyte of
 * it.
 */
export type FoundCommit = Pick<Commit, 'id' | 'flush' | 'at' | 'packed'>

/** A commit's rows, as lines of JSON. */
export type CommitJson = Pick<Commit, 'events' | 'calls'>

/** How SQLite stores the JSON of commits. */
export interface JsonForm {
  kept(json: Uint8Array): Uint8Array
  json(kept: Uint8Array): Uint8Array
}

export const asItIs: JsonForm = { kept: (json) => json, json: (kept) => kept }

/** Rows in the form that SQLite returns. */
type JsonRow = { events: ArrayBuffer | null; calls: ArrayBuffer | null }
type FoundRow = { id: number; flush: string; at: number; packed: ArrayBuffer }
type PackedRow = { id: number; at: number; packed: ArrayBuffer }

/** The maximum size of an archive row, in bytes. A repeated event reads one such row. */
const longestRow = 100_000

/**
 * How many commits are moved to the archive at a time. There may be an hour's worth of commits, and the isolate has 128
 * MB.
 */
const archivedAtOnce = 100

/** The columns of a table of commits. A later version may add some: an older one must still be able to copy rows. */
const commitColumns = 'id, flush, at, packed, events, calls'

/**
 * A log object's rows in SQLite. Every row written or deleted costs money, but dropping a table costs nothing. A table
 * of commits is therefore dropped as a whole once ClickHouse has all of its commits. The archive stores what the log
 * must remember.
 */
export class LogStore {
  readonly #sql: SqlStorage
  readonly #form: JsonForm
  /**
   * Two tables that are used alternately: commits go into one, while the other waits until ClickHouse has its commits.
   */
  readonly #tables: readonly [string, string]
  readonly #archiveTable: string
  /** Commits that ClickHouse refuses wait here, where they do not block other commits. */
  readonly #heldTable: string
  readonly #storedTable: string
  #current: string
  #nextId = 1
  #writtenRows = 0

  /** `prefix`: the prefix of the table names. */
  constructor(sql: SqlStorage, prefix: '' | 'recorded_' | 'old_' = '', form = asItIs) {
    this.#sql = sql
    this.#form = form
    this.#tables = [`${prefix}commits_0`, `${prefix}commits_1`]
    this.#archiveTable = `${prefix}archive`
    this.#heldTable = `${prefix}held`
    this.#storedTable = `${prefix}stored`
    markFormat(sql, `${prefix}packed_version`, this.#archiveTable)
    for (const table of [...this.#tables, this.#heldTable]) this.#create(table)
    sql.exec(
      `CREATE TABLE IF NOT EXISTS ${this.#archiveTable}
       (last INTEGER PRIMARY KEY, at INTEGER NOT NULL, packed BLOB NOT NULL)`,
    )
    sql.exec(`CREATE TABLE IF NOT EXISTS ${this.#storedTable} (one INTEGER PRIMARY KEY, last INTEGER NOT NULL)`)
    const lasts = [...this.#tables, this.#archiveTable].map((table) => {
      const column = table === this.#archiveTable ? 'last' : 'id'
      return Number(sql.exec(`SELECT coalesce(max(${column}), 0) AS last FROM ${table}`).one().last)
    })
    this.#current = lasts[1]! > lasts[0]! ? this.#tables[1] : this.#tables[0]
    // All tables may be empty. A number already recorded as stored must not be used again, because its commit would not
    // be sent.
    this.#nextId = Math.max(...lasts, this.stored) + 1
  }

  /** How many rows have been written since the object was loaded. The platform bills for them. */
  get writtenRows(): number {
    return this.#writtenRows
  }

  #write(statement: string, ...bindings: (SqlStorageValue | Uint8Array)[]): void {
    this.#writtenRows += this.#sql.exec(statement, ...bindings).rowsWritten
  }

  #create(table: string): void {
    this.#write(
      `CREATE TABLE IF NOT EXISTS ${table}
       (id INTEGER PRIMARY KEY, flush TEXT NOT NULL, at INTEGER NOT NULL, packed BLOB NOT NULL, events BLOB, calls BLOB)`,
    )
  }

  /** The number that the next commit will have. */
  get nextId(): number {
    return this.#nextId
  }

  append({ flush, at, events, calls, packed }: Omit<Commit, 'id'>): void {
    const insert = `INSERT INTO ${this.#current} (id, flush, at, events, calls, packed) VALUES (?, ?, ?, ?, ?, ?)`
    const kept = (json: Uint8Array | null) => json && this.#form.kept(json)
    this.#write(insert, this.#nextId, flush, at, kept(events), kept(calls), packed)
    this.#nextId++
  }

  /** ClickHouse is known to have all commits up to and including this one; 0 if there are none. */
  get stored(): number {
    return Number(this.#sql.exec(`SELECT coalesce(max(last), 0) AS last FROM ${this.#storedTable}`).one().last)
  }

  /** The flush that the last commit belongs to; empty if there is none. */
  get lastFlush(): string {
    const all = this.#tables.map((table) => `SELECT id, flush FROM ${table}`).join(' UNION ALL ')
    const [row] = this.#sql.exec<Pick<FoundRow, 'flush'>>(`${all} ORDER BY id DESC LIMIT 1`).toArray()
    return row?.flush ?? ''
  }

  /** Records that ClickHouse has all commits up to this one. */
  noteStored(last: number): void {
    this.#write(`INSERT OR REPLACE INTO ${this.#storedTable} (one, last) VALUES (1, ?)`, last)
  }

  /** Moves these commits to the held table, where they do not block other commits. */
  hold(first: number, last: number): void {
    for (const table of this.#tables) {
      this.#write(
        `INSERT INTO ${this.#heldTable} (${commitColumns}) SELECT ${commitColumns} FROM ${table} WHERE id BETWEEN ? AND ?`,
        first,
        last,
      )
    }
    this.noteStored(last)
  }

  /** Deletes the commits of a flush that was waiting separately. `isLast`: no other flush is waiting separately. */
  dropHeld(flush: string, isLast: boolean): void {
    if (!isLast) return void this.#write(`DELETE FROM ${this.#heldTable} WHERE flush = ?`, flush)
    this.#write(`DROP TABLE ${this.#heldTable}`)
    this.#create(this.#heldTable)
  }

  /** The held commits, oldest first. */
  held(): Generator<FoundCommit> {
    return this.#found([this.#heldTable])
  }

  /** The commits that are not held, oldest first, one at a time. */
  commits(): Generator<FoundCommit> {
    return this.#found([this.#other, this.#current])
  }

  *#found(tables: readonly string[]): Generator<FoundCommit> {
    for (const table of tables) {
      for (const row of this.#sql.exec<FoundRow>(`SELECT id, flush, at, packed FROM ${table} ORDER BY id`)) {
        yield { ...row, packed: new Uint8Array(row.packed) }
      }
    }
  }

  /** The JSON of a flush's commits. */
  jsonOf(first: number, last: number): CommitJson[] {
    return this.#tables.flatMap((table) => this.#json(table, 'id BETWEEN ? AND ?', first, last))
  }

  /** The JSON of the commits of a flush that is waiting separately. */
  heldJson(flush: string): CommitJson[] {
    return this.#json(this.#heldTable, 'flush = ?', flush)
  }

  #json(table: string, where: string, ...bindings: SqlStorageValue[]): CommitJson[] {
    const bytes = (blob: ArrayBuffer | null) => blob && this.#form.json(new Uint8Array(blob))
    const select = `SELECT events, calls FROM ${table} WHERE ${where} ORDER BY id`
    const rows = this.#sql.exec<JsonRow>(select, ...bindings).toArray()
    return rows.map(({ events, calls }) => ({ events: bytes(events), calls: bytes(calls) }))
  }

  get #other(): string {
    return this.#current === this.#tables[0] ? this.#tables[1] : this.#tables[0]
  }

  #isEmpty(table: string): boolean {
    return this.#sql.exec(`SELECT 1 FROM ${table} LIMIT 1`).toArray().length === 0
  }

  /** Whether no event is waiting and none is remembered. */
  isBlank(): boolean {
    return [...this.#tables, this.#heldTable, this.#archiveTable].every((table) => this.#isEmpty(table))
  }

  /** Switches to the other table for the next commits, if it is empty. */
  turn(): void {
    if (this.#isEmpty(this.#other)) this.#current = this.#other
  }

  /** Drops the table that receives no new commits if all of its commits have an id up to `stored`. */
  dropOther(stored: number): void {
    const last = this.#sql.exec(`SELECT max(id) AS last FROM ${this.#other}`).one().last
    if (last !== null && Number(last) <= stored) this.#drop(this.#other)
  }

  /** Drops both tables. Must only be called if nothing is waiting. */
  dropAll(): void {
    for (const table of [this.#other, this.#current]) {
      if (!this.#isEmpty(table)) this.#drop(table)
    }
  }

  /** Archives what the log must remember, then drops the table. */
  #drop(table: string): void {
    this.#archive(table)
    this.#write(`DROP TABLE ${table}`)
    this.#create(table)
  }

  /** Copies what the log must remember from a table's commits to the archive. */
  #archive(table: string): void {
    let waiting: PackedRow[] = []
    let length = 0
    const write = () => {
      if (waiting.length === 0) return
      const packed = joined(waiting.map((row) => new Uint8Array(row.packed)))
      const { id, at } = waiting.at(-1)!
      this.#write(`INSERT INTO ${this.#archiveTable} (last, at, packed) VALUES (?, ?, ?)`, id, at, packed)
      waiting = []
      length = 0
    }
    const select = `SELECT id, at, packed FROM ${table} WHERE id > ? ORDER BY id LIMIT ${archivedAtOnce}`
    for (let rows = this.#sql.exec<PackedRow>(select, 0).toArray(); rows.length > 0; ) {
      for (const row of rows) {
        if (length + row.packed.byteLength > longestRow) write()
        waiting.push(row)
        length += row.packed.byteLength
      }
      rows = this.#sql.exec<PackedRow>(select, rows.at(-1)!.id).toArray()
    }
    write()
  }

  /** The packed events of the commit, and possibly of neighbouring commits. */
  packedOf(id: number): Uint8Array | undefined {
    const selects = [
      ...this.#tables.map((table) => `SELECT packed FROM ${table} WHERE id = ?`),
      `SELECT packed FROM ${this.#archiveTable} WHERE last >= ? ORDER BY last LIMIT 1`,
    ]
    for (const select of selects) {
      const [row] = this.#sql.exec<Pick<PackedRow, 'packed'>>(select, id).toArray()
      if (row) return new Uint8Array(row.packed)
    }
    return undefined
  }

  /** The archive's rows, oldest first. */
  *archive(): Generator<{ readonly last: number; readonly packed: Uint8Array }> {
    for (const row of this.#sql.exec<{ last: number; packed: ArrayBuffer }>(
      `SELECT last, packed FROM ${this.#archiveTable} ORDER BY last`,
    )) {
      yield { last: row.last, packed: new Uint8Array(row.packed) }
    }
  }

  /** Deletes archive rows written before this time. */
  forgetBefore(moment: number): void {
    this.#write(`DELETE FROM ${this.#archiveTable} WHERE at < ?`, moment)
  }
}
