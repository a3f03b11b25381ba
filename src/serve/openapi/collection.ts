import * as z from 'zod'
import { mostSent, Sent } from '../../collect/payload.ts'
import { mostRecorded, SentRecording } from '../../collect/recording.ts'
import { type ErrorCode, statusOf } from '../../errors.ts'
import { schemaOf } from './contents.ts'
import { capital } from './schemas.ts'

/** The paths that take events. They are not endpoints: they need no credential and allow every header. */

export const collectionTag = {
  name: 'Collection',
  description:
    'Sends events and recordings: docs/collection.md, docs/recordings.md. No credential is needed or looked at.',
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

const RecordAnswer = () =>
  z.union([
    z.object({ ok: z.literal(true) }).describe('Stored, or nothing to store.'),
    z.object({
      ok: z.literal(false),
      reason: z
        .enum(['recorder_disabled', 'replay_disabled', 'heatmap_disabled', 'visit_full', 'recorder_full'])
        .describe('Why nothing is stored: the recorder ends.'),
    }),
    z.object({ beep: z.literal('boop') }).describe('A bot: nothing is recorded.'),
  ])

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

const recordExample = {
  type: 'heatmap',
  payload: {
    website: '5f0c1f6e-3c0f-4b3e-9d3e-0e2b7a1c9d10',
    timestamp: 1763942400,
    events: [
      { type: 'click', url: '/pricing', x: 412, y: 300, pageX: 412, pageY: 1260, viewportW: 1280, viewportH: 720 },
    ],
  },
}

/** What one event or recording may say, under its name in the document. */
export const collectionSchemas = () => ({ SentEvent: schemaOf(Sent), SentRecording: schemaOf(SentRecording) })

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
  '/api/record': {
    post: operation(
      'record',
      `Send up to ${mostRecorded} events of a recorder: of a replay, or of heatmaps. The body may be gzip`,
      { $ref: '#/components/schemas/SentRecording' },
      recordExample,
      schemaOf(RecordAnswer),
    ),
  },
})

const refusals: readonly ErrorCode[] = [
  'bad-request',
  'forbidden',
  'payload-too-large',
  'too-many-requests',
  'service-unavailable',
]

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
