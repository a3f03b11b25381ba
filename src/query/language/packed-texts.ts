import { alias, commaList, type Fragment, sql, uint8, uint32 } from './sql.ts'

/** Packs several strings into one, which is cheaper than a tuple: first all lengths, then all strings. */

/** Packs the texts. */
export function packedTexts(texts: readonly Fragment[]): Fragment {
  const names = texts.map((_, index) => alias(`text${index}`))
  const lengths = texts.map(
    (text, index) => sql`reinterpretAsFixedString(toUInt32(length(${text} as ${names[index]!})))`,
  )
  return sql`concat(${commaList([...lengths, ...names])})`
}

/** Unpacks `count` strings into an array. If there are many, planning this is faster than planning `textsIn`. */
export function arrayOfTexts(packed: Fragment, count: number): Fragment {
  const length = sql`reinterpretAsUInt32(substring(${packed}, 4 * place + 1, 4))`
  const lengths = sql`arrayMap(place -> ${length}, range(${uint8(count)})) as sizes`
  const start = sql`${uint32(4 * count + 1)} + end - size`
  return sql`arrayMap((size, end) -> substring(${packed}, ${start}, size), ${lengths}, arrayCumSum(sizes))`
}

/** Unpacks `count` strings within one select: the start of each is an alias, which the next one reads. */
export function textsIn(packed: Fragment, count: number): readonly Fragment[] {
  const [start, size] = [(index: number) => alias(`start${index}`), (index: number) => alias(`size${index}`)]
  return Array.from({ length: count }, (_, index) => {
    const from = index === 0 ? sql`${uint32(4 * count + 1)}` : sql`${start(index - 1)} + ${size(index - 1)}`
    const length = sql`reinterpretAsUInt32(substring(${packed}, ${uint32(4 * index + 1)}, 4))`
    return sql`substring(${packed}, ${from} as ${start(index)}, ${length} as ${size(index)})`
  })
}
