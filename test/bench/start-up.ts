import { readFileSync } from 'node:fs'
import { Miniflare } from 'miniflare'
import { places } from '../../src/local/paths.ts'
import { config } from '../../src/local/start/wrangler-toml.ts'
import { connect } from './inspected-worker.ts'
import { median } from './measure.ts'

/** The cost of starting the Worker in a new isolate. */
export interface StartUp {
  readonly runs: number
  /** The median processor time by V8's profiler, in milliseconds. */
  readonly milliseconds: number
}

const runs = 11

/** Evaluates the bundled Worker only on request, so that the profiler watches from the beginning. */
const starter = `export default {
  async fetch({ url }) {
    if (url.endsWith('/start')) await import('./worker.js')
    return new Response()
  },
}`

/** Evaluates the Worker bundled into this data folder, each time in a new isolate. */
export const startUp = async (dataDir: string): Promise<StartUp> => (await startUps([dataDir]))[0]!

/** Evaluates the Workers of these data folders in turn. */
export async function startUps(dataDirs: readonly string[]): Promise<StartUp[]> {
  const workers = dataDirs.map((dataDir) => ({
    contents: readFileSync(`${places(dataDir).bundle}/worker.js`, 'utf8'),
    found: [] as number[],
  }))
  for (let run = 0; run < runs; run++) {
    for (const { contents, found } of workers) found.push(await evaluated(contents))
  }
  return workers.map(({ found }) => ({ runs, milliseconds: median(found) }))
}

async function evaluated(contents: string): Promise<number> {
  const miniflare = new Miniflare({
    name: 'weir',
    modules: [
      { type: 'ESModule', path: 'starter.js', contents: starter },
      { type: 'ESModule', path: 'worker.js', contents },
    ],
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: [...config.compatibility_flags],
    inspectorPort: 0,
  })
  await miniflare.ready
  const inspector = await connect(new URL('/core:user:weir', await miniflare.getInspectorURL()).href)
  try {
    // The inspector answers only while the Worker handles a request.
    const begun = [
      inspector.call('Profiler.enable'),
      inspector.call('Profiler.setSamplingInterval', { interval: 100 }),
      inspector.call('Profiler.start'),
    ]
    await miniflare.dispatchFetch('http://localhost')
    await Promise.all(begun)
    await miniflare.dispatchFetch('http://localhost/start')
    const ended = inspector.call<{ profile: Profile }>('Profiler.stop')
    await miniflare.dispatchFetch('http://localhost')
    return busyIn((await ended).profile)
  } finally {
    inspector.close()
    await miniflare.dispose()
  }
}

/** The result of `Profiler.stop`: samples of the running code, and the microseconds between them. */
interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string } }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const waiting = new Set(['(idle)', '(program)', '(root)'])

function busyIn({ nodes, samples, timeDeltas }: Profile): number {
  const idle = new Set(nodes.filter(({ callFrame }) => waiting.has(callFrame.functionName)).map(({ id }) => id))
  return samples.reduce((sum, id, index) => sum + (idle.has(id) ? 0 : timeDeltas[index]!), 0) / 1000
}
