import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type EntryTable, insertRows, RefusedRows } from '../../collect/insert.ts'
import type { EntryRow, Refused } from './made-rows.ts'
import { absent } from './present.ts'
import type { Kind } from './source.ts'
import type { Target } from './target.ts'

/** The entry table of each kind. */
const entryTables: Readonly<Record<Kind, EntryTable>> = {
  events: 'ingest',
  sessionData: 'ingest_session_data',
  replays: 'ingest_replay_chunks',
  heatmaps: 'ingest_heatmap_events',
}

/** The most rows, and characters, of an insert. */
const mostRows = 20_000
const mostCharacters = 16_000_000

/** How long a failed insert waits before the next try, in milliseconds. */
const pauses = [500, 2000, 8000]

/** What became of rows. */
interface Written {
  readonly inserted: number
  /** Rows that were there already, or came twice. */
  readonly present: number
  readonly refused: readonly Refused[]
}

/**
 * Inserts what is missing. A batch stands in a file until ClickHouse has it in every table: whoever continues after a
 * kill inserts it again, with the same token. `id` is part of the tokens, so that no other import has them.
 */
export class Writer {
  readonly #target: Target
  readonly #file: string
  readonly #id: string

  constructor(target: Target, file: string, id: string) {
    this.#target = target
    this.#file = file
    this.#id = id
  }

  /** Inserts the batch that was under way when the import before was killed. */
  async finish(): Promise<void> {
    if (!existsSync(this.#file)) return
    const text = readFileSync(this.#file, 'utf8')
    const [table = '', ...lines] = text.split('\n').filter(Boolean)
    try {
      await this.#insertLines(table as EntryTable, lines)
    } catch (error) {
      // Nothing of it is stored: the rows are read again, and refused one by one.
      if (!(error instanceof RefusedRows)) throw error
    }
    rmSync(this.#file)
  }

  async write(kind: Kind, rows: readonly EntryRow[]): Promise<Written> {
    const table = entryTables[kind]
    let [inserted, present] = [0, 0]
    const refused: Refused[] = []
    for (const batch of batchesOf(rows)) {
      const missing = await absent(this.#target.client, table, batch)
      present += batch.length - missing.length
      const failed = missing.length === 0 ? [] : await this.#insert(kind, missing)
      refused.push(...failed)
      inserted += missing.length - failed.length
    }
    return { inserted, present, refused }
  }

  /** Inserts rows. If ClickHouse refuses some, halves find out which. */
  async #insert(kind: Kind, rows: readonly EntryRow[]): Promise<readonly Refused[]> {
    const table = entryTables[kind]
    const lines = rows.map((row) => JSON.stringify(row))
    try {
      this.#note([table, ...lines].join('\n'))
      await this.#insertLines(table, lines)
      rmSync(this.#file)
      return []
    } catch (error) {
      if (!(error instanceof RefusedRows)) throw error
      rmSync(this.#file)
      if (rows.length === 1) return [{ kind, reason: `ClickHouse: ${firstLine(error.message)}`, row: rows[0]! }]
      const half = Math.ceil(rows.length / 2)
      return [...(await this.#insert(kind, rows.slice(0, half))), ...(await this.#insert(kind, rows.slice(half)))]
    }
  }

  #note(text: string): void {
    writeFileSync(`${this.#file}.new`, text, { mode: 0o600, flush: true })
    renameSync(`${this.#file}.new`, this.#file)
  }

  async #insertLines(table: EntryTable, lines: readonly string[]): Promise<void> {
    const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`)
    const token = createHash('sha256').update(`${this.#id} ${table} `).update(bytes).digest('hex')
    for (const wait of pauses) {
      try {
        return await insertRows(this.#target.server, table, bytes, token)
      } catch (error) {
        if (error instanceof RefusedRows) throw error
        await pause(wait)
      }
    }
    await insertRows(this.#target.server, table, bytes, token)
  }
}

const firstLine = (text: string): string => text.split('\n')[0]!.slice(0, 300)

/** Rows in groups that one insert can take. */
function* batchesOf(rows: readonly EntryRow[]): Generator<readonly EntryRow[]> {
  let [start, characters] = [0, 0]
  for (const [place, row] of rows.entries()) {
    const length = typeof row.events === 'string' ? row.events.length : 0
    if (place - start === mostRows || (place > start && characters + length > mostCharacters)) {
      yield rows.slice(start, place)
      ;[start, characters] = [place, 0]
    }
    characters += length
  }
  if (start < rows.length) yield rows.slice(start)
}
