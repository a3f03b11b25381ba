import type { MaskLevel } from '../../collect/masking.ts'
import { type EntryLine, EntryLines, entryLine } from './entry-lines.ts'
import { eventLine, rowOfEvent } from './event-rows.ts'
import { type Made, madeOrRefused, type Refused } from './made-rows.ts'
import { chunkRows, clickRows } from './recording-rows.ts'
import { callRows } from './session-rows.ts'
import type { Cursor, FirstSessions, Kind, Section, Source, SourcePage } from './source.ts'
import type { State } from './state.ts'
import { entryTables, type Found, type Writer } from './writer.ts'

/** The outcomes for all rows of a kind in this run. */
export interface Sums {
  readonly read: number
  readonly inserted: number
  /** Rows that were already stored. */
  readonly present: number
  readonly refused: number
}

/** The parts of a running import. */
export interface Import {
  readonly source: Source
  readonly state: State
  readonly writer: Writer
  /** The maximum number of rows in one insert. A page may exceed it. */
  readonly mostRows: number
  /** How replays of a website are masked. */
  levelOf(websiteId: string): MaskLevel
  /** Called after each page. */
  read(section: string, rows: number): void
  /** The totals of this run. */
  readonly sums: Map<Kind, Sums>
}

/** Whether a section was read to its end, and still has the same number of rows. */
export const isDone = ({ state }: Pick<Import, 'state'>, { name, count }: Section): boolean =>
  state.of(name).isWhole && state.of(name).read === count

/** Reads sections, each from the position where the last run stopped. Small sections share inserts. */
export async function importSections(work: Import, sections: readonly Section[]): Promise<void> {
  const batches = new Batches(work)
  try {
    for (const section of sections) await importSection(work, section, batches)
    await batches.write()
  } finally {
    await batches.written()
  }
}

/**
 * Reads a section. Rereads a section that has changed, or whose interrupted reading returned fewer rows than were
 * counted, because some rows arrived before its current position. Rows that are already stored are left out.
 */
async function importSection({ source, state }: Import, section: Section, batches: Batches): Promise<void> {
  const read = async () => {
    const first = section.kind === 'events' ? await source.firstSessions(section) : new Map<string, string>()
    for await (const page of source.read(section, state.of(section.name).after)) await batches.add(section, page, first)
    await batches.end(section)
  }
  if (state.of(section.name).isWhole) state.forget(section.name)
  const wasBegun = state.of(section.name).read > 0
  await read()
  if (!wasBegun) return
  await batches.write()
  await batches.written()
  if (state.of(section.name).read >= section.count) return
  state.forget(section.name)
  await read()
}

/** The progress of a section once a batch is written. */
interface Step {
  readonly section: Section
  readonly refused: Refused[]
  read: number
  after: Cursor | undefined
  isWhole: boolean
}

/** The maximum number of batches that are not written yet, so that inserts go on while the source runs a statement. */
const mostWaiting = 3

/** Collects rows and writes them in batches, one after the other, while the next ones are read. */
class Batches {
  readonly #work: Import
  /** The lines of the current batch: one list per insert. */
  #lists: EntryLines[] = []
  /** Lists whose rows have been written. The next batches reuse them. */
  readonly #free: EntryLines[] = []
  #rows = 0
  #steps: Step[] = []
  /** The most recent batches. Each is written after the previous one, and fails if that one failed. */
  readonly #begun: Promise<void>[] = []

  constructor(work: Import) {
    this.#work = work
  }

