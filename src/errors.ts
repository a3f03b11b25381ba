/** Every error code and its HTTP status. */
export const statusOf = {
  'bad-request': 400,
  unauthorized: 401,
  'incorrect-username-password': 401,
  forbidden: 403,
  'two-factor-required': 403,
  'not-found': 404,
  'team-not-found': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  conflict: 409,
  'payload-too-large': 413,
  'too-much-data': 422,
  'too-many-requests': 429,
  'server-error': 500,
  'service-unavailable': 503,
} as const

export type ErrorCode = keyof typeof statusOf

/** One issue with the input. `path` identifies the parameter; `message` says what is allowed. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** The maximum number of issues in one refusal, so that it cannot be larger than the request. */
export const maxIssues = 20

/**
 * The maximum lengths of paths and messages in a refusal, in UTF-16 code units. Both may contain the caller's own text.
 */
const maxIssuePathLength = 100
const maxMessageLength = 1000

const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`

/** The first of these issues, with truncated texts, so that the response cannot be larger than the input. */
export const shortIssues = (issues: readonly Issue[]): Issue[] =>
  issues.slice(0, maxIssues).map(({ path, message }) => ({
    path: cut(path, maxIssuePathLength),
    message: cut(message, maxMessageLength),
  }))

interface ErrorDetails {
  readonly issues?: readonly Issue[]
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
  /** When the lock ends, in ISO 8601. */
  readonly lockedUntil?: string
  /** Additional fields in the body, next to `error`. */
  readonly beside?: Readonly<Record<string, string>>
}

/** A refusal that is sent to the caller. `message` never contains SQL, host names or data of another website. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly issues: readonly Issue[] | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly #lockedUntil: string | undefined
  readonly #beside: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(cut(message, maxMessageLength), { cause: details.cause })
    this.name = 'ApiError'
    this.code = code
    this.issues = details.issues && shortIssues(details.issues)
    this.headers = details.headers ?? {}
    this.#lockedUntil = details.lockedUntil
    this.#beside = details.beside ?? {}
  }

  get status(): (typeof statusOf)[ErrorCode] {
    return statusOf[this.code]
  }

  /** The JSON body that every error has. */
  body(requestId: string): ErrorBody {
    const { code, message, status, issues } = this
    const error = { message, code, status, requestId, ...(issues && { issues: [...issues] }) }
    return { ...this.#beside, error: { ...error, ...(this.#lockedUntil && { lockedUntil: this.#lockedUntil }) } }
  }
}

interface ErrorBody {
  error: { message: string; code: ErrorCode; status: number; requestId: string; issues?: Issue[]; lockedUntil?: string }
}

/** The error in the body of a refusal that another endpoint sent. */
export async function refusalOf(answer: Response): Promise<ApiError> {
  const { code, message } = ((await answer.json()) as ErrorBody).error
  const retryAfter = answer.headers.get('retry-after')
  return new ApiError(code, message, { headers: retryAfter === null ? {} : { 'Retry-After': retryAfter } })
}

/** A 400 with at most `maxIssues` of these issues. Its message is that of the first issue. */
export function invalid(issues: readonly Issue[]): ApiError {
  const [first] = issues
  const message = first
    ? first.path
      ? `${cut(first.path, maxIssuePathLength)}: ${first.message}`
      : first.message
    : 'The request is not valid.'
  return new ApiError('bad-request', message, { issues })
}

/** A 503 that asks the caller to try again in five seconds. */
export const unavailable = (message: string, cause?: unknown): ApiError =>
  new ApiError('service-unavailable', message, {
    headers: { 'Retry-After': '5' },
    ...(cause !== undefined && { cause }),
  })

/** D1 cannot be read or written. */
export const metadataFailed = (cause: unknown): ApiError =>
  unavailable(/SQLITE_FULL|disk is full/.test(String(cause)) ? metadataFull : metadataUnreadable, cause)

const metadataUnreadable = 'Websites, users and keys cannot be read or changed right now. Try again.'
const metadataFull = 'The database for websites, users and keys is full, so nothing can be stored. Tell the operator.'

/** ClickHouse cannot be read or does not answer in time. */
export const eventsUnreadable = (cause: unknown): ApiError =>
  unavailable('The events cannot be read right now. Try again.', cause)

/** The request's deadline passed before the answer was ready. */
export const pastDeadline = (cause: unknown): ApiError =>
  unavailable(
    'No answer came before the deadline. Narrow the range (startAt, endAt), add filters, or give a longer deadline if yours was short.',
    cause,
  )

/** A statement's result exceeds its limit. */
export const tooMuchToAnswer = (cause: unknown): ApiError =>
  new ApiError(
    'too-much-data',
    'The answer is too large. Narrow the range (startAt, endAt), add filters, or ask for fewer rows (limit, pageSize).',
    { cause },
  )

/** A statement exceeds ClickHouse's limits, and would exceed them again. */
export const tooMuchToRead = (cause: unknown): ApiError =>
  new ApiError(
    'too-much-data',
    'This needs more rows or memory than one request may use. Narrow the range (startAt, endAt) or add filters.',
    { cause },
  )

/** Whether the data could not be read: ClickHouse or D1 failed, or a limit was exceeded. */
export const isUnread = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'service-unavailable' || error.code === 'too-much-data')
