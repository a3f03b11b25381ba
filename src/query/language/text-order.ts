/** Compares texts by their code points, which is the order of their bytes in UTF-8. */
export function compareText(one: string, other: string): number {
  const [left, right] = [[...one], [...other]]
  const place = left.findIndex((character, index) => character !== right[index])
  if (place < 0) return left.length - right.length
  return right[place] === undefined ? 1 : left[place]!.codePointAt(0)! - right[place].codePointAt(0)!
}
