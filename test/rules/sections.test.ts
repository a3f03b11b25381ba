import { beforeAll, describe, expect, it } from 'vitest'
import { sections as allSections, type Section } from '../../src/access/opening.ts'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { factsOf } from '../facts/index.ts'
import { forbidden, type Headers, newShare, operator, unauthorized } from '../support/callers.ts'
import { inTurn } from '../support/long.ts'
import { newPerson, type Person, websiteOf } from '../support/people.ts'
import { failed } from '../support/refusals.ts'
import { reports } from '../support/reports.ts'
import { askExample, filteredReports } from '../support/sides.ts'

/** A report is open to a share, and to everyone, by one of its sections; and by nothing else. */

/** From the facts: a section that a declaration opens by mistake is noticed. */
const openedBy = (report: AnyReport): readonly Section[] => factsOf(report).openedBy!

const all = reports.map((report) => [report.name, report] as const)

/** Every section but those of the report. */
function otherSections(report: AnyReport): Readonly<Record<string, boolean>> {
  const own = openedBy(report)
  return Object.fromEntries(allSections.map((section) => [section, !own.includes(section)]))
}

/** Whether some section is open. */
const isOpen = (parameters: object): boolean => !('expiresAt' in parameters) && Object.values(parameters).includes(true)

let owner: Person
let outsider: Person
/** Nothing of it is open to everyone. */
let websiteId: string
beforeAll(async () => {
  ;[owner, outsider] = await Promise.all([newPerson(), newPerson()])
  websiteId = await websiteOf({ userId: owner.id })
})

const openTo = (parameters: object): Promise<string> =>
  websiteOf({ userId: owner.id }, { public: JSON.stringify(parameters) })

/** Asserts that the report answers. The example’s session is not on these websites. */
async function answers(report: AnyReport, website: string, headers: Headers): Promise<void> {
  const { status } = await askExample(report, website, { headers })
  expect(report.refuses?.includes('not-found') ? [200, 404] : [200]).toContain(status)
}

async function fails(report: AnyReport, website: string, headers: Headers, expected: typeof forbidden): Promise<void> {
  failed(await askExample(report, website, { headers }), expected)
}

describe('a share', () => {
  it.each(all)('opens a report by each of its sections, and by no other: %s', async (_, report) => {
    for (const section of openedBy(report)) {
      await answers(report, websiteId, (await newShare(websiteId, { [section]: true })).headers)
    }
    const nothing = inTurn([{}, { allowFilter: true, allowExport: true }], reports.indexOf(report), 2)
    for (const parameters of [...nothing, otherSections(report)]) {
      await fails(report, websiteId, (await newShare(websiteId, parameters)).headers, forbidden)
    }
  })

  it.each(all)('opens no other website: %s', async (_, report) => {
    const sections = Object.fromEntries(allSections.map((section) => [section, true]))
    const elsewhere = await newShare(await websiteOf({ userId: owner.id }), sections)
    await fails(report, websiteId, elsewhere.headers, forbidden)
  })
})

describe('a public website', () => {
  it.each(all)('opens a report to everyone by each of its sections, and by no other: %s', async (_, report) => {
    for (const section of openedBy(report)) {
      const open = await openTo({ [section]: true })
      for (const headers of [{}, outsider.headers]) await answers(report, open, headers)
    }
    const expired = Object.fromEntries(allSections.map((section) => [section, true]))
    const nothing = inTurn([{}, { ...expired, expiresAt: '2000-01-01T00:00:00Z' }], reports.indexOf(report), 2)
    for (const parameters of [...nothing, otherSections(report)]) {
      const closed = await openTo(parameters)
      // If the sections depend on the input, whoever asks is let in before the input is looked at.
      const isLetIn = report.sectionsOf !== undefined && isOpen(parameters)
      await fails(report, closed, {}, isLetIn ? forbidden : unauthorized)
      await fails(report, closed, outsider.headers, forbidden)
      await answers(report, closed, owner.headers)
    }
  })

  it.each(all)('refuses wrong credentials: %s', async (_, report) => {
    const open = await openTo(Object.fromEntries(allSections.map((section) => [section, true])))
    const { token, slug } = await newShare(open, {})
    const wrong: readonly Headers[] = [
      { authorization: 'Bearer wrong' },
      { authorization: 'Basic eDp5' },
      { 'x-weir-api-key': `api_${'x'.repeat(43)}` },
      { 'x-umami-share-token': token },
      { ...operator, 'x-weir-share-token': token },
    ]
    for (const headers of inTurn(wrong, reports.indexOf(report), 3)) {
      await fails(report, open, headers, unauthorized)
    }
    if (report.method === 'get') {
      failed(await askExample(report, open, { headers: {}, query: { share: `${slug}x` } }), unauthorized)
    }
  })
})

describe('filters of others than the owner', () => {
  const some = filteredReports.filter((report) => openedBy(report).length > 0)

  it.each(some.map((report) => [report.name, report] as const))(
    'are refused if closed, and by the distinct id always: %s',
    async (_, report) => {
      const sections = Object.fromEntries(openedBy(report).map((section) => [section, true]))
      const [free, strict] = [await openTo(sections), await openTo({ ...sections, allowFilter: false })]
      const shares = [await newShare(free, sections), await newShare(strict, { ...sections, allowFilter: false })]
      const asked = (website: string, headers: Headers, query: Readonly<Record<string, string>>) =>
        askExample(report, website, { headers, query })
      const callers: readonly (readonly [open: Headers, closed: Headers])[] = [
        [{}, {}],
        [outsider.headers, outsider.headers],
        [shares[0]!.headers, shares[1]!.headers],
      ]
      const turn = reports.indexOf(report)
      for (const [headers, closed] of inTurn(callers, turn, 3)) {
        for (const query of inTurn<Readonly<Record<string, string>>>(
          [{ distinctId: 'ann' }, { distinctId1: 'neq.x' }],
          turn,
          2,
        ))
          failed(await asked(free, headers, query), forbidden)
        expect((await asked(free, headers, { browser: 'x' })).status).toBe(200)
        failed(await asked(strict, closed, { browser: 'x' }), forbidden)
      }
      expect((await asked(strict, owner.headers, { distinctId: 'ann' })).status).toBe(200)
    },
  )
})
