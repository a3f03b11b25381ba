import * as z from 'zod'
import type { Slice } from '../../request/page.ts'
import { ascending, descending, limitEach, order } from './order.ts'
import { type Fragment, sql, uint8 } from './sql.ts'

/** Several lists of names in one statement. A list's number is its index. */

export const CountedName = () => z.object({ list: z.number(), name: z.string(), count: z.number() })

const byCount = order([ascending(sql`list`), descending(sql`count`), ascending(sql`name`)])

/**
 * Counts the names in `lists` lists, and keeps the most frequent ones of each list. `names` is an expression over a row
 * of `from …`: an array with the row's name in each list.
 */
export const countedNames = (names: Fragment, lists: number, from: Fragment, { limit }: Slice): Fragment => sql`
  select list, name, count() as count
  ${from}
  array join range(${uint8(lists)}) as list, ${names} as name
  where name != ''
  group by list, name
  ${limitEach(byCount, limit, sql`list`)}`
