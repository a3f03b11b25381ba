import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sections } from '../../src/access/opening.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { madeFor } from '../../src/made.ts'
import { savedReportTypes } from '../../src/metadata/reports.ts'
import { batch } from '../support/batch.ts'
import { type Headers, newShare, notFound, post } from '../support/callers.ts'
import { newPerson, websiteOf } from '../support/people.ts'
import { failed } from '../support/refusals.ts'
import { pathOf, type Reply, send } from '../support/weir.ts'

/** A marker that appears in all of the owner's saved objects and annotations, and nowhere else. */
const marker = `marker${randomUUID().slice(0, 8)}`

const parametersOf: Readonly<Record<(typeof savedReportTypes)[number], object>> = {
  attribution: { model: 'last-click', type: 'path', step: `/${marker}` },
  breakdown: { fields: ['path'] },
  funnel: { window: 60, steps: [`/${marker}`, '/b'].map((value) => ({ type: 'path', value })) },
  goal: { type: 'event', value: marker },
  heatmap: { urlPath: `/${marker}` },
  journey: { steps: 3, startStep: `/${marker}` },
  performance: { metric: 'cls' },
  retention: { timezone: 'Asia/Kolkata' },
  revenue: { currency: 'EUR' },
  utm: { timezone: 'Asia/Kolkata' },
}

const everything = { ...Object.fromEntries(sections.map((section) => [section, true])), allowSessionProperties: true }

interface Site {
  readonly websiteId: string
  readonly boardId: string
  readonly ids: Readonly<Record<string, string>>
}

async function siteOf(): Promise<Site> {
  const websiteId = await websiteOf({ userId: owner.id })
  const make = async (path: string, body: object): Promise<string> => {
    const { status, body: made } = await post(path, body, owner.headers)
    expect([path, status, made]).toEqual([path, 200, made])
    return made.id
  }
  const reports = savedReportTypes.map(
    async (type) =>
      [
        `${type}Id`,
        await make('/api/reports', { websiteId, type, name: type, parameters: parametersOf[type] }),
      ] as const,
  )
  const filters = [{ name: 'path', operator: 'eq', value: marker }]
  const segmentId = await make(`/api/websites/${websiteId}/segments`, {
    type: 'segment',
    name: 's',
    parameters: { filters },
  })
  const annotationId = await make(`/api/websites/${websiteId}/annotations`, { date: '2025-10-15', note: marker })
  const boardId = await make('/api/boards', { name: 'b', type: 'mixed', parameters: { websiteId } })
  return {
    websiteId,
    boardId,
    ids: { websiteId, segmentId, annotationId, ...Object.fromEntries(await Promise.all(reports)) },
  }
}

const owner = await newPerson()
const [site, published] = [await siteOf(), await siteOf()]

type Callers = Readonly<Record<string, { at: Site; headers: Headers }>>

async function callersOf(parameters: object): Promise<Callers> {
  const { headers } = await newShare(site.websiteId, parameters, owner.headers)
  const made = await post(`/api/boards/${site.boardId}/shares`, { name: 'b', parameters }, owner.headers)
  const { token } = (await send(`/api/share/${made.body.slug}`)).body
  await post(`/api/websites/${published.websiteId}`, { public: parameters }, owner.headers)
  return {
    share: { at: site, headers },
    'share of a board': { at: site, headers: { 'x-weir-share-token': token } },
    'public website': { at: published, headers: {} },
  }
}

/** All list and read endpoints for metadata that a share may open. */
const reads = endpoints.filter(
  ({ kind, method, access }) =>
    kind === 'action' && method === 'get' && access.to === 'website' && access.sections?.length,
)

