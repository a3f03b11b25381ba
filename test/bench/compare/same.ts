/** A row of an answer. Its strings identify it, and its numbers are its figures. */
export type Row = Readonly<Record<string, string | number>>

/** How far an estimate may be from the exact number, as a fraction of that number. */
const tolerance = 0.03

/** Lists are truncated after this many rows. With estimates, the last rows may differ. */
const longest = 500

/**
 * The first difference between exact rows and rows with estimated figures, or undefined if there is none. Rows with
 * estimates are paired by their strings, or by position if they have no strings. Rows without estimates must be in the
 * same order.
 */
export function differenceOf(
  exact: readonly Row[],
  other: readonly Row[],
  estimates: ReadonlySet<string>,
): string | undefined {
  if (exact.length !== other.length) return `${exact.length} rows and ${other.length} rows`
  const estimated = Object.keys(exact[0] ?? {}).filter((name) => estimates.has(name))
  // The other rows may have additional strings.
  const texts = new Set(exact.flatMap((row) => Object.keys(row).filter((name) => typeof row[name] === 'string')))
  const nameOf = (row: Row, place: number) => {
    const own = Object.entries(row).filter(([name]) => texts.has(name))
    return JSON.stringify(own.length === 0 ? place : own.sort())
  }
  const byName = new Map(other.map((row, place) => [nameOf(row, place), row]))
  const pairOf = (row: Row, place: number) => (estimated.length > 0 ? byName.get(nameOf(row, place)) : other[place])
  const differs = (row: Row, place: number): boolean => {
    const pair = pairOf(row, place)
    return pair ? !isSame(row, pair, estimated) : !(exact.length === longest && isLast(row, other, estimated))
  }
  const place = exact.findIndex(differs)
  if (place < 0) return undefined
  return `${JSON.stringify(exact[place])} and ${JSON.stringify(pairOf(exact[place]!, place))}`
}

const isSame = (exact: Row, other: Row, estimated: readonly string[]): boolean =>
  Object.entries(exact).every(([name, value]) =>
    estimated.includes(name) ? isNear(Number(value), Number(other[name])) : other[name] === value,
  )

const isNear = (exact: number, estimate: number): boolean => Math.abs(estimate - exact) <= tolerance * exact

/**
 * Whether a row may be missing from a list that is sorted by an estimate, because its figure is hardly greater than the
 * last one there.
 */
const isLast = (row: Row, others: readonly Row[], estimated: readonly string[]): boolean =>
  estimated.some((name) => {
    const least = Math.min(...others.map((other) => Number(other[name])))
    return Number(row[name]) * (1 - tolerance) <= least
  })
