import type { Candidate, LogState, Refused, Verdict } from '../collect/candidate.ts'
import type { HourState } from '../collect/last-hour.ts'
import type { Recording, RecordingState, RecordingVerdict } from '../collect/recording-candidate.ts'
import type { Env } from '../env.ts'
import { ApiError, unavailable } from '../errors.ts'
import { fnv1a } from '../fnv.ts'

/** The methods of a log object. */
interface Log {
  append(candidates: readonly Candidate[]): Promise<Verdict[]>
  countRefused(all: readonly Refused[]): Promise<void>
  lastHour(websiteId: string): Promise<HourState>
  forget(): Promise<void>
  asked(): Promise<void>
  state(): Promise<LogState>
  record(recording: Recording): Promise<RecordingVerdict>
  recordingState(): Promise<RecordingState>
}

/** The kind of a log object: `log` for events, or `recordings`. */
export type LogKind = 'log' | 'recordings'

function logOf({ COLLECT, JURISDICTION }: Env, number: number, name: LogKind = 'log'): Log {
  const all = JURISDICTION ? COLLECT!.jurisdiction(JURISDICTION) : COLLECT!
  return all.get(all.idFromName(`${name}-${number}`)) as unknown as Log
}

/** The number of a website's log object, from the FNV-1a hash of the website's id. */
export const logNumber = (sourceId: string, env: Env): number => (fnv1a(sourceId) >>> 0) % logCount(env)

/** Appends events to a log object. If this fails, they may not have been stored. */
export const appendTo = (env: Env, number: number, candidates: readonly Candidate[]): Promise<Verdict[] | ApiError> =>
  logOf(env, number)
    .append(candidates)
    .catch((cause: unknown) => unavailable('Events cannot be stored right now. Try again.', cause))

/** Reports refused events to the logs. If a log cannot be reached, its counts will be too low. */
export async function tellRefused(env: Env, all: readonly Refused[]): Promise<void> {
  const byLog = Map.groupBy(all, ({ source }) => logNumber(source.id, env))
  await Promise.allSettled([...byLog].map(([number, own]) => logOf(env, number).countRefused(own)))
}

/** Tells a log object that somebody is asking about its current events. Resolves once it has sent all waiting rows. */
export const tellAsked = (env: Env, number: number, kind: LogKind): Promise<void> => logOf(env, number, kind).asked()

/** What happened to a website's events in the last hour, as counts from its log. */
export async function lastHourOf(env: Env, websiteId: string) {
  if (!env.COLLECT) throw notCollected()
  const asked = logOf(env, logNumber(websiteId, env)).lastHour(websiteId)
  const { since, counts } = await asked.catch((cause: unknown) => {
    throw unavailable('The counts of collected events cannot be read right now. Try again.', cause)
  })
  return { since, counts: new Map<string, number>(counts) }
}

/** The error if a server has no logs. */
export const notCollected = (): ApiError => new ApiError('not-found', 'This server does not collect events.')

/** Sends a recording to its log object. If this fails, it may not have been stored. */
export const recordIn = (env: Env, recording: Recording): Promise<RecordingVerdict> =>
  logOf(env, logNumber(recording.websiteId, env), 'recordings')
    .record(recording)
    .catch((cause: unknown) => {
      throw unavailable('Recordings cannot be stored right now. Try again.', cause)
    })

const logsOf = (env: Env, name?: 'recordings'): Log[] =>
  env.COLLECT ? Array.from({ length: logCount(env) }, (_, number) => logOf(env, number, name)) : []

const logCount = ({ COLLECT_LOGS }: Env): number => Math.max(1, Math.floor(Number(COLLECT_LOGS ?? 1)) || 1)

/** Tells all logs that a website, link or pixel has been created or deleted. A log that misses this asks D1 later. */
export async function tellLogs(env: Env): Promise<void> {
  await Promise.allSettled(logsOf(env).map((log) => log.forget()))
}

/** The state that each object reports, with the object's number; undefined if it did not respond. */
type States<State> = readonly (readonly [number: number, state: State | undefined])[]

/** The statistics of each log object. */
export const logStates = (env: Env): Promise<States<LogState>> => answered(logsOf(env).map((log) => log.state()))

/** The statistics of each object that stores recordings. */
export const recordingStates = (env: Env): Promise<States<RecordingState>> =>
  answered(logsOf(env, 'recordings').map((log) => log.recordingState()))

async function answered<State>(asked: readonly Promise<State>[]): Promise<States<State>> {
  const states = await Promise.allSettled(asked)
  return states.map((state, number) => [number, state.status === 'fulfilled' ? state.value : undefined])
}
