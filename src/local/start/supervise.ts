/** A process that runs until `close`. */
export interface Running {
  /** Resolves with the reason if it ends without `close`. */
  readonly ended: Promise<string>
  close(): Promise<void>
}

/**
 * The maximum number of restarts in a row, the wait before the first one, and the run time after which the count
 * restarts. Times are in milliseconds.
 */
const mostStarts = 5
const firstWait = 500
const steady = 60_000

/**
 * Restarts a process whenever it ends unexpectedly, with back-off, and reports each restart on stderr. Resolves when
 * `stopping` aborts. Rejects if the process fails too often in a row.
 */
export async function keepRunning<One extends Running>(
  name: string,
  first: One,
  startAgain: () => Promise<One>,
  stopping: AbortSignal,
): Promise<void> {
  let current = first
  let starts = 0
  const stopped = new Promise<undefined>((resolve) => {
    stopping.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  while (!stopping.aborted) {
    const since = Date.now()
    const how = await Promise.race([current.ended, stopped])
    if (how === undefined) return
    if (Date.now() - since >= steady) starts = 0
    const next = await again(`${name} ended unexpectedly (${how}).`)
    if (next === undefined) return
    current = next
  }

  async function again(reason: string): Promise<One | undefined> {
    await current.close().catch(() => {})
    for (let why = reason; starts < mostStarts; ) {
      const wait = firstWait * 2 ** starts++
      await Promise.race([new Promise((waited) => setTimeout(waited, wait)), stopped])
      if (stopping.aborted) return undefined
      console.error(`${why} Restarting it.`)
      try {
        const next = await startAgain()
        console.error(`${name} is running again.`)
        return next
      } catch (error) {
        why = `${name} did not start: ${error instanceof Error ? error.message : error}`
      }
    }
    throw new Error(`${reason} It was restarted ${mostStarts} times and does not keep running.`)
  }
}
