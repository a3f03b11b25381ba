import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { geoCentroid, geoEqualEarth, geoPath } from 'd3-geo'
import type { Feature, FeatureCollection, Geometry } from 'geojson'
import countries from 'i18n-iso-countries'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

/** The width of the map. The coordinates of shapes are whole numbers. */
const width = 2000

const antarctica = 'AQ'

/** The countries of the map: an SVG path for each two-letter code, and one path for all land without a code. */
interface World {
  readonly width: number
  readonly height: number
  readonly countries: Readonly<Record<string, string>>
  readonly others: string
}

/** Draws the world. Countries that are too small for a shape are dots. */
export function world(): World {
  const shapes = read('countries-110m').filter(({ code }) => code !== antarctica)
  const lands = collection(shapes.map(({ shape }) => shape))
  // With a rotation of eleven degrees, the edge of the map runs through the Bering Strait.
  const projection = geoEqualEarth().rotate([-11, 0]).fitWidth(width, lands)
  const draw = geoPath(projection).digits(0)
  const height = Math.ceil(geoPath(projection).bounds(lands)[1][1])
  const large = shapes.flatMap(({ code, shape }) => (code ? [[code, draw(shape) ?? ''] as const] : []))
  const isLarge = new Set(large.map(([code]) => code))
  const small = read('countries-50m').flatMap(({ code, shape }) =>
    code && code !== antarctica && !isLarge.has(code) ? [[code, dotAt(projection(geoCentroid(shape)))] as const] : [],
  )
  return {
    ...{ width, height },
    countries: Object.fromEntries([...large, ...small].sort()),
    others: shapes.map(({ code, shape }) => (code ? '' : draw(shape))).join(''),
  }
}

type Shape = Feature<Geometry, { readonly name: string }>

function read(name: 'countries-110m' | 'countries-50m'): { code: string | undefined; shape: Shape }[] {
  const file = createRequire(import.meta.url).resolve(`world-atlas/${name}.json`)
  const topology = JSON.parse(readFileSync(file, 'utf8')) as Topology<{
    countries: GeometryCollection<{ readonly name: string }>
  }>
  return feature(topology, topology.objects.countries).features.map((shape) => ({ code: codeOf(shape), shape }))
}

/** Kosovo has no number; XK is its commonly used code. */
const codeOf = ({ id, properties }: Shape): string | undefined =>
  id === undefined ? (properties.name === 'Kosovo' ? 'XK' : undefined) : countries.numericToAlpha2(String(id))

const collection = (features: Shape[]): FeatureCollection => ({ type: 'FeatureCollection', features })

const dotAt = (place: readonly [number, number] | null): string =>
  place ? `M${Math.round(place[0]) - 5},${Math.round(place[1])}a5,5,0,1,0,10,0a5,5,0,1,0,-10,0Z` : ''
