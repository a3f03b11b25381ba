import { ApiError } from '../../errors.ts'

/** How many exports of one account may be under way in an isolate. */
export const maxAtOnce = 4

/** How many through shares and public websites together, whose readers may be anybody: the local ClickHouse runs eight statements at once. */
export const maxOpen = 6

/**
 * In milliseconds. The runtime drops all work of a request whose reader has left, and what would free its place with it:
 * so each place is let for a short time, and the request renews it for as long as it is there.
 */
const lease = 3000
const renewal = 1000

interface Place {
  readonly account: string
  /** Whether it is read through a share or a public website. */
  readonly isOpen: boolean
  /** Milliseconds since 1970. */
  until: number
}

const takenPlaces = new Set<Place>()

/**
 * Takes a place for an export of the account, and gives the function that frees it; 429 where all are taken. `time` tells
 * the milliseconds since 1970.
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
