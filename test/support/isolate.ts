import { readFileSync } from 'node:fs'
import type { D1Database } from '@cloudflare/workers-types'
import { api } from '../../src/app.ts'
import type { CacheTimes } from '../../src/cache/times.ts'
import { places } from '../../src/local/paths.ts'
import { behindShortcuts } from '../../src/serve/shortcut.ts'
import { forLong } from './cache-times.ts'
import { metadata } from './metadata.ts'
import { patient } from './patient.ts'
import './plain-decimals.ts'
import { running } from './weir.ts'

/** A response from the Worker in this process. */
export interface IsolateReply {
  readonly status: number
  readonly cache: string | null
  readonly text: string
  readonly headers: Headers
  /** The number of its D1 round trips. */
  readonly d1: number
  /** The tags that it removed from the cache in front of the Worker. */
  readonly purged: readonly string[]
}

/** The Worker in this process, on the shared D1 and ClickHouse. A test can set its clock and replace its bindings. */
export function isolate(times: CacheTimes = forLong, bindings: Readonly<Record<string, unknown>> = {}) {
  let trips = 0
  const counting: object = {
    ...metadata,
    withSession: () => counting,
    batch: (statements: Parameters<D1Database['batch']>[0]) => {
      trips++
      return metadata.batch(statements)
    },
  }
  const env = {
    ...{ METADATA: counting as D1Database, CLICKHOUSE_URL: running.clickhouse },
    ...{ AUTH_SECRET: readFileSync(places(running.dataDir).authSecret, 'utf8'), CACHE: times },
    ...patient,
    ...bindings,
  }
  const worker = behindShortcuts(api())
  const purged: string[] = []
  /** The cache in front of a Worker, which only Cloudflare has. */
  const cache = {
    async purge({ tags }: { tags: readonly string[] }) {
      const success = !bindings.refusesPurges
      if (success) purged.push(...tags)
      return { success, errors: success ? [] : [{ code: 1134, message: 'Rate limit reached.' }] }
    },
  }
  return async (
    path: string,
    headers: Readonly<Record<string, string>>,
    method = 'GET',
    body?: string,
  ): Promise<IsolateReply> => {
    trips = 0
    const work: Promise<unknown>[] = []
    const context = {
      waitUntil: (one: Promise<unknown>) => void work.push(one),
      passThroughOnException() {},
      ...{ props: {}, cache },
    }
    const response = await worker.fetch(
      new Request(new URL(path, 'http://weir'), { method, headers, ...(body !== undefined && { body }) }),
      env,
      context,
    )
    const text = await response.text()
    const d1 = trips
    await Promise.allSettled(work)
    const tags = purged.splice(0)
    return {
      purged: tags,
      status: response.status,
      cache: response.headers.get('x-cache'),
      text,
      headers: response.headers,
      d1,
    }
  }
}
