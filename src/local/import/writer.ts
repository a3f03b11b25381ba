import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type EntryTable, insertRows, RefusedRows } from '../../collect/insert.ts'
import { writeWhole } from '../machine/private-folder.ts'
import type { Refused } from './made-rows.ts'
import { absent, type EntryLine } from './present.ts'
import type { Kind } from './source.ts'
import type { Target } from './target.ts'

/** The entry table of each kind. */
export const entryTables: Readonly<Record<Kind, EntryTable>> = {
  events: 'ingest',
  sessionData: 'ingest_session_data',
  replays: 'ingest_replay_chunks',
  heatmaps: 'ingest_heatmap_events',
}

/** The maximum number of rows in an insert, and of characters. */
export const mostRows = 10_000
export const mostCharacters = 8_000_000

/** The pauses before each retry of a failed insert, in milliseconds. */
const pauses = [500, 2000, 8000]

/** Rows that were looked up, and the lines of those that ClickHouse lacks, for one insert each. */
export interface Found {
  readonly kind: Kind
  readonly rows: number
  readonly missing: readonly (readonly string[])[]
}

/** The number of rows by outcome. */
interface Written {
  readonly inserted: number
  /** Rows that were already stored, or that occur twice. */
  readonly present: number
  readonly refused: readonly Refused[]
}

/**
 * Inserts missing rows. Each batch stays in a file until all tables have it. After a kill, the next run inserts that
 * batch again with the same token. `id` makes the tokens unique to this import.
 */
export class Writer {
  readonly #target: Target
  readonly #file: string
  readonly #id: string
  /** The keys of the rows that were looked up last. */
  #recent: Set<string> = new Set()

  constructor(target: Target, file: string, id: string) {
    this.#target = target
    this.#file = file
    this.#id = id
  }

  /** Inserts the batch that a killed import left unfinished. */
  async finish(): Promise<void> {
    if (!existsSync(this.#file)) return
    try {
      await this.#send(readFileSync(this.#file))
    } catch (error) {
      // None of the batch is stored. Its rows will be read again, and refused one by one.
      if (!(error instanceof RefusedRows)) throw error
    }
    rmSync(this.#file)
  }

  async write(kind: Kind, lines: readonly EntryLine[]): Promise<Written> {
    return this.insert(await this.find(kind, lines))
  }

  /** Finds out which rows ClickHouse lacks. The rows that were looked up before may still be on their way. */
  async find(kind: Kind, lines: readonly EntryLine[]): Promise<Found> {
    const known = this.#recent
    this.#recent = new Set(lines.flatMap(({ keys }) => keys))
    const missing: (readonly string[])[] = []
    for (const batch of batchesOf(lines)) {
      missing.push(await absent(this.#target.client, entryTables[kind], batch, known))
    }
    return { kind, rows: lines.length, missing }
  }

  async insert({ kind, rows, missing }: Found): Promise<Written> {
    const sent = missing.reduce((sum, batch) => sum + batch.length, 0)
    const refused: Refused[] = []
    for (const batch of missing) {
      if (batch.length > 0) refused.push(...(await this.#insert(kind, batch)))
    }
    return { inserted: sent - refused.length, present: rows - sent, refused }
  }

  /** Inserts lines. If ClickHouse refuses some of them, bisection finds those lines. */
  async #insert(kind: Kind, lines: readonly string[]): Promise<readonly Refused[]> {
    const batch = Buffer.from([entryTables[kind], ...lines].join('\n'))
    writeWhole(this.#file, batch)
    try {
      await this.#send(batch)
      rmSync(this.#file)
      return []
    } catch (error) {
      if (!(error instanceof RefusedRows)) throw error
      rmSync(this.#file)
      if (lines.length === 1) {
        return [{ kind, reason: `ClickHouse: ${firstLine(error.message)}`, row: JSON.parse(lines[0]!) }]
      }
      const half = Math.ceil(lines.length / 2)
      return [...(await this.#insert(kind, lines.slice(0, half))), ...(await this.#insert(kind, lines.slice(half)))]
    }
  }

  /** Inserts a batch, whose first line names the table. The same bytes always have the same token. */
  async #send(batch: Buffer<ArrayBuffer>): Promise<void> {
    const end = batch.indexOf('\n')
    const [table, lines] = [batch.toString('utf8', 0, end) as EntryTable, batch.subarray(end + 1)]
    const token = createHash('sha256').update(this.#id).update(batch).digest('hex')
    for (const wait of pauses) {
      try {
        return await insertRows(this.#target.server, table, lines, token)
      } catch (error) {
        if (error instanceof RefusedRows) throw error
        await pause(wait)
      }
    }
    await insertRows(this.#target.server, table, lines, token)
  }
}

const firstLine = (text: string): string => text.split('\n')[0]!.slice(0, 300)

/** Groups of lines, each small enough for one insert. */
function* batchesOf(lines: readonly EntryLine[]): Generator<readonly EntryLine[]> {
  let [start, characters] = [0, 0]
  for (const [place, { line }] of lines.entries()) {
    if (place - start === mostRows || (place > start && characters + line.length > mostCharacters)) {
      yield lines.slice(start, place)
      ;[start, characters] = [place, 0]
    }
    characters += line.length
  }
  if (start < lines.length) yield lines.slice(start)
}
