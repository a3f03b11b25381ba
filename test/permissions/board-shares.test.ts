import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { websiteKinds } from '../../src/metadata/website.ts'
import { boardShare, listedShares, statusOf } from '../support/boards.ts'
import { post } from '../support/callers.ts'
import { keyOf } from '../support/good-requests.ts'
import { inTurn } from '../support/long.ts'
import { metadata } from '../support/metadata.ts'
import { once } from '../support/once.ts'
import { join, newPerson, newTeam, websiteOf } from '../support/people.ts'
import { seed } from '../support/seed.ts'
import { running, send } from '../support/weir.ts'
import { requestOf } from './requests.ts'
import { expected } from './table.ts'
import { callers, newWorld, targetOf } from './world.ts'

const world = once(() => newWorld(metadata, readFileSync(`${running.dataDir}/auth-secret`, 'utf8')))

const shareOf = async (entityId: string, shareType: number): Promise<Record<string, string>> => {
  const { body } = await post('/api/share', { entityId, shareType, name: 's', parameters: { allowFilter: true } })
  return { 'x-weir-share-token': (await send(`/api/share/${body.slug}`)).body.token }
}

const statuses = (endpoint: string) => expected.find((one) => one.endpoint === endpoint)!.status

describe('a board share that a caller may not change', () => {
  const locked = { overview: true, filters: { path: '/x' } }

  it.each(callers)('is listed for, and may be deleted by, callers who may change what it opens: %s', async (caller) => {
    const { headers: all, targets } = await world()
    const [headers, target] = [all[caller], targets[targetOf(caller)]]
    for (const kind of inTurn(websiteKinds, callers.indexOf(caller), 3)) {
      const id = target[`${kind}Id`]
      const path = `/api/${kind}s/${id}`
      const share = await boardShare([{ id, kind }], {}, locked)
      const mayList = statuses(`GET /api/${kind}s/:${kind}Id/shares`)[caller]
      const list = await send(`${path}/shares?pageSize=1000`, { headers })
      expect([kind, list.status]).toEqual([kind, mayList])
      const isOperator = caller === 'admin' || caller === 'operator'
      if (mayList === 200) {
        const shown = { shareType: 4, entityId: share.boardId, boardId: share.boardId, name: 's' }
        const secret = { slug: share.slug, parameters: locked }
        expect(list.body.data).toContainEqual(
          expect.objectContaining({
            id: share.id,
            ...shown,
            ...(isOperator ? secret : { slug: '', parameters: { overview: true } }),
          }),
        )
      }
      const change = { name: 's', slug: share.slug, parameters: { overview: true } }
      const byId = `/api/share/id/${share.id}`
      const refused = { read: statuses('GET /api/share/id/:shareId'), change: statuses('POST /api/share/id/:shareId') }
      const orNone = (status: number) => (status === 200 && !isOperator ? 404 : status)
      expect((await send(byId, { headers })).status).toBe(orNone(refused.read[caller]))
      expect((await post(byId, change, headers)).status).toBe(orNone(refused.change[caller]))
      // A key for one website may not change links or pixels.
      const mayDelete = statuses('DELETE /api/share/id/:shareId')[caller]
      const status = mayDelete === 200 && mayList !== 200 ? 404 : mayDelete
      expect((await send(byId, { headers, method: 'DELETE' })).status).toBe(status)
      const isLeft = (await listedShares(path)).some((one) => one.id === share.id)
      expect(isLeft).toBe(status !== 200)
      expect(await statusOf(id, share.headers)).toBe(status === 200 ? 401 : 200)
    }
  })
})

