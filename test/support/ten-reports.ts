import { day } from './website.ts'

/** A report of a website, as a test asks for it. */
export interface ReportUnderTest {
  /** Its path below the website, as the contract writes it. */
  readonly name: string
  /** What it cannot do without, the range included. */
  readonly query: Readonly<Record<string, string | number>>
  /** Its further parameters that are no filters, each with a value that is right. */
  readonly own: Readonly<Record<string, string>>
}

/** The event and the property that the reports over one of them are asked about. */
export const eventName = 'buy'
export const propertyName = 'plan'
export const eventId = '00000000-0000-4000-8000-000000000001'

const range = { timezone: 'UTC' }
const paging = { page: '1', pageSize: '5', maxResults: '100' }
const slicing = { limit: '5', offset: '0' }

/** The nine reports over a range, which take filters. */
export const rangeReports: readonly ReportUnderTest[] = [
  { name: 'events', query: day, own: { ...range, ...paging, search: 'x', unit: 'day', compare: 'prev' } },
  { name: 'events/stats', query: day, own: { ...range, search: 'x', unit: 'week', compare: 'yoy' } },
  { name: 'event-data', query: day, own: { ...range, ...paging } },
  { name: 'event-data/events', query: day, own: { ...range, ...slicing } },
  { name: 'event-data/fields', query: day, own: { ...range, ...slicing, eventName } },
  { name: 'event-data/properties', query: day, own: { ...range, ...slicing } },
  {
    name: 'event-data/values',
    query: { ...day, propertyName },
    own: { ...range, ...slicing, event: eventName, eventName, dataType: '1' },
  },
  { name: 'event-data/stats', query: day, own: range },
  { name: 'event-data-pivot', query: { ...day, eventName }, own: { ...range, ...paging, unit: 'day' } },
]

/** The three that are paged. */
export const pagedReports = rangeReports.filter(({ own }) => 'page' in own)

/** The four bare lists that take `limit` and `offset`. */
export const listReports = rangeReports.filter(({ own }) => 'limit' in own)

/** All ten. */
export const everyReport: readonly ReportUnderTest[] = [
  ...rangeReports,
  { name: 'event-data/:eventId', query: {}, own: {} },
]

/** The path of a report of this website. */
export const reportPath = (websiteId: string, { name }: Pick<ReportUnderTest, 'name'>): string =>
  `/api/websites/${websiteId}/${name.replace(':eventId', eventId)}`
