import { weirCommand } from '../told/weir-command.ts'

/**
 * The line that workerd writes to stderr for a message that is not HTTP. It refuses such a message before any Worker
 * runs.
 */
const malformed =
  /: failed: jsg\.TypeError: (Incoming CONNECT)|kj\/compat\/(?:http|url)\.c\+\+:\d+: failed: (?:expected [^;]*; )?([\w -]{1,60})/

/** The line that workerd writes if SQLite fails: D1 or a collection log cannot be read or written. */
const failing = /sqlite\.c\+\+:\d+: failed: [\w ]{1,40}; [^=]{1,60}= ([\w :,.-]{1,100})/

const isStack = (line: string): boolean => line.startsWith('stack:')

/** For each kind of failure, at most one line is printed within this many milliseconds. */
const quiet = 60_000

/**
 * Makes lines of workerd's stderr readable. A malformed request or an SQLite failure becomes one sentence, without a
 * stack and without the request's own text. It is printed at most once a minute; the next sentence counts the failures
 * in between. All other lines stay unchanged. `now` is the current time in milliseconds.
 */
export function runtimeWords(print: (line: string) => void, now: () => number = Date.now) {
  const told = new Map<string, { readonly until: number; times: number }>()
  let isOfKnown = false
  return (line: string): void => {
    if (isOfKnown && isStack(line)) return
    const known = sentenceOf(line)
    isOfKnown = known !== undefined
    if (known === undefined) return void print(line)
    const [kind, sentence] = known
    const before = told.get(kind)
    if (before && now() < before.until) return void before.times++
    const others = before && before.times > 0 ? ` ${before.times} more occurred since the last such line.` : ''
    print(`${sentence}${others}`)
    told.set(kind, { until: now() + quiet, times: 0 })
  }
}

/** The kind of a line, and a sentence for it; undefined for other lines. */
function sentenceOf(line: string): readonly [kind: string, sentence: string] | undefined {
  const [, connect, reason = connect] = malformed.exec(line) ?? []
  if (reason !== undefined) return ['HTTP', `A request was refused because it is not valid HTTP (${reason.trim()}).`]
  const [, fault] = failing.exec(line) ?? []
  return fault === undefined
    ? undefined
    : [fault, `SQLite failed: ${fault.trim()}. ${weirCommand} check names the file.`]
}
