import type { MaskLevel } from '../../collect/masking.ts'
import { eventRow } from './event-rows.ts'
import { type Made, madeOrRefused } from './made-rows.ts'
import { chunkRows, clickRows } from './recording-rows.ts'
import { callRows } from './session-rows.ts'
import type { Kind, Section, Source, SourcePage } from './source.ts'
import { type Done, nothingDone, type State } from './state.ts'
import type { Writer } from './writer.ts'

/** What became of the rows of a kind in this run. */
export type Sums = Pick<Done, 'read' | 'inserted' | 'present' | 'refused'>

/** What an import works with. */
export interface Import {
  readonly source: Source
  readonly state: State
  readonly writer: Writer
  /** How replays of a website are masked. */
  levelOf(websiteId: string): MaskLevel
  /** Is told after each page. */
  read(section: string, rows: number): void
  /** What has been done in this run. */
  readonly sums: Map<Kind, Sums>
}

/** Whether a section was read to its end, and has as many rows as then. */
export const isDone = ({ state }: Pick<Import, 'state'>, { name, count }: Section): boolean =>
  state.of(name).isWhole && state.of(name).read === count

/**
 * Reads a section, from where it was left. One that has changed since is read again: what is stored already is left
 * out. So is one of which fewer rows came than were counted: some arrived behind the place where the reading was.
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

async function readAll(work: Import, section: Section): Promise<void> {
  const { source, state } = work
  const pages = source.read(section, state.of(section.name).after)[Symbol.asyncIterator]()
  for (let coming = pages.next(); ; ) {
    const { value, done } = await coming
    if (done) break
    // The source reads the next page while ClickHouse takes this one.
    coming = pages.next()
    coming.catch(() => {})
    await takePage(work, section, value)
  }
  state.set(section.name, { ...state.of(section.name), isWhole: true })
}

async function takePage(work: Import, { name, kind }: Section, { records, after }: SourcePage): Promise<void> {
  const { state, writer, sums } = work
  const made = madeOf(work, kind, records)
  const written = await writer.write(kind, made.rows)
  const refused = [...made.refused, ...written.refused]
  const page = { ...written, read: records.length, refused: refused.length }
  state.set(name, { after, isWhole: false, ...added(state.of(name), page) }, refused)
  sums.set(kind, added(sums.get(kind) ?? nothingDone, page))
  work.read(name, records.length)
}

const added = (one: Sums, other: Sums): Sums => ({
  read: one.read + other.read,
  inserted: one.inserted + other.inserted,
  present: one.present + other.present,
  refused: one.refused + other.refused,
})

/** The rows of the entry table that these rows of the source make. */
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
