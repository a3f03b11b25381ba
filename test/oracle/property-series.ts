import { compareDecimals, sumOfDecimals } from './decimals.ts'
import { ARRAY, BOOLEAN, DATE, type IngestRow, NUMBER, type Property, STRING, storedProperties } from './model.ts'
import { elementTexts, valueText } from './properties.ts'
import type { Reading } from './reading.ts'
import type { Range } from './selection.ts'
import { frameOf, inBuckets, namedSeries } from './series.ts'
import { compareText } from './text.ts'
import { grouped } from './visits.ts'

type Occurrence = { row: IngestRow; property: Property }

const rowOf = ({ row }: Occurrence): IngestRow => row

/** The requested property with one of these types, in actions with exactly the requested event name. */
function occurrences(actions: IngestRow[], { settings }: Reading, ...dataTypes: number[]): Occurrence[] {
  const [eventName, propertyName] = [settings.get('eventName'), settings.get('propertyName')]
  if (eventName === undefined || propertyName === undefined) throw new Error('Oracle: no event or no property')
  return actions
    .filter((row) => row.event_name === eventName)
    .flatMap((row) => storedProperties(row).map((property) => ({ row, property })))
    .filter(({ property }) => property.key === propertyName && dataTypes.includes(property.dataType))
}

/** Counts an event only once if it has the property twice. */
function countEvents(some: Occurrence[]): number {
  return new Set(some.map(rowOf)).size
}

export function propertySeries(actions: IngestRow[], reading: Reading, range: Range) {
  const named = occurrences(actions, reading, STRING, BOOLEAN).map((value) => ({
    name: valueText(value.property),
    value,
  }))
  return namedSeries(named, rowOf, countEvents, frameOf(reading, range))
}

export function arraySeries(actions: IngestRow[], reading: Reading, range: Range) {
  const named = occurrences(actions, reading, ARRAY).flatMap((value) =>
    elementTexts(value.property).map((name) => ({ name, value })),
  )
  return namedSeries(named, rowOf, (elements) => elements.length, frameOf(reading, range))
}

/** Counts by the time in the property itself, to the second. */
export function dateSeries(actions: IngestRow[], reading: Reading) {
  const seconds = grouped(occurrences(actions, reading, DATE), ({ property }) => valueText(property))
  return [...seconds]
    .map(([t, some]) => ({ t, y: countEvents(some) }))
    .sort((left, right) => compareText(left.t, right.t))
}

const numbersOf = (some: Occurrence[]): string[] => some.map(({ property }) => `${property.numberValue}`)

/** A bucket without a number has no average, even if the answer includes empty buckets. */
export function numericSeries(actions: IngestRow[], reading: Reading, range: Range) {
  const metric = reading.settings.get('metric') ?? 'sum'
  return inBuckets(occurrences(actions, reading, NUMBER), rowOf, frameOf(reading, range))
    .filter(({ values }) => metric !== 'avg' || values.length > 0)
    .map(({ label, values }) => ({ t: label, y: measured(metric, numbersOf(values)) }))
}

export function measured(metric: string, numbers: string[]): number {
  if (!['sum', 'avg', 'count'].includes(metric)) throw new Error(`Oracle: no such metric: ${metric}`)
  if (metric === 'count') return numbers.length
  return metric === 'avg' ? mean(numbers) : sum(numbers)
}

export function numericStats(actions: IngestRow[], reading: Reading) {
  return numberStats(numbersOf(occurrences(actions, reading, NUMBER)))
}

/** `average` and `median` are doubles. The others are exact decimals. */
export function numberStats(some: string[]) {
  const numbers = some.toSorted(compareDecimals)
  if (numbers.length === 0) return { total: 0, average: 0, median: 0, max: 0, min: 0 }
  const middle = numbers.slice(Math.ceil(numbers.length / 2) - 1, Math.floor(numbers.length / 2) + 1)
  return {
    ...{ total: sum(numbers), average: mean(numbers), median: mean(middle), max: Number(numbers.at(-1)) },
    min: Number(numbers[0]),
  }
}

function sum(numbers: string[]): number {
  return Number(sumOfDecimals(numbers))
}

function mean(numbers: string[]): number {
  return sum(numbers) / numbers.length
}
