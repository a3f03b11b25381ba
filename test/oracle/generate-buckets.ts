import * as fc from 'fast-check'
import { LENGTHS, requestedUnit, UNITS, type Unit } from './buckets.ts'
import { oneOf, type Parameters } from './generate-subject.ts'
import { ARRAY, type IngestRow, type Statistic, storedProperties } from './model.ts'
import { elementTexts, valueText } from './properties.ts'
import { requestedRange } from './selection.ts'

/** This is lower than a request's maximum number of buckets, so that tests have few rows. */
const MOST_BUCKETS = 45_000
const MOST_FILLED_ROWS = 1_000

/** Values of `unit` and `fill` that keep the answer short enough. */
export function bucketParameters(statistic: Statistic, rows: IngestRow[], asked: Parameters): fc.Arbitrary<Parameters> {
  return bucketsOfNames(namesIn(statistic, rows, new Map(asked).get('propertyName')), asked)
}

/** The same for a series with this many names. */
export function bucketsOfNames(names: number, asked: Parameters): fc.Arbitrary<Parameters> {
  const settings = new Map(asked)
  const range = requestedRange({ settings })
  const usual = requestedUnit({ settings }, range)
  const count = (unit: Unit | undefined): number => (range.end - range.start) / LENGTHS[unit ?? usual] + 2
  const units = [undefined, ...UNITS]
  return fc.constantFrom(undefined, 'false', 'true', 'true').chain((fill) => {
    const most = fill === 'true' ? MOST_FILLED_ROWS / names : MOST_BUCKETS
    const fitting = units.filter((unit) => count(unit) <= most)
    return oneOf(fitting).map((unit): Parameters => {
      const isFilled = fill !== undefined && fitting.length > 0
      return [
        ...(unit ? [['unit', unit] satisfies [string, string]] : []),
        ...(isFilled ? [['fill', fill] satisfies [string, string]] : []),
      ]
    })
  })
}

/** The maximum number of names in a series. */
function namesIn(statistic: Statistic, rows: IngestRow[], propertyName: string | undefined): number {
  const properties = rows.flatMap(storedProperties).filter(({ key }) => key === propertyName)
  const arrays = properties.filter(({ dataType }) => dataType === ARRAY)
  if (statistic === 'events/series') return distinct(rows.map((row) => row.event_name))
  if (statistic === 'event-data-pivot/property-series') return distinct(properties.map(valueText))
  return statistic === 'event-data-pivot/array-series' ? distinct(arrays.flatMap(elementTexts)) : 1
}

function distinct(texts: string[]): number {
  return Math.max(1, new Set(texts).size)
}
