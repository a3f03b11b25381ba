/** The maximum length of a name that is compared with others, in UTF-16 code units. */
const longest = 30

/** The maximum number of letters that may differ. */
const mostFaults = 2

/** The text ` Did you mean browser?` for the error about an unknown name; empty if no name is similar. */
export function didYouMean(given: string, names: readonly string[]): string {
  if (given.length > longest) return ''
  const most = Math.min(mostFaults, Math.floor(given.length / 3))
  const ranked = names.map((name) => ({ name, faults: faultsIn(given.toLowerCase(), name.toLowerCase()) }))
  const nearest = ranked.sort((one, other) => one.faults - other.faults)[0]
  return nearest && nearest.faults <= most ? ` Did you mean ${nearest.name}?` : ''
}

/** How many letters were added, omitted, changed, or swapped with the next one; `Infinity` if too many. */
function faultsIn(given: string, name: string): number {
  if (Math.abs(given.length - name.length) > mostFaults) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let last = Array.from({ length: name.length + 1 }, (_, index) => index)
  for (let row = 1; row <= given.length; row++) {
    const next = [row]
    for (let column = 1; column <= name.length; column++) {
      const isSame = given[row - 1] === name[column - 1]
      const isExchanged = given[row - 1] === name[column - 2] && given[row - 2] === name[column - 1]
      next.push(
        Math.min(
          last[column]! + 1,
          next[column - 1]! + 1,
          last[column - 1]! + (isSame ? 0 : 1),
          isExchanged ? before[column - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    ;[before, last] = [last, next]
  }
  return last[name.length]!
}
