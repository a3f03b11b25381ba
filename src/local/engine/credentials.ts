import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { readable, refusal } from './errors.ts'

export interface User {
  readonly name: string
  readonly password: string
}

/**
 * Authenticates a request in one of the HTTP interface's three ways. Without credentials, the user is `default`, with
 * an empty password. Throws AUTHENTICATION_FAILED, which does not reveal whether the name or the password was wrong.
 */
export function authenticate(
  users: readonly User[],
  headers: IncomingHttpHeaders,
  url: ReadonlyMap<string, string>,
): User {
  const given = credentials(headers, url)
  const name = readable(given.name)
  const user = users.find((known) => known.name === name)
  if (user !== undefined && isSame(user.password, given.password)) return user
  const reason = 'Authentication failed: password is incorrect, or there is no user with such name.'
  throw refusal('AUTHENTICATION_FAILED', `${name}: ${reason}`)
}

function credentials(headers: IncomingHttpHeaders, url: ReadonlyMap<string, string>): User {
  const [user, key] = [headers['x-clickhouse-user'], headers['x-clickhouse-key']]
  const ways = [
    user !== undefined || key !== undefined ? { name: bytes(user), password: bytes(key) } : undefined,
    headers.authorization === undefined ? undefined : basic(headers.authorization),
    url.has('user') || url.has('password') ? { name: url.get('user'), password: url.get('password') } : undefined,
  ].filter((way) => way !== undefined)
  if (ways.length > 1)
    throw refusal('AUTHENTICATION_FAILED', 'Invalid authentication: it is not allowed to use several ways at once.')
  return { name: ways[0]?.name || 'default', password: ways[0]?.password ?? '' }
}

/** Node decodes headers as latin1, one character per byte. All strings here have the same form. */
function bytes(header: string | string[] | undefined): string {
  return header === undefined ? '' : String(header)
}

function basic(authorization: string): User {
  const [, scheme, code] = /^(\S+) +(\S*)$/.exec(authorization) ?? []
  if (scheme?.toLowerCase() !== 'basic' || code === undefined)
    throw refusal(
      'AUTHENTICATION_FAILED',
      `Invalid authentication: '${scheme ?? ''}' HTTP Authorization scheme is not supported.`,
    )
  const text = Buffer.from(code, 'base64').toString('latin1')
  const colon = text.indexOf(':')
  if (colon === -1) return { name: text, password: '' }
  return { name: text.slice(0, colon), password: text.slice(colon + 1) }
}

function isSame(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given, 'latin1')]
  return left.length === right.length && timingSafeEqual(left, right)
}
