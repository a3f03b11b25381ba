import { gunzipSync } from 'node:zlib'
import { readToken, type SignedToken, uuidOfHex, visitorBase } from '../collect/identity.ts'
import type { MaskLevel } from '../collect/masking.ts'
import { chunkParts, heatmapRows, indexOf, readRecorded } from '../collect/recording.ts'
import type { Recording, RecordingVerdict } from '../collect/recording-candidate.ts'
import { saltsFor } from '../collect/salts.ts'
import { isBotHere, isInBlocks, type Sender, senderOf } from '../collect/visitor.ts'
import { ApiError, unavailable } from '../errors.ts'
import { recorderSettings } from '../request/recorder-settings.ts'
import { dayLength } from '../request/time-zone.ts'
import { sha256 } from '../sha256.ts'
import { boundedBytes } from './body.ts'
import { chargeRecording } from './charge.ts'
import { botAnswer } from './collect.ts'
import type { Exchange } from './exchange.ts'
import { notCollected, recordIn, visitorSecret } from './logs.ts'

/** The maximum size of a body in bytes, as sent and after decompression. */
const longestSent = 1_000_000
const longestBody = 5_000_000

/** A token is refused once this many milliseconds have passed since the visit's last event. */
const tokenLasts = dayLength

type Outcome = { readonly ok: true } | { readonly ok: false; readonly reason: string } | typeof botAnswer

const okAnswer: Outcome = { ok: true }
const refused = (reason: string): Outcome => ({ ok: false, reason })

/** Answers `POST /api/record`, a recorder's request. */
export async function answerRecord(exchange: Exchange): Promise<Response> {
  exchange.setHeader('Cache-Control', 'no-store')
  return exchange.hono.json(await record(exchange))
}

/**
 * Runs the checks in the order of docs/recordings.md. Without a valid token, the body is not
 * read.
 */
async function record(exchange: Exchange): Promise<Outcome> {
  const { request, env, now } = exchange
  if (!env.COLLECT) throw notCollected()
  const sender = senderOf(request, env)
  await chargeRecording(sender.address, exchange)
  const given = request.headers.get('x-umami-cache')
  if (!given) throw new ApiError('bad-request', 'Missing session token.')
  const secret = visitorSecret(env)
  const token = readToken(secret, given)
  if (!token || now - token.at > tokenLasts) throw invalidToken()
  const { type, payload } = readRecorded(await bodyOf(exchange))
  if (payload.events.length === 0) return okAnswer
  const visitor = { sourceId: payload.website, address: sender.address, userAgent: sender.userAgent }
  if (!(await isOfVisitor(token, visitor, { secret, env, now, waitUntil: exchange.waitUntil }))) throw invalidToken()
  return recordOwn({ type, payload, token, sender }, exchange)
}

const invalidToken = (): ApiError => new ApiError('bad-request', 'Invalid session token.')

/** Whether the token was created for this visitor. Yesterday's token may belong to the previous salt period. */
async function isOfVisitor(
  token: SignedToken,
  visitor: Parameters<typeof visitorBase>[2],
  asking: Parameters<typeof saltsFor>[1],
): Promise<boolean> {
  const moments = [asking.now, asking.now - tokenLasts]
  const salts = await saltsFor(moments, asking).catch((cause: unknown) => {
    throw unavailable('Recordings cannot be stored right now. Try again.', cause)
  })
  return moments.some((moment) => token.isOf(visitorBase(asking.secret, salts.of(moment), visitor)))
}

/** A request whose token belongs to its sender. */
interface OwnRequest extends ReturnType<typeof readRecorded> {
  readonly token: SignedToken
  readonly sender: Sender
}

/** Runs the checks that require the website. */
async function recordOwn({ type, payload, token, sender }: OwnRequest, exchange: Exchange): Promise<Outcome> {
  const { env, now, metadata } = exchange
  const { website } = await metadata.lookUp(undefined, payload.website, 'figures')
  if (website?.kind !== 'website') throw new ApiError('bad-request', 'Website not found.')
  const { replayEnabled, heatmapEnabled, maskLevel: level, maxDuration } = recorderSettings(website.replayConfig)
  if (!replayEnabled && !heatmapEnabled) return refused('recorder_disabled')
  if (isBotHere(sender, env)) return botAnswer
  if (isInBlocks(sender.address, env.IGNORE_IP)) {
    throw new ApiError('forbidden', 'Recordings from this address are refused.')
  }
  if (!(type === 'record' ? replayEnabled : heatmapEnabled)) {
    return refused(type === 'record' ? 'replay_disabled' : 'heatmap_disabled')
  }
  const visit = { websiteId: website.id, sessionId: token.sessionId, visitId: token.visitId }
  const recording: Recording =
    type === 'record'
      ? { ...visit, kind: 'replay', ...(await chunkOf(payload, visit.visitId, level)), maxDuration, level }
      : { ...visit, kind: 'heatmap', ...(await clicksOf(payload, visit.visitId, now)) }
  return outcomeOf(await recordIn(env, recording))
}

function outcomeOf(verdict: RecordingVerdict): Outcome {
  if (verdict === 'full') return refused('visit_full')
  if (verdict === 'spent') return refused('recorder_full')
  if (verdict === 'crowded')
    throw unavailable('Too many recordings of this website are waiting to be stored. Try again.')
  return okAnswer
}

/** The text of a body that may be compressed with gzip. */
async function bodyOf(exchange: Exchange): Promise<string> {
  const bytes = await boundedBytes(exchange, longestSent, tooLarge)
  const encoding = exchange.request.headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return new TextDecoder().decode(bytes)
  if (encoding !== 'gzip') throw new ApiError('bad-request', 'Content-Encoding must be gzip, or left out.')
  return inflated(bytes)
}

/** Decompresses up to the size limit. Incomplete gzip data is treated as too large. */
function inflated(bytes: Uint8Array): string {
  try {
    return new TextDecoder().decode(gunzipSync(bytes, { maxOutputLength: longestBody }))
  } catch (error) {
    if (error instanceof RangeError || /unexpected end/.test(String(error))) throw tooLarge()
    throw new ApiError('bad-request', 'The body is not gzip.')
  }
}

const tooLarge = (): ApiError =>
  new ApiError(
    'payload-too-large',
    `A recording may have at most ${longestSent} bytes as it is sent, and ${longestBody} after gunzip.`,
    { beside: { reason: 'payload_too_large' } },
  )

interface SentPayload {
  readonly events: readonly unknown[]
  readonly timestamp?: number | string | null | undefined
}

async function chunkOf({ events, timestamp }: SentPayload, visitId: string, level: MaskLevel) {
  const parts = chunkParts(events, level)
  const text = parts.map((part) => ('text' in part ? part.text : JSON.stringify(part))).join('\n')
  const hash = await textHash(text)
  return { parts, hash, id: await recordingId(visitId, 'replay', hash), index: indexOf(timestamp) }
}

async function clicksOf({ events, timestamp }: SentPayload, visitId: string, now: number) {
  return {
    rows: heatmapRows(events, now),
    id: await recordingId(visitId, 'heatmap', JSON.stringify([timestamp ?? null, events])),
  }
}

const textHash = (text: string): Promise<string> => sha256(new TextEncoder().encode(text))

/** A UUID computed from a request's visit and content, so that a repeated request has the same one. */
const recordingId = async (...parts: readonly string[]): Promise<string> => uuidOfHex(await textHash(parts.join(' ')))
