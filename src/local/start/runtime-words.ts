/** What workerd writes to stderr about a message that is not HTTP: it refuses the message before any Worker runs. */
const malformed =
  /: failed: jsg\.TypeError: (Incoming CONNECT)|kj\/compat\/(?:http|url)\.c\+\+:\d+: failed: (?:expected [^;]*; )?([\w -]{1,60})/

const isStack = (line: string): boolean => line.startsWith('stack:')

/** At most one line about malformed requests appears in this many milliseconds. */
const quiet = 60_000

/**
 * Makes lines of workerd's stderr readable. A malformed request becomes one sentence without a stack and without the
 * request's own text, at most once a minute; the next sentence counts the suppressed ones. All other lines stay. `now`
 * is the current time in milliseconds.
 */
export function runtimeWords(print: (line: string) => void, now: () => number = Date.now) {
  let [until, untold, isOfMalformed] = [0, 0, false]
  return (line: string): void => {
    if (isOfMalformed && isStack(line)) return
    const [found, connect, reason = connect] = malformed.exec(line) ?? []
    isOfMalformed = found !== undefined
    if (!isOfMalformed) print(line)
    else if (now() < until) untold++
    else {
      const others = untold === 0 ? '' : ` ${untold} more came since the last such line.`
      print(`A request was refused because it is not valid HTTP (${reason!.trim()}).${others}`)
      until = now() + quiet
      untold = 0
    }
  }
}
