import { expect, it } from 'vitest'
import { array, boolean, date, event, id, number, string } from '../oracle/fixtures.ts'
import { operator } from '../support/callers.ts'
import { day, websiteWith } from '../support/website.ts'
import { pathOf, read, running } from '../support/weir.ts'

/** Numbers with more digits than a double holds. */
const amounts = ['100000000000000000.0001', '200000000000000000.0002', '-3.5']

const textOf = async (path: string): Promise<string> => (await fetch(running.url + path, { headers: operator })).text()

it('sums of a property are exact to the last of their four places', async () => {
  const rows = amounts.map((amount, index) =>
    event({ event_id: id(index), event_name: 'pay', created_at: '2025-10-15 12:00:00.000' }, [
      number('amount', amount),
    ]),
  )
  const websiteId = await websiteWith(...rows)
  const asked = { ...day, eventName: 'pay', propertyName: 'amount', unit: 'day' }
  const pivot = `/api/websites/${websiteId}/event-data-pivot`
  expect(await textOf(pathOf(`${pivot}/numeric-series`, asked))).toBe(
    '[{"t":"2025-10-15T00:00:00Z","y":299999999999999996.5003}]',
  )
  const statistics = await textOf(pathOf(`${pivot}/numeric-stats`, { ...asked, unit: 'day' }))
  expect(statistics).toContain('"total":299999999999999996.5003')
  expect(statistics).toContain('"max":200000000000000000.0002,"min":-3.5')
  const batch = await fetch(`${running.url}/api/read`, {
    method: 'POST',
    headers: { ...operator, 'content-type': 'application/json' },
    body: JSON.stringify({ paths: [pathOf(`${pivot}/numeric-series`, asked)] }),
  })
  expect(await batch.text()).toContain('"y":299999999999999996.5003')
})

const bodyOf = async (path: string): Promise<unknown> => (await fetch(running.url + path, { headers: operator })).json()

/** `event_data` answers without a filter; with a filter on the city, custom_events does. */
const filters = [{}, { city: 'Oslo' }]

it.each(filters)('an event counts once for a value that it has twice, filter %j', async (filter) => {
  const at = { event_name: 'tag', city: 'Oslo', created_at: '2025-10-15 12:00:00.000' }
  const websiteId = await websiteWith(
    event({ ...at, event_id: id(1) }, [string('on', 'true'), string('on', 'false'), string('on', 'true')]),
    event({ ...at, event_id: id(2) }, [string('on', 'true'), boolean('on', true), string('off', 'true')]),
    event({ ...at, event_id: id(3) }, [number('on', '1'), number('on', '1.0'), string('on', '1')]),
  )
  const asked = { ...day, ...filter, eventName: 'tag', propertyName: 'on', unit: 'day' }
  const pivot = `/api/websites/${websiteId}/event-data-pivot`
  const t = '2025-10-15T00:00:00Z'
  expect(await bodyOf(pathOf(`${pivot}/property-series`, asked))).toEqual([
    { x: '1', t, y: 1 },
    { x: 'false', t, y: 1 },
    { x: 'true', t, y: 2 },
  ])
  // Each number counts; a text does not.
  expect(await bodyOf(pathOf(`${pivot}/numeric-series`, { ...asked, metric: 'count' }))).toEqual([{ t, y: 2 }])
})

it.each(filters)('names the tables that answer a series, filter %j', async (filter) => {
  const websiteId = await websiteWith(event({ event_name: 'tag', created_at: '2025-10-15 12:00:00.000' }))
  const asked = { ...day, ...filter, eventName: 'tag', propertyName: 'on', unit: 'day' }
  const path = pathOf(`/api/websites/${websiteId}/event-data-pivot/property-series`, asked)
  const { headers } = await fetch(running.url + path, { headers: operator })
  expect(headers.get('x-source')).toBe('city' in filter ? 'custom_events' : 'event_data')
})

it('array-series counts elements, date-series events by the second, numeric-series and -stats numbers', async () => {
  const bought = (place: number, hour: number, property: ReturnType<typeof string>) =>
    event({ event_id: id(place), event_name: 'buy', created_at: `2025-10-15 0${hour}:30:00.000` }, [property])
  const websiteId = await websiteWith(
    bought(1, 1, array('a', ['x', 'x', 1, [2]])),
    bought(2, 2, array('a', ['x'])),
    ...['2026-01-01T00:00:01.900Z', '1999-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z'].map((iso, place) =>
      bought(3 + place, 1, date('d', iso)),
    ),
    ...['0.1', '0.2', '-5.5'].map((text, place) => bought(6 + place, [1, 1, 3][place]!, number('n', text))),
  )
  const ask = async (report: string, propertyName: string, more: object = {}) =>
    (
      await read(websiteId, `event-data-pivot/${report}`, {
        ...{ ...day, eventName: 'buy', propertyName, unit: 'hour', ...more },
      })
    ).body
  const t = (hour: number) => `2025-10-15T0${hour}:00:00Z`
  expect(await ask('array-series', 'a')).toEqual([
    { x: '1', t: t(1), y: 1 },
    { x: '[2]', t: t(1), y: 1 },
    { x: 'x', t: t(1), y: 2 },
    { x: 'x', t: t(2), y: 1 },
  ])
  expect(await ask('date-series', 'd')).toEqual([
    { t: '1999-01-01T00:00:00Z', y: 1 },
    { t: '2026-01-01T00:00:01Z', y: 2 },
  ])
  const sums = async (more: object) => (await ask('numeric-series', 'n', more)).map(({ y }: { y: number }) => y)
  const filled = { fill: 'true', startAt: day.startAt + 3_600_000, endAt: day.startAt + 4 * 3_600_000 - 1 }
  expect(await sums({})).toEqual([0.3, -5.5])
  expect(await sums({ metric: 'count', ...filled })).toEqual([2, 0, 1])
  expect(await sums({ metric: 'avg', ...filled })).toEqual([expect.closeTo(0.15, 12), -5.5])
  const { average, ...statistics } = await ask('numeric-stats', 'n')
  expect(statistics).toEqual({ total: -5.2, median: 0.1, max: 0.2, min: -5.5 })
  expect(average).toBeCloseTo(-5.2 / 3, 12)
  const nothing = { total: 0, average: 0, median: 0, max: 0, min: 0 }
  expect(await ask('numeric-stats', 'none')).toEqual(nothing)
})
