import * as z from 'zod'
import { shapes } from './source.ts'
import { count, type Fragment, type Result, type Statement, select, sql, text } from './sql.ts'
import { searched } from './text.ts'
import type { Selection } from './where.ts'

/** What some events look like, and how many of them do: their name, and the names and the data types of their properties. */
export interface Shape {
  readonly eventName: string
  readonly keys: readonly string[]
  readonly types: readonly number[]
  readonly events: number
}

/** More of them than these, or longer ones (in bytes), are left to ClickHouse: here they would have no bound in memory. */
const most = 500
const longest = 1024

/**
 * Characters by which texts sort in another order than their bytes do, surrogates and what comes after them. U+FFFD is one,
 * which stands for bytes that are no UTF-8 and may be of two texts.
 */
const elsewhere = /[\ud800-\uffff]/

const ShapeRow = z.object({ text: z.string(), events: z.number() })

/** Which of the selected events count: those of exactly this name, and those that a search of events finds. */
interface Counting {
  readonly eventName?: string | undefined
  readonly search?: string | undefined
}

/**
 * An answer made of the shapes of the selected events. They are few as a rule, and ClickHouse takes longer to plan how they
 * are taken apart than `result` takes to do it; `whole`, a statement over the shapes as `parsed` and `events`, gives the same
 * rows where they are not, or where there is no `result`.
 */
export function ofShapes<Row>(
  selection: Selection,
  { eventName, search }: Counting,
  whole: (shapes: Fragment) => Statement<Row>,
  result: ((shapes: readonly Shape[]) => Result<Row>) | undefined,
): Statement<Row> {
  const named = eventName === undefined ? undefined : sql`event_name = ${text(eventName)}`
  const counted = (shown: Fragment) =>
    // No table of counts has the type of an event beside its path.
    shapes(selection, shown, search === undefined ? 'rollups' : 'plain', named, searched(search))
  const parsed = sql`JSONExtract(shape, 'Tuple(String, Array(String), Array(UInt8))') as parsed`
  const short = sql`if(length(shape) > ${count(longest)}, '', shape) as text`
  const statement = whole(sql`(${counted(parsed)})`)
  if (!result) return statement
  return {
    ...statement,
    shortcut: {
      statement: select(ShapeRow)`${counted(short)} limit ${count(most + 1)}`,
      result({ rows }: Result<z.infer<typeof ShapeRow>>) {
        const isFit = rows.length <= most && rows.every(({ text }) => text !== '' && !elsewhere.test(text))
        return isFit ? result(rows.map(takenApart)) : undefined
      },
    },
  }
}

function takenApart({ text, events }: z.infer<typeof ShapeRow>): Shape {
  const [eventName, keys, types] = JSON.parse(text) as [string, string[], number[]]
  return { eventName, keys, types, events }
}
