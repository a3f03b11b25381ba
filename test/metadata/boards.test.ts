import type { D1Database } from '@cloudflare/workers-types'
import { expect, it } from 'vitest'
import { type BoardListFilter, boards } from '../../src/metadata/boards.ts'
import { storeOf } from '../../src/metadata/store.ts'
import { metadata } from '../support/metadata.ts'

const whole = { search: '', limit: 20, offset: 0, orderBy: 'name', descending: false } as const

/** How SQLite runs the statements of a list. */
async function planOf(whose: BoardListFilter): Promise<string> {
  const statements: string[] = []
  const listening = {
    prepare(statement: string) {
      statements.push(statement)
      return metadata.prepare(statement)
    },
    batch: (prepared: Parameters<D1Database['batch']>[0]) => metadata.batch(prepared),
  } as D1Database
  await boards(storeOf(listening, 0, () => {})).list(whose, whole)
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

it('reads only the boards of the user or the team whose boards are listed', async () => {
  for (const whose of [{ userId: 'u' }, { teamId: 't' }]) expect(await planOf(whose)).not.toMatch(/SCAN boards/)
  expect(await planOf({})).toMatch(/SCAN boards/)
})
