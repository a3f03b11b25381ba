import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { D1Database } from '@cloudflare/workers-types'
import { inject } from 'vitest'

/**
 * D1 for tests, through the workerd that the Worker runs in. A second workerd on the same file would now and then find
 * it locked by the first, or lock it.
 */

interface Sent {
  readonly query: string
  readonly values: readonly unknown[]
}

/** Runs what `metadata` sends; for the global setup, where the Worker is. */
export async function serveMetadata(database: D1Database): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const statements = JSON.parse(await text(request)) as Sent[]
    try {
      const prepared = statements.map(({ query, values }) => database.prepare(query).bind(...values))
      response.end(JSON.stringify(await database.batch(prepared)))
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error))
    }
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Result {
  readonly results: readonly Record<string, unknown>[]
}

async function send(statements: readonly Sent[]): Promise<Result[]> {
  const body = JSON.stringify(statements)
  const response = await fetch(inject('running').metadata, { method: 'POST', body })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Result[]
}

const prepared = (query: string, values: readonly unknown[] = []) => {
  const run = async (): Promise<Result> => (await send([{ query, values }]))[0]!
  return {
    query,
    values,
    bind: (...given: readonly unknown[]) => prepared(query, given),
    run,
    all: run,
    async first(column?: string): Promise<unknown> {
      const row = (await run()).results[0] ?? null
      return column === undefined ? row : (row?.[column] ?? null)
    },
  }
}

export const metadata = {
  prepare: (query: string) => prepared(query),
  batch: (statements: readonly Sent[]) => send(statements.map(({ query, values }) => ({ query, values }))),
} as unknown as D1Database
