import { dayLength } from '../../request/time-zone.ts'
import type { Kind, SourceRow } from './source.ts'
import { columnTime, instantOf, isUuid } from './texts.ts'

/** A row of an entry table, ready for JSON. */
export type EntryRow = Readonly<Record<string, unknown>> & { readonly website_id: string }

/** A refused row, and the reason. */
export interface Refused {
  readonly kind: Kind
  readonly reason: string
  readonly row: Readonly<Record<string, unknown>>
}

/** The result of converting rows of the source. */
export interface Made<Row = EntryRow> {
  readonly rows: readonly Row[]
  readonly refused: readonly Refused[]
}

/** Thrown if a row of the source cannot be imported. */
export class Unusable extends Error {}

/** Reads these columns as ids. Throws an `Unusable` that names an invalid one. */
export function idsIn<Name extends string>(row: SourceRow, names: readonly Name[]): Record<Name, string> {
  const ids = {} as Record<Name, string>
  for (const name of names) ids[name] = idIn(name, row[name])
  return ids
}

/** A value of the column with this name, if it is an id. Throws an `Unusable` otherwise. */
export function idIn(name: string, id: unknown): string {
  if (!isUuid(id)) throw new Unusable(id ? `${name} is not an id` : `${name} is missing`)
  return id
}

/** The earliest moment that Weir accepts for an event. */
export const earliest = Date.UTC(2000)

/** How far in the future a time may be, in milliseconds. */
const mostAhead = dayLength

/** The span of moments that Weir accepts for events. */
export const takenSpan = (now: number) => ({ from: earliest, until: now + mostAhead })

/** The time `created_at`, in the format of a column. Throws an `Unusable` if `ingest` would refuse it. */
export function timeIn(given: string | null | undefined, now: number): string {
  if (!given) throw new Unusable('created_at is missing')
  const time = columnTime(given)
  const instant = instantOf(time ?? '')
  if (time === undefined || Number.isNaN(instant)) throw new Unusable('created_at is not a valid time')
  const { from, until } = takenSpan(now)
  if (instant < from) throw new Unusable('created_at is before 2000')
  if (instant >= until) throw new Unusable('created_at is more than a day ahead')
  return time
}

/** Converts rows of the source. `named` names the columns of a row that cannot be imported. */
export function madeOrRefused<Given, Row>(
  kind: Kind,
  given: readonly Given[],
  make: (one: Given) => readonly Row[],
  named: (one: Given) => SourceRow,
): Made<Row> {
  const rows: Row[] = []
  const refused: Refused[] = []
  for (const one of given) {
    try {
      rows.push(...make(one))
    } catch (error) {
      if (!(error instanceof Unusable)) throw error
      refused.push({ kind, reason: error.message, row: named(one) })
    }
  }
  return { rows, refused }
}
