interface Waiting {
  readonly rank: number
  readonly begin: () => void
}

/** Runs a few tasks at a time. Lower ranks come first; within a rank, tasks run in the order of the calls. */
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
  /** Runs the task when its turn comes, unless the signal aborts it first. */
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
      // Tasks that are added at the same time start in the order of their ranks.
      if (rank === 0) next()
      else queueMicrotask(next)
    })
}
