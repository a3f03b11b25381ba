import { beforeAll, describe, expect, it } from 'vitest'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { event, id, number, string } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { asked, computed, type Sent } from '../support/agreement.ts'
import { eventId, eventName, eventReports, events, rangeReports } from '../support/reports.ts'
import { columnTime, day, websiteWith } from '../support/website.ts'

const mine = [
  event({ event_id: eventId, event_name: eventName, visit_id: id(201) }, [string('plan', 'mine')]),
  event({ event_id: id(2), event_type: 1, url_path: '/mine', visit_id: id(201) }),
  event({ event_id: id(5), event_type: 1, url_path: '/mine', visit_id: id(202) }),
]
const theirs = [
  event({ event_id: eventId, event_name: eventName, visit_id: id(201) }, [string('plan', 'theirs'), number('n', '1')]),
  event({ event_id: id(2), event_name: eventName }, [string('plan', 'theirs')]),
  event({ event_id: id(3), event_type: 1, url_path: '/theirs', visit_id: id(201) }),
  event({ event_id: id(4), event_type: 1, url_path: '/theirs', visit_id: id(201) }),
  event({ event_id: id(6), event_name: eventName, visit_id: id(202) }),
]

const expected = (rows: IngestRow[], report: AnyReport, websiteId: string, query: Sent = []): unknown =>
  computed(
    rows.map((row) => ({ ...row, website_id: websiteId })),
    report,
    query,
  )

describe('another website with the same events, sessions and visits', () => {
  let websiteId: string
  beforeAll(async () => {
    await websiteWith(...theirs)
    websiteId = await websiteWith(...mine)
  })

  it.each(eventReports)('never appears in $name', async (report) => {
    expect(await asked(websiteId, report, [])).toStrictEqual(expected(mine, report, websiteId))
  })

  it.each([
    ['excludeBounce=1', mine.slice(0, 2)],
    ['epf0=1.eq.plan.theirs', []],
    ['epf0=2.eq.n.1', []],
  ])('adds nothing to %s', async (filter, rows) => {
    expect(await asked(websiteId, events, filter)).toStrictEqual(expected(rows, events, websiteId))
  })
})

describe('both ends of the range belong to it', () => {
  const noon = 1_760_529_600_000
  const rows = [noon - 1, noon, noon + 500, noon + 501].map((moment, index) =>
    event({ event_id: id(index), event_name: eventName, created_at: columnTime(moment) }, [
      string('plan', String(index)),
    ]),
  )

  let websiteId: string
  beforeAll(async () => {
    websiteId = await websiteWith(...rows)
  })

  it.each(rangeReports)('in $name', async (report) => {
    const range = (startAt: number, endAt: number) => `startAt=${startAt}&endAt=${endAt}`
    const ask = (startAt: number, endAt: number) => asked(websiteId, report, range(startAt, endAt))
    const told = (startAt: number, endAt: number) => expected(rows, report, websiteId, range(startAt, endAt))
    expect(await ask(noon, noon + 500)).toStrictEqual(told(noon, noon + 500))
    expect(await ask(noon + 500, noon + 500)).toStrictEqual(told(noon + 500, noon + 500))
    expect(await ask(noon + 1, noon + 499)).toStrictEqual(told(noon + 1, noon + 499))
    expect(told(noon, noon + 500)).not.toEqual(told(day.startAt, day.endAt))
  })
})
