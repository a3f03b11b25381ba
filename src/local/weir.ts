import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { D1Database } from '@cloudflare/workers-types'
import * as z from 'zod'
import { isoMoment, nameSchema, origins } from '../endpoints/bodies.ts'
import { id as websiteId } from '../endpoints/ids.ts'
import { NewWebsiteBody } from '../endpoints/websites/websites.ts'
import { metadata } from '../metadata/metadata.ts'
import type { Sql } from '../metadata/store.ts'
import { ofOperator } from '../metadata/websites.ts'
import { checked } from './checked.ts'
import { useClickHouse } from './clickhouse.ts'
import { type AppliedUser, applyAccess } from './clickhouse-users.ts'
import { derivedCommands } from './derived-commands.ts'
import type { Commands, Io, Opened } from './io.ts'
import { asScript, createKey, deleteKey, type KeyScope, listKeys, prepareKey } from './metadata.ts'
import { messageOf, metadataFaults } from './metadata-faults.ts'
import { migrateEvents, migrateMetadata } from './migrations.ts'
import { defaultDataDir, places } from './paths.ts'
import { printable } from './printable.ts'
import { makePrivate } from './private-folder.ts'
import { purgeCommands } from './purge-commands.ts'
import { NewEvent, sendEvent } from './send.ts'
import { userCommands } from './user-commands.ts'

const help = `npm run weir -- <command> [flags]

  migrate                                        applies new files of sql/events and sql/metadata
  access                                         applies the users of sql/access to the server of CLICKHOUSE_URL
  check [table …]                                compares derived tables with the events; without a table it
                                                 also checks the D1 file. Exit code 1 if something is wrong
  rebuild [table …]                              repairs differences. Both run while events are read and written
                 --website UUID … --month YYYY-MM only these websites, only this month
  purge [FILE]                                   deletes events hidden by resets, and deleted sessions; with --deleted,
                                                 also the events of deleted websites. FILE: the websites of a remote D1, from wrangler's output:
                 npx wrangler d1 execute weir --remote --json --command "$(npm run -s weir -- purge --sql)" > FILE
  purge --keep-months N [--website UUID …]       deletes everything older than this month and the N before it
  cache purge --website UUID …                   drops cached answers about these websites within ten seconds, for example
                                                 after late events were written into a past range
  send --website UUID --name NAME                sends one event and prints its id; without --name, a page view
                 --path PATH --hostname HOST
  website create --name NAME --domain DOMAIN [--id UUID]
  website list
  key create --name NAME --admin                 a key for everything
  key create --name NAME --website UUID …        a key that reads these websites; with --write, changes them too
                 --expires ISO --origin ORIGIN … valid until this moment, only for pages of these origins
  key list
  key delete ID
  user create --username NAME --role admin|user|view-only [--id UUID]
  user list
  user password NAME                             sets another password and ends every sign-in of the user
  user delete NAME                               also deletes their websites, and teams without another owner

  WEIR_PASSWORD    environment variable with the password for user create and user password; by default one is generated and shown
  --data-dir DIR   the data folder (.weir)
  --sql            with key create, user create and cache purge: prints the statements for a remote D1 instead of running them:
                   npx wrangler d1 execute weir --remote --command "$(npm run -s weir -- key create … --sql)"

Commands use the ClickHouse of CLICKHOUSE_URL if it is set, else the embedded engine (the running one, if any).`

const parse = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string', default: defaultDataDir },
      name: { type: 'string' },
      domain: { type: 'string' },
      path: { type: 'string' },
      hostname: { type: 'string' },
      id: { type: 'string' },
      website: { type: 'string', multiple: true },
      month: { type: 'string' },
      'keep-months': { type: 'string' },
      admin: { type: 'boolean', default: false },
      deleted: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      expires: { type: 'string' },
      origin: { type: 'string', multiple: true },
      username: { type: 'string' },
      role: { type: 'string' },
      sql: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })

type Flags = ReturnType<typeof parse>['values']

