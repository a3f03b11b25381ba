import { type Opening, opens, type Section } from '../data/opening.ts'

/** The fields that a row can filter by, each with its name for viewers. */
const fieldNames = {
  path: 'Page',
  title: 'Page title',
  hostname: 'Hostname',
  referrer: 'Referrer',
  utmSource: 'UTM source',
  utmMedium: 'UTM medium',
  utmCampaign: 'UTM campaign',
  utmContent: 'UTM content',
  utmTerm: 'UTM term',
  country: 'Country',
  region: 'Region',
  city: 'City',
  language: 'Language',
  browser: 'Browser',
  os: 'System',
  device: 'Device',
  event: 'Event',
} as const

/** A property of events, as `epf.<type>.<name>`: the type is 1 for texts, 2 for numbers, 3 for booleans. */
type PropertyField = `epf.${string}`

export type FilterField = keyof typeof fieldNames | PropertyField

const aProperty = /^epf\.([1-3])\.([^.]+)$/

/** The field of a property; undefined if viewers cannot filter by its type. */
export const propertyField = (type: number, name: string): PropertyField | undefined =>
  type <= 3 ? `epf.${type}.${encodeURIComponent(name).replaceAll('.', '%2E')}` : undefined

/** The type of a property and its name, percent-encoded; undefined if the field is none. */
const partsOf = (field: string): { readonly type: string; readonly encoded: string } | undefined => {
  const [, type, encoded] = aProperty.exec(field) ?? []
  return type !== undefined && encoded !== undefined ? { type, encoded } : undefined
}

/** The name of a field for viewers. */
export function fieldName(field: FilterField): string {
  const property = partsOf(field)
  return property ? decodeURIComponent(property.encoded) : fieldNames[field as keyof typeof fieldNames]
}

/** Whether a parameter of the address names a field. */
export function isField(name: string): name is FilterField {
  if (Object.hasOwn(fieldNames, name)) return true
  try {
    const property = partsOf(name)
    return property !== undefined && decodeURIComponent(property.encoded) !== ''
  } catch {
    return false
  }
}

/** A condition: the field has one of the values. */
export interface Filter {
  readonly field: FilterField
  readonly values: readonly string[]
}

/** The sections of which one must be open to filter by event. Properties need that of events; all else is free. */
const eventSections: readonly Section[] = ['events', 'compare', 'goals', 'funnels', 'journeys']

/** Whether viewers may filter by the field. */
export const mayFilter = (field: FilterField, opening: Opening): boolean =>
  opening.allowFilter &&
  (field !== 'event' || opens(opening, ...eventSections)) &&
  (partsOf(field) === undefined || opens(opening, 'events'))

/** The filters with the value added to its field, or removed if it is there. */
export function toggled(filters: readonly Filter[], field: FilterField, value: string): readonly Filter[] {
  const own = filters.find((filter) => filter.field === field)
  if (!own) return [...filters, { field, values: [value] }]
  // A boolean is one or the other.
  if (partsOf(field)?.type === '3' && !own.values.includes(value)) return replaced(filters, { field, values: [value] })
  if (!own.values.includes(value)) return replaced(filters, { field, values: [...own.values, value] })
  const rest = own.values.filter((one) => one !== value)
  return rest.length > 0 ? replaced(filters, { field, values: rest }) : filters.filter((one) => one !== own)
}

const replaced = (filters: readonly Filter[], filter: Filter): readonly Filter[] =>
  filters.map((one) => (one.field === filter.field ? filter : one))

export const isChosen = (filters: readonly Filter[], field: FilterField, value: string): boolean =>
  filters.some((filter) => filter.field === field && filter.values.includes(value))

/** The filters as the API's parameter `filters`; undefined without any. */
export function filtersParameter(filters: readonly Filter[]): string | undefined {
  if (filters.length === 0) return undefined
  const listed = ({ values }: Filter) => values.map((value) => value.replaceAll(',', '\\,')).join(',')
  return JSON.stringify(
    Object.fromEntries(
      filters.map((filter, index) => {
        const property = partsOf(filter.field)
        return property
          ? [`epf${index}`, `${property.type}.eq.${property.encoded}.${listed(filter)}`]
          : [filter.field, `eq.${listed(filter)}`]
      }),
    ),
  )
}
