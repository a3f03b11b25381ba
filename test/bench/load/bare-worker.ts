import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectNamespace, DurableObjectState } from '@cloudflare/workers-types'

/** A minimal collector. It only writes events to SQLite. Each row contains the events of a few milliseconds. */

/** As long as the log's window. */
const milliseconds = 5

export class EventLog extends DurableObject<object> {
  #waiting: string[] = []
  #written: Promise<void> | undefined

  constructor(ctx: DurableObjectState, env: object) {
    super(ctx, env)
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, lines TEXT NOT NULL)')
  }

  async append(body: string): Promise<void> {
    if (this.#waiting.length === 0) this.#written = this.#write()
    this.#waiting.push(body)
    await this.#written
  }

  async #write(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    const lines = this.#waiting.join('\n')
    this.#waiting = []
    this.ctx.storage.sql.exec('INSERT INTO rows (lines) VALUES (?)', lines)
  }
}

export default {
  async fetch(request: Request, { COLLECT }: { COLLECT: DurableObjectNamespace }): Promise<Response> {
    const log = COLLECT.get(COLLECT.idFromName('bare')) as unknown as Pick<EventLog, 'append'>
    await log.append(await request.text())
    return new Response('{}')
  },
}
