import * as fc from 'fast-check'

/**
 * Characters that cause problems with quoting, escaping, patterns and collation. It omits characters whose lower case
 * depends on the locale or has another length, and those that fold to more than two forms (İ ı ß ſ ς µ K Å).
 */
const ALPHABET = [...'aAbBzZ09éÉдД日본😀𝒳 %_,.-\'"`\\/{}[]()<>*+?^$|&=#;:~@!\0\t\n\r\u00a0\u2028\ufeff\uffee']

const HOSTILE = [
  ...['', ' ', '%', '_', 'a_b', '100%', '%41', ',', 'a,b'],
  'a\\,b',
  '\\',
  'ends with \\',
  "','",
  "O'Hara",
  "'; drop table events; --",
  ...['"quoted"', '{p0:String}', '{{p0}}', 't.co', 'c.example.com', 'eq.x', 'neq.x', 're.(', 'gt.5', '1.eq.x'],
  'null',
  '\\N',
  '0',
  '\0',
  'a\0b',
  'tab\there',
  'line\nbreak',
  'carriage\rreturn',
  ...['ÉTÉ', 'été', 'Дом', 'дом', '日本語', '😀', 'a😀b'],
  '\uffee',
  ...['𝒳', 'filters[browser]', '{"browser":"x"}'],
  'x'.repeat(600),
]

const anyText = fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 12 })

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: anyText },
)

/** Usually one of the first values in the list, sometimes another one, and rarely a hostile text. */
export function skewedText(...vocabulary: [string, ...string[]]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 9, arbitrary: skewed(...vocabulary) }, { weight: 1, arbitrary: hostileText })
}

export function skewed<Value>(...values: [Value, ...Value[]]): fc.Arbitrary<Value> {
  const favourites = values.slice(0, Math.ceil(values.length / 3))
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...favourites) },
    { weight: 1, arbitrary: fc.constantFrom(...values) },
  )
}

/** Returns true with a probability of 1 / `times`. */
export function once(times: number): fc.Arbitrary<boolean> {
  return fc.nat({ max: times - 1 }).map((drawn) => drawn === times - 1)
}
