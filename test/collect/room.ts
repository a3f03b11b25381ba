import { gunzipSync } from 'node:zlib'
import type { DurableObjectState, SqlStorage } from '@cloudflare/workers-types'
import type { Env } from '../../src/env.ts'
import worker, { EventLog as Whole } from '../../src/worker.ts'

/**
 * The Worker with an additional path `/room`, which returns the size of its recording log in SQLite. If the variable
 * `UNCOMPRESSED` is set, that log starts with rows in the old format.
 */

interface Given extends Env {
  readonly UNCOMPRESSED?: string
}

export class EventLog extends Whole {
  constructor(ctx: DurableObjectState, env: Given) {
    if (env.UNCOMPRESSED) inflate(ctx.storage.sql)
    super(ctx, env)
  }

  async room(): Promise<number> {
    return this.ctx.storage.sql.databaseSize
  }
}

function inflate(sql: SqlStorage): void {
  for (const table of ['recorded_commits_0', 'recorded_commits_1']) {
    for (const column of ['events', 'calls']) {
      const select = `SELECT id, ${column} AS gzip FROM ${table} WHERE ${column} IS NOT NULL`
      for (const { id, gzip } of sql.exec<{ id: number; gzip: ArrayBuffer }>(select).toArray()) {
        sql.exec(`UPDATE ${table} SET ${column} = ? WHERE id = ?`, gunzipSync(gzip), id)
      }
    }
  }
}

export default {
  async fetch(request: Request, env: Given, context: unknown): Promise<Response> {
    if (new URL(request.url).pathname !== '/room') return worker.fetch(request, env, context as never)
    const log = env.COLLECT!.get(env.COLLECT!.idFromName('recordings-0')) as unknown as EventLog
    return Response.json(await log.room())
  },
}
