import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { event, string } from '../oracle/fixtures.ts'
import { newShare, post } from '../support/callers.ts'
import { ask, csv, escapedCsv, ndjson, parquet, rowsOf, withoutCursor } from '../support/exports.ts'
import { inTurn, isLong } from '../support/long.ts'
import { newPerson, websiteOf } from '../support/people.ts'
import { eventName, listReports, pagedReports } from '../support/reports.ts'
import { pathTo } from '../support/requests.ts'
import { seed } from '../support/seed.ts'
import { websiteWith } from '../support/website.ts'
import { running, send } from '../support/weir.ts'

const lists = [...pagedReports, ...listReports]
const formats = [ndjson, csv, parquet]

const row = (browser: string) =>
  event({ event_name: eventName, event_id: randomUUID(), browser, distinct_id: 'secret-person' }, [
    string('plan', browser),
  ])
const websiteId = await websiteWith(row('chrome'), row('firefox'), row('chrome'))

describe.each(lists)('an export of $name', (report) => {
  const path = () => pathTo(report, { websiteId })

  it('contains, through a share, exactly the rows on its pages', async () => {
    const { headers } = await newShare(websiteId, { events: true, allowExport: true, filters: { browser: 'chrome' } })
    const rows = await rowsOf(path(), {}, headers)
    const { body } = await send(path(), { headers })
    expect(rows.map(withoutCursor)).toStrictEqual(body.data ?? body)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toMatch(/firefox|secret-person/)
    const everything = await rowsOf(path())
    expect(everything).not.toEqual(rows)
  })

  it('is refused through a share or public website without allowExport, while its pages are not', async () => {
    const isOpen = async (parameters: object) => {
      const { headers, slug } = await newShare(websiteId, parameters)
      const open = await websiteOf({}, { public: JSON.stringify(parameters) })
      return [
        [path(), headers],
        [`${path()}&share=${slug}`, {}],
        [pathTo(report, { websiteId: open }), {}],
        [pathTo(report, { websiteId: open }), stranger],
      ] as const
    }
    const { headers: stranger } = await newPerson()
    for (const allowExport of inTurn([undefined, false], lists.indexOf(report), 2)) {
      const ways = await isOpen({ events: true, ...(allowExport === false && { allowExport }) })
      for (const [turn, [closed, headers]] of ways.entries()) {
        // Each `npm test` run requests each of these in a single, different format.
        const of = turn + lists.indexOf(report)
        for (const accept of inTurn([...formats, escapedCsv], of + seed, 4)) {
          for (const wanted of inTurn([accept, `${accept}, application/json;q=0.5`], of, 2)) {
            const { status, body } = await send(closed, { headers: { ...headers, accept: wanted } })
            expect([status, body.error]).toMatchObject([403, { code: 'forbidden', status: 403 }])
            expect(body.error.message).toContain('allowExport')
          }
          const head = await fetch(running.url + closed, { method: 'HEAD', headers: { ...headers, accept } })
          expect([head.status, head.headers.get('content-disposition')]).toEqual([403, null])
        }
        expect((await send(closed, { headers })).status).toBe(200)
      }
    }
    for (const [turn, [open, headers]] of (await isOpen({ events: true, allowExport: true })).entries()) {
      // `npm test` requests each of these in a single format.
      const some = formats.filter((_, place) => isLong || place === (turn + lists.indexOf(report)) % formats.length)
      for (const accept of some) expect((await ask(open, accept, headers)).status).toBe(200)
    }
  })
})

it('nothing from before a reset is exported', async () => {
  const id = await websiteWith(event({ event_name: eventName }, [string('plan', 'pro')]))
  const path = (report: (typeof lists)[number]) => pathTo(report, { websiteId: id })
  for (const report of lists) expect(await rowsOf(path(report))).not.toEqual([])
  expect((await post(`/api/websites/${id}/reset`, undefined)).status).toBe(200)
  for (const report of lists) expect(await rowsOf(path(report))).toEqual([])
})
