import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import type { SavedParameters } from '../oracle/saved.ts'
import { type Headers, newShare, operator, remove, withoutId } from '../support/callers.ts'
import { inTurn } from '../support/long.ts'
import { websiteOf } from '../support/people.ts'
import { refused } from '../support/refusals.ts'
import { saved, segmentsOf } from '../support/saved.ts'
import { seed } from '../support/seed.ts'
import { askExample, filteredReports } from '../support/sides.ts'
import { everySection } from '../support/worlds.ts'

/**
 * Every report with filters refuses segments and cohorts that the caller may not use. The error names the parameter.
 */

const action = { type: 'path', value: '/' } as const
const ann = { name: 'distinctId', operator: 'eq', value: 'ann' } as const
const everyone: SavedParameters = { dateRange: 'all', action }

let websiteId: string
let shown: Headers
type Name = 'elsewhere' | 'segment' | 'cohort' | 'deleted' | 'incomplete' | 'secret' | 'secretCohort'
const ids = {} as Record<Name, string>

beforeAll(async () => {
  websiteId = await websiteOf()
  shown = (await newShare(websiteId, everySection)).headers
  ids.elsewhere = await saved(await websiteOf(), 'segment', {})
  ids.segment = await saved(websiteId, 'segment', {})
  ids.cohort = await saved(websiteId, 'cohort', everyone)
  ids.deleted = await saved(websiteId, 'cohort', everyone)
  expect((await remove(`${segmentsOf(websiteId)}/${ids.deleted}`)).status).toBe(200)
  ids.incomplete = await saved(websiteId, 'cohort', { dateRange: 'all' })
  ids.secret = await saved(websiteId, 'segment', { filters: [ann] })
  ids.secretCohort = await saved(websiteId, 'cohort', { ...everyone, filters: [{ ...ann, name: 'distinctId2' }] })
})

/** Each `npm test` run uses different reports, because a single function looks up the filters of all. */
const all = inTurn(filteredReports, seed, 7).map((report) => [report.name, report] as const)
const opened = all.filter(([, { access }]) => access.sections.length > 0)

const nameIn = ({ method }: AnyReport, name: string): string => (method === 'post' ? `filters.${name}` : name)

const ask = (report: AnyReport, query: Readonly<Record<string, string>>, headers = operator) =>
  askExample(report, websiteId, { query, headers })

describe('a saved filter', () => {
  it.each(all)('must belong to the website and have the right type: %s', async (_, report) => {
    const [segment, cohort] = [nameIn(report, 'segment'), nameIn(report, 'cohort')]
    const turn = filteredReports.indexOf(report)
    for (const wrong of inTurn([randomUUID(), ids.elsewhere, ids.cohort], turn, 3))
      refused(await ask(report, { segment: wrong }), segment)
    for (const wrong of inTurn([randomUUID(), ids.elsewhere, ids.segment, ids.deleted, ids.incomplete], turn, 3))
      refused(await ask(report, { cohort: wrong }), cohort)
    refused(await ask(report, { segment: ids.elsewhere, cohort: ids.elsewhere }), segment, cohort)
    expect((await ask(report, { segment: ids.segment, cohort: ids.cohort })).status).toBe(200)
  })

  it.each(all.filter(([, { method }]) => method === 'get'))('is refused under the sent name: %s', async (_, report) => {
    for (const name of inTurn(['segment', 'cohort'], filteredReports.indexOf(report), 2)) {
      refused(await ask(report, { [`filters[${name}]`]: randomUUID().toUpperCase() }), `filters[${name}]`)
      refused(await ask(report, { filters: JSON.stringify({ [name]: randomUUID() }) }), `filters.${name}`)
    }
  })

  it.each(opened)('does not exist for a share if it filters by distinct id: %s', async (_, report) => {
    const secret = await ask(report, { segment: ids.secret }, shown)
    refused(secret, nameIn(report, 'segment'))
    expect(withoutId(secret)).toStrictEqual(withoutId(await ask(report, { segment: randomUUID() }, shown)))
    refused(await ask(report, { cohort: ids.secretCohort }, shown), nameIn(report, 'cohort'))
    expect((await ask(report, { segment: ids.secret, cohort: ids.secretCohort })).status).toBe(200)
  })
})
