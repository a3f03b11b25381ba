import { describe, expect, it } from 'vitest'
import type { AnyReport, Endpoint } from '../../src/endpoints/endpoint.ts'
import { isAskedByBody } from '../../src/endpoints/facts.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { made } from '../../src/made.ts'
import type { Filters } from '../../src/request/filters.ts'
import { event, id, string } from '../oracle/fixtures.ts'
import { newShare, operator, post } from '../support/callers.ts'
import { forEach } from '../support/concurrently.ts'
import { inTurn, isLong } from '../support/long.ts'
import { refused } from '../support/refusals.ts'
import { reports } from '../support/reports.ts'
import { askOf, pathTo, savedFor } from '../support/requests.ts'
import { seed } from '../support/seed.ts'
import { day, newId, websiteWith } from '../support/website.ts'
import { get, pathOf, read, send } from '../support/weir.ts'

/** Tests the names in `src/request/client-names.ts`. Each is accepted where it is declared, and unknown elsewhere. */
const named = endpoints.map((endpoint) => [endpoint.name, endpoint] as const)
const reading = named.filter(([, { method }]) => method === 'get')
const key = { authorization: operator.authorization! }

const websiteId = await websiteWith(
  event({ event_id: id(1), event_type: 1, url_path: '/a', hostname: 'one.example', visit_id: id(201) }),
  event({ event_id: id(2), event_type: 1, url_path: '/b', hostname: 'two.example', visit_id: id(202) }),
  event({ event_id: id(3), event_name: 'buy', url_path: '/b', hostname: 'two.example', visit_id: id(202) }, [
    string('plan', 'pro'),
  ]),
)

const ask = (endpoint: Endpoint, more: Record<string, string>, ids: Record<string, string> = {}) =>
  send(pathTo(endpoint, { websiteId, ...ids }, more), askOf(endpoint, key, { websiteId }))

/** The names used before October 2025. */
const formerFields = { url: 'path', host: 'hostname' }

describe('the query context added by a data-fetching library', () => {
  const context = { client: '[object Object]', queryKey: 'website:segments,1', signal: '[object AbortSignal]' }

  it('is accepted by the segment list, without effect', async () => {
    await post(`/api/websites/${websiteId}/segments`, { type: 'segment', name: 'One', parameters: {} })
    const path = `/api/websites/${websiteId}/segments`
    const plain = await get(path, { type: 'segment' })
    expect(plain.body.count).toBe(1)
    expect((await get(path, { type: 'segment', ...context })).body).toEqual(plain.body)
    refused(await get(path, { type: 'segment', client: 'x'.repeat(4001) }), 'client')
  })

  it.each(reading.filter(([name]) => name !== 'getWebsiteSegments'))('is rejected by %s', async (_name, endpoint) => {
    const { status, body } = await ask(endpoint, context)
    const unknown = (path: string) => ({ path, message: expect.stringMatching('^Unknown parameter') })
    expect([status, body.error.issues]).toEqual([400, Object.keys(context).map(unknown)])
  })
})

describe('websiteId as a parameter in addition to the path', () => {
  const about = named.filter(([, { path }]) => path.includes('/:websiteId'))

  it.each(about)('must match the path: %s', async (_name, endpoint) => {
    expect(about.length).toBeGreaterThan(60)
    const reply = await ask(endpoint, { websiteId: newId() })
    refused(reply, 'websiteId')
    expect(reply.body.error.message).toBe('websiteId: Must be the id in the path, or left out.')
  })

  const answered = about.filter(([, { method, path }]) => method === 'get' && !/recorder$/.test(path))

  // One function handles it everywhere, so each `npm test` run uses a different quarter of the endpoints.
  it.each(inTurn(answered, seed, 4))('has no effect: %s', async (_name, endpoint) => {
    const ids = endpoint.kind === 'report' ? await savedFor(endpoint, websiteId) : {}
    const plain = await ask(endpoint, {}, ids)
    const again = await ask(endpoint, { websiteId: websiteId.toUpperCase() }, ids)
    const bare = ({ status, body }: typeof plain) => ({
      status,
      body: { ...body, timestamp: 0, error: body.error?.code },
    })
    expect(bare(again)).toEqual(bare(plain))
    expect([200, 404]).toContain(again.status)
  })

  it('is unknown if the path has no website', async () => {
    for (const path of ['/api/me', '/api/websites', '/api/links', '/api/health'.replace('/api', '')]) {
      refused(await get(path, { websiteId }), 'websiteId')
    }
  })
})

describe('format=json', () => {
  it('is accepted only by the export', async () => {
    const plain = await read(websiteId, 'export', day)
    expect((await read(websiteId, 'export', { ...day, format: 'json' })).body).toEqual(plain.body)
    refused(await get(`/api/websites/${websiteId}/export`, { ...day, format: 'csv' }), 'format')
    refused(await get(`/api/websites/${websiteId}/stats`, { ...day, format: 'json' }), 'format')
  })
})

