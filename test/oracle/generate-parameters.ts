import * as fc from 'fast-check'
import type { Parameters } from './generate-subject.ts'

export const nothing = fc.constant<Parameters>([])

export function always(name: string, values: fc.Arbitrary<string>): fc.Arbitrary<Parameters> {
  return values.map((value) => [[name, value]])
}

export function maybe(name: string, values: fc.Arbitrary<string>): fc.Arbitrary<Parameters> {
  return fc.oneof({ weight: 2, arbitrary: nothing }, { weight: 1, arbitrary: always(name, values) })
}

export function together(...groups: fc.Arbitrary<Parameters>[]): fc.Arbitrary<Parameters> {
  return fc.tuple(...groups).map((drawn) => drawn.flat())
}

export function inAnyOrder(parameters: Parameters): fc.Arbitrary<Parameters> {
  return fc.shuffledSubarray(parameters, { minLength: parameters.length, maxLength: parameters.length })
}

export const comparisons = maybe('compare', fc.constantFrom('prev', 'yoy'))

export const units = maybe('unit', fc.constantFrom('minute', 'hour', 'day', 'week', 'month', 'year'))

export const slicing = together(
  maybe('limit', fc.constantFrom('1', '3', '500', '10000')),
  maybe('offset', fc.constantFrom('0', '1', '1', '3', '1000')),
)

/** Parameters that sort and limit other lists, but have no effect here. */
export const meaninglessOrder = together(
  maybe('orderBy', fc.constant('createdAt')),
  maybe('sortDescending', fc.constantFrom('true', 'false')),
)

export const meaninglessPages = together(maybe('page', fc.constant('2')), maybe('pageSize', fc.constant('10')))
