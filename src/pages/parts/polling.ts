import { WeirError } from '@weir/client'

/** Refusals that a repeated request would get again: no right, no such object, too much data. */
const final: readonly (number | undefined)[] = [401, 403, 404, 422]

/** Whether the server's refusal is final. */
export const isRefusal = (error: unknown): boolean => error instanceof WeirError && final.includes(error.status)

interface Polling {
  /** Requests an answer once, or listens until the connection ends. Returns whether polling may end. */
  readonly ask: (signal: AbortSignal) => Promise<boolean>
  /** Milliseconds between two attempts. After failures, the pause grows up to a minute. */
  readonly pause: number
}

const longest = 60_000

/** Polls while the page is visible, until the server refuses. Returns the function that stops it. */
export function poll({ ask, pause }: Polling): () => void {
  let faults = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: AbortController | undefined
  const go = async () => {
    const own = new AbortController()
    running = own
    const isEnough = await ask(own.signal).then(
      (enough) => {
        faults = 0
        return enough
      },
      (error) => {
        faults++
        return isRefusal(error)
      },
    )
    if (own.signal.aborted) return
    if (isEnough) end()
    else timer = setTimeout(go, Math.min(longest, pause * 2 ** Math.min(faults, 10)))
  }
  const halt = () => {
    running?.abort()
    clearTimeout(timer)
  }
  const follow = () => {
    halt()
    if (!document.hidden) void go()
  }
  const end = () => {
    halt()
    document.removeEventListener('visibilitychange', follow)
  }
  document.addEventListener('visibilitychange', follow)
  follow()
  return end
}
