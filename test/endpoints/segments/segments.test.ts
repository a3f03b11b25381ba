import { beforeAll, describe, expect, it } from 'vitest'
import { number, string } from '../../oracle/fixtures.ts'
import type { SavedFilter, SavedParameters } from '../../oracle/saved.ts'
import { computed, keeps, visible, type World, worldOf } from '../../support/agreement.ts'
import { anId, forbidden, moment, newShare, notFound, operator, post, remove } from '../../support/callers.ts'
import { newPerson, websiteOf } from '../../support/people.ts'
import { failed, refused } from '../../support/refusals.ts'
import { events } from '../../support/reports.ts'
import { pathTo, told } from '../../support/requests.ts'
import { saved, segmentsOf } from '../../support/saved.ts'
import { newId } from '../../support/website.ts'
import { get, send } from '../../support/weir.ts'

const owner = await newPerson()
const websiteId = await websiteOf({ userId: owner.id })

const chrome: SavedFilter = { name: 'browser', operator: 'eq', value: 'chrome' }
const body = (changes: object = {}) => ({
  type: 'segment',
  name: 'Chrome',
  parameters: { filters: [chrome] },
  ...changes,
})
const cohort = { dateRange: '30day', action: { type: 'event', value: 'buy' } }

describe('a segment', () => {
  it('can be changed to a cohort', async () => {
    const { body: made } = await post(segmentsOf(websiteId), body({ name: ' Was a segment ' }))
    expect(made).toStrictEqual({
      ...{ id: anId, websiteId, type: 'segment', name: 'Was a segment', parameters: { filters: [chrome] } },
      ...{ createdAt: moment, updatedAt: moment },
    })
    const next = { type: 'cohort', name: 'Buyers', parameters: cohort }
    const changed = await post(`${segmentsOf(websiteId)}/${made.id}`, next)
    expect(changed.body).toStrictEqual({ ...made, ...next, updatedAt: moment })
  })

  it('can be sent back completely, including extra fields that dashboards add', async () => {
    const labelled = { name: 'browser1', type: 'browser', label: 'Browser', operator: 'neq', value: ['a,b', 'c'] }
    const made = (await post(segmentsOf(websiteId), body({ parameters: { filters: [labelled] } }))).body
    expect(made.parameters).toStrictEqual({ filters: [{ name: 'browser1', operator: 'neq', value: ['a,b', 'c'] }] })
    const path = `${segmentsOf(websiteId)}/${made.id}`
    const again = await post(path, { ...made, id: made.id.toUpperCase(), name: 'Again' })
    expect([again.status, again.body]).toStrictEqual([200, { ...made, name: 'Again', updatedAt: moment }])
    refused(await post(path, { ...made, id: newId() }), 'id')
    refused(await post(path, { ...made, websiteId: newId() }), 'websiteId')
  })

  it.each<[string, SavedParameters | Record<string, unknown>]>([
    ['nothing', {}],
    ['no filters', { filters: [] }],
    ['match alone', { match: 'any' }],
    [
      'every operator',
      { filters: ['eq', 'neq', 'c', 'dnc', 're', 'nre'].map((operator) => ({ ...chrome, operator })) },
    ],
    ['an empty value', { filters: [{ ...chrome, value: '' }] }],
    ['quotes, NUL and other letters', { filters: [{ ...chrome, value: `'"\`\\ \0 é日😀 {p0:String}; DROP` }] }],
    ['a list of them', { filters: [{ ...chrome, value: ["'", 'a,b', '\\', ''] }] }],
    ['a long value', { filters: [{ ...chrome, value: 'x'.repeat(4000) }] }],
    ['fifty filters', { filters: Array.from({ length: 50 }, () => chrome) }],
  ])('may contain %s', async (_, parameters) => {
    const id = await saved(websiteId, 'segment', parameters as SavedParameters)
    expect((await get(`${segmentsOf(websiteId)}/${id}`)).body.parameters).toStrictEqual(parameters)
  })

  it('may contain an empty list of session properties, which newer clients send', async () => {
    const { status, body: made } = await post(
      segmentsOf(websiteId),
      body({ parameters: { sessionPropertyFilters: [] } }),
    )
    expect([status, made.parameters]).toStrictEqual([200, { sessionPropertyFilters: [] }])
  })

  const f = 'parameters.filters'
  it.each<[string, object, string]>([
    ['an action', { parameters: { action: cohort.action } }, 'parameters.action'],
    ['a range of dates', { parameters: { dateRange: '30day' } }, 'parameters.dateRange'],
    ['a filter that is a text', { parameters: { filters: ['browser=x'] } }, `${f}.0`],
    ['a filter that is null', { parameters: { filters: [chrome, null] } }, `${f}.1`],
    ['an unknown field to filter by', { parameters: { filters: [{ ...chrome, name: 'screen' }] } }, `${f}.0.name`],
    ['a property of Object', { parameters: { filters: [{ ...chrome, name: 'constructor' }] } }, `${f}.0.name`],
    ['a nested segment', { parameters: { filters: [{ ...chrome, name: 'segment' }] } }, `${f}.0.name`],
    ['an event type', { parameters: { filters: [{ ...chrome, name: 'eventType' }] } }, `${f}.0.name`],
    ['no field', { parameters: { filters: [{ operator: 'eq', value: 'x' }] } }, `${f}.0.name`],
    ['no operator', { parameters: { filters: [{ name: 'browser', value: 'x' }] } }, `${f}.0.operator`],
    ['another operator', { parameters: { filters: [{ ...chrome, operator: 'gt' }] } }, `${f}.0.operator`],
    ['no value', { parameters: { filters: [{ name: 'browser', operator: 'eq' }] } }, `${f}.0.value`],
    ['a number', { parameters: { filters: [{ ...chrome, value: 1 }] } }, `${f}.0.value`],
    ['an empty list', { parameters: { filters: [{ ...chrome, value: [] }] } }, `${f}.0.value`],
    ['a list of numbers', { parameters: { filters: [{ ...chrome, value: [1] }] } }, `${f}.0.value`],
    ['a long list', { parameters: { filters: [{ ...chrome, value: Array(101).fill('x') }] } }, `${f}.0.value`],
    ['a long comma list', { parameters: { filters: [{ ...chrome, value: 'x,'.repeat(100) }] } }, `${f}.0.value`],
    ['a long value', { parameters: { filters: [{ ...chrome, value: 'x'.repeat(4001) }] } }, `${f}.0.value`],
    ['half a surrogate pair', { parameters: { filters: [{ ...chrome, value: 'a\udc00' }] } }, `${f}.0.value`],
    ['a list for contains', { parameters: { filters: [{ ...chrome, operator: 'c', value: ['x'] }] } }, `${f}.0.value`],
    ['an extra field in a filter', { parameters: { filters: [{ ...chrome, column: 'x' }] } }, `${f}.0.column`],
  ])('is refused with %s', async (_, changes, path) => {
    const id = await saved(websiteId, 'segment', { filters: [chrome] })
    refused(await post(segmentsOf(websiteId), body(changes)), path)
    refused(await post(`${segmentsOf(websiteId)}/${id}`, body(changes)), path)
    expect((await get(`${segmentsOf(websiteId)}/${id}`)).body.parameters).toStrictEqual({ filters: [chrome] })
  })
})

