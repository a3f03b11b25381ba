import type { Headers } from '../support/callers.ts'
import { pathOf, send } from '../support/weir.ts'

/** The expected answer of each tool, computed from the API's answers according to the contract. */

// biome-ignore lint/suspicious/noExplicitAny: answers of many reports, which the Worker's own document checks
type Any = any

/** The arguments for a case, and the equivalent query for its reports. */
export interface Asked {
  readonly websiteId: string
  readonly args: Readonly<Record<string, Any>>
  /** The `startAt`, `endAt`, `timezone` and filters of the reports. */
  readonly query: Readonly<Record<string, string>>
}

/** The status and body of the first report that was refused. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly body: Any,
  ) {
    super(body.error.message)
  }
}

export interface Reports {
  readonly read: (path: string, more?: Readonly<Record<string, Any>>) => Promise<Any>
  readonly look: (path: string, more?: Readonly<Record<string, Any>>) => Promise<Any>
  readonly total: (path: string, more?: Readonly<Record<string, Any>>) => Promise<number>
  readonly get: (path: string) => Promise<Any>
}

export function reportsOf({ websiteId, query }: Asked, headers: Headers): Reports {
  const reply = async (path: string) => {
    const answer = await send(path, { headers })
    if (answer.status !== 200) throw new Refused(answer.status, answer.body)
    return answer
  }
  const below = (path: string, more: object) => {
    const given = Object.entries(more).filter(([, value]) => value !== undefined)
    return pathOf(`/api/websites/${websiteId}/${path}`, Object.fromEntries(given))
  }
  return {
    get: async (path) => (await reply(path)).body,
    read: async (path, more = {}) => (await reply(below(path, { ...query, ...more }))).body,
    look: async (path, more = {}) => (await reply(below(path, more))).body,
    total: async (path, more = {}) =>
      Number((await reply(below(path, { ...query, ...more }))).headers.get('x-total-count')),
  }
}

const paging = ({ count, page, pageSize }: Any) => ({ page, pageSize, count, hasMore: page * pageSize < count })
const points = (rows: Any) => rows.map(({ x, y }: Any) => ({ date: x, value: y }))
const pick = (row: Any, ...names: string[]) => Object.fromEntries(names.map((name) => [name, row[name]]))
const kind = (type: number) => (type === 2 ? 'event' : 'pageview')
const types = ['', 'string', 'number', 'boolean', 'date', 'array']
const fixed = (part: number, whole: number, decimals: number) =>
  whole === 0 ? 0 : Math.round((part * 10 ** decimals) / whole) / 10 ** decimals

const stats = ({ pageviews, visitors, visits, bounces, totaltime }: Any) => ({
  ...{ pageviews, visitors, visits, bounces },
  bounceRate: fixed(bounces * 100, visits, 1),
  averageVisitDurationSeconds: fixed(totaltime, visits, 0),
  viewsPerVisit: fixed(pageviews, visits, 2),
})

const sales = ({ sum, count, unique_count, total_sessions, average, arpu }: Any) => ({
  ...{ sum, count, buyers: unique_count, sessions: total_sessions, average, arpu },
})

const sessionFields = [
  ...['id', 'firstAt', 'lastAt', 'visits', 'views', 'events', 'hostname', 'browser', 'os', 'device', 'screen'],
  ...['language', 'country', 'region', 'city', 'distinctId'],
]

/** The expected answer by tool name, without range, units and cost. */
export const expected: Readonly<Record<string, (asked: Asked, reports: Reports) => Promise<Any>>> = {
  async list_websites({ args }, { get }) {
    const list = await get(pathOf('/api/websites', { includeTeams: 'true', page: 1, pageSize: 20, ...args }))
    const rows = list.data.map((row: Any) => pick(row, 'id', 'name', 'domain', 'teamId', 'createdAt'))
    return { websites: rows, ...paging(list) }
  },
  async get_website_daterange(_, { look }) {
    const { startDate, endDate } = await look('daterange')
    return { startAt: startDate, endAt: endDate, hasData: startDate !== null }
  },
  async get_website_stats({ args: { compare = 'prev' } }, { read }) {
    const body = await read('stats', { compare })
    return { current: stats(body), previous: stats(body.comparison), compare }
  },
  async get_website_traffic({ args: { unit, compare } }, { read }) {
    const body = await read('pageviews', { unit, compare })
    const both = (one: Any) => ({ pageviews: points(one.pageviews), visits: points(one.sessions) })
    const { startDate, endDate } = body.compare ?? {}
    const previous = compare && { startAt: startDate, endAt: endDate, ...both(body.compare) }
    return { unit: unit ?? 'auto', ...both(body), ...(previous && { previous }) }
  },
  async get_website_metrics({ args: { type, limit = 20, offset = 0, search } }, { read, total }) {
    const query = { type, limit, offset, search }
    const [rows, count] = [await read('metrics', query), await total('metrics', query)]
    const data = rows.map(({ x, y, ...more }: Any) => ({ name: x, value: y, ...more }))
    const measure = type === 'event' ? 'views' : 'visitors'
    return { type, measure, data, limit, offset, count, hasMore: offset + rows.length < count }
  },
  get_realtime: async (_, { look }) => ({ activeVisitors: (await look('active')).visitors }),
  async get_events({ args: { event, search, page = 1, pageSize = 20 } }, { read }) {
    const list = await read('events', { eventName: event, search, page, pageSize, include: 'distinctId' })
    const events = list.data.map((row: Any) => ({
      ...pick(
        row,
        'id',
        'sessionId',
        'visitId',
        'createdAt',
        'hostname',
        'browser',
        'os',
        'device',
        'country',
        'distinctId',
      ),
      ...{ type: kind(row.eventType), name: row.eventName, path: row.urlPath, title: row.pageTitle },
      referrer: row.referrerDomain,
    }))
    return { events, ...paging(list) }
  },
  async get_event_stats({ args: { compare = 'prev' } }, { read }) {
    const { comparison, ...current } = (await read('events/stats', { compare })).data
    return { current, previous: comparison, compare }
  },
  async get_event_series({ args: { unit, limit = 20 } }, { read }) {
    const rows = await read('events/series', { unit, limit })
    const names = [...new Set<string>(rows.map(({ x }: Any) => x))]
    const events = names.map((name) => {
      const series = rows.flatMap(({ x, t, y }: Any) => (x === name ? [{ date: t, value: y }] : []))
      return { name, total: series.reduce((sum: number, { value }: Any) => sum + value, 0), series }
    })
    return { unit: unit ?? 'auto', events: events.sort((one, other) => other.total - one.total) }
  },
  async get_event_properties({ args: { propertyName, eventName, dataType, limit = 20 } }, { read }) {
    const totals = (await read('event-data/stats', { eventName }))[0]
    if (propertyName === undefined) {
      const rows = await read('event-data/properties', { eventName, limit })
      const properties = rows.map((row: Any) => ({
        ...pick(row, 'eventName', 'propertyName'),
        ...{ dataType: types[row.dataType], count: row.total },
      }))
      return { totals, properties }
    }
    const number = dataType && types.indexOf(dataType)
    const rows = await read('event-data/values', { propertyName, eventName, dataType: number, limit })
    return { totals, values: rows.map(({ value, total }: Any) => ({ value, count: total })) }
  },
  async get_sessions({ args: { search, page = 1, pageSize = 20 } }, { read }) {
    const list = await read('sessions', { search, page, pageSize })
    return { sessions: list.data.map((row: Any) => pick(row, ...sessionFields)), ...paging(list) }
  },
  async get_session_stats(_, { read }) {
    const body = await read('sessions/stats')
    return Object.fromEntries(Object.entries(body).map(([name, { value }]: Any) => [name, value]))
  },
  async get_session({ args: { sessionId, includeActivity = true } }, { look }) {
    const path = `sessions/${sessionId}`
    const session = await look(path)
    const properties = await look(`${path}/properties`)
    const value = ({ dataType, stringValue, numberValue }: Any) =>
      dataType === 2 ? numberValue : dataType === 3 ? stringValue === 'true' : stringValue
    const known = {
      session: pick(session, ...sessionFields.filter((name) => name !== 'hostname'), 'totaltime'),
      properties: Object.fromEntries(properties.map((row: Any) => [row.dataKey, value(row)])),
    }
    if (!includeActivity) return known
    const all = await look(`${path}/activity`, { startAt: 0, endAt: 9_999_999_999_999, limit: 201 })
    const activity = all.slice(0, 200).map((row: Any) => ({
      ...{ at: row.createdAt, type: kind(row.eventType), name: row.eventName, path: row.urlPath },
      ...{ query: row.urlQuery, referrer: row.referrerDomain, visitId: row.visitId, eventId: row.eventId },
    }))
    return { ...known, activity, activityTruncated: all.length > 200 }
  },
  async get_annotations({ args: { search, page = 1, pageSize = 20 } }, { read }) {
    const list = await read('annotations', { search, page, pageSize })
    return { annotations: list.data.map((row: Any) => pick(row, 'id', 'date', 'note', 'allDay')), ...paging(list) }
  },
  async list_segments({ args: { type, search } }, { look }) {
    const lists = await Promise.all(
      (type ? [type] : ['segment', 'cohort']).map((one) => look('segments', { type: one, search, pageSize: 1000 })),
    )
    const segments = lists.flatMap(({ data }) => data)
    return {
      segments: segments.map((row) => ({
        ...pick(row, 'id', 'name', 'type', 'createdAt'),
        definition: row.parameters,
      })),
    }
  },
  async list_funnels({ args: { page = 1, pageSize = 20 } }, { look }) {
    const list = await look('funnels', { page, pageSize })
    const funnels = list.data.map(({ id, name, parameters }: Any) => ({
      ...{ id, name, steps: parameters.steps ?? [], windowMinutes: parameters.window ?? 0 },
    }))
    return { funnels, ...paging(list) }
  },
  async run_funnel({ args: { funnelId, steps, windowMinutes = 60 } }, { read }) {
    const body = funnelId
      ? await read(`funnels/${funnelId}/stats`)
      : await read('funnels/stats', { window: windowMinutes, steps: JSON.stringify(steps) })
    return {
      steps: body.map((row: Any, index: number) => ({
        step: index + 1,
        ...pick(row, 'type', 'value', 'visitors', 'previous', 'dropped'),
        ...{ dropoffRate: row.dropoff, remainingRate: row.remaining },
      })),
    }
  },
  async get_goals({ args: { goalId, startAt, page = 1, pageSize = 20 } }, { read, look }) {
    const list = goalId
      ? { data: [await look(`goals/${goalId}`)], count: 1, page: 1, pageSize: 1 }
      : await look('goals', { page, pageSize })
    const goals = list.data.map(async ({ id, name, parameters: { type = '', value = '' } }: Any) => {
      if (!startAt) return { id, name, type, value }
      const { num, total } = await read(`goals/${id}/stats`)
      const results = { conversions: num, visitors: total, conversionRate: total === 0 ? 0 : num / total }
      return { id, name, type, value, results }
    })
    return { goals: await Promise.all(goals), ...paging(list) }
  },
  async run_journey({ args: { steps = 3, startStep, endStep, limit = 20 } }, { read, total }) {
    const query = { steps, startStep, endStep, limit }
    const rows = await read('journeys', query)
    const journeys = rows.map(({ items, count }: Any) => ({ steps: items, visitors: count }))
    return { journeys, count: await total('journeys', query) }
  },
  async run_retention(_, { read }) {
    const rows = await read('retention')
    return {
      cohorts: rows.map(({ date, day, visitors, returnVisitors, percentage }: Any) => ({
        ...{ cohortDate: date, day, visitors, returningVisitors: returnVisitors, retentionRate: percentage },
      })),
    }
  },
  async run_attribution({ args: { model = 'last-click', conversionType, conversion, limit = 20 } }, { read }) {
    const { total, ...body } = await read('attribution', { model, type: conversionType, step: conversion, limit })
    return {
      total: { conversions: total.pageviews, visitors: total.visitors, visits: total.visits },
      ...{ referrers: body.referrer, paidAds: body.paidAds, utmSources: body.utm_source },
      ...{ utmMediums: body.utm_medium, utmCampaigns: body.utm_campaign, utmContents: body.utm_content },
      utmTerms: body.utm_term,
    }
  },
  async get_revenue({ args: { currency = 'USD', unit, compare = 'prev', limit = 20 } }, { read }) {
    const total = await read('revenue/stats', { currency, compare })
    const { chart } = await read('revenue/chart', { currency, unit })
    const by = (type: string) => read('revenue/metrics', { currency, type, limit })
    return {
      currency,
      ...{ total: sales(total), previous: sales(total.comparison) },
      chart: chart.map(({ x, t, y, count }: Any) => ({ name: x, date: t, value: y, count })),
      ...{ byCountry: await by('country'), byRegion: await by('region') },
      ...{ byReferrer: await by('referrer'), byChannel: await by('channel') },
    }
  },
  async get_performance({ args: { metric, breakdown, limit = 20, unit } }, { read }) {
    const { count, ...vitals } = await read('performance/stats')
    const { chart } = metric ? await read('performance/chart', { metric, unit }) : { chart: undefined }
    const series = chart?.map(({ t, ...point }: Any) => ({ date: t, ...point }))
    const rows = breakdown && (await read('performance/metrics', { metric, type: breakdown, limit }))
    return { measurements: count, vitals, ...(series && { series }), ...(rows && { breakdown: rows }) }
  },
}
