import { describe, expect, it } from 'vitest'
import { type Section, sections } from '../../src/access/opening.ts'
import { type Field, fieldNames } from '../../src/request/fields.ts'
import { type Headers, newShare, post } from '../support/callers.ts'
import { forEach } from '../support/concurrently.ts'
import { inTurn, isLong } from '../support/long.ts'
import { newPerson, websiteOf } from '../support/people.ts'
import { seed } from '../support/seed.ts'
import { day } from '../support/website.ts'
import { pathOf, send } from '../support/weir.ts'

/** The sections that open a field's values, written by hand. Most are the same as for `metrics` of that type. */
const opening: Readonly<Record<Field, readonly Section[]>> = {
  ...{ path: ['overview', 'compare', 'journeys', 'attribution'], referrer: ['overview', 'compare'] },
  ...{ hostname: ['overview', 'compare'], title: ['overview'], query: ['overview'] },
  ...{ event: ['compare', 'events', 'journeys', 'attribution'], tag: ['compare', 'events'] },
  ...{ utmSource: ['compare', 'utm'], utmMedium: ['compare', 'utm'], utmCampaign: ['compare', 'utm'] },
  ...{ utmContent: ['compare', 'utm'], utmTerm: ['compare', 'utm'], browser: ['overview', 'compare', 'sessions'] },
  ...{ os: ['overview', 'compare', 'sessions'], device: ['overview', 'compare', 'sessions'] },
  ...{ country: ['overview', 'compare', 'sessions'], region: ['overview', 'compare', 'sessions'] },
  ...{ city: ['overview', 'compare', 'sessions'], language: ['compare', 'sessions'], distinctId: [] },
}

const choosing = ['path', 'event'] as readonly Field[]
const choosingSections = ['journeys', 'attribution'] as readonly Section[]

const owner = await newPerson()
const closed = await websiteOf({ userId: owner.id })
const open = await websiteOf({ userId: owner.id })

const ask = async (report: string, websiteId: string, type: Field, headers: Headers): Promise<number> => {
  const range = { startAt: day.startAt, endAt: day.endAt }
  return (await send(pathOf(`/api/websites/${websiteId}/${report}`, { ...range, type }), { headers })).status
}

/** The website that each kind of caller reads, and its headers. */
async function callersOf(parameters: object): Promise<readonly (readonly [string, Headers])[]> {
  const { headers } = await newShare(closed, parameters, owner.headers)
  const board = { name: 'b', type: 'mixed', parameters: { websiteId: closed } }
  const { id } = (await post('/api/boards', board, owner.headers)).body
  const { slug } = (await post(`/api/boards/${id}/shares`, { name: 'b', parameters }, owner.headers)).body
  const { token } = (await send(`/api/share/${slug}`)).body
  await post(`/api/websites/${open}`, { public: parameters }, owner.headers)
  return [
    [closed, headers],
    [closed, { 'x-weir-share-token': token }],
    [open, {}],
  ]
}

describe('a field’s values, through a share, a board share and a public website', () => {
  it.each(sections)('are opened by the same sections as metrics of that type: %s', async (section) => {
    const callers = await callersOf({ [section]: true })
    const turn = sections.indexOf(section)
    await forEach(inTurn([...fieldNames.entries()], turn + seed, 4), async ([place, type]) => {
      // In `npm test`, one caller requests about a quarter of the fields.
      for (const [websiteId, headers] of isLong ? callers : [callers[(turn + place) % 3]!]) {
        const status = opening[type].includes(section) ? 200 : 403
        expect([type, await ask('values', websiteId, type, headers)]).toEqual([type, status])
        // The values reveal no more than metrics, except for the paths and names that are chosen for a report.
        const isChosen = choosing.includes(type) && choosingSections.includes(section)
        expect([type, await ask('metrics', websiteId, type, headers)]).toEqual([type, isChosen ? 403 : status])
      }
    })
  })

  it.each(sections)('need allowFilter, except to choose paths and names for reports: %s', async (section) => {
    const callers = await callersOf({ [section]: true, allowFilter: false })
    const turn = sections.indexOf(section)
    await forEach(inTurn([...fieldNames.entries()], turn + seed + 1, 4), async ([place, type]) => {
      const [websiteId, headers] = callers[(turn + place) % 3]!
      const isChosen = choosing.includes(type) && choosingSections.includes(section)
      expect([type, await ask('values', websiteId, type, headers)]).toEqual([type, isChosen ? 200 : 403])
    })
  })
})
