import type { DurableObjectState } from '@cloudflare/workers-types'
import type { Env } from '../../src/env.ts'
import worker, { EventLog as Whole } from '../../src/worker.ts'

/** The Worker on logs whose format has the version `FORMAT`, or none if it is `none`. */
export class EventLog extends Whole {
  constructor(ctx: DurableObjectState, env: Env & { readonly FORMAT: string }) {
    const { sql } = ctx.storage
    const marked = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'packed_version'").toArray().length > 0
    if (marked) sql.exec('DELETE FROM packed_version')
    if (marked && env.FORMAT !== 'none') sql.exec('INSERT INTO packed_version VALUES (?)', Number(env.FORMAT))
    super(ctx, env)
  }
}

export default worker
