import { dayOf } from '../../request/time-zone.ts'

/** Figures by name. */
export type Figures = Readonly<Record<string, number>>

/** The website, range and zone of a question. */
export interface Asked {
  readonly websiteId: string
  readonly zone: string
  /** Milliseconds since 1970; both ends are included. */
  readonly startAt: number
  readonly endAt: number
}

export interface Question {
  readonly name: string
  /** The path below the website's path; for a report, below `/reports`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** The query for Umami versions that use another name for the type. */
  readonly former?: Readonly<Record<string, string>>
  readonly report?: Readonly<Record<string, string>>
  /** Throws if the answer has another format. */
  readonly read: (body: unknown, asked: Asked) => Figures
  /** The maximum number of rows in a list. */
  readonly most?: number
}

type Row = Readonly<Record<string, unknown>>

function rowsIn(body: unknown): readonly Row[] {
  if (!Array.isArray(body)) throw new Error('no list')
  return body as Row[]
}

const numberIn = (value: unknown): number => {
  const number = Number(value ?? 0)
  if (Number.isNaN(number)) throw new Error('no number')
  return number
}

/** Figures, named by row. Rows with the same name are added up; rows without a name are ignored. */
function figuresOf(rows: readonly Row[], nameOf: (row: Row) => string, countOf: (row: Row) => unknown): Figures {
  const figures: Record<string, number> = {}
  for (const row of rows) {
    const name = nameOf(row)
    if (name !== '') figures[name] = (figures[name] ?? 0) + numberIn(countOf(row))
  }
  return figures
}

/** The day of a bucket. PostgreSQL returns local times without a zone. */
function dayIn(value: unknown, zone: string): string {
  const text = String(value)
  return /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? dayOf(Date.parse(text), zone) : text.slice(0, 10)
}

const fields = ['pageviews', 'visitors', 'visits', 'bounces', 'totaltime']

const statistics: Question = {
  name: 'statistics',
  path: 'stats',
  read: (body) => {
    // Umami 2.x wraps each figure in an object.
    const given = body as Record<string, unknown>
    const figureOf = (value: unknown) => numberIn((value as { readonly value?: unknown } | null)?.value ?? value)
    return Object.fromEntries(fields.map((name) => [name, figureOf(given[name])]))
  },
}

const series: Question = {
  name: 'series',
  path: 'pageviews',
  query: { unit: 'day' },
  read: (body, { zone }) => {
    const { pageviews, sessions } = body as Row
    const read = (rows: unknown, of: string) =>
      figuresOf(
        rowsIn(rows),
        ({ x, t }) => `${of} ${dayIn(x ?? t, zone)}`,
        ({ y }) => y,
      )
    return { ...read(pageviews, 'pageviews'), ...read(sessions, 'sessions') }
  },
}

const most = 500

const types = [
  ...['path', 'entry', 'exit', 'referrer', 'title', 'query', 'event', 'tag', 'hostname', 'channel', 'browser', 'os'],
  ...['device', 'screen', 'language', 'country', 'region', 'city', 'utmSource', 'utmMedium', 'utmCampaign'],
]

const formerNames: Readonly<Record<string, string>> = { path: 'url', hostname: 'host' }

const metrics = types.map(
  (type): Question => ({
    name: `metrics ${type}`,
    path: 'metrics',
    query: { type, limit: String(most) },
    ...(formerNames[type] && { former: { type: formerNames[type], limit: String(most) } }),
    read: (body) =>
      figuresOf(
        rowsIn(body),
        ({ x, country }) => (x == null || x === '' ? '' : [country, x].filter(Boolean).join(' ')),
        ({ y }) => y,
      ),
    most,
  }),
)

const events: Question = {
  name: 'events',
  path: 'events/series',
  query: { unit: 'day' },
  read: (body, { zone }) =>
    figuresOf(
      rowsIn(body),
      ({ x, t }) => `${x} ${dayIn(t, zone)}`,
      ({ y }) => y,
    ),
}

const properties: Question = {
  name: 'properties',
  path: 'event-data/properties',
  read: (body) =>
    figuresOf(
      rowsIn(body),
      ({ eventName, propertyName }) => `${eventName} ${propertyName}`,
      ({ total }) => total,
    ),
  most,
}

const sessions: Question = {
  name: 'sessions',
  path: 'sessions/stats',
  read: (body) =>
    Object.fromEntries(
      ['pageviews', 'visitors', 'visits', 'countries', 'events'].map((name) => [
        name,
        numberIn(((body as Row)[name] as { readonly value?: unknown } | undefined)?.value),
      ]),
    ),
}

const weekly: Question = {
  name: 'sessions by hour',
  path: 'sessions/weekly',
  read: (body) =>
    Object.fromEntries(
      rowsIn(body).flatMap((day, at) =>
        rowsIn(day).map((value, hour) => [`weekday ${at} hour ${hour}`, numberIn(value)]),
      ),
    ),
}

const sessionProperties: Question = {
  name: 'session properties',
  path: 'session-data/properties',
  read: (body) =>
    figuresOf(
      rowsIn(body),
      ({ propertyName }) => String(propertyName),
      ({ total }) => total,
    ),
  most,
}

/** The question for the revenue in one currency. */
export const revenueIn = (currency: string): Question => ({
  name: `revenue ${currency}`,
  path: 'revenue',
  report: { currency },
  read: (body) => {
    const { sum, count, unique_count, total_sessions } = (body as { readonly total: Row }).total
    return {
      sum: Math.round(numberIn(sum) * 100) / 100,
      ...{ count: numberIn(count), unique_count: numberIn(unique_count), total_sessions: numberIn(total_sessions) },
    }
  },
})

export const questions: readonly Question[] = [
  ...[statistics, series, ...metrics, events, properties, sessions, weekly, sessionProperties],
]
