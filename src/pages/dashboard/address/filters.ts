import { type Opening, opens, type Section } from '../data/opening.ts'

/** The fields that a row can filter by, each with its name for viewers. */
export const fieldNames = {
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

export type FilterField = keyof typeof fieldNames

/** A condition: the field has one of the values. */
export interface Filter {
  readonly field: FilterField
  readonly values: readonly string[]
}

export const fields = Object.keys(fieldNames) as FilterField[]

/** The sections of which one must be open to filter by event; every other field is free. */
const eventSections: readonly Section[] = ['events', 'compare', 'goals', 'funnels', 'journeys']

/** Whether viewers may filter by the field. */
export const mayFilter = (field: FilterField, opening: Opening): boolean =>
  opening.allowFilter && (field !== 'event' || opens(opening, ...eventSections))

/** The filters with the value added to its field, or removed if it is there. */
export function toggled(filters: readonly Filter[], field: FilterField, value: string): readonly Filter[] {
  const own = filters.find((filter) => filter.field === field)
  if (!own) return [...filters, { field, values: [value] }]
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
  const listed = ({ values }: Filter) => `eq.${values.map((value) => value.replaceAll(',', '\\,')).join(',')}`
  return JSON.stringify(Object.fromEntries(filters.map((filter) => [filter.field, listed(filter)])))
}
