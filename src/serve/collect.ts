import { bodyLimit } from 'hono/body-limit'
import { usableSecret } from '../access/tokens.ts'
import type { Verdict } from '../collect/candidate.ts'
import { utf8Length } from '../collect/characters.ts'
import { readToken } from '../collect/identity.ts'
import { mostSent, readSubmission, type Submission } from '../collect/payload.ts'
import { saltsFor } from '../collect/salts.ts'
import { type SenderCf, senderOf } from '../collect/visitor.ts'
import { ApiError, unavailable } from '../errors.ts'
import { isTooDeep, maxJsonDepth } from '../request/json.ts'
import { received } from './body.ts'
import type { Exchange } from './exchange.ts'
import { sourcesOfKey } from './key-sources.ts'
import { log } from './log.ts'
import { appendTo, logNumber } from './logs.ts'
import { eventMoment, needsKey, type Prepared, prepare } from './prepare.ts'

/** The largest bodies, in bytes: of `/api/send`, which is also the longest event of a batch, and of `/api/batch`. */
const longestEvent = 100_000
const longestBatch = 5_000_000

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
  const submissions = sent.map((one) => unlessRefused(() => submissionOf(one, now)))
  const read = submissions.flatMap((one) => (isRefusal(one) ? [] : [one]))
  const [salts, mayChange] = await Promise.all([
    saltsFor(
      read.map((one) => eventMoment(one, now)),
      { secret, env, now, waitUntil: exchange.waitUntil },
    ),
    sourcesOfKey(
      read.filter((one) => needsKey(one, { env, now })),
      exchange,
    ),
  ]).catch((cause: unknown) => {
    throw unavailable('Events cannot be stored just now. Try again.', cause)
  })
  const seconds = new Map<number, number>()
  const given = readToken(secret, request.headers.get('x-umami-cache'))
  const circumstances = { sender, seconds, secret, salts, env, now, given, mayChange }
  const prepared = submissions.map((one) => (isRefusal(one) ? one : unlessRefused(() => prepare(one, circumstances))))

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

/** What was sent for one event, checked. Throws what it was refused with already. */
function submissionOf(one: unknown, now: number): Submission {
  if (isRefusal(one)) throw one
  return readSubmission(one, now)
}

/** What was made, or why it was refused. */
function unlessRefused<Made>(make: () => Made): Made | ApiError {
  try {
    return make()
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
}

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
