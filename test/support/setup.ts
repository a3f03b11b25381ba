import { Agent, setGlobalDispatcher } from 'undici'
import { inject, vi } from 'vitest'
import * as z from 'zod'

// Test files share a process, which saves half a second each. This gives each file its own modules, and removes
// everything that an earlier file left behind.
vi.resetModules()
vi.useRealTimers()
vi.unstubAllGlobals()
vi.restoreAllMocks()
z.config({ customError: undefined, postProcessor: undefined })

// workerd closes a connection after five idle seconds, which a test that computes for longer does not notice. So only
// reads of the shared Worker share connections, and after two idle seconds they begin with new ones.
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
