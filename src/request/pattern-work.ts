/** The amount of work that a pattern may cause RE2, estimated from its text. */
interface PatternWork {
  /**
   * The number of counted repetitions in the pattern. `{n}` and `{n,}` count as n and `{n,m}` as m, but each as at
   * least 1. Nested repetitions are multiplied; others are added. `?`, `*` and `+` do not count.
   */
  readonly repetitions: number
  /**
   * The length of the pattern after RE2 has expanded its counted repetitions. A character, an escape and each character
   * in a class count as 1; a Unicode class counts as `sizeOfUnicodeClass`.
   */
  readonly size: number
}

/** An estimate: RE2 compiles `\pL` to about 500 instructions, and a dot to ten. */
const sizeOfUnicodeClass = 50

/** Greater than any bound, but small enough that products stay finite. */
const enormous = 1e15

const none: PatternWork = { repetitions: 0, size: 0 }
const character: PatternWork = { repetitions: 0, size: 1 }

const together = (left: PatternWork, right: PatternWork): PatternWork => ({
  repetitions: Math.min(enormous, left.repetitions + right.repetitions),
  size: Math.min(enormous, left.size + right.size),
})

const repeated = ({ repetitions, size }: PatternWork, times: number): PatternWork => ({
  repetitions: Math.min(enormous, times * Math.max(1, repetitions)),
  size: Math.min(enormous, times * size),
})

/**
 * Reads a pattern once, in linear time. It parses like RE2 wherever that determines whether a brace is a repetition.
 * For a pattern that RE2 accepts, the numbers are never too low.
 */
export function workOf(pattern: string): PatternWork {
  const outer: PatternWork[] = []
  /** The group so far, without its last part, to which a repetition may still apply. */
  let group = none
  let last = none
  const add = (part: PatternWork): void => {
    group = together(group, last)
    last = part
  }
  const classEnd = classReader(pattern)
  let at = 0
  while (at < pattern.length) {
    const sign = pattern[at]!
    const flagsEnd = sign === '(' ? flagsEndAt(pattern, at) : undefined
    if (flagsEnd !== undefined) {
      // A repetition that follows the flags applies to the part before them.
      at = flagsEnd
    } else if (sign === '(') {
      add(none)
      outer.push(group)
      group = character
      at++
    } else if (sign === ')') {
      add(none)
      last = group
      group = outer.pop() ?? none
      at++
    } else if (sign === '[') {
      const end = classEnd(at)
      add({ repetitions: 0, size: end - at + (sizeOfUnicodeClass - 1) * unicodeClasses(pattern.slice(at, end)) })
      at = end
    } else if (pattern.startsWith('\\Q', at)) {
      const end = placeAfter(pattern, '\\E', at + 2)
      const quoted = pattern.slice(at + 2, end).replace(/\\E$/, '')
      if (quoted.length > 0) {
        add({ repetitions: 0, size: quoted.length - 1 })
        add(character)
      }
      at = end
    } else if (sign === '\\') {
      add({ repetitions: 0, size: isUnicodeClass(pattern, at) ? sizeOfUnicodeClass : 1 })
      at = escapeEnd(pattern, at)
    } else if (sign === '*' || sign === '+' || sign === '?') {
      // A quantifier belongs to the last part, and a repetition may follow the quantifier.
      at++
    } else {
      const repetition = sign === '{' ? repetitionAt(pattern, at) : undefined
      if (repetition) last = repeated(last, repetition.times)
      else add(character)
      at = repetition?.end ?? at + 1
    }
  }
  // RE2 refuses a pattern with unclosed groups; here they are treated as closed.
  return outer.reduce(together, together(group, last))
}

const repetitionText = /\{(\d+)(?:,(\d*))?\}/y

/** The `{n}`, `{n,}` or `{n,m}` at this index; undefined for a literal brace, as in `{,3}`. */
function repetitionAt(pattern: string, at: number): { readonly times: number; readonly end: number } | undefined {
  repetitionText.lastIndex = at
  const [whole, least, most] = repetitionText.exec(pattern) ?? []
  if (whole === undefined) return undefined
  return { times: Math.min(enormous, Math.max(1, Number(least), Number(most ?? 0))), end: at + whole.length }
}

const flags = /\(\?[a-z-]*\)/iy

/** The index after flags such as `(?i)`; undefined for a group. */
function flagsEndAt(pattern: string, at: number): number | undefined {
  flags.lastIndex = at
  return flags.test(pattern) ? flags.lastIndex : undefined
}

/** The index after the next `text`, or the end of the pattern if there is none. */
function placeAfter(pattern: string, text: string, from: number): number {
  const found = pattern.indexOf(text, from)
  return found < 0 ? pattern.length : found + text.length
}

/** The index after an escape, including the braces of `\p{Greek}` and `\x{41}`. */
function escapeEnd(pattern: string, at: number): number {
  const isNamed = /[pPx]/.test(pattern[at + 1] ?? '')
  if (isNamed && pattern[at + 2] === '{') return placeAfter(pattern, '}', at + 3)
  return Math.min(pattern.length, at + (isUnicodeClass(pattern, at) ? 3 : 2))
}

const isUnicodeClass = (pattern: string, at: number): boolean => /[pP]/.test(pattern[at + 1] ?? '')

/**
 * The number of escapes for Unicode classes. An escaped backslash before a `p` is also counted, which is one too many.
 */
const unicodeClasses = (text: string): number => text.match(/\\[pP]/g)?.length ?? 0

/**
 * Finds the ends of character classes. A leading `]` does not end a class, and neither does the `]` in `[:alpha:]`: RE2
 * searches for the next `:]`, no matter how far away, and refuses an unknown name.
 */
function classReader(pattern: string): (at: number) => number {
  let hasNames = true
  return (start) => {
    let at = start + 1
    if (pattern[at] === '^') at++
    for (let isFirst = true; at < pattern.length && (isFirst || pattern[at] !== ']'); isFirst = false) {
      const nameEnd = hasNames && pattern.startsWith('[:', at) ? pattern.indexOf(':]', at + 2) : -1
      if (nameEnd >= 0) at = nameEnd + 2
      else if (pattern[at] === '\\') at = escapeEnd(pattern, at)
      else {
        if (pattern.startsWith('[:', at)) hasNames = false
        at++
      }
    }
    return Math.min(pattern.length, at + 1)
  }
}