/** The paths of all these endpoints. For saved reports, there is one path for each type that a share opens. */
const pathsAt = ({ websiteId, ids }: Site): string[] =>
  reads.flatMap(({ path }) => {
    const whole = path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? websiteId)
    if (path.endsWith('/segments')) return ['segment', 'cohort'].map((type) => pathOf(whole, { type }))
    if (!path.endsWith('/reports')) return [whole]
    const types = savedReportTypes.filter((type) => type !== 'heatmap')
    return types.map((type) => pathOf(whole, { type, ...(!path.includes(':websiteId') && { websiteId }) }))
  })

/** The answers that the owner gets. They are requested only once, because no test here changes them. */
const ownAnswers = new Map<string, Promise<Reply>>()
const ownAnswer = (path: string): Promise<Reply> => madeFor(path, ownAnswers, () => send(path, owner))

const itemsIn = ({ body }: Reply): Record<string, unknown>[] => body.data ?? [body]

/** The owner's saved objects, as the caller sees them. */
const savedIn = (reply: Reply) => itemsIn(reply).filter((one) => 'parameters' in one && 'createdAt' in one)

describe('an owner’s saved objects and annotations', () => {
  it('are tested with at least two paths of each kind', () => {
    const paths = pathsAt(site)
    for (const family of ['goals', 'funnels', 'reports', 'segments', 'annotations']) {
      expect([family, paths.filter((path) => path.includes(`/${family}`)).length > 1]).toEqual([family, true])
    }
  })

  it.each(['share', 'share of a board', 'public website'])(
    'are returned without parameters and notes if the caller has locked filters: %s',
    async (caller) => {
      const locks = [{ browser: 'chrome' }, { match: 'any' }, {}]
      for (const filters of locks) {
        const { at, headers } = (await callersOf({ ...everything, filters }))[caller]!
        let found = 0
        for (const path of pathsAt(at)) {
          const [locked, own] = [await send(path, { headers }), await ownAnswer(path)]
          expect([path, own.status]).toEqual([path, 200])
          expect(JSON.stringify(locked.body)).not.toContain(marker)
          for (const { parameters } of savedIn(locked)) expect(parameters).toEqual({})
          if (path.includes('/annotations/')) failed(locked, notFound)
          else if (path.includes('/annotations'))
            expect(locked.body).toEqual({ data: [], count: 0, page: 1, pageSize: 20 })
          else {
            // Everything except the parameters is returned.
            expect([path, locked.status, itemsIn(locked).length]).toEqual([path, 200, itemsIn(own).length])
            found += savedIn(locked).length
          }
        }
        expect(found).toBeGreaterThan(20)
        const notes = `/api/websites/${at.websiteId}/annotations?search=${marker}&page=2&pageSize=5&startAt=1&endAt=1800000000000`
        const { body } = await send(notes, { headers })
        expect(body).toEqual({ data: [], count: 0, page: 2, pageSize: 5, search: marker })
        const [inBatch] = (await batch([`/api/websites/${at.websiteId}/goals`], headers)).answers
        expect(inBatch!.body.data).toMatchObject([{ parameters: {} }])
      }
    },
  )

  it.each(['share', 'share of a board', 'public website'])('are complete without locks: %s', async (caller) => {
    const { at, headers } = (await callersOf(everything))[caller]!
    for (const path of pathsAt(at)) {
      const [seen, own] = [await send(path, { headers }), await ownAnswer(path)]
      expect([path, seen.status]).toEqual([path, 200])
      expect([path, savedIn(seen).map(({ parameters }) => parameters)]).toEqual([
        ...[path, savedIn(own).map(({ parameters }) => parameters)],
      ])
      if (path.includes('/annotations')) expect(itemsIn(seen)).toMatchObject([{ note: marker }])
    }
  })

  it('are complete for the owner of a website that is public with locked filters', async () => {
    await callersOf({ ...everything, filters: { browser: 'chrome' } })
    for (const path of pathsAt(published).filter((one) => /goals|annotations|segments\//.test(one))) {
      expect(JSON.stringify((await send(path, owner)).body)).toContain(marker)
    }
  })
})
