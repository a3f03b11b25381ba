import * as z from 'zod'
import { mostSent, Sent } from '../../collect/payload.ts'
import { type ErrorCode, statusOf } from '../../errors.ts'
import { schemaOf } from './contents.ts'
import { capital } from './schemas.ts'

/** The paths that take events. They are not endpoints: they need no credential and allow every header. */

export const collectionTag = {
  name: 'Collection',
  description: 'Sends events: docs/collection.md. No credential is needed or looked at.',
}

const StoredEvent = () =>
  z.object({
    cache: z.string().describe('Send it back as x-umami-cache: the visit then goes on.'),
    sessionId: z.string(),
    visitId: z.string(),
  })

const SendAnswer = () =>
  z.union([StoredEvent(), z.object({ beep: z.literal('boop') }).describe('A bot: nothing is stored.')])

const BatchAnswer = () =>
  z.object({
    size: z.number().int(),
    processed: z.number().int().describe('How many were taken; bots too, of which nothing is stored.'),
    errors: z.number().int(),
    ignored: z.number().int().describe('How many were bots.'),
    details: z
      .array(z.object({ index: z.number().int(), response: z.unknown() }))
      .describe('The refused events: their place in the array, and the error each would have got alone.'),
    cache: z.string().nullable().describe('That of the first stored event.'),
  })

const example = {
  type: 'event',
  payload: {
    website: '5f0c1f6e-3c0f-4b3e-9d3e-0e2b7a1c9d10',
    hostname: 'www.example.com',
    url: '/pricing?utm_source=newsletter',
    title: 'Pricing',
    name: 'signup',
    data: { plan: 'pro' },
  },
}

/** What one event may say, under its name in the document. */
export const collectionSchemas = () => ({ SentEvent: schemaOf(Sent) })

const sentEvent = { $ref: '#/components/schemas/SentEvent' }

export const collectionPaths = () => ({
  '/api/send': {
    post: operation('send', 'Send one event', sentEvent, example, schemaOf(SendAnswer)),
  },
  '/api/batch': {
    post: operation(
      'batch',
      `Send up to ${mostSent} events`,
      { type: 'array', maxItems: mostSent, items: sentEvent },
      [example],
      schemaOf(BatchAnswer),
    ),
  },
})

const refusals: readonly ErrorCode[] = ['bad-request', 'forbidden', 'payload-too-large', 'service-unavailable']

const operation = (operationId: string, summary: string, body: object, example: unknown, answer: object) => ({
  operationId,
  tags: [collectionTag.name],
  summary,
  security: [],
  parameters: [],
  requestBody: { required: true, content: { 'application/json': { schema: body, example } } },
  responses: {
    200: { description: summary, content: { 'application/json': { schema: answer } } },
    ...Object.fromEntries(
      refusals.map((code) => [statusOf[code], { $ref: `#/components/responses/${capital(code)}` }]),
    ),
  },
})
