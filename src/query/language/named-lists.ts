import * as z from 'zod'
import type { Slice } from '../../request/page.ts'
import { ascending, descending, limitEach, order } from './order.ts'
import { commaList, type Fragment, sql, uint8 } from './sql.ts'

/** Several lists of names in one statement. A list's number is its index. */

export const CountedName = () => z.object({ list: z.number(), name: z.string(), count: z.number() })

/** A subquery of `list` and `name`, with the names that each row of a subquery has in the lists. */
export const namesOfLists = (names: readonly Fragment[], rows: Fragment): Fragment => sql`(
  select list, name
  from ${rows}
  array join range(${uint8(names.length)}) as list, [${commaList(names)}] as name
)`

const byCount = order([ascending(sql`list`), descending(sql`count`), ascending(sql`name`)])

/** Counts these names and returns the most frequent ones in each list. */
export const countedNames = (names: Fragment, { limit }: Slice): Fragment => sql`
  select list, name, count() as count
  from ${names}
  where name != ''
  group by list, name
  ${limitEach(byCount, limit, sql`list`)}`
