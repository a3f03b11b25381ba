import { expect, it } from 'vitest'
import { sections as allSections, type Section } from '../../src/access/opening.ts'
import type { AnyReport, Endpoint } from '../../src/endpoints/endpoint.ts'
import { sectionsOf } from '../../src/endpoints/facts.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { sections } from '../../src/pages/websites/shares/sections.ts'
import { fieldNames } from '../../src/request/fields.ts'
import { published } from '../support/openapi.ts'

/** The texts in the form. */
const words = {
  figures: 'visitors, visits, views, bounces, time',
  hours: 'visitors by weekday and hour',
  live: 'the last 30 minutes',
  sessions: 'each single session',
  steps: 'what a visitor did, step by step',
  actions: 'each single view and event',
  pages: 'pages',
  titles: 'page titles',
  queries: 'whole query strings',
  ends: 'entry and exit pages',
  hosts: 'hostnames',
  sources: 'referrers and channels',
  campaigns: 'UTM parameters',
  events: 'event names',
  tags: 'tags',
  properties: 'properties of events',
  devices: 'browsers, systems, devices',
  screens: 'screens',
  places: 'countries, regions, cities',
  languages: 'languages',
  said: 'properties from identify calls, if allowed below',
  goals: 'goals, and how many visitors reached them or any page or event',
  funnels: 'funnels, and how many visitors took their steps or any steps',
  journeys: 'the first steps of visits',
  credit: 'sources of those who did something',
  combinations: 'figures by any combination of the following',
  sales: 'sales by currency',
  buyers: 'each session that paid',
  speed: 'how fast pages load',
  returns: 'how many come back after how many days',
} as const

type Content = keyof typeof words

/** What an operation shows in addition to the fields in its answer or its parameter `type`. */
const ofOperation: Readonly<Record<string, Content | undefined>> = {
  ...{ getWebsiteStats: 'figures', getWebsitePageviews: 'figures', getWebsiteChart: 'figures' },
  ...{ getWebsiteSessionStats: 'figures', getWebsiteSessionsWeekly: 'hours', getRealtime: 'live' },
  ...{ getWebsiteMetrics: undefined, getWebsiteExpandedMetrics: undefined, getWebsiteValues: undefined },
  ...{ getWebsiteSessions: 'sessions', getWebsiteRevenueSessions: 'buyers' },
  ...{ getWebsiteSession: 'steps', getWebsiteSessionActivity: 'steps', getWebsiteSessionProperties: 'said' },
  ...{ getWebsiteEvents: 'actions', getWebsiteEventStats: 'events', getWebsiteEventSeries: 'events' },
  ...{ getWebsiteGoals: 'goals', getWebsiteGoal: 'goals', getWebsiteSavedGoalStats: 'goals' },
  ...{ getWebsiteGoalStats: 'goals', getWebsiteFunnels: 'funnels', getWebsiteFunnel: 'funnels' },
  ...{ getWebsiteSavedFunnelStats: 'funnels', getWebsiteFunnelStats: 'funnels' },
  ...{ getWebsiteJourneys: 'journeys', getWebsiteAttribution: 'credit', getWebsiteBreakdown: 'combinations' },
  ...{ getWebsiteRetention: 'returns', getWebsiteUtmMetrics: 'campaigns' },
  ...{ getWebsiteRevenueStats: 'sales', getWebsiteRevenueChart: 'sales', getWebsiteRevenueMetrics: 'sales' },
  ...{ getWebsiteRevenueCurrencies: 'sales', getWebsitePerformanceStats: 'speed' },
  ...{ getWebsitePerformanceChart: 'speed', getWebsitePerformanceMetrics: 'speed' },
}

/** What every section opens. The form states this once. */
const openToAll = [
  ...[
    'getWebsiteActive',
    'getReports',
    'getWebsiteReports',
    'getWebsite',
    'getWebsiteDateRange',
    'getLink',
    'getPixel',
  ],
  ...['getWebsiteAnnotations', 'getWebsiteAnnotation', 'getWebsiteSegments', 'getWebsiteSegment'],
]

/** Operations with the same path prefix show the same content. */
const ofPath = { '/event-data': 'properties', '/session-data': 'said' } as const

