import { beforeAll, describe, expect, it } from 'vitest'
import { sections as allSections, type Section } from '../../src/access/opening.ts'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { factsOf } from '../facts/index.ts'
import { forbidden, type Headers, newShare, operator, unauthorized } from '../support/callers.ts'
import { inTurn } from '../support/long.ts'
import { newPerson, type Person, websiteOf } from '../support/people.ts'
import { failed } from '../support/refusals.ts'
import { reports, sectionsOpening } from '../support/reports.ts'
import { seed } from '../support/seed.ts'
import { askExample, filteredReports } from '../support/sides.ts'

/**
 * Each of a report's own sections, and no other section, opens it to shares and the public. Every declaration is
 * compared with the facts. A single function reads all sections, so `npm test` uses a changing seventh of the reports.
 */

/** These are taken from the facts, so that a wrong section in a declaration is detected. */
const openedBy = (report: AnyReport): readonly Section[] => factsOf(report).openedBy!

const all = inTurn(reports, seed, 7).map((report) => [report.name, report] as const)

/** Every section except the report's own. */
function otherSections(report: AnyReport): Readonly<Record<string, boolean>> {
  const own = openedBy(report)
  return Object.fromEntries(allSections.map((section) => [section, !own.includes(section)]))
}

/** Whether some section is open. */
const isOpen = (parameters: object): boolean => !('expiresAt' in parameters) && Object.values(parameters).includes(true)

type NewShare = Awaited<ReturnType<typeof newShare>>

let owner: Person
let outsider: Person
/** A website without public sections. */
let websiteId: string
let elsewhere: NewShare
let ofOpen: NewShare
beforeAll(async () => {
  ;[owner, outsider] = await Promise.all([newPerson(), newPerson()])
  websiteId = await websiteOf({ userId: owner.id })
  elsewhere = await newShare(await websiteOf({ userId: owner.id }), everySection)
  ofOpen = await newShare(await openTo(everySection), {})
})

/** Creates one object per set of parameters. All reports use the same empty websites. */
const onceEach = <Made>(make: (parameters: object) => Promise<Made>): ((parameters: object) => Promise<Made>) => {
  const made = new Map<string, Promise<Made>>()
  return (parameters) => {
    const key = JSON.stringify(parameters)
    const one = made.get(key) ?? make(parameters)
    made.set(key, one)
    return one
  }
}

const openTo = onceEach((parameters) => websiteOf({ userId: owner.id }, { public: JSON.stringify(parameters) }))
const sharedAs = onceEach((parameters) => newShare(websiteId, parameters))
const everySection = Object.fromEntries(allSections.map((section) => [section, true]))

/** If there are many sections, `npm test` uses a third of them, depending on the report. */
const someSections = (report: AnyReport): readonly Section[] =>
  openedBy(report).length > 3 ? inTurn(openedBy(report), reports.indexOf(report), 3) : openedBy(report)

/** Asserts that the report gives an answer. The example’s session is not on these websites. */
async function answers(report: AnyReport, website: string, headers: Headers): Promise<void> {
  const { status } = await askExample(report, website, { headers })
  expect(report.refuses?.includes('not-found') ? [200, 404] : [200]).toContain(status)
}

async function fails(report: AnyReport, website: string, headers: Headers, expected: typeof forbidden): Promise<void> {
  failed(await askExample(report, website, { headers }), expected)
}

describe('the declaration', () => {
  it.each(reports.map((report) => [report.name, report] as const))('has the sections in the facts: %s', (_, report) => {
    expect([...sectionsOpening(report)].sort()).toEqual([...openedBy(report)].sort())
    // Sections that depend on the input must be among the declared ones.
    expect(report.access.sections).toEqual(expect.arrayContaining([...openedBy(report)]))
    if (!report.sectionsOf) expect([...report.access.sections].sort()).toEqual([...openedBy(report)].sort())
  })
})

describe('a share', () => {
  it.each(all)('opens a report with any of its sections, but with no others: %s', async (_, report) => {
    for (const section of someSections(report)) {
      await answers(report, websiteId, (await sharedAs({ [section]: true })).headers)
    }
    const nothing = inTurn([{}, { allowFilter: true, allowExport: true }], reports.indexOf(report), 2)
    for (const parameters of [...nothing, otherSections(report)]) {
      await fails(report, websiteId, (await sharedAs(parameters)).headers, forbidden)
    }
  })

  it.each(all)('opens no other website: %s', async (_, report) => {
    await fails(report, websiteId, elsewhere.headers, forbidden)
  })
})

describe('a public website', () => {
  it.each(all)('opens a report to everyone with any of its sections, but with no others: %s', async (_, report) => {
    const turn = reports.indexOf(report)
    for (const section of someSections(report)) {
      const open = await openTo({ [section]: true })
      for (const headers of inTurn<Headers>([{}, outsider.headers], turn, 2)) await answers(report, open, headers)
    }
    const nothing = inTurn([{}, { ...everySection, expiresAt: '2000-01-01T00:00:00Z' }], turn, 2)
    for (const parameters of [...nothing, otherSections(report)]) {
      const closed = await openTo(parameters)
      // If the sections depend on the input, the caller is admitted before the input is validated.
      const isLetIn = report.sectionsOf !== undefined && isOpen(parameters)
      await fails(report, closed, {}, isLetIn ? forbidden : unauthorized)
      await fails(report, closed, outsider.headers, forbidden)
      await answers(report, closed, owner.headers)
    }
  })

  it.each(all)('refuses wrong credentials: %s', async (_, report) => {
    const open = await openTo(everySection)
    const { token, slug } = ofOpen
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

describe('filters from callers other than the owner', () => {
  const sharedAsOpen = onceEach(async (parameters) => newShare(await openTo(parameters), parameters))
  const some = inTurn(filteredReports, seed, 7).filter((report) => openedBy(report).length > 0)

  it.each(some.map((report) => [report.name, report] as const))(
    'are refused if they are not allowed or filter by distinct id: %s',
    async (_, report) => {
      const sections = Object.fromEntries(openedBy(report).map((section) => [section, true]))
      const [free, strict] = [await openTo(sections), await openTo({ ...sections, allowFilter: false })]
      const shares = [await sharedAsOpen(sections), await sharedAsOpen({ ...sections, allowFilter: false })]
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
