import { bodyLimit } from 'hono/body-limit'
import { usableSecret } from '../access/tokens.ts'
import type { Candidate, Taken, Verdict } from '../collect/candidate.ts'
import { utf8Length } from '../collect/characters.ts'
import {
  distinctHash,
  hourlyVisit,
  makeToken,
  type Rotation,
  readToken,
  sessionOf,
  visitorBase,
} from '../collect/identity.ts'
import { noId } from '../collect/packed.ts'
import { mostSent, readSubmission, type Submission } from '../collect/payload.ts'
import { callRow, eventRow, isStored } from '../collect/row.ts'
import { isBot, isBotCheckOff, isInBlocks, type Sender, type SenderCf, senderOf, whoSent } from '../collect/visitor.ts'
import type { Env } from '../env.ts'
import { ApiError, unavailable } from '../errors.ts'
import { isTooDeep, maxJsonDepth } from '../request/json.ts'
import { received } from './body.ts'
import type { Exchange } from './exchange.ts'
import { log } from './log.ts'
import { appendTo, logNumber } from './logs.ts'

/** The largest bodies, in bytes: of `/api/send`, which is also the longest event of a batch, and of `/api/batch`. */
const longestEvent = 100_000
const longestBatch = 5_000_000

/** An event with a time this many milliseconds from its arrival is not a visit's latest. */
const isLateAfter = 60_000

/** What a sender learns of an event. Of a batch, it learns one token. */
type Outcome =
  | { readonly cache: () => string; readonly sessionId: string; readonly visitId: string }
  | ApiError
  | 'ignored'

/** What a bot is told, so that a developer understands the answer to the first `curl`. */
export const botAnswer = { beep: 'boop', reason: 'bot' } as const

const isRefusal = (outcome: unknown): outcome is ApiError => outcome instanceof ApiError

/** Answers `POST /api/send`: one event. */
export async function answerSend(exchange: Exchange): Promise<Response> {
  const [outcome] = await collect([await readJson(exchange, longestEvent)], exchange)
  if (isRefusal(outcome)) throw outcome
  return exchange.hono.json(outcome === 'ignored' ? botAnswer : { ...outcome!, cache: outcome!.cache() })
}

/** Answers `POST /api/batch`: up to 500 events, each judged as if it had come alone. */
export async function answerBatch(exchange: Exchange): Promise<Response> {
  const sent = await readJson(exchange, longestBatch)
  if (!Array.isArray(sent) || sent.length > mostSent) {
    throw new ApiError('bad-request', `Send an array of at most ${mostSent} events.`)
  }
  const outcomes = await collect(sent.map(ofBatch), exchange)
  const errors = outcomes.flatMap((outcome, index) => (isRefusal(outcome) ? [{ index, outcome }] : []))
  const stored = outcomes.flatMap((outcome) => (isRefusal(outcome) || outcome === 'ignored' ? [] : [outcome]))
  const unheard = errors.find(({ outcome }) => outcome.status === 503)
  if (unheard && stored.length === 0) throw unheard.outcome
  return exchange.hono.json({
    size: sent.length,
    processed: sent.length - errors.length,
    errors: errors.length,
    ignored: outcomes.filter((outcome) => outcome === 'ignored').length,
    details: errors.map(({ index, outcome }) => ({ index, response: outcome.body(exchange.requestId) })),
    cache: stored[0]?.cache() ?? null,
  })
}

/** Counts a visit of a link or a pixel, after the answer. */
export async function countVisit(kind: 'link' | 'pixel', id: string, exchange: Exchange): Promise<void> {
  const { request, url, env } = exchange
  const purpose = `${request.headers.get('sec-purpose')} ${request.headers.get('purpose')}`
  if (!env.COLLECT || request.method !== 'GET' || /prefetch/i.test(purpose)) return
  const referrer = request.headers.get('referer')?.slice(0, longestReferrer)
  const language = request.headers.get('accept-language')?.split(/[,;]/, 1)[0]?.trim()
  const payload = {
    [kind]: id,
    url: `${url.origin}${url.pathname.replace(/\.gif$/, '')}${url.search}`,
    ...(referrer && URL.canParse(referrer) && { referrer }),
    ...(language && language.length <= 35 && { language }),
  }
  const [outcome] = await collect([{ type: 'event', payload }], exchange)
  if (isRefusal(outcome) && outcome.status >= 500) log(exchange, { failing: kind, cause: String(outcome.cause) })
}

const longestReferrer = 2000

/** Parses the body as JSON, whatever its `Content-Type` says. */
async function readJson({ hono }: Exchange, longest: number): Promise<unknown> {
  const onError = () => {
    throw tooLarge(longest)
  }
  await received(bodyLimit({ maxSize: longest, onError })(hono, async () => {}))
  const text = await received(hono.req.text())
  // An event may be as deep in a batch as alone.
  const deepest = longest === longestBatch ? maxJsonDepth + 1 : maxJsonDepth
  if (isTooDeep(text, deepest)) throw new ApiError('bad-request', `The body may be nested at most ${deepest} deep.`)
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('bad-request', 'The body is no JSON.')
  }
}

const tooLarge = (longest: number): ApiError =>
  new ApiError(
    'payload-too-large',
    `${longest === longestBatch ? 'A batch' : 'An event'} may have at most ${longest} bytes.`,
  )

