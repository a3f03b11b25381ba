import { expect, it } from 'vitest'
import { boolean, event, id, number, string } from '../oracle/fixtures.ts'
import { operator } from '../support/callers.ts'
import { day, websiteWith } from '../support/website.ts'
import { pathOf, running } from '../support/weir.ts'

/** Numbers with more digits than a double can hold. */
const amounts = ['100000000000000000.0001', '200000000000000000.0002', '-3.5']

const textOf = async (path: string): Promise<string> => (await fetch(running.url + path, { headers: operator })).text()

it('sums over a property are exact to four decimal places', async () => {
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

/** `event_data` is used without a filter, and `custom_events` with a filter on the city. */
const filters = [{}, { city: 'Oslo' }]

it.each(filters)('an event that has the same value twice counts once, filter %j', async (filter) => {
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
  // Every number counts, but a text does not.
  expect(await bodyOf(pathOf(`${pivot}/numeric-series`, { ...asked, metric: 'count' }))).toEqual([{ t, y: 2 }])
})

it.each(filters)('x-source lists the tables that were used for a series, filter %j', async (filter) => {
  const websiteId = await websiteWith(event({ event_name: 'tag', created_at: '2025-10-15 12:00:00.000' }))
  const asked = { ...day, ...filter, eventName: 'tag', propertyName: 'on', unit: 'day' }
  const path = pathOf(`/api/websites/${websiteId}/event-data-pivot/property-series`, asked)
  const { headers } = await fetch(running.url + path, { headers: operator })
  expect(headers.get('x-source')).toBe('city' in filter ? 'custom_events' : 'event_data')
})
