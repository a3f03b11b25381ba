import { textLengths } from '../../collect/payload.ts'
import { compareText } from '../../query/tables/buckets.ts'
import { type EntryRow, idsIn, type Made, madeOrRefused, timeIn } from './made-rows.ts'
import type { SourceRow } from './source.ts'
import { columnsOfProperties, type Property, propertyOf } from './source-properties.ts'
import { cutText } from './texts.ts'

/** One identify call, with the properties that have been read up to now. */
interface Call {
  readonly columns: EntryRow
  readonly properties: Map<string, Property>
}

/** If a key has several values at one time, the greatest type wins, then the greatest text, as in Weir. */
function withProperty({ columns, properties }: Call, property: Property): Call {
  const known = properties.get(property.key)
  const isGreater = !known || (property.type - known.type || compareText(property.text, known.text)) > 0
  return { columns, properties: isGreater ? properties.set(property.key, property) : properties }
}

/**
 * The rows of `ingest_session_data`. Umami has one row for each key. Rows with the same session, time and distinct id
 * become one call.
 */
export function callRows(rows: readonly SourceRow[], now: number): Made {
  const calls = new Map<string, Call>()
  const add = (row: SourceRow) => {
    const columns = {
      ...idsIn(row, ['website_id', 'session_id']),
      created_at: timeIn(row.created_at, now),
      distinct_id: cutText(row.distinct_id, textLengths.id),
    }
    const name = Object.values(columns).join(' ')
    const call = calls.get(name) ?? { columns, properties: new Map() }
    const property = propertyOf(row)
    if (property) calls.set(name, withProperty(call, property))
    return []
  }
  const { refused } = madeOrRefused('sessionData', rows, add, (row) => row)
  return {
    rows: [...calls.values()].map(({ columns, properties }) => ({
      ...columns,
      ...columnsOfProperties([...properties.values()]),
    })),
    refused,
  }
}
