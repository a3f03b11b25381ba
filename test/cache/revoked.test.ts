import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { event, id } from '../oracle/fixtures.ts'
import { boardShare } from '../support/boards.ts'
import { isolate } from '../support/isolate.ts'
import { keyOf, newPerson, newTeam, websiteOf } from '../support/people.ts'
import { type Revocation, revocations, runElsewhere } from '../support/revocations.ts'
import { events, publicWebsite, share } from '../support/ways.ts'
import { add } from '../support/website.ts'

const ask = isolate()

/** A different time for each test, so that the cached look-ups of earlier tests have expired. */
let now = Date.now()
beforeEach(() => {
  now += 3_600_000
  vi.useFakeTimers({ toFake: ['Date'], now })
})
afterAll(() => void vi.useRealTimers())

type Headers = Readonly<Record<string, string>>

describe('a change made elsewhere invalidates a cached answer within ten seconds:', () => {
  it.each(revocations)('%s', async (_, way) => {
    const { websiteId, headers, query, end, status } = await way()
    const path = events({ websiteId, ...(query && { query }) })
    const caches: unknown[] = []
    for (const _ of [1, 2, 3]) caches.push((await ask(path, headers)).cache)
    expect(caches).toEqual(['MISS', 'HIT', 'HIT'])
    await end()
    // For a slug in the URL, D1 is also queried in the background once per second, and then the change is known.
    const isRenewed = query?.share !== undefined
    for (const later of isRenewed ? [1, 5000] : [1, 5000, 9999]) {
      vi.setSystemTime(now + later)
      const { status: before, cache, d1 } = await ask(path, headers)
      expect([later, before, cache, d1]).toEqual([later, 200, 'HIT', isRenewed && later > 1000 ? 1 : 0])
    }
    vi.setSystemTime(now + (isRenewed ? 5001 : 10_000))
    expect((await ask(path, headers)).status).toBe(status)
  })
})

describe('a cached answer', () => {
  const until = (moment: number) => new Date(moment).toISOString()
  it.each<[string, () => Promise<Pick<Revocation, 'websiteId' | 'headers' | 'status'>>]>([
    [
      'a key expires',
      async () => {
        const headers = await keyOf(undefined, { expiresAt: now + 4000 })
        return { websiteId: await websiteOf(), headers, status: 401 }
      },
    ],
    ['a share expires', async () => ({ ...(await share({}, { expires_at: now + 4000 })), status: 401 })],
    [
      'a public website closes',
      async () => ({ websiteId: await publicWebsite({ expiresAt: until(now + 4000) }), headers: {}, status: 401 }),
    ],
  ])('is no longer served once %s', async (_, way) => {
    const { websiteId, headers, status } = await way()
    for (const _ of [1, 2, 3]) expect((await ask(events({ websiteId }), headers)).status).toBe(200)
    vi.setSystemTime(now + 3999)
    expect((await ask(events({ websiteId }), headers)).cache).toBe('HIT')
    vi.setSystemTime(now + 4000)
    expect((await ask(events({ websiteId }), headers)).status).toBe(status)
  })
})

const counts = async (websiteId: string, headers: Headers): Promise<[string | null, number]> => {
  const { cache, text } = await ask(events({ websiteId }), headers)
  return [cache, JSON.parse(text).count]
}

describe('after ten seconds', () => {
  it.each([
    ['a reset', 'UPDATE websites SET reset_at = 1760572800000 WHERE id = ?1', 0],
    ['a purge', 'UPDATE websites SET cache_epoch = cache_epoch + 1 WHERE id = ?1', 2],
  ])('%s made elsewhere takes effect', async (_, query, then) => {
    const [websiteId, headers] = [await websiteOf(), await keyOf(undefined)]
    await add(websiteId, event({ event_id: id(1) }))
    for (const cache of ['MISS', 'HIT', 'HIT']) expect(await counts(websiteId, headers)).toEqual([cache, 1])
    await add(websiteId, event({ event_id: id(2) }))
    await runElsewhere(query, websiteId)
    vi.setSystemTime(now + 9999)
    expect(await counts(websiteId, headers)).toEqual(['HIT', 1])
    vi.setSystemTime(now + 10_000)
    expect(await counts(websiteId, headers)).toEqual(['MISS', then])
  })
})

describe('a change made in the same isolate', () => {
  it('revokes a board share immediately, whether it is a transfer or the deletion of the share', async () => {
    for (const end of ['transfer', 'share'] as const) {
      const person = await newPerson()
      const team = await newTeam(person)
      const websiteId = await websiteOf({ userId: person.id })
      const board = await boardShare([{ id: websiteId }])
      for (const cache of ['MISS', 'HIT', 'HIT']) {
        expect((await ask(events({ websiteId }), board.headers)).cache).toBe(cache)
      }
      const headers = { ...person.headers, 'content-type': 'application/json' }
      const ended =
        end === 'transfer'
          ? ask(`/api/websites/${websiteId}/transfer`, headers, 'POST', JSON.stringify({ teamId: team.id }))
          : ask(`/api/share/id/${board.id}`, headers, 'DELETE')
      expect((await ended).status).toBe(200)
      expect((await ask(events({ websiteId }), board.headers)).status).toBe(end === 'transfer' ? 403 : 401)
    }
  })

  it('takes effect immediately if a website is deleted or reset', async () => {
    const headers = await keyOf(undefined)
    for (const [method, path, status] of [
      ['DELETE', '', 403],
      ['POST', '/reset', 200],
    ] as const) {
      const websiteId = await websiteOf()
      await add(websiteId, event({ event_id: id(1) }))
      for (const _ of [1, 2, 3]) expect(await counts(websiteId, headers)).toEqual([expect.anything(), 1])
      expect((await ask(`/api/websites/${websiteId}${path}`, headers, method)).status).toBe(200)
      const after = await ask(events({ websiteId }), headers)
      expect([after.status, after.cache]).toEqual([status, status === 200 ? 'MISS' : null])
      if (status === 200) expect(JSON.parse(after.text).count).toBe(0)
    }
  })
})
