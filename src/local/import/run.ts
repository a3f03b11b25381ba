import type { MaskLevel } from '../../collect/masking.ts'
import { eventRow } from './event-rows.ts'
import { type Made, madeOrRefused, type Refused } from './made-rows.ts'
import { type EntryLine, entryLine } from './present.ts'
import { chunkRows, clickRows } from './recording-rows.ts'
import { callRows } from './session-rows.ts'
import type { Cursor, Kind, Section, Source, SourcePage } from './source.ts'
import { type Done, nothingDone, type State } from './state.ts'
import { entryTables, mostCharacters, type Writer } from './writer.ts'

/** The number of rows of a kind in this run, by outcome. */
export type Sums = Pick<Done, 'read' | 'inserted' | 'present' | 'refused'>

/** The parts of a running import. */
export interface Import {
  readonly source: Source
  readonly state: State
  readonly writer: Writer
  /** The most rows that are inserted at once, or a page more. */
  readonly mostRows: number
  /** How replays of a website are masked. */
  levelOf(websiteId: string): MaskLevel
  /** Called after each page. */
  read(section: string, rows: number): void
  /** The totals of this run. */
  readonly sums: Map<Kind, Sums>
}

/** Whether a section was read to its end, and has as many rows as then. */
export const isDone = ({ state }: Pick<Import, 'state'>, { name, count }: Section): boolean =>
  state.of(name).isWhole && state.of(name).read === count

/**
 * Reads a section from where it stopped. A section that has changed since is read again; stored rows are skipped. A
 * section is also read again if fewer rows came than were counted: some arrived before the current position.
 */
export async function importSection(work: Import, section: Section): Promise<void> {
  if (isDone(work, section)) return
  if (work.state.of(section.name).isWhole) work.state.forget(section.name)
  const wasBegun = work.state.of(section.name).read > 0
  await readAll(work, section)
  if (!wasBegun || work.state.of(section.name).read >= section.count) return
  work.state.forget(section.name)
  await readAll(work, section)
}

/** Rows that were read, to be written together. */
interface Gathered {
  readonly lines: EntryLine[]
  readonly refused: Refused[]
  characters: number
  read: number
  after: Cursor | undefined
}

const nothingGathered = (): Gathered => ({ lines: [], refused: [], characters: 0, read: 0, after: undefined })

/** Reads a section to its end. Gathered rows are inserted while the next pages are read. */
async function readAll(work: Import, section: Section): Promise<void> {
  const { source, state } = work
  let gathered = nothingGathered()
  let writing = Promise.resolve()
  const write = async () => {
    await writing
    writing = take(work, section, gathered)
    writing.catch(() => {})
    gathered = nothingGathered()
  }
  try {
    for await (const { records, after } of source.read(section, state.of(section.name).after)) {
      const made = madeOf(work, section.kind, records)
      const lines = made.rows.map((row) => entryLine(entryTables[section.kind], row))
      gathered.lines.push(...lines)
      gathered.refused.push(...made.refused)
      gathered.characters += lines.reduce((sum, { line }) => sum + line.length, 0)
      gathered.read += records.length
      gathered.after = after
      if (gathered.lines.length >= work.mostRows || gathered.characters >= mostCharacters) await write()
    }
    await write()
  } finally {
    await writing
  }
  state.set(section.name, { ...state.of(section.name), isWhole: true })
}

async function take(work: Import, { name, kind }: Section, gathered: Gathered): Promise<void> {
  const { state, writer, sums } = work
  const { lines, read, after } = gathered
  if (read === 0) return
  const written = await writer.write(kind, lines)
  const refused = [...gathered.refused, ...written.refused]
  const more = { ...written, read, refused: refused.length }
  state.set(name, { after, isWhole: false, ...added(state.of(name), more) }, refused)
  sums.set(kind, added(sums.get(kind) ?? nothingDone, more))
  work.read(name, read)
}

const added = (one: Sums, other: Sums): Sums => ({
  read: one.read + other.read,
  inserted: one.inserted + other.inserted,
  present: one.present + other.present,
  refused: one.refused + other.refused,
})

/** The rows of the entry table made from these rows of the source. */
function madeOf({ levelOf }: Import, kind: Kind, records: SourcePage['records']): Made {
  const now = Date.now()
  const rows = records.map(({ row }) => row)
  if (kind === 'sessionData') return callRows(rows, now)
  const each = records.map((record) =>
    madeOrRefused(kind, record.row, () => {
      if (kind === 'events') return [eventRow(record, now)]
      if (kind === 'heatmaps') return clickRows(record.row, now)
      return chunkRows(record.row, levelOf(record.row.website_id ?? ''), now)
    }),
  )
  return { rows: each.flatMap((made) => made.rows), refused: each.flatMap((made) => made.refused) }
}
