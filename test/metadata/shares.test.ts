import type { D1Database } from '@cloudflare/workers-types'
import { expect, it } from 'vitest'
import { boards } from '../../src/metadata/boards.ts'
import { shares } from '../../src/metadata/shares.ts'
import { type Store, storeOf } from '../../src/metadata/store.ts'
import { metadata } from '../support/metadata.ts'

const whole = { search: '', limit: 20, offset: 0, orderBy: 'name', descending: false } as const

/** How SQLite runs the statements of this work. */
async function planOf(work: (store: Store) => Promise<unknown>): Promise<string> {
  const statements: string[] = []
  const listening = {
    prepare(statement: string) {
      statements.push(statement)
      return metadata.prepare(statement)
    },
    batch: (prepared: Parameters<D1Database['batch']>[0]) => metadata.batch(prepared),
  } as D1Database
  await work(storeOf(listening, 0, () => {}))
  const steps = statements.map(async (statement) => {
    const values = [...new Set(statement.match(/\?\d/g))].map(() => null)
    const { results } = await metadata
      .prepare(`EXPLAIN QUERY PLAN ${statement}`)
      .bind(...values)
      .all<{ detail: string }>()
    return results.map(({ detail }) => detail)
  })
  return (await Promise.all(steps)).flat().join('\n')
}

it('reads only the shares of what is listed, and the boards that name it', async () => {
  const owners = [{ owner: 'operator', userId: null, teamId: null, putBy: null }] as const
  const list = await planOf((store) => shares(store).list('w', owners, whole))
  const naming = await planOf((store) => boards(store).ownersNaming('w'))
  const one = await planOf((store) => boards(store).shared('b'))
  for (const plan of [list, naming, one]) {
    expect(plan).toMatch(/SEARCH/)
    expect(plan).not.toMatch(/SCAN (shares|board_subjects|users|contributor|membership|team_members|websites)/)
    expect(plan).not.toMatch(/SCAN boards$/m)
  }
})
