import { Miniflare, Response } from 'miniflare'
import type { bundled } from '../../src/local/start/workerd.ts'

/** A Worker that records its round trips to D1. */
export interface Observed {
  readonly url: string
  /** The statements of each round trip since the last call. */
  look(): readonly (readonly string[])[]
  close(): Promise<void>
}

/** Replaces the D1 binding: it reports each round trip to `OBSERVER` and then makes it. */
const observedD1 = `export default ({ D1, OBSERVER }) => {
  const tell = (queries) => OBSERVER.fetch('http://observer', { method: 'POST', body: JSON.stringify(queries) })
  const asking = (statement, query, method) => async (...options) => {
    await tell([query])
    return statement[method](...options)
  }
  const prepared = (statement, query) => ({
    statement,
    query,
    bind: (...values) => prepared(statement.bind(...values), query),
    ...Object.fromEntries(['first', 'all', 'run', 'raw'].map((method) => [method, asking(statement, query, method)])),
  })
  return {
    prepare: (query) => prepared(D1.prepare(query), query),
    async batch(statements) {
      await tell(statements.map(({ query }) => query))
      return D1.batch(statements.map(({ statement }) => statement))
    },
  }
}`

type Options = ReturnType<typeof bundled>

/**
 * Starts a Worker with these options; only its D1 binding is replaced. Each round trip waits until `allowed` has
 * resolved.
 */
export async function observed(
  options: Options,
  allowed: (statements: readonly string[]) => Promise<void> = async () => {},
): Promise<Observed> {
  const { d1Databases, d1Persist, cf, ...worker } = options
  let seen: string[][] = []
  const observer = async (request: { json(): Promise<unknown> }): Promise<Response> => {
    const statements = (await request.json()) as string[]
    seen.push(statements)
    await allowed(statements)
    return new Response()
  }
  const miniflare = new Miniflare({
    d1Persist,
    cf,
    workers: [
      { ...worker, wrappedBindings: { METADATA: 'observed-d1' } },
      {
        name: 'observed-d1',
        modules: true,
        script: observedD1,
        d1Databases: { D1: d1Databases.METADATA! },
        serviceBindings: { OBSERVER: observer },
      },
    ],
  })
  await miniflare.ready
  return {
    url: (await miniflare.unsafeGetDirectURL(worker.name)).origin,
    look() {
      const looked = seen
      seen = []
      return looked
    },
    close: () => miniflare.dispose(),
  }
}
