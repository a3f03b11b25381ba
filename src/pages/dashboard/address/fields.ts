import { type Opening, opens, type Section } from '../data/opening.ts'

interface Field {
  /** The field's name as viewers see it. */
  readonly name: string
  /**
   * Viewers may see its values if one of these sections is open. If the list is empty, only viewers with their own
   * access may.
   */
  readonly sections: readonly Section[]
}

const seen: readonly Section[] = ['overview', 'compare']
const ofVisitors: readonly Section[] = [...seen, 'sessions']
const ofCampaigns: readonly Section[] = ['compare', 'utm']

/** The fields of events that viewers can filter by. */
const fields = {
  path: { name: 'Page', sections: [...seen, 'journeys', 'attribution'] },
  title: { name: 'Page title', sections: ['overview'] },
  query: { name: 'Query string', sections: ['overview'] },
  hostname: { name: 'Hostname', sections: seen },
  referrer: { name: 'Referrer', sections: seen },
  utmSource: { name: 'UTM source', sections: ofCampaigns },
  utmMedium: { name: 'UTM medium', sections: ofCampaigns },
  utmCampaign: { name: 'UTM campaign', sections: ofCampaigns },
  utmContent: { name: 'UTM content', sections: ofCampaigns },
  utmTerm: { name: 'UTM term', sections: ofCampaigns },
  country: { name: 'Country', sections: ofVisitors },
  region: { name: 'Region', sections: ofVisitors },
  city: { name: 'City', sections: ofVisitors },
  language: { name: 'Language', sections: ['compare', 'sessions'] },
  browser: { name: 'Browser', sections: ofVisitors },
  os: { name: 'System', sections: ofVisitors },
  device: { name: 'Device', sections: ofVisitors },
  event: { name: 'Event', sections: ['compare', 'events', 'journeys', 'attribution'] },
  tag: { name: 'Tag', sections: ['compare', 'events'] },
  distinctId: { name: 'Distinct id', sections: [] },
} as const satisfies Readonly<Record<string, Field>>

/** Filters that the API saves under an id. */
const saved = { segment: 'Segment', cohort: 'Cohort' } as const

/**
 * Other filter parameters: the type of event, whether one matching condition is enough, and whether to leave out
 * bounces.
 */
const settings = { eventType: 'Event type', match: 'Filters', excludeBounce: 'Bounces' } as const

export type PlainField = keyof typeof fields

export type SavedField = keyof typeof saved

/** A property of events, as `epf.<type>.<name>`: the type is 1 for strings, 2 for numbers, 3 for booleans. */
type PropertyField = `epf.${string}`

export type SettingField = keyof typeof settings

export type FilterField = PlainField | SavedField | SettingField | PropertyField

export const plainFields = Object.keys(fields) as PlainField[]

/** The filter fields that are not event fields, in groups. */
export const otherFields = {
  Saved: Object.keys(saved) as SavedField[],
  More: Object.keys(settings) as SettingField[],
}

const aProperty = /^epf\.([1-3])\.([^.]+)$/

/** The field of a property; undefined if viewers cannot filter by its type. */
export const propertyField = (type: number, name: string): PropertyField | undefined =>
  type <= 3 ? `epf.${type}.${encodeURIComponent(name).replaceAll('.', '%2E')}` : undefined

/** The type and the percent-encoded name of a property; undefined if the field is not a property. */
export const propertyOf = (field: string): { readonly type: string; readonly encoded: string } | undefined => {
  const [, type, encoded] = aProperty.exec(field) ?? []
  return type !== undefined && encoded !== undefined ? { type, encoded } : undefined
}

export const isPlain = (field: string): field is PlainField => Object.hasOwn(fields, field)

export const isSaved = (field: string): field is SavedField => Object.hasOwn(saved, field)

export const isSetting = (field: string): field is SettingField => Object.hasOwn(settings, field)

/** Whether the API accepts the field only once, with a single value and without an operator. */
export const isSingle = (field: string): boolean => isSaved(field) || field === 'match' || field === 'excludeBounce'

/** The field's name as viewers see it. */
export function fieldName(field: FilterField): string {
  if (isPlain(field)) return fields[field].name
  if (isSetting(field)) return settings[field]
  return isSaved(field) ? saved[field] : decodeURIComponent(propertyOf(field)?.encoded ?? '')
}

/** Whether a URL parameter has the name of a field. */
export function isField(name: string): name is FilterField {
  if (isPlain(name) || isSaved(name) || isSetting(name)) return true
  try {
    const property = propertyOf(name)
    return property !== undefined && decodeURIComponent(property.encoded) !== ''
  } catch {
    return false
  }
}

/**
 * If one of these sections is open, viewers may filter by event. To filter by property, they need the section `events`.
 */
const eventSections: readonly Section[] = ['events', 'compare', 'goals', 'funnels', 'journeys']

/** Whether viewers may filter by the field. */
export function mayFilter(field: FilterField, opening: Opening): boolean {
  if (!opening.allowFilter) return false
  if (field === 'event') return opens(opening, ...eventSections)
  if (field === 'distinctId') return opens(opening)
  return propertyOf(field) === undefined || opens(opening, 'events')
}

/** Whether viewers may see the values of the field. */
export const maySeeValues = (field: PlainField, opening: Opening): boolean => opens(opening, ...fields[field].sections)
