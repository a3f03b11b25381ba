import { type Group, group, oneOf, wholeNumber } from './query-string.ts'

/**
 * Bounds for a deadline, in milliseconds. The ClickHouse user's `max_execution_time` has the same bounds (sql/access).
 */
const shortest = 100
const longest = 3_600_000

const deadlineParameter = wholeNumber(
  'The time limit in milliseconds; after it, the answer is a 503. The server has a limit of its own.',
  { min: shortest, max: longest },
)

/** How to answer a request. This does not affect the result. */
export interface Terms {
  /** In milliseconds after the request. */
  readonly deadline?: number | undefined
  /** Whether the caller requests only the price. */
  readonly dryRun?: boolean | undefined
}

export const batchTerms: Group<Terms> = group({ deadline: deadlineParameter })

export const reportTerms: Group<Terms> = group(
  {
    deadline: deadlineParameter,
    dryRun: oneOf('1 or true: answer with the price (the schema Price) and run nothing.', ['true', '1', 'false', '0']),
  },
  ({ deadline, dryRun }) => ({ deadline, dryRun: dryRun === '1' || dryRun === 'true' }),
)
