import type { Candidate, LogState, Verdict } from '../collect/candidate.ts'
import type { Recording, RecordingState, RecordingVerdict } from '../collect/recording-candidate.ts'
import type { Env } from '../env.ts'
import { type ApiError, unavailable } from '../errors.ts'
import { fnv1a } from '../fnv.ts'

/** What a log object can be asked. */
interface Log {
  append(candidates: readonly Candidate[]): Promise<Verdict[]>
  forget(): Promise<void>
  state(): Promise<LogState>
  record(recording: Recording): Promise<RecordingVerdict>
  recordingState(): Promise<RecordingState>
}

const logOf = ({ COLLECT }: Env, number: number, name: 'log' | 'recordings' = 'log'): Log =>
  COLLECT!.get(COLLECT!.idFromName(`${name}-${number}`)) as unknown as Log

/** The log object of a website, by the FNV-1a hash of its id. */
export const logNumber = (sourceId: string, env: Env): number => (fnv1a(sourceId) >>> 0) % logCount(env)

/** Asks a log object. A failure means that the events may not be stored. */
export const appendTo = (env: Env, number: number, candidates: readonly Candidate[]): Promise<Verdict[] | ApiError> =>
  logOf(env, number)
    .append(candidates)
    .catch((cause: unknown) => unavailable('Events cannot be stored just now. Try again.', cause))

/** Asks the log object of a website's recordings. A failure means that the request may not be stored. */
export const recordIn = (env: Env, recording: Recording): Promise<RecordingVerdict> =>
  logOf(env, logNumber(recording.websiteId, env), 'recordings')
    .record(recording)
    .catch((cause: unknown) => {
      throw unavailable('Recordings cannot be stored just now. Try again.', cause)
    })

const logsOf = (env: Env, name?: 'recordings'): Log[] =>
  env.COLLECT ? Array.from({ length: logCount(env) }, (_, number) => logOf(env, number, name)) : []

const logCount = ({ COLLECT_LOGS }: Env): number => Math.max(1, Math.floor(Number(COLLECT_LOGS ?? 1)) || 1)

/** Tells all logs that a website, link or pixel was made or deleted. A log that does not hear it asks D1 later. */
export async function tellLogs(env: Env): Promise<void> {
  await Promise.allSettled(logsOf(env).map((log) => log.forget()))
}

/** The figures of each log object, by its number; those that do not answer are left out. */
export const logStates = (env: Env): Promise<readonly (readonly [number: number, state: LogState])[]> =>
  answered(logsOf(env).map((log) => log.state()))

/** The figures of each object that stores recordings, by its number; those that do not answer are left out. */
export const recordingStates = (env: Env): Promise<readonly (readonly [number: number, state: RecordingState])[]> =>
  answered(logsOf(env, 'recordings').map((log) => log.recordingState()))

async function answered<State>(asked: readonly Promise<State>[]): Promise<readonly (readonly [number, State])[]> {
  const states = await Promise.allSettled(asked)
  return states.flatMap((state, number) => (state.status === 'fulfilled' ? [[number, state.value] as const] : []))
}
