import type { Env } from '../../src/env.ts'
import worker, { EventLog as Whole } from '../../src/worker.ts'

/** The Worker with an additional path `/room`, which returns the size of its recording log in SQLite. */

export class EventLog extends Whole {
  async room(): Promise<number> {
    return this.ctx.storage.sql.databaseSize
  }
}

export default {
  async fetch(request: Request, env: Env, context: unknown): Promise<Response> {
    if (new URL(request.url).pathname !== '/room') return worker.fetch(request, env, context as never)
    const log = env.COLLECT!.get(env.COLLECT!.idFromName('recordings-0')) as unknown as EventLog
    return Response.json(await log.room())
  },
}