describe('a journey view', () => {
  const parameters = { startDate: '2025-10-15', endDate: '2025-10-15', steps: 3 }
  const journey = (more: object, filters: object = {}) =>
    post('/api/reports/journey', { websiteId, type: 'journey', filters, parameters: { ...parameters, ...more } })
  const items = async (...given: Parameters<typeof journey>) => {
    const { status, body } = await journey(...given)
    expect([status, body.error]).toEqual([200, undefined])
    return (body as { items: string[] }[]).map((one) => one.items.join(' ')).sort()
  }

  it('selects a kind of event', async () => {
    expect(await items({ view: 'all' })).toEqual(['/a', '/b buy'])
    expect(await items({ view: 'views' })).toEqual(['/a', '/b'])
    expect(await items({ view: 'events' })).toEqual(['buy'])
  })

  it('must agree with an eventType in the same request', async () => {
    expect(await items({ view: 'views', eventType: 1 })).toEqual(['/a', '/b'])
    expect(await items({ view: 'events' }, { eventType: '2' })).toEqual(['buy'])
    for (const [view, eventType] of [
      ['views', 2],
      ['events', 1],
      ['views', '1,2'],
      ['views', 'neq.1'],
      ['all', 1],
    ]) {
      refused(await journey({ view, eventType }), 'parameters.view')
      refused(await journey({ view }, { eventType }), 'parameters.view')
    }
    refused(await journey({ view: 'clicks' }), 'parameters.view')
  })

  it('counts as a filter: a share without filters refuses it', async () => {
    const { headers } = await newShare(websiteId, { journeys: true, allowFilter: false })
    const body = (view: string) => ({ websiteId, type: 'journey', filters: {}, parameters: { ...parameters, view } })
    expect((await post('/api/reports/journey', body('all'), headers)).status).toBe(200)
    expect((await post('/api/reports/journey', body('views'), headers)).status).toBe(403)
  })

  it('is an unknown parameter in other reports', async () => {
    refused(await get(`/api/websites/${websiteId}/journeys`, { ...day, steps: 3, view: 'all' }), 'view')
    const body = { websiteId, type: 'goal', filters: {}, parameters: { ...parameters, view: 'all' } }
    expect((await post('/api/reports/goal', body)).status).toBe(400)
  })
})

