import { beforeAll, describe, expect, it } from 'vitest'
import { sections } from '../../src/access/opening.ts'
import { computed, visible } from '../support/agreement.ts'
import { forbidden, newShare, post, remove, told, unauthorized } from '../support/callers.ts'
import { isLong } from '../support/long.ts'
import { keyOf, newPerson, type Person, websiteOf } from '../support/people.ts'
import { failed, refused } from '../support/refusals.ts'
import { everyReport, rangeReports, reportPath } from '../support/reports.ts'
import { add, newId } from '../support/website.ts'
import { pathOf, send } from '../support/weir.ts'

const rows = visible(
  { browser: 'chrome', os: 'linux', distinct_id: 'ann' },
  { browser: 'chrome', os: 'mac' },
  { browser: 'firefox', os: 'linux' },
)

let owner: Person

beforeAll(async () => {
  owner = await newPerson()
})

/** A website with three events of which this is open to everyone. */
async function open(parameters: object): Promise<{ websiteId: string; events: typeof rows }> {
  const websiteId = await websiteOf({ userId: owner.id }, { public: JSON.stringify(parameters) })
  await add(websiteId, ...rows)
  return { websiteId, events: rows.map((row) => ({ ...row, website_id: websiteId })) }
}

describe.concurrent('a public website', () => {
  it('answers every report of an open section to everybody', async () => {
    const { websiteId, events } = await open({ events: true })
    const elsewhere = await websiteOf({ userId: owner.id })
    const everyone = {
      nobody: {},
      outsider: (await newPerson()).headers,
      'a view-only user': (await newPerson({ role: 'view-only' })).headers,
      'a key for another website': await keyOf(owner, { websiteIds: [elsewhere] }),
      'a share of another website': (await newShare(elsewhere, {})).headers,
      'a share that opens nothing': (await newShare(websiteId, {})).headers,
      owner: owner.headers,
    }
    for (const [turn, [who, headers]] of Object.entries(everyone).entries()) {
      // In `npm test` each asks a third of the reports.
      for (const report of everyReport.filter((_, place) => isLong || (place + turn) % 3 === 0)) {
        const { status, body } = await told(websiteId, report, headers)
        expect([who, report.name, status, body]).toStrictEqual([who, report.name, 200, computed(events, report, [])])
      }
    }
  })

  it('is open until it expires', async () => {
    const { websiteId } = await open({ events: true, expiresAt: '2999-01-01T00:00:00Z' })
    for (const report of everyReport) expect((await told(websiteId, report, {})).status).toBe(200)
  })

  it('cannot be changed by the public, and gives no right to another website', async () => {
    const { websiteId } = await open(Object.fromEntries(sections.map((section) => [section, true])))
    const closed = await websiteOf({ userId: owner.id })
    const outsider = await newPerson()
    failed(await remove(`/api/websites/${websiteId}`, {}), unauthorized)
    failed(await remove(`/api/websites/${websiteId}`, outsider.headers), forbidden)
    failed(await send(`/api/websites/${websiteId}/shares`), unauthorized)
    failed(await send(`/api/websites/${websiteId}/shares`, { headers: outsider.headers }), forbidden)
    failed(await post(`/api/websites/${websiteId}/shares`, { name: 'a' }, {}), unauthorized)
    for (const report of everyReport) {
      failed(await told(closed, report, {}), unauthorized)
      failed(await told(newId(), report, {}), unauthorized)
    }
  })

  it('explains the faults of a request, unlike a website that is not public', async () => {
    const { websiteId } = await open({ events: true })
    const closed = await websiteOf({ userId: owner.id })
    for (const report of everyReport) {
      const wrong = pathOf(reportPath(websiteId, report), { ...report.query, nothing: '1' })
      refused(await send(wrong), 'nothing')
      failed(await send(wrong.replace(websiteId, closed)), unauthorized)
    }
  })

  it('applies its filters to every answer, except for readers with an own right', async () => {
    const { websiteId, events } = await open({ events: true, filters: { browser: 'chrome' } })
    const { headers } = await newPerson()
    for (const report of everyReport) {
      const kept = computed(events.slice(0, 2), report, [])
      expect((await told(websiteId, report, {})).body).toStrictEqual(kept)
      expect((await told(websiteId, report, headers)).body).toStrictEqual(kept)
      expect((await told(websiteId, report, owner.headers)).body).toStrictEqual(computed(events, report, []))
    }
    for (const report of rangeReports) {
      const { body } = await told(websiteId, report, {}, [
        ['match', 'any'],
        ['os', 'linux'],
        ['browser', 'firefox'],
      ])
      expect(body).toStrictEqual(computed(events.slice(0, 1), report, []))
    }
  })

  it('applies the rules of a share to its holders', async () => {
    const { websiteId, events } = await open({ events: true, filters: { browser: 'chrome' } })
    const { headers } = await newShare(websiteId, { events: true, filters: { os: 'linux' } })
    const kept = [events[0]!, events[2]!]
    for (const report of everyReport) {
      expect((await told(websiteId, report, headers)).body).toStrictEqual(computed(kept, report, []))
    }
  })
})
