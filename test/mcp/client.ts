import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { Headers } from '../support/callers.ts'
import { running } from '../support/weir.ts'

export const mcpUrl = new URL('/mcp', running.url)

/** The two protocol styles, one with `initialize` and one with self-contained requests. */
export const revisions = { '2025-11-25': 'legacy', '2026-07-28': { pin: '2026-07-28' } } as const

/** The SDK's own client, connected to the Worker with these headers. The caller closes it. */
export async function connected(headers: Headers, revision: keyof typeof revisions): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: revisions[revision] } })
  await client.connect(new StreamableHTTPClientTransport(mcpUrl, { requestInit: { headers } }))
  return client
}

/** Sends one body exactly as given. */
export function postMcp(body: unknown, headers: Headers): Promise<Response> {
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  return fetch(mcpUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal: controller.signal,
  })
}
