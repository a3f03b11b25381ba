import { lease, renewal } from '../clickhouse/lease.ts'
import { ApiError } from '../errors.ts'

/** How many answers of a kind may run at the same time in an isolate. */
interface PlaceLimits {
  /** Of one account. */
  readonly ofAccount: number
  /** Of all shares and public websites together, because anybody may be a reader. */
  readonly ofOpenings: number
  /** The name of the answers, for messages. */
  readonly kind: string
}

interface Place {
  readonly account: string
  /** Whether the reader comes through a share or a public website. */
  readonly isOpen: boolean
  /** Milliseconds since 1970. */
  until: number
}

/**
 * Takes a place for the account and returns the function that frees it; 429 if all places are taken. `time` returns
 * milliseconds since 1970.
 */
type TakePlace = (account: string, isOpen: boolean, time: () => number) => () => void

export function places({ ofAccount, ofOpenings, kind }: PlaceLimits): TakePlace {
  const taken = new Set<Place>()
  return (account, isOpen, time) => {
    const now = time()
    for (const place of taken) if (place.until <= now) taken.delete(place)
    let [its, open] = [0, 0]
    for (const place of taken) {
      if (place.account === account) its++
      if (place.isOpen) open++
    }
    if (its >= ofAccount || (isOpen && open >= ofOpenings)) {
      const message = `${its >= ofAccount ? ofAccount : 'Too many'} ${kind} are already running. Read one to its end, or wait as many seconds as Retry-After says.`
      throw new ApiError('too-many-requests', message, { headers: { 'Retry-After': String(lease / 1000) } })
    }
    const place = { account, isOpen, until: now + lease }
    taken.add(place)
    const renewing = setInterval(() => {
      place.until = time() + lease
      taken.add(place)
    }, renewal)
    return () => {
      clearInterval(renewing)
      taken.delete(place)
    }
  }
}