/** The event of a batch, unless it would be too large alone. */
const ofBatch = (one: unknown): unknown =>
  utf8Length(JSON.stringify(one)) > longestEvent ? tooLarge(longestEvent) : one

/** An event on its way: what was read, and what its sender's token needs. */
interface Prepared {
  readonly candidate: Candidate
  readonly token: (taken: Taken) => string
}

/** Judges and stores events, in their order. What is refused already stays so. */
async function collect(sent: readonly unknown[], exchange: Exchange): Promise<Outcome[]> {
  const { request, env, now } = exchange
  const { COLLECT, AUTH_SECRET } = env
  const secret = usableSecret(AUTH_SECRET)
  if (!COLLECT) throw new ApiError('not-found', 'This server does not collect events.')
  if (secret === undefined) {
    throw unavailable('This server cannot collect events.', new Error('AUTH_SECRET is missing, or too short.'))
  }
  const sender = senderOf(request.headers, (request as { readonly cf?: SenderCf }).cf, env)
  const seconds = new Map<number, number>()
  const prepared = sent.map((one): Prepared | ApiError => {
    if (isRefusal(one)) return one
    try {
      const submission = readSubmission(one, now)
      return prepare(submission, {
        sender,
        seconds,
        secret,
        env,
        now,
        given: request.headers.get('x-umami-cache'),
      })
    } catch (error) {
      if (isRefusal(error)) return error
      throw error
    }
  })

  const verdicts = new Map<Prepared, Verdict | ApiError>()
  const byLog = Map.groupBy(
    prepared.flatMap((one) => (isRefusal(one) ? [] : [one])),
    ({ candidate }) => logNumber(candidate.source.id, env),
  )
  await Promise.all(
    [...byLog].map(async ([number, own]) => {
      const told = await appendTo(
        env,
        number,
        own.map(({ candidate }) => candidate),
      )
      for (const [index, one] of own.entries()) verdicts.set(one, isRefusal(told) ? told : told[index]!)
    }),
  )
  return prepared.map((one) => (isRefusal(one) ? one : outcomeOf(one, verdicts.get(one)!)))
}

interface Circumstances {
  readonly sender: Sender
  /** How many events of a batch came before in the same second. */
  readonly seconds: Map<number, number>
  readonly secret: string
  readonly env: Env
  readonly now: number
  /** The token that came with the request. */
  readonly given: string | null
}

function prepare(submission: Submission, { sender, seconds, secret, env, now, given }: Circumstances): Prepared {
  const { payload, source } = submission
  const untold = () => ''
  if (!isBotCheckOff(env.DISABLE_BOT_CHECK) && isBot(submission, sender))
    return { candidate: { source, event: 'bot' }, token: untold }
  const { address, userAgent, client } = whoSent(submission, sender)
  if (isInBlocks(address, env.IGNORE_IP)) return { candidate: { source, event: 'blocked' }, token: untold }

  const moment = payload.timestamp === undefined ? now : payload.timestamp * 1000
  const second = Math.floor(moment / 1000)
  const before = seconds.get(second) ?? 0
  seconds.set(second, before + 1)

  const base = visitorBase(secret, { sourceId: source.id, address, userAgent }, moment, rotationOf(env))
  const token = readToken(secret, base, given)
  const own = distinctHash(payload.id)
  const keeps =
    token && (payload.id === undefined || token.distinct === distinctHash(undefined) || token.distinct === own)
  const known = keeps ? token : undefined
  const sessionId = known?.sessionId ?? sessionOf(base, payload.id ?? '')
  const isLate = Math.abs(moment - now) > isLateAfter
  const eventId = payload.eventId === noId ? undefined : payload.eventId
  const row = (): NonNullable<Extract<Candidate['event'], object>['row']> => {
    const stamp = { eventId: eventId ?? crypto.randomUUID(), sessionId, createdAt: moment + before }
    return submission.type === 'identify'
      ? { table: 'ingest_session_data', json: JSON.stringify(callRow(submission, stamp)) }
      : { table: 'ingest', json: JSON.stringify(eventRow(submission, client, stamp)) }
  }
  return {
    candidate: {
      source,
      event: {
        eventId,
        sessionId,
        token: known && { visitId: known.visitId, at: known.at },
        fixedVisitId: isLate ? hourlyVisit(sessionId, moment) : undefined,
        row: isStored(submission) ? row() : undefined,
      },
    },
    token: ({ at = 0, ...ids }) =>
      makeToken(secret, base, { ...ids, at, distinct: payload.id === undefined && known ? known.distinct : own }),
  }
}

export const rotationOf = ({ SALT_ROTATION }: Env): Rotation =>
  SALT_ROTATION === 'day' || SALT_ROTATION === 'week' ? SALT_ROTATION : 'month'

function outcomeOf({ candidate, token }: Prepared, verdict: Verdict | ApiError): Outcome {
  if (isRefusal(verdict)) return verdict
  if (verdict === 'unknown') {
    const path = `payload.${candidate.source.kind}`
    return new ApiError('bad-request', 'Website not found.', { issues: [{ path, message: 'Website not found.' }] })
  }
  if (verdict === 'full') return unavailable('Too many events of this website are waiting to be stored. Try again.')
  if (verdict === 'ignored') {
    return candidate.event === 'bot' ? 'ignored' : new ApiError('forbidden', 'Events from this address are not taken.')
  }
  return { cache: () => token(verdict), sessionId: verdict.sessionId, visitId: verdict.visitId }
}
