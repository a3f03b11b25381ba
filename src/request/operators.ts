import type { Refuse } from './query-string.ts'

/** `eq`: equal to one of the values. `neq`: equal to none of the values. */
export type ListOperator = 'eq' | 'neq'

/**
 * `c`: contains. `dnc`: does not contain. `re`: matches an RE2 regular expression. `nre`: does not match it. All ignore
 * case.
 */
export type TextOperator = 'c' | 'dnc' | 're' | 'nre'

/** The maximum number of values in a comma-separated list. */
export const maxValues = 100

/** Splits a text at commas. `\,` is a comma inside a value; any other backslash is literal. */
const splitCommaList = (text: string): readonly string[] =>
  text.split(/(?<!\\),/).map((value) => value.replaceAll('\\,', ','))

/** Reads the values of a comma-separated list, or refuses it. */
export function parseCommaList(text: string, refuse: Refuse): readonly string[] | undefined {
  const values = splitCommaList(text)
  return values.length <= maxValues ? values : void refuse(`At most ${maxValues} values may be listed.`)
}

/**
 * The values of a filter. Unless it contains an escaped comma, the whole text is also one of the values, because titles
 * contain commas.
 */
export function filterValues(text: string): readonly string[] {
  const values = splitCommaList(text)
  return values.length === 1 || text.includes('\\,') ? values : [...values, text]
}

/** Reads the values of a filter, or refuses them. */
export const parseFilterValues = (text: string, refuse: Refuse): readonly string[] | undefined =>
  parseCommaList(text, refuse) && filterValues(text)

/** The operators' names in other APIs. */
const otherNames: Readonly<Record<string, ListOperator | TextOperator>> = {
  ...{ equals: 'eq', is: 'eq', notEquals: 'neq', isNot: 'neq' },
  ...{ contains: 'c', doesNotContain: 'dnc', notContains: 'dnc', regex: 're', matches: 're', notRegex: 'nre' },
}

/** Why a value that begins with another API's operator is refused; undefined for any other value. */
export function misspeltOperator(value: string): string | undefined {
  const [, name = ''] = /^([a-zA-Z]{2,14})\./.exec(value) ?? []
  if (!Object.hasOwn(otherNames, name)) return undefined
  const meant = otherNames[name]!
  return `The operator is ${meant}., not ${name}.: send ${meant}.<value>. To compare with the whole text, send eq.<value>.`
}
