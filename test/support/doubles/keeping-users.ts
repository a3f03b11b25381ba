import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that stores users, and the statements that it has received. */
export interface KeepingUsers {
  readonly url: string
  /** The users that it has. */
  existing: string[]
  sent: { statement: string; fields: Record<string, string> }[]
  /** Called with each statement after it has had its effect, but before it is answered. */
  onStatement(statement: string): void
  close(): void
}

/** ClickHouse's error codes for statements about users on a server that cannot store users. */
const keptElsewhere = new Set(['180', '192', '495', '497', '511', '514'])

/**
 * A server that stores users, which is the embedded engine behind a proxy. The engine parses each statement about
 * users, but cannot store or find them. The proxy turns this one failure into success, and admits everybody as the
 * user in the engine's URL.
 */
export async function startKeepingUsers(engine: string): Promise<KeepingUsers> {
  const { origin, searchParams: own } = new URL(engine)
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const statement = body.toString()
    const url = new URL(request.url!, origin)
    // Before the statements, a command checks whether ClickHouse responds at all.
    if (statement !== '') keeping.sent.push({ statement, fields: Object.fromEntries(url.searchParams) })
    for (const name of ['user', 'password']) if (own.has(name)) url.searchParams.set(name, own.get(name)!)
    const { 'content-encoding': encoding } = request.headers
    const answer = await fetch(url, {
      method: 'POST',
      ...(encoding && { headers: { 'content-encoding': encoding } }),
      // The engine is not a cluster, so it cannot distribute a statement.
      body: statement.includes(" ON CLUSTER 'pair'") ? statement.replace(" ON CLUSTER 'pair'", '') : body,
    })
    keeping.onStatement(statement)
    const result = Buffer.from(await answer.arrayBuffer())
    const isOfUsers = /\bweir_(reader|visitor|writer|sealer)\b/.test(statement)
    if (/^CHECK GRANT /.test(statement)) response.end('1\n')
    else if (isOfUsers && keptElsewhere.has(answer.headers.get('x-clickhouse-exception-code') ?? '')) response.end()
    else if (/\bFROM system\.users\b/.test(statement))
      response.end(keeping.existing.map((name) => `{"name":"${name}"}\n`).join(''))
    else response.writeHead(answer.status, headersOf(answer)).end(result)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const keeping: KeepingUsers = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    existing: [],
    sent: [],
    onStatement() {},
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return keeping
}

/** The headers of a response whose body has already been decompressed. */
const headersOf = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries(
    [...headers].filter(([name]) => !/^(content-encoding|content-length|transfer-encoding)$/.test(name)),
  )
