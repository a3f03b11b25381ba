import { refusal } from './errors.ts'

/** A limited number of places for concurrent requests, first come, first served. */
interface Places {
  /**
   * Waits for a place and returns the function that frees it. Throws if too many requests wait, or if `signal`
   * aborts.
   */
  take(signal: AbortSignal): Promise<() => void>
}

/** The default `max_concurrent_queries` of a ClickHouse server; waiting queries count as running. */
const mostQueries = 1000

export function openPlaces(count: number): Places {
  let free = count
  const waiting = new Set<() => void>()
  const release = () => {
    const [next] = waiting
    if (next === undefined) free++
    else next()
  }
  return {
    take(signal) {
      if (signal.aborted) return Promise.reject(cancelled())
      if (free > 0) {
        free--
        return Promise.resolve(once(release))
      }
      if (waiting.size + count >= mostQueries) return Promise.reject(tooMany())
      return new Promise((resolve, reject) => {
        const next = () => {
          forget()
          resolve(once(release))
        }
        const leave = () => {
          forget()
          reject(cancelled())
        }
        const forget = () => {
          waiting.delete(next)
          signal.removeEventListener('abort', leave)
        }
        waiting.add(next)
        signal.addEventListener('abort', leave)
      })
    },
  }
}

function once(release: () => void): () => void {
  let isReleased = false
  return () => {
    if (isReleased) return
    isReleased = true
    release()
  }
}

const cancelled = () => refusal('QUERY_WAS_CANCELLED', 'Query was cancelled')
const tooMany = () => refusal('TOO_MANY_SIMULTANEOUS_QUERIES', `Too many simultaneous queries. Maximum: ${mostQueries}`)