  async add(section: Section, page: SourcePage, first: FirstSessions): Promise<void> {
    const made = madeOf(this.#work, section.kind, page, first)
    const { mostRows } = this.#work
    if (this.#rows + made.rows.length > mostRows) await this.write()
    const step = await this.#stepOf(section)
    for (const line of made.rows) this.#add(section.kind, line)
    step.refused.push(...made.refused)
    step.read += page.events.length + page.rows.length
    step.after = page.after
    if (this.#rows >= mostRows || this.#lists[0]?.isFull) await this.write()
  }

  #add(kind: Kind, line: EntryLine): void {
    if (this.#lists.at(-1)?.isFull ?? true)
      this.#lists.push((this.#free.pop() ?? new EntryLines()).begin(entryTables[kind]))
    this.#lists.at(-1)!.add(line)
    this.#rows++
  }

  /** Records that the section is read to its end. */
  async end(section: Section): Promise<void> {
    const step = await this.#stepOf(section)
    step.isWhole = true
  }

  /**
   * Begins to write the current batch. Waits while too many batches are pending. Stored rows are looked up during the
   * previous insert.
   */
  async write(): Promise<void> {
    const [lists, steps] = [this.#lists, this.#steps]
    ;[this.#lists, this.#rows, this.#steps] = [[], 0, []]
    const [first] = steps
    if (!first) return
    const [before, last] = [this.#begun.at(-2), this.#begun.at(-1)]
    const found = Promise.resolve(before).then(() => this.#work.writer.find(first.section.kind, lists))
    const written = Promise.all([found, last]).then(async ([rows]) => {
      await take(this.#work, rows, steps)
      this.#free.push(...lists)
    })
    written.catch(() => {})
    this.#begun.push(written)
    // Replay rows may be so long that a page needs many inserts.
    const most = lists.length > 1 ? 1 : mostWaiting
    while (this.#begun.length > most) await this.#begun.shift()
  }

  /** Resolves once all earlier batches are written. Rejects if a write failed. */
  async written(): Promise<void> {
    await this.#begun.at(-1)
  }

  /** The section's step in the current batch. A batch has rows of one kind, and a limited number of steps. */
  async #stepOf(section: Section): Promise<Step> {
    const last = this.#steps.at(-1)
    if (last?.section === section) return last
    if (last && (last.section.kind !== section.kind || this.#steps.length === mostSteps)) await this.write()
    const step: Step = { section, refused: [], read: 0, after: undefined, isWhole: false }
    this.#steps.push(step)
    return step
  }
}

/** The maximum number of sections in a batch, because the query for stored rows lists them all. */
const mostSteps = 500

async function take({ state, writer, sums, read: tell }: Import, found: Found, steps: readonly Step[]): Promise<void> {
  const { kind } = found
  const written = await writer.insert(found)
  for (const refused of written.refused) ownerOf(refused, steps).refused.push(refused)
  for (const { section, read, refused, after, isWhole } of steps) {
    const known = state.of(section.name)
    const more = { read: known.read + read, refused: known.refused + refused.length }
    state.set(section.name, { after: after ?? known.after, isWhole, ...more }, refused)
    tell(section.name, read)
  }
  const own = sums.get(kind) ?? nothingSummed
  sums.set(kind, {
    read: own.read + total(steps.map(({ read }) => read)),
    inserted: own.inserted + written.inserted,
    present: own.present + written.present,
    refused: own.refused + total(steps.map(({ refused }) => refused.length)),
  })
}

const nothingSummed: Sums = { read: 0, inserted: 0, present: 0, refused: 0 }

/** The step of a row that ClickHouse refused. */
const ownerOf = ({ row }: Refused, steps: readonly Step[]): Step =>
  steps.find(({ section }) => section.websiteIds.includes(String(row.website_id))) ?? steps[0]!

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

/** Converts rows of the source into lines for the entry table. */
function madeOf({ levelOf }: Import, kind: Kind, { events, rows }: SourcePage, first: FirstSessions): Made<EntryLine> {
  const now = Date.now()
  if (kind === 'events') return madeOrRefused(kind, events, (event) => [eventLine(event, first, now)], rowOfEvent)
  const made =
    kind === 'sessionData'
      ? callRows(rows, now)
      : madeOrRefused(
          kind,
          rows,
          (row) => (kind === 'heatmaps' ? clickRows(row, now) : chunkRows(row, levelOf(row.website_id ?? ''), now)),
          (row) => row,
        )
  return { ...made, rows: made.rows.map((row) => entryLine(entryTables[kind], row)) }
}
