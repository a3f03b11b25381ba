import type { D1Database, D1Result } from '@cloudflare/workers-types'
import { metadata } from '../metadata.ts'

interface Statement {
  readonly query: string
  readonly values: readonly unknown[]
}

const bookmark = 'a bookmark'

/** The shared D1, with a simulated copy near the reader that lags behind it. */
export interface LaggingD1 {
  readonly database: D1Database
  /** The destination of each round trip up to now, for look-ups and writes. */
  readonly trips: ('copy' | 'primary')[]
  /** Applies all changes to the copy. From then on, it lags again and repeats its first answer to each statement. */
  catchUp(): void
  /** The copy's error message while it fails, or undefined while it works. */
  failure: string | undefined
}

export function laggingD1(): LaggingD1 {
  const kept = new Map<string, D1Result>()
  const atCopy = async (statement: Statement): Promise<D1Result> => {
    // Later values are moments, which change from request to request.
    const name = JSON.stringify([statement.query, statement.values[0]])
    const result = kept.get(name) ?? (await metadata.batch([statement as never]))[0]!
    kept.set(name, result)
    return { ...result, meta: { ...result.meta, served_by_primary: false } }
  }
  const session = (where: 'copy' | 'primary') => ({
    prepare: metadata.prepare,
    async batch(statements: readonly Statement[]) {
      d1.trips.push(where)
      if (where === 'primary') return metadata.batch(statements as never)
      if (d1.failure !== undefined) throw new Error(d1.failure)
      return Promise.all(statements.map(atCopy))
    },
    getBookmark: () => bookmark,
  })
  const d1: LaggingD1 = {
    database: {
      ...session('primary'),
      withSession(from: string) {
        // A copy waits until it has received the bookmarked write.
        if (from === bookmark) d1.catchUp()
        return session(from === 'first-primary' ? 'primary' : 'copy')
      },
    } as unknown as D1Database,
    trips: [],
    catchUp: () => kept.clear(),
    failure: undefined,
  }
  return d1
}
