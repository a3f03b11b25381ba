import { createHash, randomBytes } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client-web'
import { root } from '../paths.ts'
import { Misuse } from '../told/misuse.ts'
import { type ClusterNames, userOnCluster } from './cluster.ts'
import { migrationsIn } from './migrations.ts'
import { selected } from './selected.ts'

/**
 * The users of `sql/access`, each with the statement's parameter for the password's hash and the environment variable
 * with the password.
 */
const users = [
  { name: 'weir_reader', parameter: 'reader_hash', variable: 'WEIR_READER_PASSWORD' },
  { name: 'weir_writer', parameter: 'writer_hash', variable: 'WEIR_WRITER_PASSWORD' },
  { name: 'weir_visitor', parameter: 'visitor_hash', variable: 'WEIR_VISITOR_PASSWORD' },
  { name: 'weir_sealer', parameter: 'sealer_hash', variable: 'WEIR_SEALER_PASSWORD' },
] as const

/**
 * A user after the command has run. With `made`, the command generated the password. With `kept`, the password is
 * unchanged, and the command does not know it.
 */
export interface AppliedUser {
  readonly name: string
  /** The variable that sets a new password. */
  readonly variable: string
  readonly password: { readonly made: string } | 'given' | 'kept'
}

/**
 * The minimum length of a password. The hash has no salt, so guessable passwords could be found in a table of hashes.
 */
const shortest = 16

/**
 * Applies `sql/access` to the server and database of `client`, or to all servers of a cluster: users, profiles, quotas
 * and grants. A new user gets the password in `variables`, or else a generated one. An existing user keeps its password
 * unless `variables` has one.
 */
export async function applyAccess(
  client: ClickHouseClient,
  variables: NodeJS.ProcessEnv,
  cluster?: ClusterNames,
): Promise<AppliedUser[]> {
  const command = (statement: string) =>
    client.command({ query: cluster ? userOnCluster(statement, cluster) : statement, query_params })
  for (const { variable } of users) refuseShort(variable, variables[variable])
  const existing = await existingUsers(client)
  const passwords = users.map(({ variable }) => variables[variable] || randomBytes(24).toString('base64url'))
  const query_params = Object.fromEntries(users.map(({ parameter }, index) => [parameter, sha256(passwords[index]!)]))
  for (const { statements } of migrationsIn(`${root}/sql/access`)) {
    for (const statement of statements) await command(statement)
  }
  for (const { name, parameter, variable } of users) {
    if (!existing.has(name) || !variables[variable]) continue
    await command(`ALTER USER ${name} IDENTIFIED WITH sha256_hash BY {${parameter}:String}`)
  }
  return users.map(({ name, variable }, index) => {
    if (variables[variable]) return { name, variable, password: 'given' }
    return { name, variable, password: existing.has(name) ? 'kept' : { made: passwords[index]! } }
  })
}

function refuseShort(variable: string, password: string | undefined): void {
  if (!password || password.length >= shortest) return
  throw new Misuse(`${variable} needs ${shortest} characters or more. Without it, a password is generated and printed.`)
}

async function existingUsers(client: ClickHouseClient): Promise<Set<string>> {
  const query = 'SELECT name FROM system.users WHERE name IN ({names:Array(String)})'
  const names = users.map(({ name }) => name)
  return new Set((await selected<{ name: string }>(client, query, { names })).map(({ name }) => name))
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
