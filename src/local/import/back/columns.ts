/** The maximum length of a column's text, in characters; `other` is unlimited. */
type Longest = number | 'other'

type Columns = Readonly<Record<string, Longest>>

const all = <Length extends Longest>(longest: Length, ...names: readonly string[]): Record<string, Length> =>
  Object.fromEntries(names.map((name) => [name, longest]))

/** The maximum length of a property's key or value, in characters. */
export const longestOfProperty = 500

const value: Columns = {
  ...all(longestOfProperty, 'data_key', 'string_value'),
  ...all('other', 'number_value', 'date_value', 'data_type', 'created_at'),
}

/** The tables of Umami that an export fills, with their columns in PostgreSQL since 3.1. */
export const originTables = {
  // Properties are exported first. If an event arrives during the export, its properties may be missing, but every
  // exported property has its event.
  event_data: { ...all('other', 'event_data_id', 'website_id', 'website_event_id'), ...value },
  session_data: { ...all('other', 'session_data_id', 'website_id', 'session_id'), ...value, distinct_id: 50 },
  website_event: {
    ...all('other', 'event_id', 'website_id', 'session_id', 'visit_id', 'created_at', 'event_type'),
    ...all(500, 'url_path', 'url_query', 'referrer_path', 'referrer_query', 'referrer_domain', 'page_title'),
    ...all(255, 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'),
    ...all(255, 'gclid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid'),
    ...{ event_name: 50, tag: 50, hostname: 100 },
    ...all('other', 'lcp', 'inp', 'fcp', 'ttfb', 'cls'),
  },
  session: {
    ...all('other', 'session_id', 'website_id', 'created_at'),
    ...{ browser: 20, os: 20, device: 20, screen: 11, language: 35, country: 2, region: 20, city: 50, distinct_id: 50 },
  },
} as const satisfies Readonly<Record<string, Columns>>

export type OriginTable = keyof typeof originTables

export const originTableNames = Object.keys(originTables) as readonly OriginTable[]

export const columnNames = (table: OriginTable): readonly string[] => Object.keys(originTables[table])
