import type { Miniflare } from 'miniflare'
import type { bundled } from '../../src/local/workerd.ts'

const name = 'metadata-of-tests'

/** Runs what `metadata` sends. */
const script = `export default {
  async fetch(request, { METADATA }) {
    try {
      const statements = await request.json()
      const prepared = statements.map(({ query, values }) => METADATA.prepare(query).bind(...values))
      return Response.json(await METADATA.batch(prepared))
    } catch (error) {
      return new Response(error.message, { status: 500 })
    }
  },
}`

/**
 * Options of Miniflare for the Worker, and for another beside it that gives tests its D1. A second workerd on the same
 * file would now and then find it locked by the first, or lock it. Miniflare's own D1 waits for each `prepare` with a lock
 * that, on a busy machine, is now and then let go too early: every later statement fails then.
 */
export function withMetadata({ d1Persist, cf, ...worker }: ReturnType<typeof bundled>) {
  const { compatibilityDate, d1Databases } = worker
  const unsafeDirectSockets = [{ host: '127.0.0.1', port: 0 }]
  const beside = { name, modules: true as const, script, compatibilityDate, d1Databases, unsafeDirectSockets }
  return { d1Persist, cf, workers: [worker, beside] }
}

/** Where it listens. */
export const metadataOf = async (miniflare: Miniflare): Promise<string> =>
  (await miniflare.unsafeGetDirectURL(name)).origin
