import type { EntryTable } from '../../collect/insert.ts'
import type { EntryRow } from './made-rows.ts'

/**
 * How to find the rows of an entry table in the table that stores them. The times and ids of a batch limit how much is
 * read.
 */
interface Look {
  readonly table: string
  /** The column with the times, and the column with the ids. */
  readonly time: string
  readonly id: string
  /** The expression for the key of a stored row, or of its property. */
  readonly stored: string
  keys(row: EntryRow): readonly (readonly unknown[])[]
}

/** The website and the key of a stored row, joined into one text. */
export const keyOf = (websiteId: string, key: readonly unknown[]): string =>
  key.length === 1 ? `${websiteId} ${key[0]}` : JSON.stringify([websiteId, ...key])

/** The names of a call's properties. For a call without properties, a single empty name. */
function namesOf(row: EntryRow): readonly string[] {
  const names = (row['properties.key'] as readonly string[] | undefined) ?? []
  return names.length > 0 ? names : ['']
}

export const looks: Readonly<Record<EntryTable, Look>> = {
  ingest: {
    ...{ table: 'events', time: 'created_at', id: 'event_id' },
    stored: '[toString(event_id)]',
    keys: (row) => [[row.event_id]],
  },
  ingest_session_data: {
    ...{ table: 'session_data LEFT ARRAY JOIN properties.key AS name', time: 'created_at', id: 'session_id' },
    stored: '[toString(session_id), toString(created_at), distinct_id, name]',
    keys: (row) => namesOf(row).map((name) => [row.session_id, row.created_at, row.distinct_id, name]),
  },
  ingest_replay_chunks: {
    ...{ table: 'replay_chunks', time: 'created_at', id: 'visit_id' },
    stored: '[toString(visit_id), lower(hex(hash))]',
    keys: (row) => [[row.visit_id, row.hash]],
  },
  ingest_heatmap_events: {
    ...{ table: 'heatmap_events', time: 'arrived_at', id: 'visit_id' },
    stored: '[toString(visit_id), lower(hex(request)), toString(place)]',
    keys: (row) => [[row.visit_id, row.request, String(row.place)]],
  },
}

/** A row of an entry table as a line of JSON, with the values that identify its stored rows in ClickHouse. */
export interface EntryLine {
  readonly line: string
  readonly websiteId: string
  readonly time: string
  /** The keys of its stored rows. An identify call has one key for each property; other rows have one key. */
  readonly keys: readonly string[]
}

export function entryLine(table: EntryTable, row: EntryRow): EntryLine {
  const { time, keys } = looks[table]
  return {
    line: JSON.stringify(row),
    websiteId: row.website_id,
    time: String(row[time]),
    keys: keys(row).map((key) => keyOf(row.website_id, key)),
  }
}

/** The maximum number of rows and of bytes in an insert. The last rows may exceed the maximum of bytes. */
export const mostRows = 10_000
const mostBytes = 8_000_000

/** How many characters are encoded at a time, and the initial size of a list's buffer, in bytes. */
const pageLength = 65_536
const firstBytes = 1_000_000

/** Lines of JSON for one insert, after a first line that names the entry table. */
export interface Batch {
  readonly lines: number
  readonly bytes: Buffer<ArrayBuffer>
}

export const batchOf = (table: EntryTable, lines: readonly string[]): Batch => ({
  lines: lines.length,
  bytes: Buffer.from([table, ...lines].join('\n')),
})

export const linesIn = ({ lines, bytes }: Batch): readonly string[] =>
  bytes
    .toString()
    .split('\n')
    .slice(1, lines + 1)

/** The lines of a batch with their keys, and the batch's table. */
export function entryLinesOf(batch: Buffer): EntryLines {
  const [first, ...lines] = batch.toString().split('\n')
  const table = first as EntryTable
  const found = new EntryLines().begin(table)
  for (const line of lines) {
    if (line !== '') found.add({ ...entryLine(table, JSON.parse(line) as EntryRow), line })
  }
  return found
}

/**
 * Rows of an entry table as lines of JSON, for one insert. They are stored as bytes, because V8 would move strings
 * again and again while they wait. `begin` empties a list, so that its memory is reused for new rows.
 */
export class EntryLines {
  table: EntryTable = 'ingest'
  websiteIds: string[] = []
  times: string[] = []
  keys: (readonly string[])[] = []
  #bytes = Buffer.allocUnsafe(firstBytes)
  #length = 0
  /** The lines that are not encoded yet. */
  #page = ''

  begin(table: EntryTable): this {
    this.table = table
    ;[this.websiteIds, this.times, this.keys] = [[], [], []]
    ;[this.#length, this.#page] = [0, `${table}\n`]
    if (this.#bytes.length > 2 * mostBytes) this.#bytes = Buffer.allocUnsafe(firstBytes)
    return this
  }

  add({ line, websiteId, time, keys }: EntryLine): void {
    this.websiteIds.push(websiteId)
    this.times.push(time)
    this.keys.push(keys)
    this.#page += `${line}\n`
    if (this.#page.length >= pageLength) this.#encode()
  }

  get isFull(): boolean {
    return this.keys.length >= mostRows || this.#length >= mostBytes
  }

  /** The batch of all lines. It is valid until the next call of `begin`. */
  whole(): Batch {
    this.#encode()
    return { lines: this.keys.length, bytes: this.#bytes.subarray(0, this.#length) }
  }

  #encode(): void {
    const needed = this.#length + Buffer.byteLength(this.#page)
    if (needed > this.#bytes.length) {
      const more = Buffer.allocUnsafe(2 * needed)
      this.#bytes.copy(more, 0, 0, this.#length)
      this.#bytes = more
    }
    this.#length += this.#bytes.write(this.#page, this.#length)
    this.#page = ''
  }
}