/** Every command by its words; `flags` are the parsed flags. */
const commandsOf = (flags: Flags, io: Io, { withClickHouse, withMetadata, metadataFaults }: Opened): Commands => ({
  migrate: () =>
    withClickHouse(async ({ client, server }) => {
      const events = await migrateEvents(client, server)
      const applied = [...events, ...(await withMetadata(async (_, migrated) => migrated))]
      io.out(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Everything is already applied.')
    }),
  access: async () => {
    if (!io.env.CLICKHOUSE_URL) {
      throw new Error('Set CLICKHOUSE_URL to a server and a user who may create users: the embedded engine has none.')
    }
    await withClickHouse(async ({ client }) => {
      for (const user of await applyAccess(client, io.env)) printUser(io, user)
    })
  },
  'cache purge': async () => {
    const ids = websitesOf(flags)
    if (ids.length === 0) throw new Error('Give --website for each website.')
    if (flags.sql) return io.out(asScript(ids.map(purgeAnswers)))
    await withMetadata(async (database) => {
      for (const id of ids) {
        const [purged] = await metadata(database, Date.now()).store.write(purgeAnswers(id))
        if (purged === 0) throw new Error(`There is no website ${id}.`)
      }
      io.out('Cached answers expire within ten seconds.')
    })
  },
  send: async () => {
    const [website, ...others] = websitesOf(flags)
    if (website === undefined || others.length > 0) throw new Error('Give --website once.')
    const { name, path, hostname } = flags
    const event = checked(NewEvent, { website, name, path, hostname })
    await withMetadata(async (database) => {
      if (!(await metadata(database, Date.now()).websites.read(website))) {
        throw new Error(`There is no website ${website}.`)
      }
    })
    await withClickHouse(async ({ client }) => io.out(await sendEvent(client, event)))
  },
  'website create': () =>
    withMetadata(async (database) => {
      const given = checked(NewWebsiteBody(), {
        id: flags.id,
        name: needed(flags, 'name'),
        domain: needed(flags, 'domain'),
      })
      const id = given.id ?? crypto.randomUUID()
      const taken = await metadata(database, Date.now()).websites.create({
        id,
        name: given.name,
        domain: given.domain,
        ...ofOperator,
      })
      if (taken) throw new Error(`A website with the id ${id} exists already, or existed.`)
      io.out(id)
    }),
  'website list': () =>
    withMetadata(async (database) => {
      const all = {
        search: '',
        orderBy: 'name',
        descending: false,
        limit: 10_000,
        offset: 0,
      } as const
      const { data } = await metadata(database, Date.now()).websites.list('website', {}, all)
      for (const { id, name, domain } of data) io.out(`${id}  ${printable(name)}  ${domain}`)
    }),
  'key create': () =>
    flags.sql ? printKeyScript(flags, io) : withMetadata((database) => createAndPrintKey(flags, io, database)),
  'key list': () =>
    withMetadata(async (database) => {
      for (const { id, name, prefix, opens, access, expiresAt, lastUsedAt } of await listKeys(database)) {
        const times = `expires ${told(expiresAt)}  last used ${told(lastUsedAt)}`
        io.out(`${id}  ${prefix}…  ${printable(name)}  ${opens}  ${access}  ${times}`)
      }
    }),
  'key delete': ([id]) =>
    withMetadata(async (database) => {
      if (!id || !(await deleteKey(database, id))) throw new Error(`There is no key ${id ?? ''}. See: key list`)
      io.out('Deleted. It stops working within ten seconds everywhere.')
    }),
  ...derivedCommands(flags, io, { withClickHouse, metadataFaults }),
  ...purgeCommands(flags, io, { withClickHouse, withMetadata }),
  ...userCommands(flags, io, withMetadata),
})

/** Increments the epoch in the website's cache keys, so that no stored answer is used again. */
const purgeAnswers = (id: string): Sql => [
  'UPDATE websites SET cache_epoch = cache_epoch + 1 WHERE id = ?1 AND deleted_at IS NULL',
  id,
]

function printUser(io: Io, { name, variable, password }: AppliedUser): void {
  if (password === 'given') io.out(`${name} has the password of ${variable}.`)
  else if (password === 'kept') io.out(`${name} keeps its password. ${variable} gives it another.`)
  else {
    io.out(`${name} ${password.made}`)
    io.err(`The password of ${name} is shown only now.`)
  }
}

async function createAndPrintKey(flags: Flags, io: Io, database: D1Database): Promise<void> {
  const now = Date.now()
  const [name, scope] = [keyName(flags), keyScope(flags, now)]
  const { websites } = metadata(database, now)
  for (const id of scope.admin ? [] : scope.websiteIds) {
    if (!(await websites.read(id))) throw new Error(`There is no website ${id}.`)
  }
  io.out(await createKey(database, name, scope, now))
  io.err('This key is shown only now.')
}

async function printKeyScript(flags: Flags, io: Io): Promise<void> {
  const { key, inserts } = await prepareKey(keyName(flags), keyScope(flags, Date.now()), Date.now())
  io.out(asScript(inserts))
  io.err(`${key}\nThis key is shown only now; it works once the statements have run.`)
}

const told = (moment: number | null): string => (moment === null ? 'never' : new Date(moment).toISOString())

const keyName = (flags: Flags): string => checked(nameSchema(255), needed(flags, 'name'), '--name')

const websitesOf = (flags: Flags): string[] => checked(z.array(websiteId()), flags.website ?? [], '--website')

function keyScope(flags: Flags, now: number): KeyScope {
  const websiteIds = websitesOf(flags)
  if (flags.admin === websiteIds.length > 0) throw new Error('Give either --admin, or --website for each website.')
  const expiresAt =
    flags.expires === undefined ? undefined : Date.parse(checked(isoMoment(), flags.expires, '--expires'))
  if (expiresAt !== undefined && expiresAt <= now) throw new Error('--expires must be later than now.')
  const limits = {
    access: flags.write ? ('write' as const) : undefined,
    origins: checked(origins().optional(), flags.origin, '--origin'),
    expiresAt,
  }
  return flags.admin ? { admin: true, ...limits } : { admin: false, websiteIds, ...limits }
}

function needed(flags: Flags, flag: 'name' | 'domain'): string {
  const value = flags[flag]
  if (!value) throw new Error(`--${flag} is required.`)
  return value
}

/** Commands that create something also create the data folder. For all others, a missing folder is a typing error. */
const making = /^(migrate|\w+ create)$/

/** The resources of a command; each is open only while the work runs. */
function openedOf(dataDir: string, command: string, io: Io): Opened {
  const openFolder = (): void => {
    if (existsSync(dataDir)) return
    if (!making.test(command)) throw new Error(`There is no data folder ${dataDir}.`)
    makePrivate(dataDir)
  }
  return {
    async withClickHouse(work) {
      if (!io.env.CLICKHOUSE_URL) openFolder()
      const clickhouse = await useClickHouse(dataDir, io.env)
      return work(clickhouse).finally(clickhouse.close)
    },
    async withMetadata(work) {
      openFolder()
      const { metadata: database, close } = await io.openMetadata(dataDir)
      return migrateMetadata(database)
        .then((applied) => work(database, applied))
        .finally(close)
    },
    async metadataFaults() {
      if (!existsSync(places(dataDir).metadata)) return []
      let found: string[] = []
      const failure = await messageOf(async () => {
        const { metadata: database, close } = await io.openMetadata(dataDir)
        found = await metadataFaults(database).finally(close)
      })
      return failure === undefined ? found : [failure]
    },
  }
}

/** Runs the command after `npm run weir --`. Returns the exit code. */
export async function weir(words: readonly string[], io: Io): Promise<number> {
  try {
    const { values: flags, positionals } = parse(words)
    const [first = '', second = '', ...rest] = positionals
    const opened = openedOf(resolve(flags['data-dir']), `${first} ${second}`.trim(), io)
    const commands = commandsOf(flags, io, opened)
    const two = commands[`${first} ${second}`]
    const one = commands[first]
    if (flags.help || !(two ?? one)) {
      io.out(help)
      return flags.help ? 0 : 2
    }
    const code = await (two ? two(rest) : one!(positionals.slice(1)))
    return code ?? 0
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    io.err(message)
    return String(code).startsWith('ERR_PARSE_ARGS') ? 2 : 1
  }
}
