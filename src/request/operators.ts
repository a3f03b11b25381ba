import type { Refuse } from './query-string.ts'

/** Equal to one of the values, or to none of them. */
export type ListOperator = 'eq' | 'neq'

/** Contains, does not contain, matches an RE2 regular expression, does not match. All ignore case. */
export type TextOperator = 'c' | 'dnc' | 're' | 'nre'

/** The most values of one comma-separated list. */
export const maxValues = 100

/** Splits at commas. `\,` is a comma inside a value; any other backslash is literal. */
export const splitCommaList = (text: string): readonly string[] =>
  text.split(/(?<!\\),/).map((value) => value.replaceAll('\\,', ','))

/** Reads the values of a comma-separated list, or refuses it. */
export function parseCommaList(text: string, refuse: Refuse): readonly string[] | undefined {
  const values = splitCommaList(text)
  return values.length <= maxValues ? values : void refuse(`At most ${maxValues} values may be listed.`)
}
