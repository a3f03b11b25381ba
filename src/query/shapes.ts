import * as z from 'zod'
import { eventsByShape } from './counts.ts'
import { atMost } from './order.ts'
import type { Selection } from './scope.ts'
import { type CheaperStatement, type Fragment, type Result, select, sql, text, uint64 } from './sql.ts'
import { matchesSearch } from './text.ts'

/** What some events look like, and how many of them do: their name, and the names and the data types of their properties. */
export interface Shape {
  readonly eventName: string
  readonly keys: readonly string[]
  readonly types: readonly number[]
  readonly events: number
}

/** More of them than these, or longer ones (in bytes), are left to ClickHouse: here they would have no bound in memory. */
const maxShapes = 500
const maxShapeBytes = 1024

/**
 * Characters by which texts sort in another order than their bytes do, surrogates and what comes after them. U+FFFD is one,
 * which stands for bytes that are no UTF-8 and may be of two texts.
 */
const sortsElsewhere = /[\ud800-\uffff]/

const ShapeRow = z.object({ text: z.string(), events: z.number() })

/** Which of the selected events count: those of exactly this name, and those that a search of events finds. */
interface ShapeSearch {
  readonly eventName?: string | undefined
  readonly search?: string | undefined
}

/** The shapes of the selected events, in two forms that give the same answer. */
export interface Shapes {
  /** A subquery of `parsed`, a tuple of name, keys and types, and of `events`. */
  readonly rows: Fragment
  /**
   * A cheaper statement: shapes are few as a rule, and ClickHouse takes longer to plan how they are taken apart than `result` takes
   * to do it. Where they are not few the whole statement has to answer.
   */
  readonly cheaper: <Row>(result: (shapes: readonly Shape[]) => Result<Row>) => CheaperStatement<Row>
}

export function shapesOf(selection: Selection, { eventName, search }: ShapeSearch): Shapes {
  const hasName = eventName === undefined ? undefined : sql`event_name = ${text(eventName)}`
  const shapes = (selectItem: Fragment) =>
    // No table of counts has the type of an event beside its path.
    eventsByShape(
      selection,
      selectItem,
      search === undefined ? 'any table' : 'the events',
      hasName,
      matchesSearch(search),
    )
  const parsed = sql`JSONExtract(shape, 'Tuple(String, Array(String), Array(UInt8))') as parsed`
  const short = sql`if(length(shape) > ${uint64(maxShapeBytes)}, '', shape) as text`
  return {
    rows: sql`(${shapes(parsed)})`,
    cheaper: (result) => ({
      statement: select(ShapeRow)`${shapes(short)} ${atMost(maxShapes + 1)}`,
      result({ rows }: Result<z.infer<typeof ShapeRow>>) {
        const isFit = rows.length <= maxShapes && rows.every(({ text }) => text !== '' && !sortsElsewhere.test(text))
        return isFit ? result(rows.map(parseShape)) : undefined
      },
    }),
  }
}

function parseShape({ text, events }: z.infer<typeof ShapeRow>): Shape {
  const [eventName, keys, types] = JSON.parse(text) as [string, string[], number[]]
  return { eventName, keys, types, events }
}
