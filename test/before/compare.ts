import { type Answer, shortened } from './ask.ts'
import type { Difference } from './differences.ts'

/** What no entry explains of the answers, in words; and the entries that explain nothing. */
export interface Comparison {
  readonly unexplained: readonly string[]
  readonly useless: readonly string[]
}

const nameOf = ({ phase, method, path, caller, sent }: Answer): string =>
  `${phase}: ${method} ${shortened(path)} as ${caller} ${shortened(sent)}`

/** The parts of an answer, by name; bodies as they are. */
const partsOf = ({ status, headers, body }: Answer): Record<string, string> => ({
  status: String(status),
  ...headers,
  body,
})

export function compared(
  before: readonly Answer[],
  now: readonly Answer[],
  differences: readonly Difference[],
): Comparison {
  const unexplained: string[] = []
  const used = new Set<Difference>()
  const [old, young] = [byName(before), byName(now)]
  for (const [name, answer] of young) {
    const was = old.get(name)
    const allowed = differences.filter(({ answers }) => answers(answer))
    if (!was) unexplained.push(...(allowedAll(allowed, used) ? [] : [`${name}\n  was not asked before`]))
    else unexplained.push(...unlike(was, answer, allowed, used).map((text) => `${name}\n  ${text}`))
  }
  for (const [name, answer] of old) {
    const allowed = differences.filter(({ answers }) => answers(answer))
    if (!young.has(name) && !allowedAll(allowed, used)) unexplained.push(`${name}\n  is not there any more`)
  }
  return { unexplained, useless: differences.filter((one) => !used.has(one)).map(({ point }) => point) }
}

/** Equal requests are told apart by their number. */
function byName(answers: readonly Answer[]): Map<string, Answer> {
  const named = new Map<string, Answer>()
  const counts = new Map<string, number>()
  for (const answer of answers) {
    const name = nameOf(answer)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    named.set(count === 1 ? name : `${name} (${count})`, answer)
  }
  return named
}

/** An answer that comes or goes, such as that of a further page, is explained where its body may differ in any way. */
function allowedAll(allowed: readonly Difference[], used: Set<Difference>): boolean {
  const [first] = allowed.filter(({ parts, undo }) => parts.includes('body') && !undo)
  if (first) used.add(first)
  return first !== undefined
}

function unlike(was: Answer, is: Answer, allowed: readonly Difference[], used: Set<Difference>): string[] {
  const [before, now] = [partsOf(was), partsOf(is)]
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  return names.flatMap((part) => {
    const short = (text: string): string => (part === 'body' ? shortened(text) : text)
    const [old = '(none)', young = '(none)'] = [before[part], now[part]]
    if (short(young) === old) return []
    let text = young
    for (const one of allowed.filter(({ parts }) => parts.includes(part))) {
      const undone = one.undo ? one.undo(text) : undefined
      if (undone !== text) used.add(one)
      if (undone === undefined) return []
      text = undone
    }
    return short(text) === old ? [] : [`${part}: ${around(old, short(text))}`]
  })
}

/** Both texts from a little before the first place where they differ. */
function around(old: string, young: string): string {
  let place = 0
  while (place < old.length && old[place] === young[place]) place++
  const shown = (text: string): string => JSON.stringify(text.slice(Math.max(0, place - 60), place + 140))
  return `${shown(old)}\n    is now ${shown(young)}`
}
