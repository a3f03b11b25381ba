import { ApiError, eventsUnreadable, invalid, pastDeadline, tooMuchToAnswer, tooMuchToRead } from '../errors.ts'
import { unknownZone } from '../request/time-zone.ts'

/** RE2 refused a regular expression. `text` is ClickHouse's message, which contains the pattern and the reason. */
export class PatternError extends Error {
  constructor(readonly text: string) {
    super('RE2 refused a regular expression.')
    this.name = 'PatternError'
  }
}

/** ClickHouse's error codes for invalid statements. These errors are bugs in Weir, regardless of the server's state. */
const ourBugs = new Set(['6', '36', '42', '43', '46', '47', '53', '62', '70', '184', '215', '386', '456', '457'])

/** ClickHouse's error code for a pattern that RE2 cannot compile. */
const cannotCompilePattern = '427'

/** ClickHouse's error codes for a statement that takes too long, or is expected to. */
const tooLongCodes = new Set(['159', '160'])

/** ClickHouse's error code for a result that has too many rows or bytes. */
export const tooLargeResult = '396'

/** ClickHouse's error codes for exceeded limits on rows, time, memory and bytes. */
const limitCodes = new Set(['158', ...tooLongCodes, '241', '307', tooLargeResult])

/** The runtime may know a time zone that this version of ClickHouse lacks. */
const isUnknownZone = (error: unknown): boolean => /Cannot load time zone/i.test(String(error))

/** Whether the memory of the server or of Weir's user is used up, perhaps by other statements. */
const isServerFull = (code: string, error: unknown): boolean =>
  code === '241' && /\(total\)|\(for user\)|user memory limit/i.test(String(error))

/** Whether the statement itself needs too many rows or too much memory, so that it would fail again later. */
const isTooMuch = (code: string, error: unknown): boolean =>
  code === '158' || code === '307' || (code === '241' && !isServerFull(code, error))

/**
 * Whether the statement is at fault and would fail on every replica. All other failures are the replica's: no
 * connection, an overload (202, 203, 439, 745 in ClickHouse's `ErrorCodes.cpp`), an exhausted quota, missing privileges
 * or tables, and any answer that does not come from ClickHouse.
 */
export function isOfStatement(error: unknown): boolean {
  if (error instanceof ApiError || isUnknownZone(error)) return true
  const code = codeOf(error)
  return code === cannotCompilePattern || ourBugs.has(code) || (limitCodes.has(code) && !isServerFull(code, error))
}

/** Translates a statement's error into the error that the caller receives. */
export function translateError(error: unknown): Error {
  if (error instanceof ApiError) return error
  const code = codeOf(error)
  if (isUnknownZone(error)) return invalid([{ path: 'timezone', message: unknownZone }])
  if (code === cannotCompilePattern) return new PatternError(String(error))
  if (ourBugs.has(code)) return new ApiError('server-error', 'Something went wrong on our side.', { cause: error })
  if (isTooMuch(code, error)) return tooMuchToRead(error)
  if (tooLongCodes.has(code)) return pastDeadline(error)
  return code === tooLargeResult ? tooMuchToAnswer(error) : eventsUnreadable(error)
}

/**
 * ClickHouse's error code; empty if there is none. The client itself finds codes only in messages with the usual
 * ending.
 */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^\d+$/.test(code) ? code : (/^Code: (\d+)\./.exec(error.message)?.[1] ?? '')
}
