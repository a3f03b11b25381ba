/** Runs tasks a few at a time, in the order in which they were given. */
export function line(atOnce: number) {
  let running = 0
  const waiting: (() => void)[] = []
  const next = () => {
    if (running >= atOnce) return
    const begin = waiting.shift()
    if (begin) begin()
  }
  /** Runs the task when its turn comes, unless the signal has ended it before. */
  return <Value>(task: () => Promise<Value>, signal: AbortSignal): Promise<Value> =>
    new Promise((resolve, reject) => {
      const begin = () => {
        if (signal.aborted) {
          reject(signal.reason)
          return next()
        }
        running++
        task()
          .then(resolve, reject)
          .finally(() => {
            running--
            next()
          })
      }
      waiting.push(begin)
      next()
    })
}