describe('the segment list', () => {
  let listed: string
  const names = ['beta', 'Alpha', 'alpha 2', '100%_', "O'Hara"]
  beforeAll(async () => {
    listed = await websiteOf({ userId: owner.id })
    for (const name of names) await saved(listed, 'segment', {}, { name })
    await saved(listed, 'cohort', {}, { name: 'Of cohorts' })
  })
  const list = (query: Record<string, string>) => get(segmentsOf(listed), { type: 'segment', ...query })
  const namesOf = ({ body }: Awaited<ReturnType<typeof list>>) => body.data.map((one: { name: string }) => one.name)

  it('contains a single type, sorted by name, ignoring case', async () => {
    const all = ['100%_', 'Alpha', 'alpha 2', 'beta', "O'Hara"]
    expect(namesOf(await list({}))).toStrictEqual(all)
    expect(namesOf(await list({ type: 'cohort' }))).toStrictEqual(['Of cohorts'])
  })
})

const rows = visible(
  { browser: 'chrome', os: 'linux', country: 'DE', visit_id: newId(), has: [string('tier', 'gold')] },
  { browser: 'chrome', os: 'mac', country: 'US', event_type: 1, has: [string('tier', 'free')] },
  { browser: 'firefox', os: 'linux', country: 'US', has: [string('tier', 'gold'), number('price', '10')] },
  { browser: 'chrome-ios', os: 'iOS', country: 'DE' },
  { browser: 'a,b', os: 'a\\', country: '' },
)

