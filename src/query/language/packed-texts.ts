import { commaList, type Fragment, sql, uint32 } from './sql.ts'

/** Packs several texts into one, which is cheaper than a tuple: first all lengths, then all texts. */

const length32 = (text: Fragment): Fragment => sql`reinterpretAsFixedString(toUInt32(length(${text})))`

/** Packs the texts. */
export const packedTexts = (texts: readonly Fragment[]): Fragment =>
  sql`concat(${commaList([...texts.map(length32), ...texts])})`

/** Unpacks `count` texts. */
export function textsIn(packed: Fragment, count: number): readonly Fragment[] {
  const places = Array.from({ length: count }, (_, index) => index)
  const lengths = places.map((index) => sql`reinterpretAsUInt32(substring(${packed}, ${uint32(4 * index + 1)}, 4))`)
  const start = (index: number): Fragment =>
    lengths.slice(0, index).reduce((sum, length) => sql`${sum} + ${length}`, sql`${uint32(4 * count + 1)}`)
  return places.map((index) => sql`substring(${packed}, ${start(index)}, ${lengths[index]!})`)
}
