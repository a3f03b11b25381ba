import { Agent, setGlobalDispatcher } from 'undici'

// workerd closes a connection after five idle seconds. A test that computes for longer would not notice and would
// reuse it.
setGlobalDispatcher(new Agent({ pipelining: 0 }))