describe('segment= on every report', () => {
  let world: World
  beforeAll(async () => {
    world = await worldOf(...rows)
  })

  const is = (name: string, value: string | string[], operator: SavedFilter['operator'] = 'eq'): SavedFilter => ({
    ...{ name, operator, value },
  })

  it.each<[string, SavedParameters, string, number[]]>([
    ['one filter', { filters: [is('browser', 'chrome')] }, '', [0, 1]],
    ['several filters', { filters: [is('browser', 'chrome'), is('os', 'linux')] }, '', [0]],
    ['filters with match=any', { filters: [is('browser', 'chrome'), is('os', 'linux')], match: 'any' }, '', [0, 1, 2]],
    ['a text as a comma-separated list', { filters: [is('browser', 'chrome,firefox')] }, '', [0, 1, 2]],
    ['with \\, for a literal comma', { filters: [is('browser', 'a\\,b,chrome')] }, '', [0, 1, 4]],
    ['a list of literal texts', { filters: [is('browser', ['a,b', 'firefox'])] }, '', [2, 4]],
    ['a list with a backslash', { filters: [is('os', ['a\\', 'mac'])] }, '', [1, 4]],
    ['neq with a list', { filters: [is('browser', ['a,b', 'firefox'], 'neq')] }, '', [0, 1, 3]],
    ['an operator in the value is literal', { filters: [is('browser', 'c.chrome')] }, '', []],
    ['contains', { filters: [is('browser', 'CHROME', 'c')] }, '', [0, 1, 3]],
    ['does not contain', { filters: [is('browser', 'chrome', 'dnc')] }, '', [2, 4]],
    ['contains a literal comma', { filters: [is('browser', 'a,b', 'c')] }, '', [4]],
    ['a regular expression', { filters: [is('browser', '^CHROME$', 're')] }, '', [0, 1]],
    ['a regular expression that must not match', { filters: [is('browser', '^chrome', 'nre')] }, '', [2, 4]],
    ['an empty value', { filters: [is('country', '')] }, '', [4]],
    ['an empty segment has no effect', {}, 'browser=firefox', [2]],
    // In combination with filters of the request.
    ['filters on other fields are added', { filters: [is('browser', 'chrome')] }, 'os=mac', [1]],
    ['the request’s filter is replaced', { filters: [is('browser', 'chrome')] }, 'browser=firefox', [0, 1]],
    ['even in brackets', { filters: [is('browser', 'chrome')] }, 'filters[browser]=firefox', [0, 1]],
    ['even in an object', { filters: [is('browser', 'chrome')] }, 'filters={"browser":["firefox","x"]}', [0, 1]],
    ['its second filter is not', { filters: [is('browser', 'chrome', 'c')] }, 'browser=x&browser1=c.ios', [3]],
    [
      'a segment’s second filter replaces the request’s second',
      { filters: [is('browser', 'chrome', 'c'), is('browser', 'ios', 'dnc')] },
      'browser=x&browser1=y&browser2=dnc.nothing',
      [0, 1],
    ],
    ['so does one with that number', { filters: [is('browser1', 'chrome', 'c')] }, 'browser=c.ios&browser1=y', [3]],
    // The segment's match applies if it has one.
    ['match from the request', { filters: [is('browser', 'firefox')] }, 'os=mac&match=any', [1, 2]],
    ['match from the segment', { filters: [is('browser', 'firefox')], match: 'all' }, 'os=mac&match=any', []],
    ['its own match=any', { filters: [is('browser', 'firefox')], match: 'any' }, 'os=mac&match=all', [1, 2]],
    ['a segment with match only', { match: 'any' }, 'browser=firefox&os=mac', [1, 2]],
    // Filters other than fields are always separate conditions.
    ['an event type', { filters: [is('browser', 'chrome')], match: 'any' }, 'eventType=2', [0]],
    ['a property filter', { filters: [is('browser', 'chrome')], match: 'any' }, 'epf0=1.eq.tier.gold', [0]],
    ['two property filters', { filters: [is('os', 'linux')] }, 'epf0=1.eq.tier.gold&epf1=2.gte.price.10', [2]],
    ['bounces', { filters: [is('browser', 'chrome')] }, 'excludeBounce=1', [0]],
  ])('%s', async (_, parameters, query, places) => {
    const segment = await saved(world.websiteId, 'segment', parameters)
    await keeps(world, `segment=${segment}${query && `&${query}`}`, places)
  })

  it('reflects a change of the saved segment immediately', async () => {
    const segment = await saved(world.websiteId, 'segment', { filters: [chrome] })
    await keeps(world, `segment=${segment}`, [0, 1])
    await post(`${segmentsOf(world.websiteId)}/${segment}`, body({ parameters: { filters: [is('os', 'mac')] } }))
    await keeps(world, `segment=${segment}`, [1])
    await remove(`${segmentsOf(world.websiteId)}/${segment}`)
    refused(await get(pathTo(events, { websiteId: world.websiteId }, { segment })), 'segment')
  })

  it.each(['(', 'a{2,1}', '(?<=a)b', '\0('])('is an error if RE2 rejects a pattern: %j', async (value) => {
    const segment = await saved(world.websiteId, 'segment', { filters: [is('title', value, 're'), chrome] })
    const ask = (query: Record<string, string>) => get(pathTo(events, { websiteId: world.websiteId }, query))
    refused(await ask({ segment, os: 're.^a' }), 'segment')
    refused(await ask({ 'filters[segment]': segment }), 'filters[segment]')
  })

  it('is looked up only after the credential and the other parameters have been checked', async () => {
    const stranger = (await newPerson()).headers
    failed(await told(world.websiteId, events, stranger, { segment: newId() }), forbidden)
    refused(await get(pathTo(events, { websiteId: world.websiteId }, { segment: newId(), startAt: 'x' })), 'startAt')
  })
})

