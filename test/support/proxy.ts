import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Forwards a request to the server at `url`, and returns its response. If one side ends, so does the other. */
export function passOn(url: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { host: _, ...headers } = incoming.headers
  const passed = request(url + incoming.url!, { method: incoming.method!, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(outgoing)
  })
  passed.once('error', () => outgoing.destroy())
  outgoing.once('close', () => passed.destroy())
  incoming.pipe(passed)
}

/** Starts a server in front of the engine that rewrites the statements. */
export async function rewriting(
  engine: string,
  change: (statement: string) => string,
): Promise<{ readonly url: string; close(): void }> {
  const own = createServer(async (request, response) => {
    const sent = change(await text(request))
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers
    const init = { method: request.method!, headers: headers as Record<string, string>, ...(sent && { body: sent }) }
    const answer = await fetch(engine + request.url, init)
    const kept = [...answer.headers].filter(([name]) => /^(content-type|x-clickhouse-)/.test(name))
    response.writeHead(answer.status, Object.fromEntries(kept)).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(own, 'listening')
  const close = () => {
    own.closeAllConnections()
    own.close()
  }
  return { url: `http://127.0.0.1:${(own.address() as AddressInfo).port}`, close }
}
