import { type Connection, query } from './connection.ts'
import { readable, refusal } from './errors.ts'
import type { Request } from './request.ts'

/** ClickHouse's `max_query_size`, in bytes: the longest statement. Parameters are not part of it, but here they come in one. */
const longestStatement = 262_144

/** The settings every connection starts with. chdb starts with some of clickhouse-local's, where a server has others. */
export const serverSettings = [
  '--implicit_select=0',
  '--allow_introspection_functions=0',
  '--storage_file_read_method=pread',
  '--date_time_input_format=best_effort',
]

/** Gives a fresh connection the database, roles, settings and parameters of a request. */
export async function prepare(connection: Connection, request: Request): Promise<void> {
  const sql = preparation(request)
  if (sql.length >= longestStatement) await prepareLong(connection, request, sql)
  else if (sql !== '') await query(connection, Buffer.from(sql, 'latin1'))
}

async function prepareLong(connection: Connection, { settings }: Request, sql: string): Promise<void> {
  await query(connection, `SET max_query_size = ${sql.length + 1}`)
  await query(connection, Buffer.from(sql, 'latin1'))
  await query(connection, `SET max_query_size = ${literal(settings.get('max_query_size') ?? String(longestStatement))}`)
}

function preparation({ database, roles, settings, parameters, readOnly }: Request): string {
  const all = new Map(settings)
  if (readOnly && (settings.get('readonly') ?? '0') === '0') all.set('readonly', '2')
  const values = [
    ...[...parameters].map(([name, value]) => `${parameterName(name)} = ${literal(value)}`),
    ...[...all].map(([name, value]) => `${settingName(name)} = ${literal(value)}`),
  ]
  return [
    database === undefined ? '' : `USE ${identifier(database)};`,
    roles.length === 0 ? '' : `SET ROLE ${roles.map(identifier).join(', ')};`,
    values.length === 0 ? '' : `SET ${values.join(', ')}`,
  ].join('')
}

function settingName(name: string): string {
  if (/^[A-Za-z_][\w.]*$/.test(name)) return name
  throw refusal('UNKNOWN_SETTING', `Unknown setting '${readable(name)}'.`)
}

function parameterName(name: string): string {
  if (/^\w+$/.test(name)) return `param_${name}`
  throw refusal('BAD_ARGUMENTS', `The name of the query parameter '${readable(name)}' is not an identifier.`)
}

/** A string literal of SQL that stands for exactly these bytes. */
export function literal(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&').replaceAll('\0', '\\0')}'`
}

function identifier(name: string): string {
  return `\`${name.replace(/[`\\]/g, '\\$&').replaceAll('\0', '\\0')}\``
}
