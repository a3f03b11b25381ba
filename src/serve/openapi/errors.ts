import type { Endpoint } from '../../endpoints/endpoint.ts'
import type { ErrorCode } from '../../errors.ts'

/** The errors that an endpoint may answer with. */
export function errorCodes(endpoint: Endpoint): ErrorCode[] {
  const { access } = endpoint
  const { refuses = [] } = endpoint
  return [
    'bad-request',
    ...(access.to === 'anyone' ? [] : (['unauthorized', 'forbidden'] as const)),
    ...refuses,
    'payload-too-large',
    ...(endpoint.kind === 'report' && !endpoint.export ? (['not-acceptable'] as const) : []),
    'too-many-requests',
    'server-error',
    ...(access.to === 'anyone' ? [] : (['service-unavailable'] as const)),
  ]
}

export const errorDescriptions: Record<ErrorCode, string> = {
  'bad-request': 'An id, a parameter or the body is not valid; issues names those that are not.',
  unauthorized: 'No credential, one that is not valid here, or two different ones.',
  'incorrect-username-password': 'There is no user of this name with this password.',
  forbidden: 'The credential does not allow this here, whether or not there is what was asked for.',
  'not-found': 'There is nothing here.',
  'team-not-found': 'There is no team with this access code.',
  'method-not-allowed': 'Another method is needed; Allow names it.',
  'not-acceptable': 'Accept allows none of the formats that this is answered in.',
  conflict: 'What was asked for is not possible now; the message says why.',
  'payload-too-large': 'The body is too large.',
  'too-many-requests': 'Too many requests for now; Retry-After says when to go on.',
  'server-error': 'A bug of the server; its log has more under the id of the request.',
  'service-unavailable': 'The events, or users, websites and keys, cannot be read; the message says what to do.',
}