describe('segments and cohorts through a share or a public website', () => {
  let world: World
  let open: string
  let secret: string
  let secretCohort: string
  beforeAll(async () => {
    world = await worldOf(...visible({ browser: 'chrome', distinct_id: 'ann' }, { browser: 'firefox' }))
    open = await saved(world.websiteId, 'segment', { filters: [chrome] }, { name: 'open' })
    const ann: SavedFilter = { name: 'distinctId', operator: 'eq', value: 'ann' }
    secret = await saved(world.websiteId, 'segment', { filters: [chrome, ann] }, { name: 'secret' })
    const numbered = {
      filters: [{ ...ann, name: 'distinctId2' }],
      action: { type: 'event' as const, value: 'buy' },
      dateRange: 'all',
    }
    secretCohort = await saved(world.websiteId, 'cohort', numbered, { name: 'secret too' })
    const status = await post(`/api/websites/${world.websiteId}`, { public: { events: true } })
    expect(status.body).toMatchObject({ public: { events: true } })
  })

  it('are invisible if they use the distinct id: they cannot be listed, read or used', async () => {
    const share = await newShare(world.websiteId, { events: true })
    for (const headers of [share.headers, {}]) {
      const read = (path: string) => send(path, { headers })
      const list = await read(`${segmentsOf(world.websiteId)}?type=segment`)
      expect(list.body).toMatchObject({ count: 1, data: [{ id: open, name: 'open' }] })
      expect((await read(`${segmentsOf(world.websiteId)}?type=cohort`)).body).toMatchObject({ count: 0, data: [] })
      expect((await read(`${segmentsOf(world.websiteId)}/${open}`)).body.id).toBe(open)
      for (const id of [secret, secretCohort, newId()]) {
        failed(await read(`${segmentsOf(world.websiteId)}/${id}`), notFound)
      }
      const found = await told(world.websiteId, events, headers, { segment: open })
      expect(found.body).toStrictEqual(computed([world.rows[0]!], events, []))
    }
  })

  it('are invisible if filters are not allowed, and can never be changed', async () => {
    const closed = await newShare(world.websiteId, { events: true, allowFilter: false })
    const path = `${segmentsOf(world.websiteId)}/${open}`
    for (const one of [`${segmentsOf(world.websiteId)}?type=segment`, path]) {
      failed(await send(one, { headers: closed.headers }), forbidden)
    }
    failed(await told(world.websiteId, events, closed.headers, { segment: open }), forbidden)
    const { headers } = await newShare(world.websiteId, { events: true })
    failed(await post(path, body(), headers), forbidden)
    failed(await remove(path, headers), forbidden)
    failed(await post(segmentsOf(world.websiteId), body(), headers), forbidden)
    expect((await send(path, { headers: operator })).body.name).toBe('open')
  })

  it('are shown without their conditions if filters are locked, but can still be used', async () => {
    const action = { type: 'event' as const, value: 'buy' }
    const buyers = await saved(world.websiteId, 'cohort', { action, dateRange: 'all' }, { name: 'buyers' })
    const share = await newShare(world.websiteId, { events: true, filters: { browser: 'chrome' } })
    const isLocked = { public: { events: true, filters: { browser: 'chrome' } } }
    const lockedId = await websiteOf({}, { public: JSON.stringify(isLocked.public) })
    const lockedSegment = await saved(lockedId, 'segment', { filters: [chrome] }, { name: 'open' })
    for (const [websiteId, headers, type, id, name] of [
      [world.websiteId, share.headers, 'segment', open, 'open'],
      [world.websiteId, share.headers, 'cohort', buyers, 'buyers'],
      [lockedId, {}, 'segment', lockedSegment, 'open'],
    ] as const) {
      const whole = (await get(`${segmentsOf(websiteId)}/${id}`)).body
      expect(whole.parameters).not.toStrictEqual({})
      const shown = { ...whole, name, parameters: {} }
      const list = await send(`${segmentsOf(websiteId)}?type=${type}`, { headers })
      expect([list.status, list.body.data]).toStrictEqual([200, [shown]])
      const one = await send(`${segmentsOf(websiteId)}/${id}`, { headers })
      expect([one.status, one.body]).toStrictEqual([200, shown])
    }
    const free = await newShare(world.websiteId, { events: true })
    const { body: told } = await send(`${segmentsOf(world.websiteId)}/${open}`, { headers: free.headers })
    expect(told.parameters).toStrictEqual({ filters: [chrome] })
  })

  it('add their filters to locked filters with the same name', async () => {
    const { headers } = await newShare(world.websiteId, { events: true, filters: { browser: 'firefox' } })
    const { body } = await told(world.websiteId, events, headers, { segment: open })
    expect(body).toStrictEqual(computed([], events, []))
  })
})
