import type { Endpoint } from '../../endpoints/endpoint.ts'
import type { ErrorCode } from '../../errors.ts'

/** The errors that an endpoint may respond with. */
export function errorCodes(endpoint: Endpoint): ErrorCode[] {
  const { access } = endpoint
  const { refuses = [] } = endpoint
  return [
    'bad-request',
    ...(access.to === 'anyone' ? [] : (['unauthorized', 'forbidden'] as const)),
    ...refuses,
    'payload-too-large',
    ...(endpoint.kind === 'report' ? (['too-much-data'] as const) : []),
    ...(endpoint.kind === 'report' && !endpoint.export ? (['not-acceptable'] as const) : []),
    'too-many-requests',
    'server-error',
    ...(access.to === 'anyone' ? [] : (['service-unavailable'] as const)),
  ]
}

export const errorDescriptions: Record<ErrorCode, string> = {
  'bad-request': 'An id, a parameter or the body is invalid; issues lists the faults.',
  unauthorized: 'The credential is missing or not valid here, or the request has two different ones.',
  'incorrect-username-password': 'Wrong user name or password.',
  forbidden: 'The credential does not allow this. The answer does not reveal whether anything exists here.',
  'two-factor-required': 'The caller must have a second factor, and may do nothing but set one up.',
  'not-found': 'There is nothing here.',
  'team-not-found': 'There is no team with this access code.',
  'method-not-allowed': 'Another method is required; see Allow.',
  'not-acceptable': 'Accept allows none of the formats of this answer.',
  conflict: 'This is not possible now; the message says why.',
  'payload-too-large': 'The body is too large.',
  'too-much-data': 'This needs more rows or memory than one request may use; the message says what to narrow.',
  'too-many-requests': 'Too many requests; Retry-After says when to try again.',
  'server-error': 'A bug in the server. Its log has details under the request id.',
  'service-unavailable': 'ClickHouse or D1 cannot be read; the message says what to do.',
}
