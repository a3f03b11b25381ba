import { expect } from 'vitest'
import { day } from '../support/website.ts'

/** A client's request, and the part of the answer that the client reads. */
export interface ReaderRequest {
  /** The client, and how it uses the answer. */
  readonly client: string
  readonly method: 'GET' | 'POST'
  /** `:websiteId`, `:eventId` and `:sessionId` are placeholders for the test's ids. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: object
  /** The part of the answer that the client reads. A function in it checks one value. */
  readonly reads: unknown
}

const at = { startAt: day.startAt, endAt: day.endAt }
const iso = { startDate: '2025-10-15T00:00:00.000Z', endDate: '2025-10-15T23:59:59.999Z' }
const website = '/api/websites/:websiteId'

/** Parameters that the dashboard always sends: both spellings of the range, a unit and a time zone. */
const dashboard = { ...at, ...iso, unit: 'hour', timezone: 'Europe/Berlin' }

const aNumber = expect.any(Number) as unknown
const aText = expect.any(String) as unknown

/** The dashboard of Umami 3.1. */
const ofDashboard: readonly ReaderRequest[] = [
  {
    ...{ client: 'dashboard: website figures', method: 'GET', path: `${website}/stats` },
    query: { ...dashboard, compare: 'prev' },
    reads: { pageviews: 2, visitors: 2, visits: 2, bounces: 1, totaltime: 0, comparison: { pageviews: 0 } },
  },
  {
    ...{ client: 'dashboard: website chart', method: 'GET', path: `${website}/pageviews` },
    query: { ...dashboard, compare: 'prev' },
    reads: { pageviews: [{ x: '2025-10-15T12:00:00Z', y: 2 }], sessions: [{ x: aText, y: 2 }], compare: {} },
  },
  {
    client: 'dashboard: segment menu, with the context of its data library',
    method: 'GET',
    path: `${website}/segments`,
    query: {
      ...{ type: 'segment', client: '[object Object]', queryKey: 'website:segments,[object Object]' },
      signal: '[object AbortSignal]',
    },
    reads: { data: [], count: 0, page: 1 },
  },
  {
    ...{ client: 'dashboard: cohort menu', method: 'GET', path: `${website}/segments` },
    query: { ...dashboard, type: 'cohort', search: '', page: 1, pageSize: 20 },
    reads: { data: [], count: 0 },
  },
  {
    client: 'dashboard: session properties',
    method: 'GET',
    path: `${website}/sessions/:sessionId/properties`,
    query: { websiteId: ':websiteId' },
    reads: [],
  },
  {
    ...{ client: 'dashboard: session activity', method: 'GET' },
    ...{ path: `${website}/sessions/:sessionId/activity`, query: at },
    reads: [{ createdAt: aText, urlPath: '/a', eventType: 1, visitId: aText, hasData: 0 }],
  },
  {
    ...{ client: 'dashboard: journey form, all', method: 'POST', path: '/api/reports/journey' },
    body: {
      ...{ websiteId: ':websiteId', type: 'journey', filters: at },
      parameters: { ...iso, steps: 5, startStep: '', endStep: '', view: 'all', timezone: 'UTC', unit: 'hour' },
    },
    reads: [{ items: ['/a'], count: 1 }],
  },
  {
    ...{ client: 'dashboard: journey form, views', method: 'POST', path: '/api/reports/journey' },
    body: {
      websiteId: ':websiteId',
      type: 'journey',
      filters: { ...at },
      parameters: { ...iso, steps: 5, view: 'views', eventType: 1 },
    },
    reads: [
      { items: ['/a'], count: 1 },
      { items: ['/b'], count: 1 },
    ],
  },
  {
    client: 'dashboard: event properties, whose types determine the chart',
    method: 'GET',
    path: `${website}/event-data/properties`,
    query: { ...dashboard, search: '' },
    reads: [
      { eventName: 'buy', propertyName: 'plan', dataType: 1, total: 1 },
      { eventName: 'buy', propertyName: 'price', dataType: 2, total: 1 },
    ],
  },
  {
    ...{ client: 'dashboard: one event property', method: 'GET', path: `${website}/event-data/properties` },
    query: { ...dashboard, propertyName: 'price' },
    reads: [{ propertyName: 'price', dataType: 2, total: 1 }],
  },
  {
    ...{ client: 'dashboard: property values', method: 'GET', path: `${website}/event-data/values` },
    query: { ...dashboard, event: 'buy', eventName: 'buy', propertyName: 'plan' },
    reads: [{ value: 'pro', total: 1 }],
  },
  {
    ...{ client: 'dashboard: website download', method: 'GET', path: `${website}/export` },
    query: { ...dashboard, format: 'json' },
    reads: { zip: expect.stringMatching(/^UEs/) as unknown },
  },
  { client: 'dashboard: current visitors', method: 'GET', path: `${website}/active`, reads: { visitors: 0 } },
  {
    ...{ client: 'dashboard: hours of the week', method: 'GET', path: `${website}/sessions/weekly` },
    query: dashboard,
    reads: expect.objectContaining({ length: 7 }) as unknown,
  },
  {
    ...{ client: 'dashboard: realtime', method: 'GET', path: '/api/realtime/:websiteId' },
    query: { timezone: 'UTC' },
    reads: { totals: { views: 0, visitors: 0 }, series: { views: [], visitors: [] }, timestamp: aNumber },
  },
]

