/** An error with ClickHouse's number, whose message is the whole text a server would send. */
export class ClickHouseError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** `Code: 62. DB::Exception: reason (SYNTAX_ERROR)`, as the server writes its own. */
export function refusal(name: keyof typeof codes, reason: string): ClickHouseError {
  const code = codes[name]
  return new ClickHouseError(code, `Code: ${code}. DB::Exception: ${reason} (${name})`)
}

/** Text from bytes (latin1), for messages. */
export function readable(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString()
}

/** An error from the engine's own text. Text without a number is UNKNOWN_EXCEPTION (1002). */
export function engineError(text: string): ClickHouseError {
  const code = /^(?:Error[^:]*: )?Code: (\d+)\./.exec(text)?.[1]
  if (code !== undefined) return new ClickHouseError(Number(code), text)
  return new ClickHouseError(1002, `Code: 1002. DB::Exception: ${text} (UNKNOWN_EXCEPTION)`)
}

/** The body of an error's answer; the server ends its errors with its version. */
export function errorBody(error: ClickHouseError, version: string): string {
  const suffix = /\(version [^)]*\)\s*$/.test(error.message) ? '' : ` (version ${version})`
  return `${error.message.trimEnd()}${suffix}\n`
}

const codes = {
  BAD_ARGUMENTS: 36,
  NOT_IMPLEMENTED: 48,
  SYNTAX_ERROR: 62,
  UNKNOWN_SETTING: 115,
  TOO_MANY_SIMULTANEOUS_QUERIES: 202,
  ZLIB_INFLATE_FAILED: 354,
  INTO_OUTFILE_NOT_ALLOWED: 358,
  QUERY_IS_TOO_LARGE: 229,
  QUERY_WAS_CANCELLED: 394,
  ACCESS_DENIED: 497,
  AUTHENTICATION_FAILED: 516,
} as const

/**
 * ClickHouse's status for an error: src/Server/HTTP/exceptionCodeToHTTPStatus.cpp, whose numbers are those of
 * src/Common/ErrorCodes.cpp.
 */
export function statusOf(code: number): number {
  return statuses.get(code) ?? 500
}

const statuses = new Map<number, number>([
  ...withStatus(400, [6, 8, 15, 25, 26, 27, 36, 37, 38, 41, 44, 53, 62, 72, 117, 123, 167, 168, 223, 321]),
  ...withStatus(400, [376, 427, 441, 675, 676]),
  [194, 401],
  ...withStatus(403, [192, 193, 497, 512, 516]),
  ...withStatus(404, [46, 47, 50, 56, 60, 63, 73, 78, 81, 115, 152, 336, 511]),
  [159, 408],
  [381, 411],
  [229, 413],
  [779, 415],
  [48, 501],
  ...withStatus(503, [76, 209, 439]),
])

function withStatus(status: number, errorCodes: number[]): [number, number][] {
  return errorCodes.map((code) => [code, status])
}
