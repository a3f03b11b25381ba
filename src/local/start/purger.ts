import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ClickHouseClient } from '@clickhouse/client-web'
import * as z from 'zod'
import type { Env } from '../../env.ts'
import { mostDeleted } from '../../metadata/sessions.ts'
import { purgeSessionsOf } from '../storage/purge-sessions.ts'
import { newSecret } from '../storage/shared-metadata.ts'

/** Purges sessions for the Worker, which may not delete anything in ClickHouse itself. */
export interface OpenPurger {
  /** The Worker's binding to it. */
  readonly binding: NonNullable<Env['PURGER']>
  close(): Promise<void>
}

const Asked = z.object({ websiteId: z.guid(), sessionIds: z.array(z.guid()).min(1).max(mostDeleted) })

/** The maximum length of a body, in bytes. It has room for 1,000 ids of 40 bytes each. */
const longestBody = 100_000

/** Listens on any free port of this machine. Refuses every request without the secret. */
export async function openPurger(client: ClickHouseClient): Promise<OpenPurger> {
  const secret = newSecret()
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body))
    if (!isSame(request.headers.authorization, `Bearer ${secret}`)) return void answer(403, { error: 'Forbidden.' })
    void purged(client, request).then(
      (done) => answer(200, done),
      (error: unknown) => answer(503, { error: String(error) }),
    )
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  const { port } = server.address() as AddressInfo
  return {
    binding: { url: `http://127.0.0.1:${port}/`, secret },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const isSame = (given = '', wanted: string): boolean =>
  given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted))

async function purged(client: ClickHouseClient, request: IncomingMessage) {
  let body = ''
  for await (const part of request) {
    body += part
    if (body.length > longestBody) throw new Error('The body is too large.')
  }
  const { websiteId, sessionIds } = Asked.parse(JSON.parse(body))
  return purgeSessionsOf(client, websiteId, sessionIds)
}
