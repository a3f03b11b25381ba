import { EntryLines, entryLine } from '../entry-lines.ts'
import type { EntryRow } from '../made-rows.ts'
import { inWords, Meter, number, progressLine } from '../progress.ts'
import { type Kind, kinds } from '../source.ts'
import { nothingDone, State } from '../state.ts'
import { holdState } from '../state-lock.ts'
import { type Target, targetIdentity } from '../target.ts'
import { entryTables, Writer } from '../writer.ts'
import { countsIn, type Day, entryColumns } from './tables.ts'

/** Rows of another Weir. */
export interface OwnSource {
  /** Identifies the source in its state file. */
  readonly identity: string
  readonly days: readonly Day[]
  read(day: Day): AsyncIterable<readonly EntryRow[]>
}

const nameOf = ({ kind, day }: Day): string => `${inWords[kind]} of ${day}`

/** The number of rows of a kind, in the source and here. */
interface Compared {
  readonly kind: Kind
  readonly there: number
  readonly here: number
}

/**
 * Copies all rows of a source into these tables, each once. After a kill, it continues from `stateFile`. It rereads
 * each day to which rows have been added since. At the end, if a kind has fewer rows here than in the source, it
 * rereads all days of that kind, because killing ClickHouse may lose an insert. `unknown` lists columns that these
 * tables lack; they are left out.
 */
export async function bringRows(
  source: OwnSource,
  target: Target,
  stateFile: string,
  tell: (line: string) => void,
): Promise<{ compared: readonly Compared[]; unknown: readonly string[] }> {
  const free = holdState(stateFile)
  try {
    const state = new State(stateFile, { source: source.identity, target: await targetIdentity(target.client) })
    const writer = new Writer(target, state.batchFile, state.id)
    await writer.finish()
    const columns = await entryColumns(target.client)
    const unknown = new Set<string>()
    const fitting = (kind: Kind, row: EntryRow): EntryRow => {
      const strange = Object.keys(row).filter((name) => !columns.get(kind)!.has(name))
      for (const name of strange) unknown.add(`${entryTables[kind]}.${name}`)
      if (strange.length === 0) return row
      return Object.fromEntries(Object.entries(row).filter(([name]) => !strange.includes(name))) as EntryRow
    }
    const bring = async (days: readonly Day[]) => {
      const meter = new Meter(sumOf(days), (progress) => tell(progressLine(progress)))
      for (const day of days) {
        const refused = await bringDay(source, day, writer, fitting, (rows) => meter.add(nameOf(day), rows))
        state.forget(nameOf(day))
        state.set(nameOf(day), { ...nothingDone, isWhole: true, read: day.rows, refused: refused.length }, refused)
      }
    }
    await bring(source.days.filter((day) => state.of(nameOf(day)).read !== day.rows))
    const missing = new Set((await compared(source, target)).flatMap((one) => (one.here < one.there ? [one.kind] : [])))
    await bring(source.days.filter(({ kind }) => missing.has(kind)))
    return { compared: await compared(source, target), unknown: [...unknown] }
  } finally {
    free()
  }
}

/** The result of a comparison, as a line. */
export const comparedLine = ({ kind, there, here }: Compared): string =>
  `${inWords[kind]}: ${number(there)} there, ${number(here)} here`

const sumOf = (days: readonly Day[]): number => days.reduce((sum, { rows }) => sum + rows, 0)

async function bringDay(
  source: OwnSource,
  day: Day,
  writer: Writer,
  fitting: (kind: Kind, row: EntryRow) => EntryRow,
  read: (rows: number) => void,
) {
  const refused: Awaited<ReturnType<Writer['write']>>['refused'][number][] = []
  const table = entryTables[day.kind]
  const lines = new EntryLines().begin(table)
  const write = async () => {
    const count = lines.keys.length
    if (count > 0) refused.push(...(await writer.write(day.kind, [lines])).refused)
    read(count)
    lines.begin(table)
  }
  for await (const rows of source.read(day)) {
    for (const row of rows) {
      lines.add(entryLine(table, fitting(day.kind, row)))
      if (lines.isFull) await write()
    }
  }
  await write()
  return refused
}

/** Compares the row counts of the source with those here. */
async function compared({ days }: OwnSource, { client }: Target): Promise<Compared[]> {
  const here = await countsIn(client)
  return kinds.map((kind) => ({ kind, there: sumOf(days.filter((day) => day.kind === kind)), here: here.get(kind)! }))
}
