import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type CityResponse, Reader } from 'mmdb-lib'
import { setNewest } from '../../newest.ts'
import { Misuse } from '../told/misuse.ts'

/**
 * A place in the form of Cloudflare's `request.cf`: a two-letter code, the end of an ISO 3166-2 code, and an English
 * name.
 */
export interface Place {
  readonly country?: string
  readonly regionCode?: string
  readonly city?: string
}

/** The maximum number of addresses whose places are remembered. The least recently used one is dropped first. */
const mostRemembered = 10_000

/**
 * Opens a place database in MaxMind's format, such as those of MaxMind and DB-IP. It stays in memory. Returns a
 * function that finds the place of an address. Throws a `Misuse` for any other file.
 */
export function openPlaces(file: string): (address: string) => Place {
  const reader = readerOf(file)
  const remembered = new Map<string, Place>()
  // If a file has only IPv4 addresses, an IPv6 address would match by its first bits.
  const isIn = (address: string) => isIP(address) === 4 || (isIP(address) === 6 && reader.metadata.ipVersion === 6)
  return (address) => {
    const place = remembered.get(address) ?? placeOf(isIn(address) ? reader.get(address) : null)
    setNewest(remembered, address, place, mostRemembered)
    return place
  }
}

function readerOf(file: string): Reader<CityResponse> {
  const bytes = readFileSync(file)
  try {
    return new Reader<CityResponse>(bytes)
  } catch (error) {
    throw new Misuse(
      `PLACES_FILE: ${file} is not a place database in MaxMind's format (.mmdb): ${(error as Error).message}`,
    )
  }
}

/**
 * The place in an entry. Country files lack regions and cities. Free files contain the names of regions, but not their
 * codes.
 */
function placeOf(entry: CityResponse | null): Place {
  const { country, subdivisions, city } = entry ?? {}
  if (!country) return {}
  const regionCode = subdivisions?.[0]?.iso_code
  return {
    country: country.iso_code,
    ...(regionCode && { regionCode }),
    ...(city && { city: city.names.en }),
  }
}
