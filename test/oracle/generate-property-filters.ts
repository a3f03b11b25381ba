import * as fc from 'fast-check'
import { shortestDecimal } from './decimals.ts'
import { textTests, unknownText } from './generate-operands.ts'
import { type Anchored, eventsOf, oneOf, type Parameters } from './generate-subject.ts'
import { columnInstant, localDay } from './instants.ts'
import { ARRAY, BOOLEAN, DATE, type Nested, NUMBER, type Property, STRING, storedProperties } from './model.ts'
import { elementTexts } from './properties.ts'

type Drawn = { property: Property; operator: string; operand: string; isPivot: boolean; isBrief: boolean }

const DAY = 86_400_000

const INVENTED: Property = {
  ...{ key: 'nothing like it', dataType: STRING, stringValue: 'x', numberValue: null, dateValue: null },
}

/** Usually none, otherwise one or two `epf<N>` and, for the pivot, also `pf_…`. */
export function propertyFilterParameters(
  subject: Anchored<Nested>,
  timezone: string,
  hasPivotFilters: boolean,
): fc.Arbitrary<Parameters> {
  const drawn = properties(subject).chain((property) =>
    fc
      .tuple(tests(property, timezone), fc.boolean(), fc.boolean())
      .map(([[operator, operand], isPivot, isBrief]) => ({ property, operator, operand, isPivot, isBrief })),
  )
  const some = fc.array(drawn, { minLength: 1, maxLength: 2 }).map((list) => written(list, hasPivotFilters))
  return fc.oneof({ weight: 3, arbitrary: fc.constant<Parameters>([]) }, { weight: 1, arbitrary: some })
}

/** A property of the anchor if it has one, or otherwise of any event. */
function properties(subject: Anchored<Nested>): fc.Arbitrary<Property> {
  const anyNamed = namedProperties(subject.rows)
  return eventsOf(subject)
    .chain((row) => {
      const own = namedProperties(row === undefined ? [] : [row])
      return oneOf(own.length === 0 ? anyNamed : own)
    })
    .map((property) => property ?? INVENTED)
}

/** Only the properties with a name, because a filter may require one. */
function namedProperties(rows: Nested[]): Property[] {
  return rows.flatMap(storedProperties).filter((property) => property.key !== '')
}

function tests(property: Property, timezone: string): fc.Arbitrary<[string, string]> {
  switch (property.dataType) {
    case NUMBER:
      return numberTests(`${property.numberValue}`)
    case BOOLEAN:
      return fc.tuple(fc.constantFrom('eq', 'neq'), fc.constantFrom('true', 'false'))
    case DATE:
      return fc.tuple(
        fc.constantFrom('eq', 'eq', 'eq', 'neq', 'bf', 'af'),
        days(columnInstant(property.dateValue!), timezone),
      )
    case ARRAY:
      return fc.tuple(fc.constantFrom('c', 'c', 'c', 'dnc'), elements(property))
    default:
      return textTests(property.stringValue).map(({ operator, operand }) => [operator, operand])
  }
}

function numberTests(number: string): fc.Arbitrary<[string, string]> {
  const shortest = shortestDecimal(number)
  const operand = fc.constantFrom(shortest, shortest, number, '10', '0', '-3.25', '10.5')
  const lists = fc.array(operand, { minLength: 1, maxLength: 3 }).map((listed) => listed.join(','))
  return fc.oneof(
    fc.tuple(fc.constantFrom('eq', 'eq', 'eq', 'neq'), lists),
    fc.tuple(fc.constantFrom('gt', 'lt', 'gte', 'lte'), operand),
  )
}

/** The day of the value or a neighbouring day, as a date or as an instant on that day. */
function days(instant: number, timezone: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(0, 0, 0, -DAY, DAY), fc.constantFrom('day', 'day', 'instant'))
    .map(([shift, form]) => {
      const shifted = instant + shift
      return form === 'day' ? localDay(shifted, timezone) : new Date(shifted).toISOString()
    })
}

function elements(property: Property): fc.Arbitrary<string> {
  const texts = elementTexts(property)
  const known = fc.constantFrom(...texts, 'red', '1')
  return fc.oneof({ weight: 5, arbitrary: known }, { weight: 1, arbitrary: unknownText })
}

function written(filters: Drawn[], hasPivotFilters: boolean): Parameters {
  const pivotNames: string[] = []
  return filters.map((filter, index) => {
    const { property, operator, operand, isPivot, isBrief } = filter
    if (!hasPivotFilters || !isPivot || /\d$/.test(property.key)) return [`epf${index}`, eventPropertyFilter(filter)]
    const times = pivotNames.filter((name) => name === property.key).length
    pivotNames.push(property.key)
    const type = isBrief && property.dataType === STRING ? '' : `${property.dataType}.`
    return [`pf_${property.key}${times === 0 ? '' : times}`, `${type}${operator}.${operand}`]
  })
}

/** Names with a dot or percent sign must be percent-encoded once more. Other names may be. */
function eventPropertyFilter({ property, operator, operand, isBrief }: Drawn): string {
  const encoded = encodeURIComponent(property.key).replaceAll('.', '%2E')
  const name = isBrief && !/[.%]/.test(property.key) ? property.key : encoded
  return `${property.dataType}.${operator}.${name}.${operand}`
}
