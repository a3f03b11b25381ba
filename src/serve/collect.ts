import type { Refused } from '../collect/candidate.ts'
import { utf8Length } from '../collect/characters.ts'
import { readToken } from '../collect/identity.ts'
import { mostSent, namedSource, readSubmission, type Submission, sentNames, wrongField } from '../collect/payload.ts'
import { saltsFor } from '../collect/salts.ts'
import { readSent, type Sent } from '../collect/sent.ts'
import { senderOf } from '../collect/visitor.ts'
import { ApiError, type Issue, unavailable } from '../errors.ts'
import { maxJsonDepth } from '../request/json.ts'
import { brokenBound, type JsonBounds } from '../request/json-cost.ts'
import { JsonReader } from '../request/json-reader.ts'
import { appendAll, type FinalVerdict } from './append.ts'
import { boundedText } from './body.ts'
import type { Exchange } from './exchange.ts'
import { sourcesOfKey } from './key-sources.ts'
import { log } from './log.ts'
import { notCollected, tellRefused, visitorSecret } from './logs.ts'
import { eventMoment, needsKey, type Prepared, prepare } from './prepare.ts'

/**
 * The limits on a body: its size in bytes and the cost of its JSON. In a batch, each event may be nested as deeply as a
 * single event.
 */
const ofEvent = { bytes: 100_000, depth: maxJsonDepth, values: 1_000_000, shapes: 2000 } as const
const ofBatch = { bytes: 5_000_000, depth: maxJsonDepth + 1, values: 1_000_000, shapes: 60_000 } as const

/** The details of a batch fully describe at most this many refusals, and include at most this many corrected events. */
const mostWhole = 20

/** What the sender is told about an event. `cache` creates a token on demand, because a batch needs only one. */
type Outcome =
  | {
      readonly cache: () => string
      readonly sessionId: string
      readonly visitId: string
      readonly warnings: readonly Issue[]
    }
  | ApiError
  | 'ignored'

/** The response to a bot. It also tells developers why the event of their first `curl` was not stored. */
export const botAnswer = { beep: 'boop', reason: 'bot' } as const

const isRefusal = (outcome: unknown): outcome is ApiError => outcome instanceof ApiError

/** Answers `POST /api/send`, which sends one event. */
export async function answerSend(exchange: Exchange): Promise<Response> {
  const sent = await readJson(exchange, ofEvent, (reader) => readSent(reader, sentNames))
  const [outcome] = await collect([sent], exchange)
  if (isRefusal(outcome)) throw outcome
  if (outcome === 'ignored') return exchange.hono.json(botAnswer)
  const { cache, warnings, ...ids } = outcome!
  const answer = { cache: cache(), ...ids, ...(warnings.length > 0 && { warnings }) }
  return exchange.respond(asciiJson(answer), 200, { 'Content-Type': 'application/json' })
}

/** JSON in ASCII. Some senders return the whole response in a header, where browsers allow nothing else. */
const asciiJson = (value: object): string =>
  JSON.stringify(value).replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Answers `POST /api/batch`, which sends up to 500 events. Each is treated as if it had been sent on its own. */
export async function answerBatch(exchange: Exchange): Promise<Response> {
  const sent = await readJson(exchange, ofBatch, readBatch)
  const outcomes = await collect(sent, exchange)
  const errors = outcomes.filter(isRefusal)
  const stored = outcomes.flatMap((outcome) => (isRefusal(outcome) || outcome === 'ignored' ? [] : [outcome]))
  const unheard = errors.find(({ status }) => status === 503)
  if (unheard && stored.length === 0) throw unheard
  return exchange.hono.json({
    size: sent.length,
    processed: sent.length - errors.length,
    errors: errors.length,
    ignored: outcomes.filter((outcome) => outcome === 'ignored').length,
    details: detailsOf(outcomes, exchange.requestId),
    cache: stored[0]?.cache() ?? null,
  })
}

/** Describes the refused events and the first of the corrected ones. The result is never much larger than the batch. */
function detailsOf(outcomes: readonly Outcome[], requestId: string): object[] {
  let [refusals, mended] = [0, 0]
  return outcomes.flatMap((outcome, index): object[] => {
    if (outcome === 'ignored') return []
    if (isRefusal(outcome)) {
      const { code, status } = outcome
      const isWhole = status !== 400 ? false : refusals++ < mostWhole
      return [{ index, response: isWhole ? outcome.body(requestId) : { error: { code, status } } }]
    }
    const { sessionId, visitId, warnings } = outcome
    const isTold = warnings.length > 0 && mended++ < mostWhole
    return isTold ? [{ index, response: { sessionId, visitId, warnings } }] : []
  })
}

/** Counts a visit to a link or a pixel, after the response. */
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
  const sent = readSent(new JsonReader(JSON.stringify({ type: 'event', payload })), sentNames)
  const [outcome] = await collect([sent], exchange)
  if (isRefusal(outcome) && outcome.status >= 500) log(exchange, { failing: kind, cause: String(outcome.cause) })
}

