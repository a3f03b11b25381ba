import { type ApiError, type Issue, invalid } from '../errors.ts'
import type { Filters } from './filters.ts'

/** A pattern that RE2 refused, in ClickHouse's words, as the caller's mistake. `isRestricted`: other filters may be locked. */
export const patternRefused = (text: string, filters: Filters, isRestricted: boolean): ApiError =>
  invalid([refusedPattern(text, filters, isRestricted)])

/**
 * Which filter's regular expression RE2 refused, and why. ClickHouse says
 * `…cannot compile re2: (?i)PATTERN, error: REASON. Look at…`, up to a NUL in the pattern. A pattern may itself look like
 * such a text, so the patterns that were sent are looked for in it, the longest first.
 */
function refusedPattern(text: string, { fields, properties, cohorts }: Filters, isRestricted: boolean): Issue {
  const patterns = [...fields, ...properties, ...cohorts.flatMap((cohort) => cohort.fields)]
    .flatMap((filter) => (filter.operator === 're' || filter.operator === 'nre' ? [filter] : []))
    .sort((left, right) => right.value.length - left.value.length)
  for (const { parameter, value } of patterns) {
    const told = text.split(`re2: (?i)${value.split('\0')[0]}`)
    if (told.length > 1) return issue(parameter, told.slice(1).join())
  }
  // It may be one that a share is limited to, of which its callers are told nothing.
  return isRestricted
    ? { path: '', message: 'What this share or website is limited to cannot be read.' }
    : issue(patterns[0]?.parameter ?? '', '')
}

function issue(path: string, rest: string): Issue {
  const [, reason] = /^, error: (.*?)\. Look at /s.exec(rest) ?? []
  const why = reason === undefined ? '' : `: ${reason.replaceAll('(?i)', '')}`
  return { path, message: `Not a regular expression that RE2 accepts${why}.` }
}
