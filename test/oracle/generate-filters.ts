import * as fc from 'fast-check'
import { FIELDS, type Field, fieldText } from './conditions.ts'
import { filterValues, unknownText } from './generate-operands.ts'
import { eventsOf, type Parameters, type Subject } from './generate-subject.ts'
import { once } from './generate-text.ts'
import { primarySubtag } from './languages.ts'
import type { Report } from './model.ts'
import type { Saved } from './saved.ts'

type Spelling = 'plain' | 'brackets' | 'json'
type Filter = { name: string; values: string[]; spelling: Spelling; isNumbered: boolean }

const spellings = fc.constantFrom<Spelling>('plain', 'plain', 'brackets', 'json')

/** Any field, but more often one with a vocabulary, because filters on it are more likely to match. */
const fields = fc.oneof(
  fc.constantFrom<Field>('browser', 'path', 'event', 'referrer', 'hostname', 'country', 'city', 'tag'),
  fc.constantFrom(...FIELDS),
)

/** No filters or a few, in any spelling: fields, `match`, `eventType`, `excludeBounce` and saved filters. */
export function filterParameters(endpoint: Report, subject: Subject, saved: Saved[]): fc.Arbitrary<Parameters> {
  return fc
    .record({
      ...{ filters: fieldFilters(subject), eventType: eventTypeFilters, named: fc.tuple(...saved.map(namedFilter)) },
      match: fc.constantFrom<Parameters>([], [], [['match', 'all']], [['match', 'any']], [['match', 'any']]),
      excludeBounce: fc.oneof(
        { weight: 5, arbitrary: fc.constant<Parameters>([]) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('true', '1', 'yes', 'false', '0').map((v): Parameters => [['excludeBounce', v]]),
        },
      ),
    })
    .map(({ filters, eventType, named, match, excludeBounce }) => {
      const all = [...filters.map((filter) => withoutLiteral(endpoint, filter)), ...eventType, ...named]
      return [...written(all), ...match, ...excludeBounce]
    })
}

const eventTypeFilters: fc.Arbitrary<Filter[]> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Filter[]>([]) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('1', '2', '2', '3', '4', '5'), spellings)
      .map(([type, spelling]) => [{ name: 'eventType', values: [type], spelling, isNumbered: false }]),
  },
)

/** The `segment` or `cohort` parameter with its id. */
function namedFilter({ type, id }: Saved): fc.Arbitrary<Filter> {
  return spellings.map((spelling) => ({ name: type, values: [id], spelling, isNumbered: false }))
}

function fieldFilters(subject: Subject): fc.Arbitrary<Filter[]> {
  const some = fc.uniqueArray(fieldFilter(subject, fields), {
    minLength: 1,
    maxLength: 3,
    selector: ({ name, spelling }) => `${name} ${spelling}`,
  })
  return fc.oneof({ weight: 2, arbitrary: fc.constant<Filter[]>([]) }, { weight: 3, arbitrary: some })
}

/** Filters on each of these fields, and no others. */
export function filtersOn(endpoint: Report, subject: Subject, ...fields: Field[]): fc.Arbitrary<Parameters> {
  const each = fields.map((field) => fieldFilter(subject, fc.constant(field)))
  return fc.tuple(...each).map((filters) => written(filters.map((filter) => withoutLiteral(endpoint, filter))))
}

function fieldFilter(subject: Subject, fields: fc.Arbitrary<Field>): fc.Arbitrary<Filter> {
  return fc
    .tuple(fields, spellings, fc.boolean(), once(4))
    .chain(([name, spelling, isNumbered, isRepeated]) =>
      fc
        .array(fieldValues(subject, name), { minLength: 1, maxLength: isRepeated ? 3 : 1 })
        .map((values) => ({ name, values, spelling, isNumbered })),
    )
}

function fieldValues(subject: Subject, field: Field): fc.Arbitrary<string> {
  const known = eventsOf(subject).chain((row) =>
    row === undefined ? unknownText : textsOf(fieldText(row, field), field),
  )
  const texts = fc.oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: unknownText })
  return texts.chain(filterValues)
}

/** The text or, for a language, also its primary subtag. */
function textsOf(text: string, field: Field): fc.Arbitrary<string> {
  if (field !== 'language') return fc.constant(text)
  return fc.constantFrom(text, primarySubtag(text), primarySubtag(text).toUpperCase())
}

/** On `event-data/values`, plain `event=` is the literal event name, so the filter needs a different spelling there. */
function withoutLiteral(endpoint: Report, filter: Filter): Filter {
  const isLiteral = endpoint === 'event-data/values' && filter.name === 'event' && filter.spelling === 'plain'
  return isLiteral ? { ...filter, spelling: 'brackets' } : filter
}

function written(filters: Filter[]): Parameters {
  const spelled = (spelling: Spelling) => filters.filter((filter) => filter.spelling === spelling)
  const plain = spelled('plain').flatMap(repeated)
  const brackets = spelled('brackets').flatMap(repeated)
  const json = spelled('json')
  return [
    ...plain,
    ...brackets.map(([name, value]): [string, string] => [`filters[${name}]`, value]),
    ...(json.length === 0 ? [] : [inJson(json)]),
  ]
}

/** Repeats a filter, either as `browser`, `browser1`, `browser2`, or as `browser` each time. */
function repeated({ name, values, isNumbered }: Filter): Parameters {
  return values.map((value, index) => [isNumbered && index > 0 ? `${name}${index}` : name, value])
}

function inJson(filters: Filter[]): [string, string] {
  const entries = filters.flatMap((filter): [string, string | string[]][] => {
    if (filter.isNumbered || filter.values.length === 1) return repeated(filter)
    return [[filter.name, filter.values]]
  })
  return ['filters', JSON.stringify(Object.fromEntries(entries))]
}
