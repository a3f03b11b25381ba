import type { Grant } from '../access/permit.ts'
import { PatternError } from '../clickhouse/failures.ts'
import { type Issue, invalid } from '../errors.ts'
import type { Filters } from '../request/filters.ts'
import { workOf } from '../request/pattern-work.ts'
import { patternRefused, patternsOf } from '../request/patterns.ts'

/** The totals for all patterns in a request, or in all paths of a batch. */
interface PatternSum {
  readonly patterns: number
  readonly repetitions: number
  /** The number of characters by which the patterns grow when their repetitions are expanded. */
  readonly growth: number
}

/** A request's totals so far. All paths of a batch share the same totals. */
export interface PatternTally {
  sum: PatternSum
}

export const newTally = (): PatternTally => ({ sum: nothing })

const nothing: PatternSum = { patterns: 0, repetitions: 0, growth: 0 }

/** The limits on a request through a share or a public website. In a batch, they apply to all paths together. */
const ofOpenings: PatternSum & { readonly characters: number } = {
  patterns: 3,
  characters: 200,
  repetitions: 100,
  growth: 250,
}

/** The maximum number of repetitions in a request from any other caller. */
const ownRepetitions = 1000

/**
 * Throws a 400 for patterns that are too expensive for ClickHouse. Counts the patterns in the request's filters and in
 * the saved filters that it uses. Locked filters are not counted, because callers cannot change them.
 */
export function boundPatterns(filters: Filters, { kind }: Grant, tally: PatternTally): void {
  const patterns = patternsOf(filters)
  if (patterns.length === 0) return
  let sum = kind === 'opening' ? tally.sum : nothing
  const issues: Issue[] = []
  for (const { parameter, value } of patterns) {
    const { repetitions, size } = workOf(value)
    const next = {
      patterns: sum.patterns + 1,
      repetitions: sum.repetitions + repetitions,
      growth: sum.growth + Math.max(0, size - value.length),
    }
    const message = kind === 'opening' ? excessOfOpening(next, value) : excessOfOwn(next)
    if (message === undefined) sum = next
    else issues.push({ path: parameter, message })
  }
  if (issues.length > 0) throw invalid(issues)
  if (kind === 'opening') tally.sum = sum
}

/** The 400 for a pattern that RE2 refused; any other error unchanged. `isOpening`: there may be locked filters. */
export const refusalOfPattern = (error: unknown, filters: Filters, isOpening: boolean): unknown =>
  error instanceof PatternError ? patternRefused(error.text, filters, isOpening) : error

function excessOfOpening(sum: PatternSum, pattern: string): string | undefined {
  if (sum.patterns > ofOpenings.patterns)
    return `At most ${ofOpenings.patterns} patterns (re, nre) may be given${here}.`
  if (pattern.length > ofOpenings.characters) {
    return `A pattern must be at most ${ofOpenings.characters} characters long${here}.`
  }
  if (sum.repetitions > ofOpenings.repetitions) return tooManyRepetitions(ofOpenings.repetitions, here)
  if (sum.growth <= ofOpenings.growth) return undefined
  return `Written out, the repetitions may make all patterns together at most ${ofOpenings.growth} characters longer${here}; a class such as \\pL counts 50.`
}

const here = ' through shares and public websites, in all paths of a batch together'

const excessOfOwn = ({ repetitions }: PatternSum): string | undefined =>
  repetitions > ownRepetitions ? tooManyRepetitions(ownRepetitions) : undefined

const tooManyRepetitions = (most: number, where = ''): string =>
  `The repetitions of all patterns, such as {2,5}, must come to at most ${most}${where}: nested ones multiply, others add up.`
