import type { Page } from '../request/page.ts'
import { count, type Fragment, sql } from './sql.ts'

/** How the columns of an export are written, so that they are valid in its format. */
export interface Writing {
  /** A column of texts or ids. */
  readonly text: (column: Fragment) => Fragment
  /** Arrays and tuples. */
  readonly nested: (column: Fragment) => Fragment
}

/** The place after a row of a list that is paged by key, as `encodeCursor` writes it. Rows have to come in order. */
export const cursorAfter = ({ offset }: Page): Fragment =>
  sql`base64URLEncode(concat(
    toString(created_ms), ' ', toString(event_id), ' ', toString(rowNumberInAllBlocks() + ${count(offset + 1)})
  ))`

/** Milliseconds since 1970 as `isoSecond` writes them. */
export const isoSecondOf = (milliseconds: Fragment): Fragment =>
  sql`formatDateTime(fromUnixTimestamp64Milli(${milliseconds}, 'UTC'), '%Y-%m-%dT%H:%i:%SZ', 'UTC')`