/** Scripts, connectors and widgets that use the names from before October 2025. */
const ofOldNames: readonly ReaderRequest[] = [
  {
    ...{ client: 'script: most viewed pages', method: 'GET', path: `${website}/metrics` },
    query: { ...at, type: 'url', limit: 50 },
    reads: [
      { x: '/a', y: 1 },
      { x: '/b', y: 1 },
    ],
  },
  {
    ...{ client: 'blog: the views of one article', method: 'GET', path: `${website}/metrics` },
    query: { startAt: 0, endAt: day.endAt, type: 'url', url: '/b' },
    reads: [{ x: '/b', y: 1 }],
  },
  {
    ...{ client: 'blog: the figures of one article', method: 'GET', path: `${website}/stats` },
    query: { ...at, url: '/b' },
    reads: { pageviews: 1, visitors: 1 },
  },
  {
    ...{ client: 'script: website hosts', method: 'GET', path: `${website}/metrics` },
    query: { ...at, type: 'host' },
    reads: [{ x: 'example.com', y: 2 }],
  },
  {
    ...{ client: 'script: pages in a date range', method: 'GET', path: `${website}/metrics` },
    query: { ...iso, type: 'url', limit: 100 },
    reads: [{ x: '/a' }, { x: '/b' }],
  },
  {
    ...{ client: 'script: events over time for one page and host', method: 'GET', path: `${website}/events/series` },
    query: { ...at, unit: 'hour', timezone: 'America/Los_Angeles', url: '/b', host: 'example.com' },
    reads: [{ x: 'buy', t: '2025-10-15T12:00:00Z', y: 1 }],
  },
]

