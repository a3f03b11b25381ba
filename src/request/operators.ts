/** Equal to one of the listed values, or to none of them. */
export type ListOperator = 'eq' | 'neq'

/** Contains, does not contain, matches an RE2 regular expression, does not: all ignore case. */
export type TextOperator = 'c' | 'dnc' | 're' | 'nre'

/** More values than this in one comma list are refused. */
export const mostValues = 100

/** Splits at commas; `\,` is a comma inside a value, any other backslash is itself. */
export const valuesOf = (text: string): readonly string[] =>
  text.split(/(?<!\\),/).map((value) => value.replaceAll('\\,', ','))

/** The values of a comma list, or what is wrong with it. */
export function commaList(text: string, refuse: (message: string) => void): readonly string[] | undefined {
  const values = valuesOf(text)
  return values.length <= mostValues ? values : void refuse(`At most ${mostValues} values may be listed.`)
}
