/**
 * The codes in Cloudflare's `request.cf.continent` except Antarctica, each with a point in the middle of the continent.
 */
const middles = {
  AF: { latitude: 2, longitude: 22 },
  AS: { latitude: 30, longitude: 95 },
  EU: { latitude: 50, longitude: 15 },
  NA: { latitude: 40, longitude: -98 },
  OC: { latitude: -27, longitude: 140 },
  SA: { latitude: -15, longitude: -58 },
} as const

type Continent = keyof typeof middles

export const continents = Object.keys(middles) as [Continent, ...Continent[]]

interface Point {
  readonly latitude: number
  readonly longitude: number
}

/** Where a replica is, or where a request entered Cloudflare's network. */
export interface Position {
  readonly continent?: Continent | undefined
  /** The airport code of Cloudflare's nearest location. */
  readonly colo?: string | undefined
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
}

/** The part of `request.cf` that says where a request entered the network. It is missing outside the platform. */
export interface RequestCf {
  readonly continent?: unknown
  readonly colo?: unknown
  readonly latitude?: unknown
  readonly longitude?: unknown
}

/** The position in `request.cf`, whose coordinates are strings. Missing and invalid values are left out. */
export function positionOf({ continent, colo, latitude, longitude }: RequestCf = {}): Position {
  const point = { latitude: Number(latitude ?? Number.NaN), longitude: Number(longitude ?? Number.NaN) }
  const known = continents.find((one) => one === continent)
  return {
    ...(known && { continent: known }),
    ...(typeof colo === 'string' && { colo }),
    ...(Number.isFinite(point.latitude) && Number.isFinite(point.longitude) && point),
  }
}

const pointOf = ({ continent, latitude, longitude }: Position): Point | undefined =>
  latitude !== undefined && longitude !== undefined ? { latitude, longitude } : continent && middles[continent]

/** The distance covered per millisecond of a round trip. Light in fibre travels 200 km per millisecond. */
const kilometresPerMillisecond = 100

/** The minimum round-trip time between two places, in milliseconds; 0 if either is unknown. */
export function roundTrip(one: Position, other: Position): number {
  if (one.colo !== undefined && one.colo === other.colo) return 0
  const [here, there] = [pointOf(one), pointOf(other)]
  return here && there ? kilometres(here, there) / kilometresPerMillisecond : 0
}

/** In kilometres. */
const earthRadius = 6371

/** The distance along the great circle, by the haversine formula. */
function kilometres(one: Point, other: Point): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const half = (angle: number): number => Math.sin(radians(angle) / 2) ** 2
  const chord =
    half(other.latitude - one.latitude) +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * half(other.longitude - one.longitude)
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(chord)))
}
