import { Agent, setGlobalDispatcher } from 'undici'
import { vi } from 'vitest'
import * as z from 'zod'

// Test files share a process, which saves half a second each. This gives each file its own modules, and removes
// everything that an earlier file left behind.
vi.resetModules()
vi.useRealTimers()
vi.unstubAllGlobals()
vi.restoreAllMocks()
z.config({ customError: undefined, postProcessor: undefined })

// workerd closes a connection after five idle seconds. A test that computes for longer would not notice and would
// reuse it.
setGlobalDispatcher(new Agent({ pipelining: 0 }))
