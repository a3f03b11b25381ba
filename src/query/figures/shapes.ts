import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { atMost } from '../language/order.ts'
import type { Selection } from '../language/scope.ts'
import { type Fragment, sql, uint64 } from '../language/sql.ts'
import { type CheaperStatement, type Result, select } from '../language/statement.ts'
import { hasEventName, matchesSearch } from '../language/text.ts'
import { eventsByShape } from './counts.ts'

/**
 * A shape that some events share (their name, and the names and data types of their properties), and the number of
 * these events.
 */
export interface Shape {
  readonly eventName: string
  readonly keys: readonly string[]
  readonly types: readonly number[]
  readonly events: number
}

/**
 * The maximum number of shapes that the Worker parses, and the maximum size of each in bytes. Beyond that, ClickHouse
 * parses them.
 */
const maxShapes = 500
const maxShapeBytes = 1024

/**
 * Characters that JavaScript and ClickHouse sort differently: surrogates and everything above them. This includes
 * U+FFFD, which replaces invalid UTF-8 and can make different strings look equal.
 */
const sortsElsewhere = /[\ud800-\uffff]/

const ShapeRow = () => z.object({ text: z.string(), events: z.number() })

/** Restricts the selected events to those with exactly this name, and to those that a search finds. */
interface ShapeSearch {
  readonly eventName?: string | undefined
  readonly search?: string | undefined
}

/** The shapes of the selected events, in two forms, which lead to the same answer. */
interface Shapes {
  /** A subquery with `parsed` (a tuple of name, keys and types) and `events`. */
  readonly rows: Fragment
  /**
   * A cheaper statement for the usual case of few shapes: ClickHouse needs more time to plan the unfolding of shapes
   * than `result` needs to unfold them. If there are many shapes, the whole statement must be used.
   */
  readonly cheaper: <Row>(result: (shapes: readonly Shape[]) => Result<Row>) => readonly CheaperStatement<Row>[]
}

export function shapesOf(selection: Selection, { eventName, search }: ShapeSearch): Shapes {
  const shapes = (selectItem: Fragment) =>
    // The search reads the event's type and path, but no table of counts has both.
    eventsByShape(
      selection,
      selectItem,
      search === undefined ? 'any table' : 'the events',
      hasEventName(eventName),
      matchesSearch(search),
    )
  const parsed = sql`JSONExtract(shape, 'Tuple(String, Array(String), Array(UInt8))') as parsed`
  const short = sql`if(length(shape) > ${uint64(maxShapeBytes)}, '', shape) as text`
  return {
    rows: sql`(${shapes(parsed)})`,
    cheaper: (result) => [
      {
        statements: [select(ShapeRow)`${shapes(short)} ${atMost(maxShapes + 1)}`],
        result([found]: readonly Result<ValueOf<typeof ShapeRow>>[]) {
          const { rows } = found!
          const isFit = rows.length <= maxShapes && rows.every(({ text }) => text !== '' && !sortsElsewhere.test(text))
          return isFit ? result(rows.map(parseShape)) : undefined
        },
      },
    ],
  }
}

function parseShape({ text, events }: ValueOf<typeof ShapeRow>): Shape {
  const [eventName, keys, types] = JSON.parse(text) as [string, string[], number[]]
  return { eventName, keys, types, events }
}
