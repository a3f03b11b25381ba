import type { D1Database } from '@cloudflare/workers-types'
import { metadata } from '../metadata.ts'

/** The shared D1. Before the first batch with a matching statement, it waits for `interrupt`. */
export function interruptedD1(pattern: RegExp, interrupt: () => Promise<unknown>): D1Database {
  let isInterrupted = false
  const prepared = (query: string, statement: ReturnType<D1Database['prepare']>): object => ({
    query,
    statement,
    bind: (...values: unknown[]) => prepared(query, statement.bind(...values)),
    first: () => statement.first(),
    all: () => statement.all(),
    run: () => statement.run(),
  })
  const database: object = {
    ...{ withSession: () => database, getBookmark: () => null },
    prepare: (query: string) => prepared(query, metadata.prepare(query)),
    async batch(statements: readonly { readonly query: string; readonly statement: never }[]) {
      if (!isInterrupted && statements.some(({ query }) => pattern.test(query))) {
        isInterrupted = true
        await interrupt()
      }
      return metadata.batch(statements.map(({ statement }) => statement))
    },
  }
  return database as D1Database
}
