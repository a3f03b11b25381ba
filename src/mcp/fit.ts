/** The maximum length of an answer, in characters of its JSON. */
const longestAnswer = 25_000

/** The remaining 1,000 characters are for the hint. */
const roomForLists = longestAnswer - 1000

type Fields = Record<string, unknown>

/**
 * Something that was cut: rows of a list, characters of a string, or inner rows (rows of lists within a list's rows).
 */
interface Cut {
  readonly of: 'rows' | 'inner rows' | 'characters'
  readonly kept: number
  readonly all: number
}

const jsonLength = (value: unknown): number => JSON.stringify(value)?.length ?? 0

/** An object with more keys than this is treated as a list of name and value pairs. */
const mostFields = 30

/**
 * Cuts an answer until it is short enough, and adds a hint that says what was cut and how to get the rest. It keeps the
 * same number of leading rows in each list, so that two lines of a chart end at the same step. `fields` are the
 * arguments of the tool. The hint mentions only fields of the tool, since deeper keys may come from strangers.
 */
export function fitted(answer: Readonly<Fields>, fields: readonly string[] = []): Readonly<Fields> {
  if (jsonLength(answer) <= longestAnswer) return answer
  const rest: Fields = structuredClone(answer)
  const cuts = new Map<string, Cut>()
  const report: Report = (path, cut) => {
    const place = `${cut.of} in ${path[0]}`
    cuts.set(place, { ...cut, all: cuts.get(place)?.all ?? cut.all })
  }
  while (jsonLength(rest) > roomForLists && shorten(rest, roomForLists, report)) {}
  const said = [...cuts].map(([place, { kept, all }]) => `the first ${kept} of ${all} ${place}`).join(', ')
  const rows = [...cuts.values()].filter(({ of }) => of === 'rows').map(({ kept }) => kept)
  const ways = waysToAskLess(fields, Math.max(1, ...rows))
  return {
    ...rest,
    ...('hasMore' in rest && { hasMore: true }),
    truncated: true,
    hint: `Too long, so this shows only ${said}.${ways && ` To see the rest: ${ways}.`}`,
  }
}

/** Lists which of these arguments make an answer shorter. */
function waysToAskLess(fields: readonly string[], kept: number): string {
  const has = (name: string): boolean => fields.includes(name)
  const ways = [
    has('page') && `page with pageSize ${Math.min(kept, 100)}`,
    has('offset') && `offset with limit ${kept}`,
    has('limit') && !has('offset') && 'a smaller limit',
    has('unit') && 'a coarser unit (day, week, month)',
    has('startAt') && 'a shorter range',
    has('filters') && 'filters',
    has('search') && 'search',
  ]
  return ways.filter((way) => way !== false).join(', or ')
}

type Report = (path: readonly string[], cut: Cut) => void

/**
 * Shortens one part of a value in place, so that the value has about `room` characters. Returns whether anything was
 * cut.
 */
function shorten(value: object, room: number, report: Report, path: readonly string[] = [], isInRow = false): boolean {
  const excess = jsonLength(value) - room
  const lists = Array.isArray(value) ? [] : listsIn(value as Fields, path)
  const hasCut = cutLists(lists, excess, (list, cut) => report(list, isInRow ? { ...cut, of: 'inner rows' } : cut))
  if (hasCut) return true
  // Only one row of each list is left, so now the largest part must shrink.
  const [key, part] = largestOf(value)
  if (typeof part === 'object' && part !== null) {
    const isRow = isInRow || Array.isArray(value)
    return shorten(part, jsonLength(part) - excess, report, [...path, key], isRow)
  }
  if (typeof part !== 'string' || part.length < 3) return false
  const kept = Math.max(1, part.length - excess - 1)
  ;(value as Fields)[key] = `${part.slice(0, kept).toWellFormed()}…`
  report([...path, key], { of: 'characters', kept, all: part.length })
  return true
}

function largestOf(value: object): readonly [string, unknown] {
  const sizes = Object.entries(value).map((entry) => ({ entry, size: jsonLength(entry[1]) }))
  return sizes.reduce((one, other) => (other.size > one.size ? other : one)).entry
}

/** A list, or an object used as one, with its path and the length of each row. */
interface List {
  readonly path: readonly string[]
  readonly rows: Fields | unknown[]
  readonly sizes: readonly number[]
}

/** The lists in an object and in its nested objects, except lists within rows. */
function listsIn(value: Fields, path: readonly string[]): List[] {
  return Object.entries(value).flatMap(([key, part]) => {
    if (typeof part !== 'object' || part === null) return []
    const here = [...path, key]
    const rows = part as Fields | unknown[]
    if (!Array.isArray(rows) && Object.keys(rows).length <= mostFields) return listsIn(rows, here)
    // A row of an object adds its name, a colon and a comma; a row of an array adds a comma.
    const sizeOf = ([name, row]: [string, unknown]) =>
      jsonLength(row) + 1 + (Array.isArray(rows) ? 0 : jsonLength(name) + 1)
    return [{ path: here, rows, sizes: Object.entries(rows).map(sizeOf) }]
  })
}

/**
 * Leaves the same number of rows in each list, at least one, to save `excess` characters. Returns whether any row was
 * removed.
 */
function cutLists(lists: readonly List[], excess: number, report: Report): boolean {
  let [dropped, most] = [0, Math.max(0, ...lists.map(({ sizes }) => sizes.length))]
  for (; most > 1 && dropped < excess; most--) {
    for (const { sizes } of lists) if (sizes.length >= most) dropped += sizes[most - 1]!
  }
  for (const { path, rows, sizes } of lists) {
    if (sizes.length <= most) continue
    if (Array.isArray(rows)) rows.length = most
    else for (const name of Object.keys(rows).slice(most)) delete rows[name]
    report(path, { of: 'rows', kept: most, all: sizes.length })
  }
  return dropped > 0
}
