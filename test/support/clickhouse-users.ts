import { mkdirSync, writeFileSync } from 'node:fs'
import { root } from '../../src/local/paths.ts'
import { migrationsIn } from '../../src/local/storage/migrations.ts'

/** The statements of `sql/access`, in order. */
export const accessStatements: readonly string[] = migrationsIn(`${root}/sql/access`).flatMap(
  ({ statements }) => statements,
)

/** A setting in a profile. A missing limit is undefined. */
export interface Limit {
  readonly value: string
  readonly min: string | undefined
  readonly max: string | undefined
  readonly isConst: boolean
}

/** What `sql/access` contains and a users file can also express. */
export interface Access {
  readonly profile: Readonly<Record<string, Limit>>
  readonly visitorProfile: Readonly<Record<string, Limit>>
  readonly writerProfile: Readonly<Record<string, Limit>>
  readonly quota: Readonly<Record<string, string>>
  readonly visitorQuota: Readonly<Record<string, string>>
  /** Grants such as `SELECT ON events`. */
  readonly reader: readonly string[]
  readonly writer: readonly string[]
  readonly visitor: readonly string[]
  readonly sealerProfile: Readonly<Record<string, Limit>>
  readonly sealer: readonly string[]
}

/** Parses statements, one per line, which are either Weir's or those that ClickHouse shows. */
export function readAccess(lines: readonly string[]): Access {
  const line = (start: RegExp) => lines.find((one) => start.test(one)) ?? ''
  return {
    profile: limitsIn(line(/ SETTINGS PROFILE `?weir_reader\b.*\bSETTINGS readonly/)),
    visitorProfile: limitsIn(line(/ SETTINGS PROFILE `?weir_visitor\b.*\bSETTINGS readonly/)),
    writerProfile: limitsIn(line(/^ALTER SETTINGS PROFILE weir_writer SETTINGS /)),
    quota: quotaIn(line(/ QUOTA `?weir_reader\b.*\bINTERVAL/)),
    visitorQuota: quotaIn(line(/ QUOTA `?weir_visitor\b.*\bINTERVAL/)),
    reader: rightsIn(line(/^GRANT .* TO weir_reader\b/)),
    writer: rightsIn(line(/^GRANT .* TO weir_writer\b/)),
    visitor: rightsIn(line(/^GRANT .* TO weir_visitor\b/)),
    sealerProfile: limitsIn(line(/^ALTER SETTINGS PROFILE weir_sealer SETTINGS /)),
    sealer: rightsIn(line(/^GRANT .* TO weir_sealer\b/)),
  }
}

const quotaIn = (line: string): Record<string, string> =>
  Object.fromEntries([...line.matchAll(/(\w+) = (\d+)/g)].map(([, name, most]) => [name!, most!]))

function limitsIn(line: string): Record<string, Limit> {
  const setting = /(\w+) = ('\w+'|[\w.]+)(?: MIN ([\d.]+))?(?: MAX ([\d.]+))?( CONST)?/g
  return Object.fromEntries(
    [...line.matchAll(setting)].map(([, name, value, min, max, isConst]) => [
      name!,
      { value: plain(value)!, min: plain(min), max: plain(max), isConst: isConst !== undefined },
    ]),
  )
}

/** Normalizes a value. Depending on the setting's type, ClickHouse prints 30 seconds as `30.` and 0 as `false`. */
function plain(value: string | undefined): string | undefined {
  if (value === 'true' || value === 'false') return value === 'true' ? '1' : '0'
  return value?.replace(/^'|'$|\.$/g, '')
}

const rightsIn = (line: string): string[] => (/^GRANT (.*) TO /.exec(line)?.[1] ?? '').split(/, (?![^(]*\))/).sort()

const onOneLine = (statement: string): string => statement.replace(/--.*/g, '').replace(/\s+/g, ' ').trim()

export const access: Access = readAccess(accessStatements.map(onOneLine))

/**
 * The role of the engine's only user, `default`. `admin` may do and grant everything. So may `held`, but with the
 * reader's profile.
 */
