interface Waiting {
  readonly rank: number
  readonly begin: () => void
}

/** Milliseconds for which tasks of other ranks wait for those of rank 0: side by side, these would end later. */
const patience = 200

/** Runs tasks a few at a time: those of a lower rank first, and within a rank in the order in which they were given. */
export function line(atOnce: number) {
  let running = 0
  let firstRunning = 0
  let firstSince = 0
  const waiting: Waiting[] = []
  const next = () => {
    while (running < atOnce && waiting.length > 0) {
      const least = Math.min(...waiting.map(({ rank }) => rank))
      if (least > 0 && firstRunning > 0 && performance.now() < firstSince + patience) return
      const [first] = waiting.splice(
        waiting.findIndex(({ rank }) => rank === least),
        1,
      )
      first?.begin()
    }
  }
  /** Runs the task when its turn comes, unless the signal has ended it before. */
  return <Value>(task: () => Promise<Value>, rank: number, signal: AbortSignal): Promise<Value> =>
    new Promise((resolve, reject) => {
      const begin = () => {
        if (signal.aborted) return reject(signal.reason)
        running++
        if (rank === 0 && firstRunning++ === 0) {
          firstSince = performance.now()
          setTimeout(next, patience)
        }
        task()
          .then(resolve, reject)
          .finally(() => {
            running--
            if (rank === 0) firstRunning--
            next()
          })
      }
      waiting.push({ rank, begin })
      // Tasks that are given together begin by their rank.
      if (rank === 0) next()
      else queueMicrotask(next)
    })
}