describe('a share of a board, link or pixel without any section', () => {
  const reads = endpoints
    .filter(
      ({ kind, method, path }) => kind === 'report' || (method === 'get' && path.includes('/websites/:websiteId/')),
    )
    .map((endpoint) => keyOf(endpoint))

  const wholeShares = once(async () => {
    const { websiteId, linkId, pixelId } = (await world()).targets.own
    return [
      [websiteId, (await boardShare([{ id: websiteId }], {}, { allowFilter: true })).headers],
      [linkId, await shareOf(linkId, 2)],
      [pixelId, await shareOf(pixelId, 3)],
    ] as const
  })

  it.each(inTurn(reads, seed, 3))('is treated like one that opens every section: %s', async (endpoint) => {
    const { own } = (await world()).targets
    const shares = await wholeShares()
    // A link or pixel may lack parts that a website has.
    const isOfThing =
      endpoint.startsWith('GET') && !/recorder|:(segment|annotation|funnel|goal|report)Id/.test(endpoint)
    const asked = isOfThing ? inTurn(shares, Math.floor((reads.indexOf(endpoint) + seed) / 3), 3) : shares.slice(0, 1)
    for (const [websiteId, headers] of asked) {
      const { path, ...init } = requestOf(endpoint, 'share', await world(), { ...own, websiteId })
      const { status } = await send(path, { ...init, headers: { ...init.headers, ...headers } })
      expect([endpoint, status]).toEqual([endpoint, statuses(endpoint).share])
    }
  })
})

describe('a board share opens what its owner may share', () => {
  const roles = ['user', 'view-only', 'admin'] as const
  const relations = ['own', 'team-owner', 'team-manager', 'team-member', 'team-view-only', 'none'] as const
  const cases = roles.flatMap((role) => relations.map((relation) => [role, relation] as const))
  const someCases = inTurn(cases, seed, 3)

  it.each(someCases)('for a user with the role %s, related to the website by: %s', async (role, relation) => {
    const owner = await newPerson({ role })
    const team = await newTeam(await newPerson())
    if (relation.startsWith('team-')) await join(team, owner, relation as 'team-owner')
    const owned = relation === 'own' ? { userId: owner.id } : { teamId: team.id }
    const turn = cases.findIndex(([one, other]) => one === role && other === relation)
    for (const kind of inTurn(websiteKinds, turn, 3)) {
      const slug = kind === 'website' ? null : crypto.randomUUID()
      const id = await websiteOf(owned, { kind, slug, url: kind === 'link' ? 'https://example.com' : null })
      const share = await boardShare([{ id, kind, putBy: owner.id }], { userId: owner.id })
      const mayShare = (await post(`/api/${kind}s/${id}/shares`, { name: 's' }, owner.headers)).status === 200
      expect([kind, await statusOf(id, share.headers)]).toEqual([kind, mayShare ? 200 : 403])
      expect((await listedShares(`/api/${kind}s/${id}`)).some((one) => one.id === share.id)).toBe(mayShare)
    }
  })

  it.each(someCases)(
    'for a team’s board, if a user with the role %s added its websites, related to the team by: %s',
    async (role, relation) => {
      const [contributor, other] = [await newPerson({ role }), await newPerson()]
      const team = await newTeam(other)
      if (relation.startsWith('team-')) await join(team, contributor, relation as 'team-owner')
      const mayPut = (await post('/api/boards', { name: 'b', type: 'mixed', teamId: team.id }, contributor.headers))
        .status
      const own = await websiteOf({ userId: contributor.id })
      const theirs = await websiteOf({ userId: other.id })
      const ofTeam = await websiteOf({ teamId: team.id })
      const named = [
        { id: own, putBy: contributor.id },
        { id: theirs, putBy: contributor.id },
        { id: ofTeam, putBy: contributor.id },
      ]
      const share = await boardShare(named, { teamId: team.id })
      const silent = await boardShare([{ id: own }], { teamId: team.id })
      const opened = [own, theirs, ofTeam].map((id) => statusOf(id, share.headers))
      expect(await Promise.all(opened)).toEqual([mayPut, 403, 200])
      expect(await statusOf(own, silent.headers)).toBe(403)
      const listed = (await listedShares(`/api/websites/${own}`)).map(({ id }) => id)
      expect(listed).toEqual(mayPut === 200 ? [share.id] : [])
    },
  )
})
