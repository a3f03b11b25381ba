import { fieldOf, filters } from './filters.ts'
import { misspeltOperator } from './operators.ts'
import { query } from './query-string.ts'

const locked = query(filters({ shorthand: 'properties' }))

/** Parses a share's filters, written as in `filters={…}`. Returns the filters or the issues with them. */
export const readLocked = (given: object) => locked.schema.safeParse({ filters: JSON.stringify(given) })

/**
 * Parses stored filters. A misspelt operator, saved before Weir refused such operators, is treated as part of the plain
 * text to compare with.
 */
export const readStoredLocked = (stored: object) =>
  readLocked(
    Object.fromEntries(
      Object.entries(stored).map(([name, value]) => [name, fieldOf(name) === undefined ? value : literal(value)]),
    ),
  )

function literal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(literal)
  return typeof value === 'string' && misspeltOperator(value) !== undefined ? `eq.${value}` : value
}
