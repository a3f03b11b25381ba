import { beforeAll, describe, expect, it } from 'vitest'
import { answerOf } from '../facts/oracle-of.ts'
import { event, id, number, string } from '../oracle/fixtures.ts'
import type { IngestRow, Report } from '../oracle/model.ts'
import { eventId, eventName, everyReport, rangeReports, reportPath } from '../support/reports.ts'
import { columnTime, day, websiteWith } from '../support/website.ts'
import { get } from '../support/weir.ts'

const mine = [
  event({ event_id: eventId, event_name: eventName, visit_id: id(201) }, [string('plan', 'mine')]),
  event({ event_id: id(2), event_type: 1, url_path: '/mine', visit_id: id(201) }),
]
const theirs = [
  event({ event_id: eventId, event_name: eventName, visit_id: id(201) }, [string('plan', 'theirs'), number('n', '1')]),
  event({ event_id: id(2), event_name: eventName }, [string('plan', 'theirs')]),
  event({ event_id: id(3), event_type: 1, url_path: '/theirs', visit_id: id(201) }),
  event({ event_id: id(4), event_type: 1, url_path: '/theirs', visit_id: id(201) }),
]

const expected = (rows: IngestRow[], name: string, websiteId: string, query: [string, string][]): unknown =>
  answerOf(
    rows.map((row) => ({ ...row, website_id: websiteId })),
    { endpoint: name as Report, websiteId, eventId, query },
  ).body

const pairs = (query: object): [string, string][] => Object.entries(query).map(([name, value]) => [name, `${value}`])

describe('another website with the same events, sessions and visits', () => {
  let websiteId: string
  beforeAll(async () => {
    await websiteWith(...theirs)
    websiteId = await websiteWith(...mine)
  })

  it.each(everyReport)('never appears in $name', async (report) => {
    const { status, body } = await get(reportPath(websiteId, report), report.query)
    expect([status, body]).toStrictEqual([200, expected(mine, report.name, websiteId, pairs(report.query))])
  })

  it.each(rangeReports)('adds no page views to excludeBounce and no properties to epf in $name', async (report) => {
    for (const filter of [{ excludeBounce: '1' }, { epf0: '1.eq.plan.theirs' }, { epf0: '2.eq.n.1' }]) {
      const query = { ...report.query, ...filter }
      const { status, body } = await get(reportPath(websiteId, report), query)
      expect([status, body]).toStrictEqual([200, expected([], report.name, websiteId, pairs(query))])
    }
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
    const ask = async (startAt: number, endAt: number) => {
      const { body } = await get(reportPath(websiteId, report), { ...report.query, startAt, endAt })
      return body
    }
    const told = (startAt: number, endAt: number) =>
      expected(rows, report.name, websiteId, pairs({ ...report.query, startAt, endAt }))
    expect(await ask(noon, noon + 500)).toStrictEqual(told(noon, noon + 500))
    expect(await ask(noon + 500, noon + 500)).toStrictEqual(told(noon + 500, noon + 500))
    expect(await ask(noon + 1, noon + 499)).toStrictEqual(told(noon + 1, noon + 499))
    expect(told(noon, noon + 500)).not.toEqual(told(day.startAt, day.endAt))
  })
})
