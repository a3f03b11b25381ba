import type { D1Database } from '@cloudflare/workers-types'
import { type Store, storeOf } from '../../src/metadata/store.ts'
import { metadata } from './metadata.ts'

/** SQLite's plan for the statements of this work, with null for each value. */
export async function planOf(work: (store: Store) => Promise<unknown>): Promise<string> {
  const statements: string[] = []
  const listening = {
    prepare(statement: string) {
      statements.push(statement)
      return metadata.prepare(statement)
    },
    batch: (prepared: Parameters<D1Database['batch']>[0]) => metadata.batch(prepared),
  } as D1Database
  await work(storeOf(listening, 0, { written() {}, failed() {} }))
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