/** The meaning of a field's values, or of a field in an answer. */
const ofField: Readonly<Record<string, Content>> = {
  ...{ path: 'pages', urlPath: 'pages', urls: 'pages', title: 'titles', pageTitle: 'titles' },
  ...{ query: 'queries', urlQuery: 'queries', fullPath: 'queries', entry: 'ends', exit: 'ends', hostname: 'hosts' },
  ...{ referrer: 'sources', referrers: 'sources', referrerDomain: 'sources', channel: 'sources', domain: 'sources' },
  ...{ event: 'events', eventName: 'events', uniqueEvents: 'events', tag: 'tags', language: 'languages' },
  ...{ browser: 'devices', os: 'devices', device: 'devices', screen: 'screens' },
  ...{ country: 'places', countries: 'places', region: 'places', city: 'places' },
  ...{ utmSource: 'campaigns', utmMedium: 'campaigns', utmCampaign: 'campaigns', utmContent: 'campaigns' },
  ...{ utmTerm: 'campaigns', utm_source: 'campaigns', utm_medium: 'campaigns', utm_campaign: 'campaigns' },
  ...{ utm_content: 'campaigns', utm_term: 'campaigns' },
}

/** Names that are event fields elsewhere but mean something else in the answers of these operations. */
const otherwise: Readonly<Record<string, readonly string[]>> = {
  ...{ getWebsiteGoalStats: ['path', 'event'], getWebsiteAttribution: ['path', 'event'] },
  ...{ getWebsiteGoals: ['domain'], getWebsiteFunnels: ['domain'], getWebsiteSessionStats: ['countries'] },
}

it('the share form describes for each section exactly what its endpoints return', async () => {
  const { document } = await published()
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path)) as unknown as Operation[]
  const { schemas, parameters } = (document as unknown as { components: Components }).components
  const said = Object.fromEntries(allSections.map((section) => [section, [...sections[section].shows].sort()]))
  const opened = new Map(allSections.map((section) => [section, new Set<Content>()]))
  const note = (some: readonly Section[], content: Content | undefined) => {
    // The form states only once what all sections open.
    if (content === undefined || some.length === allSections.length) return
    for (const section of some) opened.get(section)!.add(content)
  }
  for (const endpoint of endpoints.filter(isRead)) {
    const operation = operations.find(({ operationId }) => operationId === endpoint.name)!
    const known = operation.parameters.map((one) => parameters[lastOf(one.$ref)] ?? one)
    const types = known.find(({ name }) => name === 'type')?.schema?.enum ?? []
    const fields = known.some(({ name }) => name === 'fields') ? fieldNames : []
    for (const one of [...types, ...fields]) {
      const some = openBy(endpoint, { type: one, fields: [one] })
      for (const content of [contentOf(endpoint, one), ownOf(endpoint)]) note(some, content)
    }
    if (types.length + fields.length > 0 && isVaried(endpoint)) continue
    const some = openBy(endpoint, {})
    note(some, ownOf(endpoint))
    for (const name of namesIn(operation.responses['200'], schemas)) note(some, contentOf(endpoint, name))
  }
  const always = endpoints.filter(
    (one) => isRead(one) && !isVaried(one) && openBy(one, {}).length === allSections.length,
  )
  expect(always.map(({ name }) => name)).toEqual(openToAll)
  expect(
    Object.fromEntries([...opened].map(([section, all]) => [section, [...all].map((one) => words[one]).sort()])),
  ).toEqual(said)
})

interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly schema?: { readonly enum?: readonly string[] }
}

interface Components {
  readonly schemas: Readonly<Record<string, object>>
  readonly parameters: Readonly<Record<string, Parameter>>
}

const lastOf = (reference = ''): string => reference.split('/').at(-1)!

interface Operation {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<Record<string, unknown>>
}

/** A POST gives the same answer as a GET, so only GETs are considered. */
const isRead = (endpoint: Endpoint): boolean => endpoint.method === 'get' && sectionsIn(endpoint).length > 0

const sectionsIn = ({ access }: Endpoint): readonly Section[] => ('sections' in access ? (access.sections ?? []) : [])

/** Whether the input determines which sections open the endpoint. */
const isVaried = (endpoint: Endpoint): boolean => endpoint.kind === 'report' && endpoint.sectionsOf !== undefined

const contentOf = ({ name }: Endpoint, field: string): Content | undefined =>
  otherwise[name]?.includes(field) ? undefined : ofField[field]

const openBy = (endpoint: Endpoint, input: object): readonly Section[] =>
  endpoint.kind === 'report' ? sectionsOf(endpoint as AnyReport, input) : sectionsIn(endpoint)

function ownOf({ name, path }: Endpoint): Content | undefined {
  const place = path.slice(path.indexOf('Id') + 2)
  const known = Object.entries(ofPath).find(([start]) => place.startsWith(start))
  if (known) return known[1]
  return ofOperation[name]
}

/** The property names in a schema, at any depth. */
function namesIn(schema: unknown, schemas: Readonly<Record<string, object>>): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { $ref, properties } = schema as { $ref?: string; properties?: object }
  if ($ref) return namesIn(schemas[lastOf($ref)], schemas)
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap((one) => namesIn(one, schemas))]
}
