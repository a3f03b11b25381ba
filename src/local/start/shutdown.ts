import { explained } from '../told/explained.ts'
import { keepRunning, type Running } from './supervise.ts'

/** Functions that close the started processes, newest first. */
const closers: (() => Promise<void>)[] = []

const stopping = new AbortController()

/** Aborts when Weir begins to stop. */
export const stopSignal = stopping.signal

/** On shutdown, calls `close` before it closes anything older. */
export const onShutdown = (close: () => Promise<void>): void => void closers.unshift(close)

/** Restarts a process whenever it ends. On shutdown, closes the current one. Stops everything if it keeps ending. */
export function kept<One extends Running>(name: string, first: One, startAgain: () => Promise<One>): void {
  let current = first
  onShutdown(() => current.close())
  const starting = async () => {
    current = await startAgain()
    return current
  }
  keepRunning(name, first, starting, stopSignal).catch(fail)
}

async function stop(exitCode: number): Promise<never> {
  stopping.abort()
  for (const close of closers.splice(0)) await close().catch((error: unknown) => console.error(explained(error)))
  process.exit(exitCode)
}

export async function fail(error: unknown): Promise<unknown> {
  // A process that Weir itself stopped has not failed.
  if (stopSignal.aborted) return
  console.error(`\n${explained(error)}`)
  return stop(1)
}

/**
 * A second signal ends the process immediately, but only after this many milliseconds, because npm repeats each Ctrl-C.
 */
const impatience = 1000

let stoppedAt: number | undefined

function onSignal(): void {
  if (stoppedAt !== undefined && Date.now() - stoppedAt > impatience) process.exit(1)
  if (stoppedAt !== undefined) return
  stoppedAt = Date.now()
  void stop(0)
}

/**
 * On a signal, stops everything in order. Each start of Miniflare adds signal handlers that would end this process too
 * early.
 */
export function takeSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal).on(signal, onSignal)
}
