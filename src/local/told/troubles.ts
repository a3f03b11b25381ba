import { setTimeout as pause } from 'node:timers/promises'
import { explained } from './explained.ts'

/** The error message of `work` on one line; undefined if `work` succeeds. */
export async function messageOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return explained(error).replaceAll(/\s*\n\s*/g, ' ')
  }
}

/** When work is repeated. Times are in milliseconds. */
interface Repetition {
  readonly every: number
  /** The wait before the first run. */
  readonly first?: number
  /** Once this aborts, no run begins, and nothing is told. */
  readonly signal?: AbortSignal
}

/**
 * Runs `work` indefinitely. `work` returns what is wrong, or undefined. `tell` receives each new trouble once, and
 * undefined when the trouble is over.
 */
export async function repeatedly(
  work: () => Promise<string | undefined>,
  { every, first = 0, signal }: Repetition,
  tell: (trouble: string | undefined) => void,
): Promise<void> {
  let known: string | undefined
  for (let wait = first; ; wait = every) {
    await pause(wait, undefined, { signal }).catch(() => {})
    if (signal?.aborted) return
    const trouble = await work()
    if (signal?.aborted) return
    if (trouble !== known) tell(trouble)
    known = trouble
  }
}
