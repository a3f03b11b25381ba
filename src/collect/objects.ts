import type { Env } from '../env.ts'
import type { Candidate, LogState, Refused, Verdict } from './candidate.ts'
import type { EventQuestion, KnownEvent } from './event-question.ts'
import type { HourState } from './last-hour.ts'
import type { Recording, RecordingState, RecordingVerdict } from './recording-candidate.ts'
import type { Spread } from './spread.ts'

/** The methods of a log object. */
export interface Log {
  append(candidates: readonly Candidate[], place: LogPlace): Promise<Verdict[]>
  countRefused(all: readonly Refused[]): Promise<void>
  lastHour(websiteId: string): Promise<HourState>
  forget(): Promise<void>
  asked(): Promise<void>
  state(): Promise<LogState>
  record(recording: Recording): Promise<RecordingVerdict>
  recordingState(): Promise<RecordingState>
  objects(): Promise<number>
  spreadOf(sourceId: string, known: Spread): Promise<Spread>
  known(askings: readonly EventQuestion[]): Promise<(KnownEvent | undefined)[]>
  isBlank(sourceId?: string, fence?: Spread): Promise<boolean>
}

/** The kind of a log object: for events (`log`) or for recordings. */
export type LogKind = 'log' | 'recordings'

/** A log, and the index of one of its objects. Only websites with several objects use the objects after the first. */
export interface LogPlace {
  readonly log: number
  readonly index: number
}

/** Formats a place for use in names: `2` or `2/1`. */
export const placeText = ({ log, index }: LogPlace): string => (index === 0 ? String(log) : `${log}/${index}`)

export function logObject({ COLLECT, JURISDICTION }: Env, place: LogPlace, kind: LogKind = 'log'): Log {
  const all = JURISDICTION ? COLLECT!.jurisdiction(JURISDICTION) : COLLECT!
  return all.get(all.idFromName(`${kind}-${placeText(place)}`)) as unknown as Log
}
