/** The filters on plain columns, under the names that callers use. `query/tables/columns.ts` maps them to columns. */
export const fields = {
  path: 'URL path.',
  referrer: 'Referring domain; never the event’s own hostname.',
  title: 'Page title.',
  query: 'Query string of the page.',
  browser: 'Browser.',
  os: 'Operating system.',
  device: 'Device class.',
  country: 'Country code.',
  region: 'Region, state or province.',
  city: 'City.',
  language: 'Browser language, as a whole tag.',
  hostname: 'Hostname.',
  tag: 'Tag.',
  event:
    'Event name. A share or a public website needs the section events, compare, goals, funnels or journeys for it.',
  distinctId: 'Distinct id. No share and no public website allows it.',
  utmSource: 'UTM source.',
  utmMedium: 'UTM medium.',
  utmCampaign: 'UTM campaign.',
  utmContent: 'UTM content.',
  utmTerm: 'UTM term.',
} as const satisfies Record<string, string>

export type Field = keyof typeof fields

export const fieldNames = Object.keys(fields) as Field[]

export const isField = (name: string): name is Field => Object.hasOwn(fields, name)
