/** The error for an engine that does not start. The engine's log has the details. */
export const refusedConnection = 'ClickHouse refused the connection'

/** An error with ClickHouse's error code. Its message is the complete text that a server would send. */
export class ClickHouseError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** Creates an error such as `Code: 62. DB::Exception: reason (SYNTAX_ERROR)`, in the server's own form. */
export function refusal(name: keyof typeof codes, reason: string): ClickHouseError {
  const code = codes[name]
  return new ClickHouseError(code, `Code: ${code}. DB::Exception: ${reason} (${name})`)
}

/** Decodes bytes (latin1) as UTF-8, for messages. */
export function readable(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString()
}

/** Creates an error from the engine's message. A message without a code becomes UNKNOWN_EXCEPTION (1002). */
export function engineError(text: string): ClickHouseError {
  const code = /^(?:Error[^:]*: )?Code: (\d+)\./.exec(text)?.[1]
  if (code !== undefined) return new ClickHouseError(Number(code), text)
  return new ClickHouseError(1002, `Code: 1002. DB::Exception: ${text} (UNKNOWN_EXCEPTION)`)
}

/** The response body for an error. Like a server, it appends the version. */
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
 * ClickHouse's HTTP status for an error code (src/Server/HTTP/exceptionCodeToHTTPStatus.cpp; codes in
 * src/Common/ErrorCodes.cpp).
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
