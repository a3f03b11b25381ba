import { type ApiError, type Issue, invalid } from '../errors.ts'
import type { Filters } from './filters.ts'

/**
 * The 400 for a pattern that RE2 refused. `text` is ClickHouse's message. `isRestricted`: there may be locked filters.
 */
export const patternRefused = (text: string, filters: Filters, isRestricted: boolean): ApiError =>
  invalid([refusedPattern(text, filters, isRestricted)])

/** A filter's regular expression. `parameter` is the filter's name as the caller spelled it. */
interface Pattern {
  readonly parameter: string
  readonly value: string
}

/** The regular expressions in all filters and cohorts. */
export const patternsOf = ({ fields, properties, sessionProperties, cohorts }: Filters): Pattern[] =>
  [...fields, ...properties, ...sessionProperties, ...cohorts.flatMap((cohort) => cohort.fields)].flatMap((filter) =>
    filter.operator === 're' || filter.operator === 'nre' ? [filter] : [],
  )

/**
 * Finds the filter whose regular expression RE2 refused, and the reason. ClickHouse's message is `…cannot compile re2:
 * (?i)PATTERN, error: REASON. Look at…`, cut off at a NUL in the pattern. A pattern may itself contain such text, so
 * this function searches the message for the patterns that were sent, longest first.
 */
function refusedPattern(text: string, filters: Filters, isRestricted: boolean): Issue {
  const patterns = patternsOf(filters).sort((left, right) => right.value.length - left.value.length)
  for (const { parameter, value } of patterns) {
    const told = text.split(`re2: (?i)${value.split('\0')[0]}`)
    if (told.length > 1) return issue(parameter, told.slice(1).join())
  }
  // The filter may be a locked one, which callers must not see.
  return isRestricted
    ? { path: '', message: 'The filters of this share or website cannot be read.' }
    : issue(patterns[0]?.parameter ?? '', '')
}

function issue(path: string, rest: string): Issue {
  const [, reason] = /^, error: (.*?)\. Look at /s.exec(rest) ?? []
  const why = reason === undefined ? '' : `: ${reason.replaceAll('(?i)', '')}`
  return { path, message: `Not a regular expression that RE2 accepts${why}.` }
}
