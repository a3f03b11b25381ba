import type { D1Database } from '@cloudflare/workers-types'
import { metadata } from '../metadata.ts'

/** The shared D1, which fails on demand. */
export interface FailingD1 {
  readonly database: D1Database
  /** The error message while it fails, or undefined while it works. */
  failure: string | undefined
  /** Whether it hangs. */
  isHanging?: boolean
  /** Runs when D1 has done its work, before it answers. */
  beforeAnswer?: () => Promise<unknown>
}

export function failingD1(): FailingD1 {
  const unlessFailing = async <Made>(work: () => Promise<Made>): Promise<Made> => {
    if (d1.isHanging) return new Promise(() => {})
    if (d1.failure !== undefined) throw new Error(d1.failure)
    const made = await work()
    await d1.beforeAnswer?.()
    return made
  }
  const prepared = (statement: ReturnType<D1Database['prepare']>): object => ({
    statement,
    bind: (...values: unknown[]) => prepared(statement.bind(...values)),
    first: () => unlessFailing(() => statement.first()),
    all: () => unlessFailing(() => statement.all()),
    run: () => unlessFailing(() => statement.run()),
  })
  const database: object = {
    ...{ withSession: () => database, getBookmark: () => null },
    prepare: (query: string) => prepared(metadata.prepare(query)),
    batch: (statements: { statement: never }[]) =>
      unlessFailing(() => metadata.batch(statements.map(({ statement }) => statement))),
  }
  const d1: FailingD1 = { database: database as D1Database, failure: undefined }
  return d1
}
