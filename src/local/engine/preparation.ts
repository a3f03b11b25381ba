import { type Connection, command } from './connection.ts'
import { readable, refusal } from './errors.ts'
import { literal } from './literal.ts'
import type { Request } from './request.ts'

/**
 * The maximum length of a statement in bytes, as in ClickHouse's `max_query_size`. On a server, it excludes parameters;
 * here it includes them.
 */
const longestStatement = 262_144

/** The settings of every new connection. chdb has some defaults of clickhouse-local that differ from a server's. */
export const serverSettings = [
  '--implicit_select=0',
  '--allow_introspection_functions=0',
  '--storage_file_read_method=pread',
  '--date_time_input_format=best_effort',
]

/** With these settings, rows in the format Values contain no SQL. */
export const literalsOnly = [
  '--input_format_values_interpret_expressions=0',
  '--input_format_values_deduce_templates_of_expressions=0',
]

/** The setting that identifies a request in ClickHouse's logs. It has no other effect, and differs between requests. */
const comment = 'log_comment'

/**
 * The state of a connection after `prepare`, without the values of parameters and of the comment; undefined if it must
 * not be reused. The order of settings is part of the state, because some settings change others.
 */
export function stateOf(request: Request): string | undefined {
  const { database, roles, parameters } = request
  const settings = settingsOf(request)
  if (preparation(request, settings).length >= longestStatement) return undefined
  const kept = [...settings].map(([name, value]) => (name === comment ? [name] : [name, value]))
  return JSON.stringify([database, roles, kept, [...parameters.keys()]])
}

/** Sets the parameters and the comment of a request on a connection that already has the request's state. */
export async function setParameters(connection: Connection, { parameters, settings }: Request): Promise<void> {
  const named = new Map([...settings].filter(([name]) => name === comment))
  const values = [...parameterValues(parameters), ...assignments(named)]
  if (values.length > 0) await command(connection, `SET ${values.join(', ')}`)
}

/** Sets a request's database, roles, settings and parameters on a new connection. */
export async function prepare(connection: Connection, request: Request): Promise<void> {
  const settings = settingsOf(request)
  const sql = preparation(request, settings)
  if (sql.length >= longestStatement) await prepareLong(connection, request, settings)
  else if (sql !== '') await command(connection, sql)
}

/** `readonly` must be set last, because no setting can be changed after `readonly = 1`. */
async function prepareLong(connection: Connection, request: Request, settings: ReadonlyMap<string, string>) {
  const early = new Map([...settings].filter(([name]) => name !== 'readonly'))
  const late = new Map([...settings].filter(([name]) => name === 'readonly'))
  const sql = preparation(request, early)
  await command(connection, `SET max_query_size = ${sql.length + 1}`)
  await command(connection, sql)
  late.set('max_query_size', settings.get('max_query_size') ?? String(longestStatement))
  await command(connection, `SET ${assignments(late)}`)
}

function settingsOf({ settings, readOnly }: Request): ReadonlyMap<string, string> {
  if (!readOnly || (settings.get('readonly') ?? '0') !== '0') return settings
  return new Map([...settings, ['readonly', '2']])
}

function preparation({ database, roles, parameters }: Request, settings: ReadonlyMap<string, string>): string {
  const values = [...parameterValues(parameters), ...assignments(settings)]
  return [
    database === undefined ? '' : `USE ${identifier(database)};`,
    roles.length === 0 ? '' : `SET ROLE ${roles.map(identifier).join(', ')};`,
    values.length === 0 ? '' : `SET ${values.join(', ')}`,
  ].join('')
}

const assignments = (settings: ReadonlyMap<string, string>): string[] =>
  [...settings].map(([name, value]) => `${settingName(name)} = ${literal(value)}`)

const parameterValues = (parameters: ReadonlyMap<string, string>): string[] =>
  [...parameters].map(([name, value]) => `${parameterName(name)} = ${literal(value)}`)

function settingName(name: string): string {
  if (/^[A-Za-z_][\w.]*$/.test(name)) return name
  throw refusal('UNKNOWN_SETTING', `Unknown setting '${readable(name)}'.`)
}

function parameterName(name: string): string {
  if (/^\w+$/.test(name)) return `param_${name}`
  throw refusal('BAD_ARGUMENTS', `The name of the query parameter '${readable(name)}' is not an identifier.`)
}

function identifier(name: string): string {
  return `\`${name.replace(/[`\\]/g, '\\$&').replaceAll('\0', '\\0')}\``
}
