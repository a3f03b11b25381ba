import { faultOfKey, unauthorized } from '../access/credential.ts'
import { readLimited } from './body.ts'
import { chargeTool } from './charge.ts'
import type { Exchange } from './exchange.ts'
import { knownHolder } from './identify.ts'
import { issuesOf } from './input.ts'
import { log } from './log.ts'

/** Answers `POST /mcp`, which sends one message of the Model Context Protocol from the holder of an API key. */
export async function answerMcp(exchange: Exchange): Promise<Response> {
  const { hono, record, request, requestId, now, elapsed, subrequest, spent } = exchange
  const holder = await knownHolder(exchange)
  if (holder?.kind !== 'key') {
    throw unauthorized(faultOfKey(request.headers), howToSendKey)
  }
  record.caller = 'key'
  // Loaded when the first message arrives, because other requests do not need the tools.
  const { answerMessage } = await import('../mcp/answer.ts')
  const { status, body } = await answerMessage({
    ...{ headers: request.headers, requestId, now, elapsed, issuesOf },
    readText: () => readLimited(exchange),
    begin(tool) {
      record.endpoint = `mcp.${tool}`
      return chargeTool(holder.id, exchange)
    },
    get: (path) => subrequest(path),
    rowsRead: () => (spent.isHidden ? undefined : spent.rows),
    logFailure: (error) => log(exchange, { cause: String(error) }),
  })
  return body === undefined ? hono.body(null, 202) : hono.json(body, status === 202 ? 200 : status)
}

const howToSendKey = 'Send an API key as Authorization: Bearer api_… or x-weir-api-key.'
