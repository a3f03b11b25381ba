import { expect } from 'vitest'
import type { Reply } from './weir.ts'

/**
 * Asserts a 400 with the standard error body. Its issues list exactly these parameters, and its message contains the
 * first one, too.
 */
export function refused({ status, headers, body }: Reply, ...paths: readonly string[]): void {
  const issues = paths.map((path) => ({ path, message: expect.stringMatching(/\S/) }))
  expect({ status, body }).toStrictEqual({
    status: 400,
    body: {
      error: {
        message: expect.stringContaining(`${paths[0]}: `),
        ...{ code: 'bad-request', status: 400, requestId: headers.get('x-request-id'), issues },
      },
    },
  })
}

/** Asserts a refusal that identifies no parameter. */
export function failed({ status, headers, body }: Reply, expected: { status: number; code: string }): void {
  expect({ status, body }).toStrictEqual({
    status: expected.status,
    body: {
      error: {
        ...{ message: expect.stringMatching(/\S/), code: expected.code, status: expected.status },
        requestId: headers.get('x-request-id'),
      },
    },
  })
}