export type Role = 'admin' | 'held' | 'reader' | 'writer' | 'visitor' | 'sealer'

/**
 * Writes the content of `sql/access` to a users file, because the embedded engine stores no users created by SQL. The
 * file overrides the engine's own. `role` gives the engine's only user the rights of `weir_reader`, `weir_writer` or
 * `weir_visitor`. `owner` may do everything.
 */
export function writeUsers(dataDir: string, role: Role, quota = access.quota): void {
  const directory = `${dataDir}/configuration/users.d`
  mkdirSync(directory, { recursive: true })
  const inDatabase = (rights: readonly string[]) => rights.map((right) => right.replace(/ ON (?=\w+$)/, ' ON weir.'))
  const reader = { profile: 'weir_reader', quota: 'weir_reader', rights: inDatabase(access.reader) }
  const visitor = { profile: 'weir_visitor', quota: 'weir_visitor', rights: inDatabase(access.visitor) }
  const writer = { profile: 'weir_writer', quota: 'default', rights: inDatabase(access.writer) }
  const sealer = { profile: 'weir_sealer', quota: 'default', rights: inDatabase(access.sealer) }
  const admin = { profile: 'default', quota: 'default', rights: ['ALL ON *.* WITH GRANT OPTION'] }
  const held = { ...admin, profile: 'weir_reader' }
  writeFileSync(
    `${directory}/access.xml`,
    `<clickhouse>
      <profiles>
        <weir_reader>${profileXml(access.profile)}</weir_reader>
        <weir_writer>${profileXml(access.writerProfile)}</weir_writer>
        <weir_visitor>${profileXml(access.visitorProfile)}</weir_visitor>
        <weir_sealer>${profileXml(access.sealerProfile)}</weir_sealer>
      </profiles>
      <quotas>
        <weir_reader>${intervalXml(quota)}</weir_reader>
        <weir_visitor>${intervalXml(access.visitorQuota)}</weir_visitor>
      </quotas>
      <users>
        <default replace="replace">${userXml({ admin, held, reader, writer, visitor, sealer }[role])}</default>
        <owner>${userXml(admin)}</owner>
        <weir_reader>${userXml(reader)}</weir_reader>
        <weir_writer>${userXml(writer)}</weir_writer>
        <weir_visitor>${userXml(visitor)}</weir_visitor>
        <weir_sealer>${userXml(sealer)}</weir_sealer>
      </users>
    </clickhouse>`,
  )
}

/**
 * Gives the engine's only user further rights, such as to shards, which it has only in tests. Without the attribute,
 * ClickHouse would replace other rights with these when it merges its files.
 */
export function grantAlso(dataDir: string, rights: readonly string[]): void {
  const directory = `${dataDir}/configuration/users.d`
  mkdirSync(directory, { recursive: true })
  const queries = rights.map((right, index) => `<query also="${index}">GRANT ${right}</query>`).join('')
  writeFileSync(
    `${directory}/also.xml`,
    `<clickhouse><users><default><grants>${queries}</grants></default></users></clickhouse>`,
  )
}

function profileXml(profile: Access['profile']): string {
  const values = Object.fromEntries(Object.entries(profile).map(([name, { value }]) => [name, value]))
  const constraints = Object.entries(profile).map(([name, { min, max, isConst }]) => {
    const bounds = tags({ ...(min && { min }), ...(max && { max }) })
    return `<${name}>${bounds}${isConst ? '<const/>' : ''}</${name}>`
  })
  return `${tags(values)}<constraints>${constraints.join('')}</constraints>`
}

function userXml({ profile, quota, rights }: { profile: string; quota: string; rights: readonly string[] }): string {
  const grants = rights.map((right) => `<query>GRANT ${right}</query>`).join('')
  return `<password></password><networks><ip>::/0</ip></networks><profile>${profile}</profile><quota>${quota}</quota>
    <grants>${grants}</grants>`
}

const intervalXml = (quota: Access['quota']): string => `<interval><duration>60</duration>${tags(quota)}</interval>`

const tags = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')
