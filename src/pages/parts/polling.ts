import { WeirError } from '@weir/client'

/** The server refused for a reason that asking again does not change: no right, or nothing there. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof WeirError && (error.status === 401 || error.status === 403 || error.status === 404)

interface Polling {
  /** Asks once, or listens until the connection ends. Whether that was enough. */
  readonly ask: (signal: AbortSignal) => Promise<boolean>
  /** Milliseconds between two tries. After faults they grow, up to a minute. */
  readonly pause: number
  /** Is called once with a refusal. Then polling ends. */
  readonly refused?: (error: unknown) => void
}

const longest = 60_000

/** Asks again and again, while somebody looks at the page. Returns the function that ends it. */
export function poll({ ask, pause, refused }: Polling): () => void {
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
        if (own.signal.aborted || !isRefusal(error)) return false
        refused?.(error)
        return true
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
