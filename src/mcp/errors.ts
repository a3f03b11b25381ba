import { ApiError, type Issue } from '../errors.ts'

/** All error codes of tools. `network_error` is for clients that relay calls; here the API runs in the same process. */
type ToolErrorCode =
  | 'invalid_input'
  | 'invalid_date'
  | 'invalid_date_range'
  | 'auth_expired'
  | 'access_denied'
  | 'not_found'
  | 'rate_limited'
  | 'api_error'
  | 'network_error'
  | 'unknown'

interface MoreOfError {
  /** The HTTP status of the report's error response. */
  readonly status?: number
  readonly details?: readonly Issue[]
}

/** A refusal for the model. `message` says what to send instead. */
export class ToolError extends Error {
  constructor(
    readonly code: ToolErrorCode,
    message: string,
    readonly more: MoreOfError = {},
  ) {
    super(message)
  }

  body() {
    return { code: this.code, message: this.message, ...this.more }
  }
}

export function invalidInput(issues: readonly Issue[]): ToolError {
  const said = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join(' ')
  // Truncates the caller's own text.
  const { message, issues: details = [] } = new ApiError('bad-request', said, { issues })
  return new ToolError('invalid_input', message, { details })
}

const codesOfStatus: Readonly<Record<number, ToolErrorCode>> = {
  400: 'invalid_input',
  401: 'auth_expired',
  403: 'access_denied',
  404: 'not_found',
  429: 'rate_limited',
}

/** The tool error for a report response with this status and body. */
export function refusedReport(status: number, body: unknown): ToolError {
  const { message, issues } = (body as { readonly error?: { message?: string; issues?: Issue[] } }).error ?? {}
  return new ToolError(codesOfStatus[status] ?? 'api_error', message ?? 'The report was not answered.', {
    status,
    ...(issues && { details: issues }),
  })
}
