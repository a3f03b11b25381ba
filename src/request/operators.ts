import type { Refuse } from './query-string.ts'

/** Equal to one of the listed values, or to none of them. */
export type ListOperator = 'eq' | 'neq'

/** Contains, does not contain, matches an RE2 regular expression, does not: all ignore case. */
export type TextOperator = 'c' | 'dnc' | 're' | 'nre'

/** More values than this in one comma list are refused. */
export const maxValues = 100

/** Splits at commas; `\,` is a comma inside a value, any other backslash is itself. */
export const splitCommaList = (text: string): readonly string[] =>
  text.split(/(?<!\\),/).map((value) => value.replaceAll('\\,', ','))

/** The values of a comma list, or what is wrong with it. */
export function parseCommaList(text: string, refuse: Refuse): readonly string[] | undefined {
  const values = splitCommaList(text)
  return values.length <= maxValues ? values : void refuse(`At most ${maxValues} values may be listed.`)
}
