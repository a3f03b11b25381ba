/** The part of workerd's own module that the log uses. */
declare module 'cloudflare:workers' {
  import type { DurableObjectState } from '@cloudflare/workers-types'

  export abstract class DurableObject<Env> {
    protected readonly ctx: DurableObjectState
    protected readonly env: Env
    constructor(ctx: DurableObjectState, env: Env)
  }
}
