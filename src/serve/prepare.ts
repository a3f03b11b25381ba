import type { Candidate, EventSender, NewEvent, Taken } from '../collect/candidate.ts'
import { type Hash, makeToken, ownerHash, type SignedToken, sessionOf, visitorBase } from '../collect/identity.ts'
import { noId } from '../collect/packed.ts'
import type { Submission } from '../collect/payload.ts'
import { callRow, eventRow, isStored } from '../collect/row.ts'
import { latenessOf, type Salts } from '../collect/salts.ts'
import { isBot, isBotCheckOff, isInBlocks, type Sender, whoSent } from '../collect/visitor.ts'
import type { Env } from '../env.ts'
import { invalid } from '../errors.ts'
import { dayLength } from '../request/time-zone.ts'

/**
 * If an event's time differs from its arrival by more than this many milliseconds, the event is never treated as the
 * latest one of a visit.
 */
const isLateAfter = 60_000

/** When an event happened, in milliseconds since 1970; `now` if it has no timestamp. */
export const eventMoment = ({ payload }: Submission, now: number): number =>
  payload.timestamp === undefined ? now : payload.timestamp * 1000

/** Whether an event is so late that it is accepted only with a key for its website. */
const isOld = (submission: Submission, { env, now }: Pick<Circumstances, 'env' | 'now'>): boolean =>
  eventMoment(submission, now) < now - latenessOf(env)

/** Whether a submission describes a visitor other than its sender. */
const namesVisitor = ({ payload }: Submission): boolean => payload.ip !== undefined || payload.userAgent !== undefined

/** Whether a key for its website would change the outcome of a submission. */
export const needsKey = (submission: Submission, circumstances: Pick<Circumstances, 'env' | 'now'>): boolean =>
  namesVisitor(submission) || isOld(submission, circumstances)

/** A prepared event: the submission, and a function that creates its sender's token. */
export interface Prepared {
  readonly candidate: Candidate
  readonly token: (taken: Taken) => string
}

/** What the preparation of an event depends on. */
interface Circumstances {
  readonly sender: Sender
  /** For each second, how many earlier events in the batch have it as their time. */
  readonly seconds: Map<number, number>
  readonly secret: string
  readonly salts: Salts
  readonly env: Env
  readonly now: number
  /** The token sent with the request, if this server created it. */
  readonly given: SignedToken | undefined
  /** Whether the request has a key or a sign-in that may change this website. */
  readonly mayChange: (sourceId: string) => boolean
}

/**
 * Creates a submission's candidate, which consists of its row and the sessions that it may belong to. Throws a 400 if
 * the submission is too late.
 */
export function prepare(submission: Submission, circumstances: Circumstances): Prepared {
  const { sender, seconds, secret, env, now, mayChange } = circumstances
  const { payload, source } = submission
  const late = isOld(submission, circumstances)
  if (late && !mayChange(source.id)) throw invalid([{ path: 'payload.timestamp', message: tooLate(env) }])
  const untold = () => ''
  if (!isBotCheckOff(env.DISABLE_BOT_CHECK) && isBot(submission, sender))
    return { candidate: { source, event: 'bot' }, token: untold }
  if (isInBlocks(sender.address, env.IGNORE_IP)) return { candidate: { source, event: 'blocked' }, token: untold }

  const { address, userAgent, client } = whoSent(submission, sender)
  const moment = eventMoment(submission, now)
  const second = Math.floor(moment / 1000)
  const before = seconds.get(second) ?? 0
  seconds.set(second, before + 1)
  const visitor = { sourceId: source.id, address, userAgent }
  const isNamed = namesVisitor(submission) && !mayChange(source.id)
  const { base, token } = baseOf(moment, { ...visitor, isNamed }, circumstances)
  const eventId = payload.eventId === noId ? undefined : payload.eventId
  const stamp = { eventId: eventId ?? crypto.randomUUID(), createdAt: moment + before }
  const row = (): NonNullable<NewEvent['row']> =>
    submission.type === 'identify'
      ? { table: 'ingest_session_data', json: rowText(callRow(submission, stamp)) }
      : { table: 'ingest', json: rowText(eventRow(submission, client, stamp)) }
  const event: NewEvent = {
    eventId,
    sender: senderIn(base, payload.id, token),
    lateAt: Math.abs(moment - now) > isLateAfter ? moment : undefined,
    row: isStored(submission) ? row() : undefined,
    isOld: late,
    isIgnored: payload.ip !== undefined && isInBlocks(address, env.IGNORE_IP),
  }
  return {
    candidate: { source, event },
    token: ({ at = 0, ...taken }) => makeToken(secret, base, { ...taken, at }),
  }
}

/** A row as JSON. Replaces lone surrogates, which ClickHouse refuses, with U+FFFD. */
function rowText(row: object): string {
  const json = JSON.stringify(row)
  return /\\ud[89a-f]/.test(json)
    ? JSON.stringify(row, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value))
    : json
}

const tooLate = (env: Env): string =>
  `Must be at most ${latenessOf(env) / dayLength} days ago. With a key that may change the website, from the year 2000.`

/**
 * The base for the ids of an event's visitor, and the token for that base. A sender that only describes a visitor gets
 * a different base, so that nobody can find a visitor's session by an address. The visitor's own token proves that the
 * sender knows the session.
 */
function baseOf(
  moment: number,
  visitor: Parameters<typeof visitorBase>[2],
  { secret, salts, given }: Pick<Circumstances, 'secret' | 'salts' | 'given'>,
): { readonly base: Hash; readonly token: SignedToken | undefined } {
  const salt = salts.of(moment)
  const base = visitorBase(secret, salt, visitor)
  if (!given || given.isOf(base)) return { base, token: given }
  const direct = visitor.isNamed ? visitorBase(secret, salt, { ...visitor, isNamed: false }) : base
  return given.isOf(direct) ? { base: direct, token: given } : { base, token: undefined }
}

/** The sessions that an event may belong to, in the form that the log uses. */
const senderIn = (base: Hash, id: string | undefined, token: SignedToken | undefined): EventSender => ({
  anonymousId: sessionOf(base, ''),
  named: id === undefined ? undefined : { owner: ownerHash(id), sessionId: sessionOf(base, id) },
  token: token && { sessionId: token.sessionId, visitId: token.visitId, at: token.at, owner: token.owner },
})