describe('a filter’s former name', () => {
  const pairs = Object.entries(formerFields)
  // One function handles them everywhere, so each `npm test` run uses a different third of the reports.
  const filtered = inTurn(
    reports.filter(({ query }) => Object.hasOwn(query.parameters, 'hostname')),
    seed,
    3,
  )

  /** The filters that a report parses from this query string or body, or the invalid parameters. */
  function understood(report: AnyReport, filters: readonly (readonly [string, string])[]): unknown {
    const isInBody: boolean = isAskedByBody(report)
    const parsed = isInBody
      ? made(report.body!).safeParse({
          ...{ websiteId, type: report.path.slice(report.path.lastIndexOf('/') + 1) },
          ...{ filters: Object.fromEntries(filters), parameters: report.example.query },
        })
      : report.query.schema.safeParse({ ...report.example.query, ...Object.fromEntries(filters) })
    if (!parsed.success) return parsed.error.issues.map(({ path }) => path.at(-1))
    const { fields } = (parsed.data as { filters: Filters }).filters
    return fields.map(({ parameter: _, ...field }) => field)
  }

  const spellings = (report: AnyReport, name: string): ((value: string) => readonly [string, string])[] =>
    isAskedByBody(report)
      ? [(value) => [name, value]]
      : [
          (value) => [name, value],
          (value) => [`filters[${name}]`, value],
          (value) => ['filters', JSON.stringify({ [name]: value })],
        ]

  it.each(filtered.map((report, turn) => [report.name, report, turn] as const))(
    'means the same as the current name, in every spelling, in %s',
    (_name, report, turn) => {
      // In `npm test`, each report is tested with one of the values.
      const values = ['/a', 'neq./a', 'c.a,b', ''].filter((_, place) => isLong || place === turn % 4)
      for (const [former, current] of pairs) {
        for (const number of ['', '1', '12']) {
          const [old, now] = [former, current].map((name) => spellings(report, `${name}${number}`))
          for (const [index, spelled] of old!.entries()) {
            for (const value of values) {
              const found = understood(report, [spelled(value)])
              expect(found).toEqual(understood(report, [now![index]!(value)]))
              expect(found).toMatchObject([{ field: current, name: `${current}${number}` }])
            }
          }
        }
      }
    },
  )

  it.each(filtered.map((report) => [report.name, report] as const))(
    'is refused together with the current name, in %s',
    (_name, report) => {
      for (const [former, current] of pairs) {
        for (const [old, now] of [
          [former, current],
          [`${former}1`, current],
          [former, `${current}2`],
        ] as const) {
          const place = isAskedByBody(report) ? `filters.${old}` : old
          const given = [
            [old, '/a'],
            [now, '/a'],
          ] as const
          expect(understood(report, given)).toEqual([place])
        }
      }
    },
  )

  it('filters answers with GET and POST, and in segments and cohorts', async () => {
    const stats = async (more: Record<string, string>) => (await read(websiteId, 'stats', { ...day, ...more })).body
    expect(await stats({ url: '/b' })).toMatchObject({ pageviews: 1, visitors: 1 })
    expect(await stats({ url: '/b' })).toEqual(await stats({ path: '/b' }))
    expect(await stats({ host: 'two.example', url: 'neq./b' })).toMatchObject({ pageviews: 0 })
    const goal = (filters: object) =>
      post('/api/reports/goal', { websiteId, type: 'goal', filters, parameters: { ...day, type: 'path', value: '*' } })
    expect((await goal({})).body.num).toBe(1)
    expect((await goal({ url: '/nowhere' })).body).toEqual({ num: 0, total: 0 })

    const old = [
      { name: 'url', operator: 'eq', value: '/b' },
      { name: 'host1', operator: 'eq', value: 'two.example' },
    ]
    const parameters = { segment: { filters: old }, cohort: { filters: old, ...actionOfDay } }
    for (const type of ['segment', 'cohort'] as const) {
      const made = await post(`/api/websites/${websiteId}/segments`, { type, name: type, parameters: parameters[type] })
      expect(made.body.parameters.filters.map(({ name }: { name: string }) => name)).toEqual(['path', 'hostname1'])
      expect(await stats({ [type]: made.body.id, url: '/b' })).toMatchObject({ pageviews: 1 })
      const both = [...old, { name: 'path2', operator: 'eq', value: '/b' }]
      const wrong = { type, name: 'x', parameters: { ...parameters[type], filters: both } }
      refused(await post(`/api/websites/${websiteId}/segments`, wrong), 'parameters.filters.0.name')
    }
  })

  const actionOfDay = { dateRange: `range:${day.startAt}:${day.endAt}`, action: { type: 'event', value: 'buy' } }

  it('works like the current name in a share’s locks', async () => {
    const { headers } = await newShare(websiteId, { overview: true, filters: { url: '/b' } })
    const { body } = await send(pathOf(`/api/websites/${websiteId}/stats`, day), { headers })
    expect(body.pageviews).toBe(1)
    const both = { entityId: websiteId, shareType: 1, name: 'x', parameters: { filters: { url: '/b', path: '/b' } } }
    expect((await post('/api/share', both)).status).toBe(400)
  })

  it('is unknown if it is spelled differently', async () => {
    for (const name of ['URL', 'urls', 'url_path', 'hosts', 'hostName', '_host', 'url1x']) {
      refused(await get(`/api/websites/${websiteId}/stats`, { ...day, [name]: '/b' }), name)
    }
  })
})

describe('a type’s former name', () => {
  const typed = reports.filter(({ query }) => {
    const values = (query.parameters.type?.schema.enum ?? []) as string[]
    return Object.values(formerFields).every((name) => values.includes(name))
  })

  it('is accepted by metrics, expanded metrics and values, with the same answer as the current name', async () => {
    expect(typed.map(({ name }) => name).sort()).toEqual([
      ...['getWebsiteExpandedMetrics', 'getWebsiteMetrics', 'getWebsiteValues'],
    ])
    await forEach(typed, async (report) => {
      for (const [former, current] of Object.entries(formerFields)) {
        const [old, now] = [await ask(report, { type: former }), await ask(report, { type: current })]
        expect([old.status, old.body]).toEqual([200, now.body])
        expect(old.body.length).toBe(2)
      }
      const path = pathTo(report, { websiteId }, { type: 'url' })
      refused(await send(`${path}&type=path`, { headers: key }), 'type')
    })
  })

  it('requires the same section as the current name', async () => {
    const { headers } = await newShare(websiteId, { compare: true })
    const metric = (type: string) => send(pathOf(`/api/websites/${websiteId}/metrics`, { ...day, type }), { headers })
    expect([(await metric('url')).status, (await metric('path')).status, (await metric('title')).status]).toEqual([
      200, 200, 403,
    ])
  })
})

describe('sections', () => {
  it('all include current visitors; both overview and sessions include the hours of a week', async () => {
    for (const [section, path, status] of [
      ['utm', 'active', 200],
      ['journeys', 'active', 200],
      ['overview', 'sessions/weekly', 200],
      ['sessions', 'sessions/weekly', 200],
      ['events', 'sessions/weekly', 403],
    ] as const) {
      const { headers } = await newShare(websiteId, { [section]: true })
      const reply = await send(pathOf(`/api/websites/${websiteId}/${path}`, day), { headers })
      expect([section, path, reply.status]).toEqual([section, path, status])
    }
    const { headers } = await newShare(websiteId, {})
    expect((await send(`/api/websites/${websiteId}/active`, { headers })).status).toBe(403)
  })
})
