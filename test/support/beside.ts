import { Miniflare, Response as MiniflareResponse, type Request, type SharedOptions } from 'miniflare'
import type { bundled } from '../../src/local/start/workerd.ts'
import { running } from './weir.ts'

/** A second Worker that uses the shared Worker's D1. */
export interface Beside {
  readonly url: string
  /** Sends a request as if it had entered Cloudflare's network at this location. */
  dispatch(path: string, cf: object, init: RequestInit): Promise<Response>
  close(): Promise<void>
}

/** Receives the statements of each D1 round trip before they are sent. */
export type Observer = (statements: readonly string[]) => Promise<void>

/**
 * Replaces the D1 binding. It sends statements to the Worker that shares D1, which runs in the shared Worker's workerd,
 * because two workerds on one file would lock each other out.
 */
const sharedD1 = `export default ({ SHARED_METADATA, SECRET, OBSERVER }) => {
  const headers = { authorization: 'Bearer ' + SECRET }
  const send = async (statements) => {
    const queries = JSON.stringify(statements.map(({ query }) => query))
    if (OBSERVER) await OBSERVER.fetch('http://observer', { method: 'POST', body: queries })
    const post = () => fetch(SHARED_METADATA, { method: 'POST', headers, body: JSON.stringify(statements) })
    // A busy workerd closes a kept-alive connection if it has not read the next request within five seconds.
    const onlyReads = statements.every(({ query }) => /^\\s*(select|with)/i.test(query))
    const answer = await (onlyReads ? post().catch(post) : post())
    if (!answer.ok) throw new Error(await answer.text())
    return answer.json()
  }
  const prepared = (query, values = []) => {
    const run = async () => (await send([{ query, values }]))[0]
    const first = async () => (await run()).results[0] ?? null
    return { query, values, bind: (...given) => prepared(query, given), run, all: run, first }
  }
  const database = {
    prepare: (query) => prepared(query),
    batch: (statements) => send(statements.map(({ query, values }) => ({ query, values }))),
    withSession: () => database,
    getBookmark: () => null,
  }
  return database
}`

/** Starts a Worker with these options, in which only the D1 binding is replaced. */
export async function startBeside(
  { d1Databases: _, d1Persist: __, pages: ___, cf, ...worker }: ReturnType<typeof bundled>,
  { observer, ...shared }: Partial<SharedOptions> & { readonly observer?: Observer } = {},
): Promise<Beside> {
  const observing = async (request: Request): Promise<MiniflareResponse> => {
    await observer!((await request.json()) as string[])
    return new MiniflareResponse()
  }
  const miniflare = new Miniflare({
    ...{ cf, ...shared },
    workers: [
      { ...worker, wrappedBindings: { METADATA: 'shared-d1' } },
      {
        ...{ name: 'shared-d1', modules: true, script: sharedD1 },
        bindings: { SHARED_METADATA: running.metadata.url, SECRET: running.metadata.secret },
        ...(observer && { serviceBindings: { OBSERVER: observing } }),
      },
    ],
  })
  await miniflare.ready
  return {
    url: (await miniflare.unsafeGetDirectURL(worker.name)).origin,
    dispatch: (path, cf, init) => miniflare.dispatchFetch(`http://weir${path}`, { ...init, cf } as never) as never,
    close: () => miniflare.dispose(),
  }
}
