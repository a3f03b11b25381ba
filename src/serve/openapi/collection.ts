import * as z from 'zod'
import { eventTypes, figureBounds, mostSent, textLengths } from '../../collect/payload.ts'
import { mostRecorded, SentRecording } from '../../collect/recording.ts'
import { type ErrorCode, statusOf } from '../../errors.ts'
import { schemaOf } from './contents.ts'
import { capital } from './schemas.ts'

/** The paths that receive events. They are not endpoints: they require no credential and allow every header. */

export const collectionTag = {
  name: 'Collection',
  description:
    'Sends events and recordings. See docs/collection.md and docs/recordings.md. Credentials are not needed.',
}

const anyText = () => z.string().nullish()
const anyId = () => z.guid().nullish()
const each = <Value, Schema>(values: Readonly<Record<string, Value>>, schema: (value: Value) => Schema) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, schema(value)]))

/**
 * The body of `POST /api/send`. Invalid values are corrected. An event is refused only in the cases described for its
 * fields.
 */
const SentEvent = () =>
  z.looseObject({
    type: z.enum(eventTypes),
    payload: z
      .looseObject({
        website: anyId().describe('Exactly one of website, link and pixel. Any other value is refused.'),
        ...{ link: anyId(), pixel: anyId() },
        ...each(textLengths, (longest) =>
          anyText().meta({ description: `At most ${longest} characters; longer texts are cut.` }),
        ),
        title: anyText(),
        url: anyText().describe('A URL, or a path on the hostname. It must be resolvable.'),
        referrer: anyText(),
        timestamp: z
          .union([z.int(), z.string().regex(/^\d{1,15}$/)])
          .nullish()
          .describe('Whole seconds since 1970: not before the year 2000, at most a day ahead. Others are refused.'),
        ...each(figureBounds, (greatest) => z.number().min(0).max(greatest).nullish()),
        data: z.unknown().optional().describe('An object of up to 100 properties.'),
        ip: anyText().describe("Replaces the sender's own address."),
        country: anyText().describe('A two-letter code.'),
        eventId: anyId().describe('A UUID. Two events with the same id are counted once.'),
      })
      .describe('Invalid fields are corrected and listed in `warnings`. See docs/collection.md.'),
  })

const Warnings = () =>
  z
    .array(
      z.object({
        path: z.string().describe('The field, such as payload.name.'),
        message: z.string().describe('What was done with it.'),
      }),
    )
    .optional()
    .describe('The corrected fields, at most 20. Absent if there are none.')

const StoredEvent = () =>
  z.object({
    cache: z.string().describe('Send it back as x-umami-cache to continue the visit.'),
    sessionId: z.string(),
    visitId: z.string(),
    warnings: Warnings(),
  })

const BotAnswer = () => z.object({ beep: z.literal('boop'), reason: z.literal('bot') })

const SendAnswer = () => z.union([StoredEvent(), BotAnswer().describe('A bot: nothing is stored.')])

const BatchAnswer = () =>
  z.object({
    size: z.number().int(),
    processed: z
      .number()
      .int()
      .describe('How many were accepted. Includes events from bots, although those are not stored.'),
    errors: z.number().int(),
    ignored: z.number().int().describe('How many came from bots.'),
    details: z
      .array(z.object({ index: z.number().int(), response: z.unknown() }))
      .describe(
        'The refused events, by index in the array: 20 with the full error, the others with its code and status. ' +
          'Also up to 20 of the events that were stored with warnings.',
      ),
    cache: z.string().nullable().describe('The token of the first stored event.'),
  })

const RecordAnswer = () =>
  z.union([
    z.object({ ok: z.literal(true) }).describe('Stored, or nothing to store.'),
    z.object({
      ok: z.literal(false),
      reason: z
        .enum(['recorder_disabled', 'replay_disabled', 'heatmap_disabled', 'visit_full', 'recorder_full'])
        .describe('Why nothing is stored. The recorder then stops.'),
    }),
    BotAnswer().describe('A bot: nothing is recorded.'),
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

/** The schemas of an event and a recording, by their names in the document. */
export const collectionSchemas = () => ({ SentEvent: schemaOf(SentEvent), SentRecording: schemaOf(SentRecording) })

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
      `Send up to ${mostRecorded} recorder events, for a replay or for heatmaps. The body may be gzip`,
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
