import { Agent, setGlobalDispatcher } from 'undici'

// A connection that lies idle for five seconds is closed by workerd. A test that computes for longer would not notice, and use it again.
setGlobalDispatcher(new Agent({ pipelining: 0 }))
