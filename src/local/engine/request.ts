import type { IncomingMessage } from 'node:http'
import { refusal } from './errors.ts'

/** A request without its body. Each character of its strings is one byte (latin1). */
export interface Request {
  /** The value of `query=`; the body continues the statement. */
  readonly query: string
  readonly queryId: string | undefined
  readonly database: string | undefined
  /** The result format of statements that do not specify one. */
  readonly format: string
  readonly roles: readonly string[]
  readonly settings: ReadonlyMap<string, string>
  readonly parameters: ReadonlyMap<string, string>
  readonly wholeFirst: boolean
  readonly readOnly: boolean
}

/** The fields of the URL, in order. Like ClickHouse, this decodes `+` as a space. */
export function urlFields(url: string): [string, string][] {
  const start = url.indexOf('?')
  if (start === -1) return []
  const pairs = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => pair !== '')
  return pairs.map((pair) => {
    const equals = pair.indexOf('=')
    return equals === -1 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))]
  })
}

/** Decodes percent-encoding to bytes, because values need not be UTF-8. */
function decode(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-fA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Reads the fields of the URL and the form. As in ClickHouse, an unknown field is treated as a setting. */
export function readRequest(message: IncomingMessage, fields: [string, string][]): Request {
  const map = new Map(fields)
  refuseUnavailable(map)
  const isOwn = ([name]: [string, string]) => !ownFields.has(name) && !name.startsWith('param_')
  const header = (name: string) => message.headers[name]?.toString()
  return {
    query: fields
      .filter(([name]) => name === 'query')
      .map(([, value]) => value)
      .join(''),
    queryId: map.get('query_id') || undefined,
    database: map.get('database') || header('x-clickhouse-database') || undefined,
    format: map.get('default_format') || header('x-clickhouse-format') || 'TabSeparated',
    roles: fields.filter(([name, value]) => name === 'role' && value !== '').map(([, value]) => value),
    settings: new Map(fields.filter(isOwn)),
    parameters: parametersOf(fields),
    wholeFirst: isTrue(map.get('wait_end_of_query')),
    readOnly: message.method !== 'POST' && message.method !== 'PUT',
  }
}

const ownFields = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'role',
  'user',
  'password',
  'quota_key',
  'wait_end_of_query',
  'buffer_size',
  'stacktrace',
  'compress',
  'decompress',
  'session_id',
  'session_check',
  'session_timeout',
  'close_session',
  'client_protocol_version',
])

function refuseUnavailable(fields: ReadonlyMap<string, string>): void {
  if (fields.get('session_id'))
    throw refusal(
      'NOT_IMPLEMENTED',
      'Sessions (session_id) are not available in this engine: each request is independent.',
    )
  for (const name of ['compress', 'decompress'])
    if (isTrue(fields.get(name)))
      throw refusal(
        'NOT_IMPLEMENTED',
        `${name}=1 is not available in this engine; use Content-Encoding and Accept-Encoding: gzip.`,
      )
}

export function isTrue(value: string | undefined): boolean {
  return value === '1' || value?.toLowerCase() === 'true'
}

/** If a parameter occurs twice, the first one is used (HTTPHandler.cpp). */
function parametersOf(fields: [string, string][]): Map<string, string> {
  const parameters = fields
    .filter(([name]) => name.startsWith('param_'))
    .map(([name, value]) => [name.slice(6), value] as const)
  return new Map(parameters.reverse())
}
