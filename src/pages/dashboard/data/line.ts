interface Waiting {
  readonly rank: number
  readonly begin: () => void
}

/** Runs tasks a few at a time: those of a lower rank first, and within a rank in the order in which they were given. */
export function line(atOnce: number) {
  let running = 0
  const waiting: Waiting[] = []
  const next = () => {
    while (running < atOnce && waiting.length > 0) {
      const least = Math.min(...waiting.map(({ rank }) => rank))
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
        task()
          .then(resolve, reject)
          .finally(() => {
            running--
            next()
          })
      }
      waiting.push({ rank, begin })
      // Tasks that are given together begin by their rank.
      if (rank === 0) next()
      else queueMicrotask(next)
    })
}
