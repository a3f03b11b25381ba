import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Its modules take a tenth of a second to load, which most runs save. */
const start = async () => (await import('./postgres.ts')).startServer('32MB')

/** Starts PostgreSQL at the first request to `url`, which answers its port. */
export async function offerPostgres(): Promise<{ readonly url: string; close(): Promise<void> }> {
  let running: ReturnType<typeof start> | undefined
  const offer = createServer(async (_, response) => {
    running ??= start()
    response.end(String((await running).port))
  }).listen(0, '127.0.0.1')
  await once(offer, 'listening')
  return {
    url: `http://127.0.0.1:${(offer.address() as AddressInfo).port}`,
    async close() {
      offer.close()
      offer.closeAllConnections()
      await (await running)?.close()
    },
  }
}
