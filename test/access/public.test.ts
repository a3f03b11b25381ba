import { describe, expect, it } from 'vitest'
import { computed, visible } from '../support/agreement.ts'
import { newShare, unauthorized } from '../support/callers.ts'
import { keyOf, newPerson, websiteOf } from '../support/people.ts'
import { failed, refused } from '../support/refusals.ts'
import { events as list } from '../support/reports.ts'
import { told } from '../support/requests.ts'
import { add } from '../support/website.ts'
import { send } from '../support/weir.ts'

const rows = visible(
  { browser: 'chrome', os: 'linux', distinct_id: 'ann' },
  { browser: 'chrome', os: 'mac' },
  { browser: 'firefox', os: 'linux' },
)

const owner = await newPerson()

/** Creates a website with three events, and opens it to everyone with these parameters. */
async function open(parameters: object): Promise<{ websiteId: string; events: typeof rows }> {
  const websiteId = await websiteOf({ userId: owner.id }, { public: JSON.stringify(parameters) })
  await add(websiteId, ...rows)
  return { websiteId, events: rows.map((row) => ({ ...row, website_id: websiteId })) }
}

describe.concurrent('a public website', () => {
  it('returns the same answers to everybody as to its owner', async () => {
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
    for (const [who, headers] of Object.entries(everyone)) {
      const { status, body } = await told(websiteId, list, headers)
      expect([who, status, body]).toStrictEqual([who, 200, computed(events, list, [])])
    }
  })

  it('shows callers without a right of their own which sections are open, but no other settings', async () => {
    const locks = { filters: { browser: 'chrome' }, origins: ['https://one.example'], theme: 'dark' }
    const { websiteId } = await open({ events: true, utm: true, goals: 'yes', allowFilter: false, ...locks })
    const share = await newShare(websiteId, { overview: true, allowExport: true, expiresAt: '2999-01-01T00:00:00Z' })
    const opening = { allowFilter: true, allowExport: false, allowSessionProperties: false, expiresAt: null }
    const everyones = { ...opening, sections: ['events', 'utm'], allowFilter: false }
    const ofShare = { ...opening, sections: ['overview'], allowExport: true, expiresAt: '2999-01-01T00:00:00.000Z' }
    const origin = { origin: 'https://one.example' }
    for (const [headers, expected] of [
      [origin, everyones],
      [{ ...origin, ...(await newPerson()).headers }, everyones],
      [{ ...origin, ...share.headers }, ofShare],
      [owner.headers, undefined],
    ] as const) {
      const { status, body } = await send(`/api/websites/${websiteId}`, { headers })
      expect([status, body.opening]).toStrictEqual([200, expected])
    }
  })

  it('is open until it expires', async () => {
    const { websiteId } = await open({ events: true, expiresAt: '2999-01-01T00:00:00Z' })
    expect((await told(websiteId, list, {})).status).toBe(200)
  })

  it('reports what is wrong with a request, unlike a website that is not public', async () => {
    const { websiteId } = await open({ events: true })
    const closed = await websiteOf({ userId: owner.id })
    refused(await told(websiteId, list, {}, { nothing: '1' }), 'nothing')
    failed(await told(closed, list, {}, { nothing: '1' }), unauthorized)
  })

  it('applies a share’s rules to callers who use that share', async () => {
    const { websiteId, events } = await open({ events: true, filters: { browser: 'chrome' } })
    const { headers } = await newShare(websiteId, { events: true, filters: { os: 'linux' } })
    const kept = [events[0]!, events[2]!]
    expect((await told(websiteId, list, headers)).body).toStrictEqual(computed(kept, list, []))
  })
})
