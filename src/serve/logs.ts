import { usableSecret } from '../access/tokens.ts'
import type { LogState, Refused } from '../collect/candidate.ts'
import { sumByName } from '../collect/counts.ts'
import { type Log, type LogKind, logObject, placeText } from '../collect/objects.ts'
import type { Recording, RecordingState, RecordingVerdict } from '../collect/recording-candidate.ts'
import type { Env } from '../env.ts'
import { ApiError, unavailable } from '../errors.ts'
import { fnv1a } from '../fnv.ts'
import { withTimeout } from '../silence.ts'

/** The number of a website's log, derived from the FNV-1a hash of the website's id. */
export const logNumber = (sourceId: string, env: Env): number => (fnv1a(sourceId) >>> 0) % logCount(env)

/** The first object of a log. The others are used only for websites with several objects, and never for recordings. */
const firstObject = (env: Env, log: number, kind?: LogKind): Log => logObject(env, { log, index: 0 }, kind)

/** All objects of a log for events. */
async function objectsOf(env: Env, log: number): Promise<readonly (readonly [place: string, object: Log])[]> {
  const count = await firstObject(env, log).objects()
  return Array.from({ length: count }, (_, index) => [placeText({ log, index }), logObject(env, { log, index })])
}

/** Calls each object of a log for events. */
const eachOf = async <Answer>(env: Env, log: number, call: (object: Log) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all((await objectsOf(env, log)).map(([, object]) => call(object)))

/** Reports refused events to the logs. If a log cannot be reached, its counts will be too low. */
export async function tellRefused(env: Env, all: readonly Refused[]): Promise<void> {
  const byLog = Map.groupBy(all, ({ source }) => logNumber(source.id, env))
  await Promise.allSettled([...byLog].map(([log, own]) => firstObject(env, log).countRefused(own)))
}

/** Notifies a log that somebody is reading its current events. Resolves once it has sent all waiting rows. */
export async function tellAsked(env: Env, log: number, kind: LogKind): Promise<void> {
  if (kind === 'recordings') return firstObject(env, log, kind).asked()
  await eachOf(env, log, (object) => object.asked())
}

/** What happened to a website's events in the last hour, as counts from its log. */
export async function lastHourOf(env: Env, websiteId: string) {
  if (!env.COLLECT) throw notCollected()
  const asked = eachOf(env, logNumber(websiteId, env), (object) => object.lastHour(websiteId))
  const hours = await asked.catch((cause: unknown) => {
    throw unavailable('The counts of collected events cannot be read right now. Try again.', cause)
  })
  return { since: Math.min(...hours.map(({ since }) => since)), counts: sumByName(hours.flatMap((one) => one.counts)) }
}

/** The error if a server has no logs. */
export const notCollected = (): ApiError => new ApiError('not-found', 'This server does not collect events.')

/** The secret for the ids and tokens of visitors. Throws a 503 if the server has none. */
export function visitorSecret({ AUTH_SECRET }: Env): string {
  const secret = usableSecret(AUTH_SECRET)
  if (secret !== undefined) return secret
  throw unavailable('This server cannot collect events.', new Error('AUTH_SECRET is missing, or too short.'))
}

/** Sends a recording to its log object. If this fails, the recording may not have been stored. */
export const recordIn = (env: Env, recording: Recording): Promise<RecordingVerdict> =>
  firstObject(env, logNumber(recording.websiteId, env), 'recordings')
    .record(recording)
    .catch((cause: unknown) => {
      throw unavailable('Recordings cannot be stored right now. Try again.', cause)
    })

const logCount = ({ COLLECT_LOGS }: Env): number => Math.max(1, Math.floor(Number(COLLECT_LOGS ?? 1)) || 1)

/** The numbers of all logs. */
const logsOf = (env: Env): number[] => (env.COLLECT ? Array.from({ length: logCount(env) }, (_, log) => log) : [])

/**
 * Notifies all logs that a website, link or pixel was created or deleted. A log that misses this notice will find out
 * from D1 later.
 */
export async function tellLogs(env: Env): Promise<void> {
  await Promise.allSettled(logsOf(env).map((log) => eachOf(env, log, (object) => object.forget())))
}

/** The state that each object reports, by its place; undefined if it did not answer. */
type States<State> = readonly (readonly [place: string, state: State | undefined])[]

/** How long an object may take to report its state, in milliseconds. After that, only the others are reported. */
const statePatience = 700

const stateIn = async <State>(place: string, asked: Promise<State>) =>
  [place, await withTimeout(statePatience, asked).catch(() => undefined)] as const

/** The statistics of each log object. */
export async function logStates(env: Env): Promise<States<LogState>> {
  const states = logsOf(env).map(async (log) => {
    const objects = await objectsOf(env, log).catch(() => [])
    const all = await Promise.all(objects.map(([place, object]) => stateIn(place, object.state())))
    return all.length > 0 ? all : [[placeText({ log, index: 0 }), undefined] as const]
  })
  return (await Promise.all(states)).flat()
}

/** The statistics of each object that stores recordings. */
export const recordingStates = (env: Env): Promise<States<RecordingState>> =>
  Promise.all(logsOf(env).map((log) => stateIn(String(log), firstObject(env, log, 'recordings').recordingState())))
