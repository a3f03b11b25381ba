/** The longest answer, in characters of its JSON. */
const longestAnswer = 25_000

/** Leaves room for the hint. */
const roomForLists = longestAnswer - 1000

type Container = unknown[] | Record<string, unknown>

interface Cut {
  /** What was counted. */
  readonly of: 'rows' | 'characters'
  readonly kept: number
  readonly all: number
}

const jsonLength = (value: unknown): number => JSON.stringify(value)?.length ?? 0

/** An object of more keys than this is a list of names and values. */
const mostFields = 30

/**
 * Cuts the largest lists of an answer until it is short enough, and says what it cut and what to ask for instead. The
 * first rows stay. The hint names fields of the tool only: keys below them may be the words of strangers.
 */
export function fitted(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (jsonLength(answer) <= longestAnswer) return answer
  const rest: Record<string, unknown> = structuredClone(answer)
  const cuts = new Map<string, Cut>()
  for (let excess = jsonLength(rest) - roomForLists; excess > 0; excess = jsonLength(rest) - roomForLists) {
    const name = largestOf(rest)!
    const cut = cutWithin(rest, name, excess)
    if (!cut) break
    const place = `${cut.of} in ${name}`
    cuts.set(place, { ...cut, all: cuts.get(place)?.all ?? cut.all })
  }
  const said = [...cuts].map(([place, { kept, all }]) => `the first ${kept} of ${all} ${place}`).join(', ')
  return {
    ...rest,
    ...('hasMore' in rest && { hasMore: true }),
    truncated: true,
    hint: `Too long, so this shows only ${said}. For the rest: a smaller pageSize or limit with page or offset, a coarser unit, a shorter range, or filters.`,
  }
}

function largestOf(container: Container): string | undefined {
  const [first] = Object.entries(container)
    .map(([key, value]) => ({ key, size: jsonLength(value) }))
    .sort((one, other) => other.size - one.size)
  return first?.key
}

/** Cuts the value of a key, or the largest list or text in it, by about `excess` characters; one row stays. */
function cutWithin(container: Container, key: string, excess: number): Cut | undefined {
  const value = (container as Record<string, unknown>)[key]
  if (typeof value === 'string' && value.length > 1) {
    const kept = Math.max(1, value.length - excess - 1)
    ;(container as Record<string, unknown>)[key] = `${value.slice(0, kept).toWellFormed()}…`
    return { of: 'characters', kept, all: value.length }
  }
  if (typeof value !== 'object' || value === null) return undefined
  const keys = Object.keys(value)
  if (keys.length > (Array.isArray(value) ? 1 : mostFields)) {
    const size = jsonLength(value)
    const share = Math.max(0, size - excess) / size
    const kept = Math.max(1, Math.min(keys.length - 1, Math.floor(keys.length * share)))
    if (Array.isArray(value)) value.length = kept
    else for (const dropped of keys.slice(kept)) delete (value as Record<string, unknown>)[dropped]
    return { of: 'rows', kept, all: keys.length }
  }
  const largest = largestOf(value as Container)
  return largest === undefined ? undefined : cutWithin(value as Container, largest, excess)
}
