import type { D1Database } from '@cloudflare/workers-types'
import { inject } from 'vitest'

interface Sent {
  readonly query: string
  readonly values: readonly unknown[]
}

interface Result {
  readonly results: readonly Record<string, unknown>[]
}

/** D1 of the Worker that `withMetadata` was given; its address is `metadataOf`. */
export function metadataAt(url: string): D1Database {
  const send = async (statements: readonly Sent[]): Promise<Result[]> => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(statements) })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as Result[]
  }
  const prepared = (query: string, values: readonly unknown[] = []) => {
    const run = async (): Promise<Result> => (await send([{ query, values }]))[0]!
    return {
      query,
      values,
      bind: (...given: readonly unknown[]) => prepared(query, given),
      run,
      all: run,
      async first(column?: string): Promise<unknown> {
        const row = (await run()).results[0] ?? null
        return column === undefined ? row : (row?.[column] ?? null)
      },
    }
  }
  return {
    prepare: (query: string) => prepared(query),
    batch: (statements: readonly Sent[]) => send(statements.map(({ query, values }) => ({ query, values }))),
  } as unknown as D1Database
}

/** D1 of the Worker that all tests share. */
export const metadata = metadataAt(inject('running').metadata)
