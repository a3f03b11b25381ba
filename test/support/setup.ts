import { Agent, setGlobalDispatcher } from 'undici'
import { afterAll, inject, vi } from 'vitest'
import * as z from 'zod'
import { type Spent, spentBy } from './spent.ts'

// Test files share a process, which saves half a second per file. This gives each file its own modules, and removes
// everything that earlier files have left behind.
vi.resetModules()
vi.useRealTimers()
vi.unstubAllGlobals()
vi.restoreAllMocks()
z.config({ customError: undefined, postProcessor: undefined })

// workerd closes connections after five idle seconds, which a test that computes for longer does not notice. So only
// reads from the shared Worker share connections, and after two idle seconds, new ones are opened.
const { url } = inject('running')
const alone = new Agent({ pipelining: 0 })
const sharing = () => new Agent({ keepAliveTimeout: 1000 })
const now = performance.now.bind(performance)
let [shared, usedAt] = [sharing(), now()]
setGlobalDispatcher(
  alone.compose((dispatch) => (options, handler) => {
    if (options.method !== 'GET' || String(options.origin) !== url) return dispatch(options, handler)
    if (now() - usedAt > 2000) shared = sharing()
    usedAt = now()
    return shared.dispatch(options, handler)
  }),
)

declare module '@vitest/runner' {
  interface TaskMeta {
    /** The processor time of a test file, without the shared engine and Worker. */
    spent?: Spent
  }
}

const inProcess = globalThis as { weirSpent?: Spent }

// The first fixture is closed last.
// biome-ignore lint/correctness/noEmptyPattern: vitest reads it
afterAll(({}, file) => {
  const now = spentBy('self')
  if (!now) return
  const before = inProcess.weirSpent ?? { own: 0, below: 0 }
  file.meta.spent = { own: now.own - before.own, below: now.below - before.below }
  inProcess.weirSpent = now
})
