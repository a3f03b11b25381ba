import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Server } from '../../src/clickhouse/server.ts'

/** A request to ClickHouse as it was sent. */
export interface Sent {
  readonly method: string
  /** Path and query string. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A proxy in front of ClickHouse that records requests. */
export interface Recording {
  /** The same server, at the proxy's address. */
  readonly server: Server
  /** The requests since the last call. */
  look(): readonly Sent[]
  close(): Promise<void>
}

export async function recording(server: Server): Promise<Recording> {
  let seen: Sent[] = []
  const proxy = createServer((incoming, outgoing) => {
    void bodyOf(incoming).then((body) => {
      const sent = { method: incoming.method!, path: incoming.url!, headers: incoming.headers, body }
      seen.push(sent)
      passOn(server, sent, outgoing)
    })
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  return {
    server: { ...server, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` },
    look() {
      const looked = seen
      seen = []
      return looked
    },
    close: () =>
      new Promise((closed) => {
        proxy.close(() => closed())
        proxy.closeAllConnections()
      }),
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function passOn(server: Server, sent: Sent, outgoing: ServerResponse): void {
  const passed = replayed(server, sent, (answer) => {
    outgoing.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(outgoing)
  })
  passed.once('error', () => outgoing.destroy())
  outgoing.once('close', () => passed.destroy())
}

/** Sends a recorded request again, directly to `server`. */
export function replayed(server: Server, sent: Sent, onAnswer: (answer: IncomingMessage) => void) {
  const { host, 'transfer-encoding': _, ...headers } = sent.headers
  const passed = request(
    server.url + sent.path,
    { method: sent.method, headers: { ...headers, 'content-length': sent.body.length } },
    onAnswer,
  )
  passed.end(sent.body)
  return passed
}
