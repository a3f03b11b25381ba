import * as z from 'zod'
import { type ErrorCode, statusOf } from '../../errors.ts'
import { schemaOf } from './contents.ts'
import { capital } from './schemas.ts'

/** The path for AI assistants. It is not an endpoint itself, because each tool calls endpoints. */

export const assistantsTag = {
  name: 'Assistants',
  description: 'Read-only tools for the Model Context Protocol. See docs/mcp.md. tools/list describes them.',
}

const RpcMessage = () =>
  z.object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number().int()]).optional().describe('A message without one gets no answer.'),
    method: z.string().describe('initialize, server/discover, ping, tools/list, tools/call, or a notification.'),
    params: z.record(z.string(), z.unknown()).optional(),
  })

const RpcAnswer = () =>
  z.object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number().int(), z.null()]),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.object({ code: z.number().int(), message: z.string(), data: z.unknown().optional() }).optional(),
  })

/** The schemas of a message and an answer, by their names in the document. */
export const mcpSchemas = () => ({ RpcMessage: schemaOf(RpcMessage, 'input'), RpcAnswer: schemaOf(RpcAnswer) })

const rpcAnswer = { $ref: '#/components/schemas/RpcAnswer' }

const refusals: readonly ErrorCode[] = [
  ...(['unauthorized', 'forbidden', 'payload-too-large', 'too-many-requests'] as const),
  ...(['server-error', 'service-unavailable'] as const),
]

const said = (description: string, schema: object = rpcAnswer) => ({
  description,
  content: { 'application/json': { schema } },
})

export const mcpPaths = () => ({
  '/mcp': {
    post: {
      operationId: 'mcp',
      tags: [assistantsTag.name],
      summary: 'Answer one message of the Model Context Protocol',
      description: 'One JSON-RPC 2.0 message, without a session. Needs an API key: other credentials are refused.',
      security: [{ bearer: [] }, { key: [] }, { umamiKey: [] }],
      parameters: [],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/RpcMessage' }, example } },
      },
      responses: {
        200: said('The answer. If a tool refuses the call, the result has `isError: true`.'),
        202: { description: 'Nothing: the message needs no answer.' },
        400: said('Not a message of the protocol, or one of another revision.', {
          anyOf: [rpcAnswer, { $ref: '#/components/schemas/Error' }],
        }),
        404: said('An unknown method of the newest revision.'),
        415: said('No JSON.'),
        ...Object.fromEntries(
          refusals.map((code) => [statusOf[code], { $ref: `#/components/responses/${capital(code)}` }]),
        ),
      },
    },
  },
})

const example = {
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name: 'list_websites', arguments: {} },
}
