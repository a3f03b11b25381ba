import { expect, it } from 'vitest'
import { event, id, number } from '../oracle/fixtures.ts'
import { operator } from '../support/callers.ts'
import { day, websiteWith } from '../support/website.ts'
import { pathOf, running } from '../support/weir.ts'

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
