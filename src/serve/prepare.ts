import type { Candidate, Taken } from '../collect/candidate.ts'
import { distinctHash, hourlyVisit, makeToken, readToken, sessionOf, visitorBase } from '../collect/identity.ts'
import { noId } from '../collect/packed.ts'
import type { Submission } from '../collect/payload.ts'
import { callRow, eventRow, isStored } from '../collect/row.ts'
import type { Salts } from '../collect/salts.ts'
import { isBot, isBotCheckOff, isInBlocks, type Sender, whoSent } from '../collect/visitor.ts'
import type { Env } from '../env.ts'

/** An event with a time this many milliseconds from its arrival is not a visit's latest. */
const isLateAfter = 60_000

/** When an event happened, in milliseconds since 1970: now, unless it says so. */
export const eventMoment = ({ payload }: Submission, now: number): number =>
  payload.timestamp === undefined ? now : payload.timestamp * 1000

/** An event on its way: what was read, and what its sender's token needs. */
export interface Prepared {
  readonly candidate: Candidate
  readonly token: (taken: Taken) => string
}

/** What a request says beside its events. */
interface Circumstances {
  readonly sender: Sender
  /** How many events of a batch came before in the same second. */
  readonly seconds: Map<number, number>
  readonly secret: string
  readonly salts: Salts
  readonly env: Env
  readonly now: number
  /** The token that came with the request. */
  readonly given: string | null
}

/** Makes the candidate of a submission: decides whose it is, and what is stored of it. */
export function prepare(
  submission: Submission,
  { sender, seconds, secret, salts, env, now, given }: Circumstances,
): Prepared {
  const { payload, source } = submission
  const untold = () => ''
  if (!isBotCheckOff(env.DISABLE_BOT_CHECK) && isBot(submission, sender))
    return { candidate: { source, event: 'bot' }, token: untold }
  const { address, userAgent, client } = whoSent(submission, sender)
  if (isInBlocks(address, env.IGNORE_IP)) return { candidate: { source, event: 'blocked' }, token: untold }

  const moment = eventMoment(submission, now)
  const second = Math.floor(moment / 1000)
  const before = seconds.get(second) ?? 0
  seconds.set(second, before + 1)

  const base = visitorBase(secret, salts.of(moment), { sourceId: source.id, address, userAgent })
  const token = readToken(secret, given)
  const own = distinctHash(payload.id)
  const keeps =
    token?.isOf(base) &&
    (payload.id === undefined || token.distinct === distinctHash(undefined) || token.distinct === own)
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