const longestReferrer = 2000

/** Reads the body as JSON, whatever its `Content-Type`. */
async function readJson<Read>(
  exchange: Exchange,
  { bytes, ...bounds }: JsonBounds & { readonly bytes: number },
  read: (reader: JsonReader) => Read,
): Promise<Read> {
  const text = await boundedText(exchange, bytes, tooLarge)
  const broken = brokenBound(text, bounds)
  if (broken) throw new ApiError('bad-request', `The body ${brokenBoundText[broken]}.`)
  try {
    const reader = new JsonReader(text)
    const value = read(reader)
    reader.end()
    return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new ApiError('bad-request', 'The body is not JSON.')
  }
}

const brokenBoundText = {
  depth: `may be nested at most ${maxJsonDepth} deep`,
  values: 'has too many values',
  shapes: 'has objects with too many different keys',
} as const

/** The events in a batch. An event that would be too large on its own is refused. */
function readBatch(reader: JsonReader): (Sent | ApiError)[] {
  const all: (Sent | ApiError)[] = []
  const wrong = (): never => {
    throw new ApiError('bad-request', `Send an array of at most ${mostSent} events: objects with type and payload.`)
  }
  if (reader.next() !== 'array') wrong()
  reader.array(() => {
    let sent: Sent | undefined
    const text = reader.spanOf(() => {
      sent = readSent(reader, sentNames)
    })
    if (!sent || all.length === mostSent) wrong()
    all.push(utf8Length(text) > ofEvent.bytes ? tooLarge(ofEvent.bytes) : sent!)
    return true
  })
  return all
}

const tooLarge = (bytes: number): ApiError =>
  new ApiError(
    'payload-too-large',
    `${bytes === ofBatch.bytes ? 'A batch' : 'An event'} may have at most ${bytes} bytes.`,
  )

/** Checks and stores events in order. Events that have already been refused stay refused. */
async function collect(sent: readonly (Sent | ApiError | undefined)[], exchange: Exchange): Promise<Outcome[]> {
  const { request, env, now } = exchange
  if (!env.COLLECT) throw notCollected()
  const secret = visitorSecret(env)
  const sender = senderOf(request, env)
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
    throw unavailable('Events cannot be stored right now. Try again.', cause)
  })
  const seconds = new Map<number, number>()
  const given = readToken(secret, request.headers.get('x-umami-cache'))
  const circumstances = { sender, seconds, secret, salts, env, now, given, mayChange }
  const prepared = submissions.map((one) =>
    isRefusal(one) ? one : unlessRefused(() => ({ ...prepare(one, circumstances), warnings: one.warnings })),
  )
  const refused = prepared.flatMap((one, place) => (isRefusal(one) ? refusedOf(sent[place], one) : []))
  if (refused.length > 0) exchange.waitUntil(tellRefused(env, refused))

  const fitting = prepared.flatMap((one) => (isRefusal(one) ? [] : [one]))
  const told = await appendAll(
    env,
    fitting.map(({ candidate, warnings }) => ({ ...candidate, warnings: warnings.map(wrongField) })),
  )
  const outcomes = new Map(fitting.map((one, number) => [one, outcomeOf(one, told[number]!)]))
  return prepared.map((one) => (isRefusal(one) ? one : outcomes.get(one)!))
}

/** A prepared event, with warnings about the corrected fields. */
type Mended = Prepared & Pick<Submission, 'warnings'>

/** A validated event. Throws the refusal if the event has already been refused. */
function submissionOf(one: Sent | ApiError | undefined, now: number): Submission {
  if (isRefusal(one)) throw one
  return readSubmission(one, now)
}

/** Describes an event that has invalid fields, for the log of its source. */
function refusedOf(one: Sent | ApiError | undefined, { issues = [] }: ApiError): Refused[] {
  const source = one && !isRefusal(one) ? namedSource(one) : undefined
  return source ? [{ source, fields: issues.map(wrongField) }] : []
}

/** Returns the result of `make`, or the refusal that it throws. */
function unlessRefused<Made>(make: () => Made): Made | ApiError {
  try {
    return make()
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
}

function outcomeOf({ candidate, token, warnings }: Mended, verdict: FinalVerdict): Outcome {
  if (isRefusal(verdict)) return verdict
  if (verdict === 'unknown') {
    const path = `payload.${candidate.source.kind}`
    return new ApiError('bad-request', 'Website not found.', { issues: [{ path, message: 'Website not found.' }] })
  }
  if (verdict === 'full') return unavailable('Too many events of this website are waiting to be stored. Try again.')
  if (verdict === 'undecided') return unavailable('An event with this eventId is still being stored. Try again.')
  if (verdict === 'ignored') {
    return candidate.event === 'bot' ? 'ignored' : new ApiError('forbidden', 'Events from this address are refused.')
  }
  return { cache: () => token(verdict), sessionId: verdict.sessionId, visitId: verdict.visitId, warnings }
}
