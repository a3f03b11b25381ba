import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { api } from '../../src/app.ts'
import { forbidden, type Headers } from '../support/callers.ts'
import { interruptedD1 } from '../support/doubles/interrupted-d1.ts'
import { metadata } from '../support/metadata.ts'
import { insert, join, keyOf, newPerson, newTeam, websiteOf } from '../support/people.ts'

/** Tests changes that were authorised before a transfer, and are written after it. */

const app = api()

const run = (query: string, ...values: readonly (string | null)[]) =>
  metadata
    .prepare(query)
    .bind(...values)
    .run()

const give = (id: string, userId: string | null, teamId: string | null = null) =>
  run('UPDATE websites SET user_id = ?2, team_id = ?3 WHERE id = ?1', id, userId, teamId)

const columnsOf = (id: string) =>
  metadata.prepare('SELECT name, user_id, team_id FROM websites WHERE id = ?1').bind(id).first()

const slugsOf = async (id: string): Promise<unknown[]> =>
  (await metadata.prepare('SELECT slug FROM shares WHERE website_id = ?1').bind(id).all()).results

/** Sends the body. Before the first matching statement, `interrupt` changes the owner. */
async function late(
  path: string,
  body: object,
  headers: Headers,
  pattern: RegExp,
  interrupt: () => Promise<unknown>,
): Promise<{ status: number; code: string }> {
  const env = { METADATA: interruptedD1(pattern, interrupt), AUTH_SECRET: 'x'.repeat(32) }
  const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }
  const init = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const answer = await app.request(`http://weir${path}`, init, env as never, context as never)
  return { status: answer.status, code: ((await answer.json()) as { error?: { code: string } }).error?.code ?? '' }
}

const update = /^\s*UPDATE websites SET name/

it.each(['website', 'link', 'pixel'])(
  'a former owner does not change a %s that was transferred meanwhile',
  async (kind) => {
    const [former, next] = [await newPerson(), await newPerson()]
    const id = await websiteOf(
      { userId: former.id },
      { kind, name: 'theirs', ...(kind !== 'website' && { slug: randomUUID() }) },
    )
    const path = `/api/${kind}s/${id}`
    const headers = await keyOf(former)
    expect(await late(path, { name: 'mine' }, headers, update, () => give(id, next.id))).toEqual(forbidden)
    expect(await columnsOf(id)).toEqual({ name: 'theirs', user_id: next.id, team_id: null })
  },
)

it('a member without the right to transfer does not take a link that their team has just received', async () => {
  const [mover, owner] = [await newPerson(), await newPerson()]
  const [first, second] = [await newTeam(owner), await newTeam(owner)]
  await join(first, mover, 'team-manager')
  await join(second, mover, 'team-member')
  const id = await websiteOf({ teamId: first.id }, { kind: 'link', slug: randomUUID(), url: 'https://example.com' })
  const interrupt = () => give(id, null, second.id)
  expect(await late(`/api/links/${id}`, { teamId: null }, await keyOf(mover), update, interrupt)).toEqual(forbidden)
  expect(await columnsOf(id)).toMatchObject({ user_id: null, team_id: second.id })
})

it('a former owner neither adds, renames nor deletes a share after a transfer', async () => {
  const slug = `next.${randomUUID()}`
  const cases = [
    (id: string) => ['/api/share', { entityId: id, shareType: 1, name: 'x', parameters: {} }] as const,
    (id: string) => [`/api/websites/${id}/shares`, { name: 'x' }] as const,
    (id: string) => [`/api/websites/${id}`, { shareId: `former.${randomUUID()}` }] as const,
    (id: string) => [`/api/websites/${id}`, { shareId: null }] as const,
  ]
  for (const [place, make] of cases.entries()) {
    for (const hasShare of [true, false]) {
      const [former, next] = [await newPerson(), await newPerson()]
      const id = await websiteOf({ userId: former.id })
      const own = `${slug}.${place}.${hasShare}`
      const share = { website_id: id, name: 'x', parameters: '{}', created_at: 1, updated_at: 1 }
      await insert('shares', { ...share, id: randomUUID(), slug: `old.${randomUUID()}` })
      const interrupt = async () => {
        await give(id, next.id)
        await run('DELETE FROM shares WHERE website_id = ?1', id)
        if (hasShare) await insert('shares', { ...share, id: randomUUID(), slug: own })
      }
      const [path, body] = make(id)
      expect(await late(path, body, await keyOf(former), /UPDATE websites|INTO shares/, interrupt)).toEqual(forbidden)
      expect(await slugsOf(id)).toEqual(hasShare ? [{ slug: own }] : [])
    }
  }
})
