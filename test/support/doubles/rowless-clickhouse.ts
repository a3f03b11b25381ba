import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { request } from 'undici'

/** A ClickHouse without rows, for tests about permissions, limits, headers and statuses, which need none. */
export interface RowlessClickHouse {
  readonly url: string
  /** The numbers of statements received and forwarded. */
  counts(): { readonly asked: number; readonly passedOn: number }
  close(): void
}

interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: Buffer
}

/** An id that no website or other object has. */
const nobodys = 'f0000000-0000-4000-8000-00000000000f'
const uuids = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi

/** Parameters that identify a request and do not change the answer. */
const names = ['query_id', 'log_comment']

/**
 * Forwards each statement to the real ClickHouse once, with an unused website id. Later statements that differ only in
 * ids get the same answer, because planning one takes ten milliseconds of processor time.
 */
export async function startRowlessClickHouse(real: string): Promise<RowlessClickHouse> {
  const known = new Map<string, Promise<Answer>>()
  let asked = 0
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    asked++
    const { path, headers, body, key } = await withoutIds(incoming)
    const answered = known.get(key) ?? passedOn(real + path, headers, body)
    known.set(key, answered)
    const { status, headers: given, body: rows } = await answered
    if (status !== 200) known.delete(key)
    outgoing.writeHead(status, given).end(rows)
  }
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: () => ({ asked, passedOn: known.size }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A statement's request with the unused website id, and the key that it shares with other statements. */
async function withoutIds(incoming: IncomingMessage) {
  const url = new URL(incoming.url!, 'http://rowless')
  for (const name of names) url.searchParams.delete(name)
  const path = (url.pathname + url.search).replace(uuids, nobodys)
  const body = (await buffer(incoming)).toString('latin1').replace(uuids, nobodys)
  const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = incoming.headers
  const [, boundary] = /boundary=(.+)$/.exec(headers['content-type'] ?? '') ?? []
  const key = [incoming.method, path, boundary === undefined ? body : body.replaceAll(boundary, '')].join('\n')
  return { path, headers, body: Buffer.from(body, 'latin1'), key }
}

async function passedOn(url: string, headers: IncomingMessage['headers'], body: Buffer): Promise<Answer> {
  const answer = await request(url, { method: body.length > 0 ? 'POST' : 'GET', headers, body })
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...given } = answer.headers
  return { status: answer.statusCode, headers: given, body: Buffer.from(await answer.body.arrayBuffer()) }
}