/** MCP servers that use the API. */
const ofModels: readonly ReaderRequest[] = [
  {
    ...{ client: 'MCP server: its websites, including those of teams', method: 'GET', path: '/api/websites' },
    query: { includeTeams: 'true', search: ':websiteId' },
    reads: { data: [{ id: aText, name: aText, domain: 'example.com', createdAt: aText }], count: 1 },
  },
  {
    ...{ client: 'MCP server: page figures', method: 'GET', path: `${website}/stats` },
    query: { ...at, url: '/a', referrer: 'neq.t.co' },
    reads: { pageviews: 1, visitors: 1, visits: 1, bounces: 1, totaltime: 0 },
  },
  {
    ...{ client: 'MCP server: views by week', method: 'GET', path: `${website}/pageviews` },
    query: { ...at, unit: 'week', timezone: 'Asia/Seoul', url: 'c./' },
    reads: { pageviews: [{ y: 2 }], sessions: [{ y: 2 }] },
  },
  {
    ...{ client: 'MCP server: a metric of one host', method: 'GET', path: `${website}/metrics/expanded` },
    query: { ...at, type: 'url', host: 'example.com', limit: 10 },
    reads: [{ name: '/a', pageviews: 1, visitors: 1 }, { name: '/b' }],
  },
  {
    ...{ client: 'MCP server: events of a page', method: 'GET', path: `${website}/events` },
    query: { ...at, unit: 'day', timezone: 'Asia/Seoul', url: '/b' },
    reads: { data: [{ eventName: 'buy', urlPath: '/b' }, { urlPath: '/b' }], count: 2 },
  },
  {
    ...{ client: 'MCP server: sessions in a given order', method: 'GET', path: `${website}/sessions` },
    query: { ...at, page: 1, pageSize: 10, orderBy: 'createdAt' },
    reads: { data: [{ id: aText }, { id: aText }], count: 2, page: 1, pageSize: 10 },
  },
  {
    ...{ client: 'MCP server: date range of the data', method: 'GET', path: `${website}/daterange` },
    reads: { startDate: aText, endDate: aText },
  },
  {
    ...{ client: 'MCP server: saved reports', method: 'GET', path: '/api/reports' },
    query: { websiteId: ':websiteId', type: 'funnel', page: 1, pageSize: 20 },
    reads: { data: [], count: 0 },
  },
  {
    ...{ client: 'MCP server: a funnel', method: 'POST', path: '/api/reports/funnel' },
    body: {
      websiteId: ':websiteId',
      type: 'funnel',
      filters: {},
      parameters: {
        ...{ startDate: '2025-10-15T00:00:00Z', endDate: '2025-10-15T23:59:59Z', window: 60 },
        steps: [
          { type: 'path', value: '/b' },
          { type: 'event', value: 'buy' },
        ],
      },
    },
    reads: [
      { value: '/b', visitors: 1 },
      { value: 'buy', visitors: 1, dropoff: 0 },
    ],
  },
]

/** Panels and libraries that read JSON: Grafana, Looker Studio, WordPress, PHP and Python clients. */
const ofPanels: readonly ReaderRequest[] = [
  {
    ...{ client: 'Grafana: a series of views, in milliseconds', method: 'GET', path: `${website}/pageviews` },
    query: { ...at, unit: 'hour', timezone: 'UTC' },
    reads: { pageviews: [{ x: '2025-10-15T12:00:00Z', y: 2 }] },
  },
  {
    ...{ client: 'Grafana: a table of pages', method: 'GET', path: `${website}/metrics` },
    query: { ...at, type: 'url', limit: 10 },
    reads: [{ x: '/a', y: 1 }, { y: 1 }],
  },
  {
    ...{ client: 'Looker Studio: countries in a date range', method: 'GET', path: `${website}/metrics` },
    query: { ...at, type: 'country', unit: 'day', timezone: 'UTC' },
    reads: [{ x: 'DE', y: 2 }],
  },
  {
    ...{ client: 'WordPress: figures for a month', method: 'GET', path: `${website}/stats` },
    query: { startAt: Date.UTC(2025, 9, 1), endAt: Date.UTC(2025, 10, 1) - 1 },
    reads: { pageviews: 2, visitors: 2, visits: 2 },
  },
  {
    ...{ client: 'WordPress: pages with their former addresses', method: 'GET', path: `${website}/values` },
    query: { ...at, type: 'url', search: '/' },
    reads: [{ value: '/b', count: 2 }, { value: '/a' }],
  },
  {
    ...{ client: 'PHP client: every filter that it lists', method: 'GET', path: `${website}/stats` },
    query: {
      ...at,
      ...{ path: '/a', os: 'neq.Plan 9', hostname: 'example.com', language: 'neq.xx', match: 'all', eventType: 1 },
    },
    reads: { pageviews: 1 },
  },
  { client: 'status page: heartbeat', method: 'GET', path: '/api/heartbeat', reads: { ok: true } },
]

export const readerRequests: readonly ReaderRequest[] = [...ofDashboard, ...ofOldNames, ...ofModels, ...ofPanels]
