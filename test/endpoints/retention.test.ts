import { describe, expect, it } from 'vitest'
import { eventsIn } from '../support/lines.ts'
import { websiteWith } from '../support/website.ts'
import { read } from '../support/weir.ts'

const range = { startDate: '2025-10-01', endDate: '2025-12-31' }

/** Berlin's clocks go back on 26 October 2025 at 01:00 UTC. Midnight is at 22:00 UTC before that, then at 23:00 UTC. */
const websiteId = await websiteWith(
  ...eventsIn(`
    A1 2025-10-25T21:59:59.999  /home   browser=chrome
    A1 2025-10-25T22:00:00      /home   browser=chrome
    A2 2025-10-26T22:59:59.999  buy     browser=safari
    A3 2025-10-26T23:00:00      /home   browser=chrome
    B1 2025-10-25T12:00:00      buy     browser=chrome
    B2 2025-11-25T12:00:00      /home   browser=chrome
    B3 2025-11-26T12:00:00      /home   browser=chrome
    C1 2025-10-25T12:00:00      /home   browser=chrome
    C1 2025-10-25T12:00:00      /home   browser=chrome
    C1 2025-10-26T12:00:00      /home   event_type=5
    D1 2025-10-24T12:00:00      /home   event_type=5
    D2 2025-10-26T12:00:00      /home   event_type=3
  `),
)

/** Lines in the form `<date> <day> <returned>/<visitors>`. */
async function lines(more: object): Promise<string[]> {
  const { body } = await read(websiteId, 'retention', { ...range, ...more } as never)
  return body.map(
    ({ date, day, visitors, returnVisitors }: Record<string, unknown>) =>
      `${date} ${day} ${returnVisitors}/${visitors}`,
  )
}

describe('retention', () => {
  it('counts the visitors who return on each of the 31 days after their first', async () => {
    const { body } = await read(websiteId, 'retention', range)
    expect(body).toStrictEqual([
      { date: '2025-10-25T00:00:00Z', day: 0, visitors: 3, returnVisitors: 3, percentage: 100 },
      { date: '2025-10-25T00:00:00Z', day: 1, visitors: 3, returnVisitors: 1, percentage: 100 / 3 },
      { date: '2025-10-25T00:00:00Z', day: 31, visitors: 3, returnVisitors: 1, percentage: 100 / 3 },
      { date: '2025-10-26T00:00:00Z', day: 0, visitors: 1, returnVisitors: 1, percentage: 100 },
    ])
  })

  it('counts by day in the time zone, even when clocks change', async () => {
    expect(await lines({ timezone: 'Europe/Berlin' })).toStrictEqual([
      ...['2025-10-24T22:00:00Z 0 3/3', '2025-10-24T22:00:00Z 1 1/3', '2025-10-24T22:00:00Z 2 1/3'],
      ...['2025-10-24T22:00:00Z 31 1/3', '2025-10-25T22:00:00Z 0 1/1'],
    ])
    expect(await lines({ timezone: 'Pacific/Kiritimati' })).toStrictEqual([
      ...['2025-10-25T10:00:00Z 0 3/3', '2025-10-25T10:00:00Z 1 1/3', '2025-10-25T10:00:00Z 31 1/3'],
      '2025-10-26T10:00:00Z 0 1/1',
    ])
  })
})
