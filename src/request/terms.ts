import { type Group, group, oneOf, wholeNumber } from './query-string.ts'

/**
 * The bounds of a deadline, in milliseconds. The ClickHouse user's `max_execution_time` has the same bounds
 * (sql/access).
 */
const shortest = 100
const longest = 3_600_000

const deadlineParameter = wholeNumber(
  'The time limit in milliseconds, after which the answer is a 503. The server also has its own limit.',
  { min: shortest, max: longest },
)

/** Options for how to answer a request. They do not affect the result. */
export interface Terms {
  /** In milliseconds from the request. */
  readonly deadline?: number | undefined
  /** Whether the caller only requests the price. */
  readonly dryRun?: boolean | undefined
}

export const batchTerms: Group<Terms> = group({ deadline: deadlineParameter })

export const reportTerms: Group<Terms> = group(
  {
    deadline: deadlineParameter,
    dryRun: oneOf('1 or true: return the price (the schema Price) and run nothing.', ['true', '1', 'false', '0']),
  },
  ({ deadline, dryRun }) => ({ deadline, dryRun: dryRun === '1' || dryRun === 'true' }),
)
