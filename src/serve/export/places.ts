import { ApiError } from '../../errors.ts'

/** The most concurrent exports of one account in an isolate. */
export const maxAtOnce = 4

/**
 * The most concurrent exports of all shares and public websites, whose readers may be anybody. The local ClickHouse
 * runs eight statements at once.
 */
export const maxOpen = 6

/**
 * The lease of a place, in milliseconds. When a reader leaves, the runtime drops the request's work and with it the
 * code that would free the place. So a place expires soon, and the request renews it while it lives.
 */
const lease = 3000
const renewal = 1000

interface Place {
  readonly account: string
  /** Whether the reader comes through a share or a public website. */
  readonly isOpen: boolean
  /** Milliseconds since 1970. */
  until: number
}

const takenPlaces = new Set<Place>()

/**
 * Takes a place for an export of the account and returns the function that frees it; 429 if all places are taken.
 * `time` returns milliseconds since 1970.
 */
export function takePlace(account: string, isOpen: boolean, time: () => number): () => void {
  const now = time()
  for (const place of takenPlaces) if (place.until <= now) takenPlaces.delete(place)
  const its = [...takenPlaces].filter((place) => place.account === account)
  const open = isOpen ? [...takenPlaces].filter((place) => place.isOpen) : []
  if (its.length >= maxAtOnce || open.length >= maxOpen) {
    const message = `${its.length >= maxAtOnce ? maxAtOnce : 'Too many'} exports are under way already: read one to its end, or wait the seconds that Retry-After names.`
    throw new ApiError('too-many-requests', message, { headers: { 'Retry-After': String(lease / 1000) } })
  }
  const place = { account, isOpen, until: now + lease }
  takenPlaces.add(place)
  const renewing = setInterval(() => {
    place.until = time() + lease
    takenPlaces.add(place)
  }, renewal)
  return () => {
    clearInterval(renewing)
    takenPlaces.delete(place)
  }
}
