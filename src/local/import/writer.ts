import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type EntryTable, insertRows, knowsToken, RefusedRows, serverTime } from '../../collect/insert.ts'
import { writeWhole } from '../machine/private-folder.ts'
import { insertsEnded } from '../storage/check.ts'
import { type Batch, batchOf, type EntryLines, entryLinesOf, linesIn } from './entry-lines.ts'
import type { Refused } from './made-rows.ts'
import { absent } from './present.ts'
import type { Kind } from './source.ts'
import type { Target } from './target.ts'

/** The entry table of each kind. */
export const entryTables: Readonly<Record<Kind, EntryTable>> = {
  events: 'ingest',
  sessionData: 'ingest_session_data',
  replays: 'ingest_replay_chunks',
  heatmaps: 'ingest_heatmap_events',
}

/** The pauses before each retry of a failed insert, in milliseconds. */
const pauses = [500, 2000, 8000]

/** The number of rows that were looked up, and the rows that ClickHouse lacks: one batch per insert. */
export interface Found {
  readonly kind: Kind
  readonly rows: number
  readonly missing: readonly Batch[]
}

/** The number of rows by outcome. */
interface Written {
  readonly inserted: number
  /** Rows that were already stored, or that occur twice. */
  readonly present: number
  readonly refused: readonly Refused[]
}

/**
 * Inserts missing rows. Each batch stays in a file until all tables have it. Its first line names the table and
 * ClickHouse's time before the first attempt. `id` makes the tokens unique to this import.
 */
export class Writer {
  readonly #target: Target
  readonly #file: string
  readonly #id: string
  /** The keys of the rows in the most recent look-up. */
  #recent: Set<string> = new Set()

  constructor(target: Target, file: string, id: string) {
    this.#target = target
    this.#file = file
    this.#id = id
  }

  /**
   * Inserts the batch that a killed or failed import left unfinished. If ClickHouse still knows its token, the whole
   * batch is sent again, which completes it in every table. Otherwise only rows that ClickHouse lacks are sent.
   */
  async finish(): Promise<void> {
    this.#recent = new Set()
    if (!existsSync(this.#file)) return
    const { batch, since } = readBatch(this.#file)
    await insertsEnded(this.#target.client)
    const lines = entryLinesOf(batch)
    const missing = await absent(this.#target.client, lines, new Set())
    const own = lines.keys.length - missing.lines
    const isNew = missing.bytes.equals(lines.whole().bytes)
    const isWhole = isNew || (await knowsToken(this.#target.server, lines.table, { since, own }))
    try {
      if (isWhole) await this.#store(batch, since)
      else if (missing.lines > 0) await this.#store(missing.bytes)
    } catch (error) {
      // None of these rows is stored. They will be read again, and refused one by one.
      if (!(error instanceof RefusedRows)) throw error
    }
    rmSync(this.#file)
  }

  async write(kind: Kind, lists: readonly EntryLines[]): Promise<Written> {
    return this.insert(await this.find(kind, lists))
  }

  /**
   * Finds out which rows ClickHouse lacks. Rows from the previous look-up count as stored, because their insert may
   * still be running.
   */
  async find(kind: Kind, lists: readonly EntryLines[]): Promise<Found> {
    const known = this.#recent
    this.#recent = new Set(lists.flatMap(({ keys }) => keys.flat()))
    const missing: Batch[] = []
    for (const lines of lists) missing.push(await absent(this.#target.client, lines, known))
    return { kind, rows: lists.reduce((sum, { keys }) => sum + keys.length, 0), missing }
  }

  async insert({ kind, rows, missing }: Found): Promise<Written> {
    const sent = missing.reduce((sum, { lines }) => sum + lines, 0)
    const refused: Refused[] = []
    for (const batch of missing) {
      if (batch.lines > 0) refused.push(...(await this.#insert(kind, batch)))
    }
    return { inserted: sent - refused.length, present: rows - sent, refused }
  }

  /** Inserts a batch. If ClickHouse refuses some of its lines, bisection finds those lines. */
  async #insert(kind: Kind, batch: Batch): Promise<readonly Refused[]> {
    try {
      await this.#store(batch.bytes)
      rmSync(this.#file)
      return []
    } catch (error) {
      if (!(error instanceof RefusedRows)) throw error
      rmSync(this.#file)
      const lines = linesIn(batch)
      if (lines.length === 1) {
        return [{ kind, reason: `ClickHouse: ${firstLine(error.message)}`, row: JSON.parse(lines[0]!) }]
      }
      const half = Math.ceil(lines.length / 2)
      const parts = [lines.slice(0, half), lines.slice(half)].map((part) => batchOf(entryTables[kind], part))
      return [...(await this.#insert(kind, parts[0]!)), ...(await this.#insert(kind, parts[1]!))]
    }
  }

  /**
   * Writes a batch into the file and inserts it. The batch's first line names the table. The same bytes always have the
   * same token. `since` is ClickHouse's time before the first attempt, by default now.
   */
  async #store(batch: Buffer<ArrayBuffer>, since?: number): Promise<void> {
    const { server } = this.#target
    const end = batch.indexOf('\n')
    const [table, lines] = [batch.toString('utf8', 0, end) as EntryTable, batch.subarray(end + 1)]
    const begun = since ?? (await retried(() => serverTime(server)))
    writeWhole(this.#file, Buffer.concat([Buffer.from(`${table} ${begun}\n`), lines]))
    const token = createHash('sha256').update(this.#id).update(batch).digest('hex')
    await retried(() => insertRows(server, table, lines, token))
  }
}

/** The batch in a file, and ClickHouse's time before its first attempt; 0 if the file does not state it. */
function readBatch(file: string): { batch: Buffer<ArrayBuffer>; since: number } {
  const content = readFileSync(file)
  const end = content.indexOf('\n')
  const [table = '', since = '0'] = content.toString('utf8', 0, end).split(' ')
  return { batch: Buffer.concat([Buffer.from(table), content.subarray(end)]), since: Number(since) }
}

/** The result of `work`, which is repeated if it fails, unless ClickHouse refuses the rows. */
async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const wait of pauses) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof RefusedRows) throw error
      await pause(wait)
    }
  }
  return work()
}

const firstLine = (text: string): string => text.split('\n')[0]!.slice(0, 300)
