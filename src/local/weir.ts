import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { moment, nameOf, origins } from '../endpoints/bodies.ts'
import { id as websiteId } from '../endpoints/endpoint.ts'
import { NewWebsite } from '../endpoints/websites.ts'
import { metadata } from '../metadata/metadata.ts'
import type { Sql } from '../metadata/store.ts'
import { ofOperator } from '../metadata/websites.ts'
import { checked } from './checked.ts'
import { type ClickHouse, useClickHouse } from './clickhouse.ts'
import { type AppliedUser, applyAccess } from './clickhouse-users.ts'
import { derivedCommands } from './derived-commands.ts'
import { asScript, createKey, deleteKey, type KeyScope, listKeys, prepareKey } from './metadata.ts'
import { migrateEvents, migrateMetadata } from './migrations.ts'
import { defaultDataDir } from './paths.ts'
import { printable } from './printable.ts'
import { makePrivate } from './private-folder.ts'
import { hiddenEvents, purge, purgeable, purgeableIn, websitesToPurge } from './purge.ts'
import { NewEvent, sendEvent } from './send.ts'
import { userCommands } from './user-commands.ts'
import { type OpenMetadata, openMetadata } from './workerd.ts'

const help = `npm run weir -- <command> [flags]

  migrate                                        applies what is new in sql/events and sql/metadata
  access                                         makes ClickHouse's users what sql/access says, on the server of CLICKHOUSE_URL
  check [table …]                                compares what is derived from the events with them; ends with 1 where it differs
  rebuild [table …]                              puts right what differs. Both work while events are read and written
                 --website UUID … --month YYYY-MM of these websites, of this month only
  purge [FILE]                                   deletes the events that resets hide; with --deleted, those of deleted
                                                 websites too. FILE: websites of a remote D1, as wrangler prints them:
                 npx wrangler d1 execute weir --remote --json --command "$(npm run -s weir -- purge --sql)" > FILE
  cache purge --website UUID …                   answers about them that were kept are given no more, for events written
                                                 later into a range that is over; within ten seconds
  send --website UUID --name NAME                sends one event now, and prints its id; without --name a page view
                 --path PATH --hostname HOST
  website create --name NAME --domain DOMAIN [--id UUID]
  website list
  key create --name NAME --admin                 a key for everything
  key create --name NAME --website UUID …        a key that reads these websites; with --write, changes them too
                 --expires ISO --origin ORIGIN … until this moment, for pages of these origins only
  key list
  key delete ID
  user create --username NAME --role admin|user|view-only [--id UUID]
  user list
  user password NAME                             another password; every sign-in of the user ends
  user delete NAME                               with their websites, and the teams that have no other owner

  WEIR_PASSWORD    in the environment: the password for user create and user password; else one is made and shown
  --data-dir DIR   the data folder (.weir)
  --sql            with key create, user create and cache purge: prints the statements for a remote D1 instead of running them:
                   npx wrangler d1 execute weir --remote --command "$(npm run -s weir -- key create … --sql)"

The events are those of CLICKHOUSE_URL where it is set, else of the embedded engine: the running one if there is one.`

const parse = () =>
  parseArgs({
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

/** What was typed; a flag that is not known ends the command with one line. */
function typed(): ReturnType<typeof parse> {
  try {
    return parse()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}

// A reader who has seen enough, such as `head`, is no failure: the command ends as it would.
process.stdout.on('error', () => {})
const { values, positionals } = typed()
const dataDir = resolve(values['data-dir'])

const commands: Record<string, (rest: string[]) => Promise<void>> = {
  migrate: () =>
    withClickHouse(async ({ client, server }) => {
      const events = await migrateEvents(client, server)
      const workerd = await metadataOfFolder()
      const applied = [...events, ...(await migrateMetadata(workerd.metadata).finally(workerd.close))]
      console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Everything was applied already.')
    }),
  access: async () => {
    if (!process.env.CLICKHOUSE_URL) {
      throw new Error('Set CLICKHOUSE_URL to a server, as a user who may create users: the embedded engine keeps none.')
    }
    await withClickHouse(async ({ client }) => {
      for (const user of await applyAccess(client, process.env)) printUser(user)
    })
  },
  purge: async ([file]) => {
    if (values.sql) return console.log(websitesToPurge)
    const { deleted } = values
    const deleteEvents = async (websites: Parameters<typeof hiddenEvents>[0]) =>
      withClickHouse(async ({ client }) => {
        for (const { table, rows } of await purge(client, hiddenEvents(websites, { deleted }))) {
          console.log(`${table}: ${rows} rows deleted`)
        }
      })
    if (file) await deleteEvents(purgeableIn(file))
    else await withMetadata(async (workerd) => deleteEvents(await purgeable(workerd.metadata)))
  },
  'cache purge': async () => {
    const ids = givenWebsites()
    if (ids.length === 0) throw new Error('Give --website for each website.')
    if (values.sql) return console.log(asScript(ids.map(purgeAnswers)))
    await withMetadata(async ({ metadata: database }) => {
      for (const id of ids) {
        const [purged] = await metadata(database, Date.now()).store.write(purgeAnswers(id))
        if (purged === 0) throw new Error(`There is no website ${id}.`)
      }
      console.log('What was kept is given no more within ten seconds.')
    })
  },
  send: async () => {
    const [website, ...others] = givenWebsites()
    if (website === undefined || others.length > 0) throw new Error('Give --website once.')
    const { name, path, hostname } = values
    const event = checked(NewEvent, { website, name, path, hostname })
    await withMetadata(async ({ metadata: database }) => {
      if (!(await metadata(database, Date.now()).websites.read(website))) {
        throw new Error(`There is no website ${website}.`)
      }
    })
    await withClickHouse(async ({ client }) => console.log(await sendEvent(client, event)))
  },
  'website create': () =>
    withMetadata(async ({ metadata: database }) => {
      const given = checked(NewWebsite, { id: values.id, name: needed('name'), domain: needed('domain') })
      const id = given.id ?? crypto.randomUUID()
      const taken = await metadata(database, Date.now()).websites.create({
        id,
        name: given.name,
        domain: given.domain,
        ...ofOperator,
      })
      if (taken) throw new Error(`A website with the id ${id} exists already, or existed.`)
      console.log(id)
    }),
  'website list': () =>
    withMetadata(async ({ metadata: database }) => {
      const all = {
        search: '',
        orderBy: 'name',
        descending: false,
        limit: 10_000,
        offset: 0,
      } as const
      const { data } = await metadata(database, Date.now()).websites.list({}, all)
      for (const { id, name, domain } of data) console.log(`${id}  ${printable(name)}  ${domain}`)
    }),
  'key create': () => (values.sql ? printKeyScript() : withMetadata(createAndPrintKey)),
  'key list': () =>
    withMetadata(async ({ metadata: database }) => {
      for (const { id, name, prefix, opens, access, expiresAt, lastUsedAt } of await listKeys(database)) {
        const times = `expires ${told(expiresAt)}  last used ${told(lastUsedAt)}`
        console.log(`${id}  ${prefix}…  ${printable(name)}  ${opens}  ${access}  ${times}`)
      }
    }),
  'key delete': ([id]) =>
    withMetadata(async ({ metadata: database }) => {
      if (!id || !(await deleteKey(database, id))) throw new Error(`There is no key ${id ?? ''}. See: key list`)
      console.log('Deleted. It stops working within ten seconds everywhere.')
    }),
  ...derivedCommands(values, withClickHouse),
  ...userCommands(values, withMetadata),
}

/** Part of the key of every cached answer about a website: nobody asks for those that were kept any more. */
const purgeAnswers = (id: string): Sql => [
  'UPDATE websites SET cache_epoch = cache_epoch + 1 WHERE id = ?1 AND deleted_at IS NULL',
  id,
]

function printUser({ name, variable, password }: AppliedUser): void {
  if (password === 'given') console.log(`${name} has the password of ${variable}.`)
  else if (password === 'kept') console.log(`${name} keeps its password. ${variable} gives it another.`)
  else {
    console.log(`${name} ${password.made}`)
    console.error(`The password of ${name} is shown only now.`)
  }
}

async function createAndPrintKey({ metadata: database }: OpenMetadata): Promise<void> {
  const now = Date.now()
  const [name, scope] = [keyName(), keyScope(now)]
  const { websites } = metadata(database, now)
  for (const id of scope.admin ? [] : scope.websiteIds) {
    if (!(await websites.read(id))) throw new Error(`There is no website ${id}.`)
  }
  console.log(await createKey(database, name, scope, now))
  console.error('This key is shown only now.')
}

async function printKeyScript(): Promise<void> {
  const { key, inserts } = await prepareKey(keyName(), keyScope(Date.now()), Date.now())
  console.log(asScript(inserts))
  console.error(`${key}\nThis key is shown only now; it works once the statements have run.`)
}

const told = (moment: number | null): string => (moment === null ? 'never' : new Date(moment).toISOString())

const keyName = (): string => checked(nameOf(255), needed('name'), '--name')

const givenWebsites = (): string[] => checked(z.array(websiteId), values.website ?? [], '--website')

function keyScope(now: number): KeyScope {
  const websiteIds = givenWebsites()
  if (values.admin === websiteIds.length > 0) throw new Error('Give either --admin, or --website for each website.')
  const expiresAt = values.expires === undefined ? undefined : Date.parse(checked(moment, values.expires, '--expires'))
  if (expiresAt !== undefined && expiresAt <= now) throw new Error('--expires must be later than now.')
  const limits = {
    access: values.write ? ('write' as const) : undefined,
    origins: checked(origins.optional(), values.origin, '--origin'),
    expiresAt,
  }
  return values.admin ? { admin: true, ...limits } : { admin: false, websiteIds, ...limits }
}

function needed(flag: 'name' | 'domain'): string {
  const value = values[flag]
  if (!value) throw new Error(`--${flag} is needed.`)
  return value
}

/** Commands that make something make the data folder too; for the others one that is not there was mistyped. */
const making = /^(migrate|\w+ create)$/

function openFolder(): void {
  if (existsSync(dataDir)) return
  if (!making.test(positionals.slice(0, 2).join(' '))) throw new Error(`There is no data folder ${dataDir}.`)
  makePrivate(dataDir)
}

async function withClickHouse(work: (clickhouse: ClickHouse) => Promise<void>): Promise<void> {
  if (!process.env.CLICKHOUSE_URL) openFolder()
  const clickhouse = await useClickHouse(dataDir)
  await work(clickhouse).finally(clickhouse.close)
}

function metadataOfFolder(): Promise<OpenMetadata> {
  openFolder()
  return openMetadata(dataDir)
}

async function withMetadata(work: (workerd: OpenMetadata) => Promise<void>): Promise<void> {
  const workerd = await metadataOfFolder()
  await migrateMetadata(workerd.metadata)
    .then(() => work(workerd))
    .finally(workerd.close)
}

async function main(): Promise<void> {
  const [first = '', second = '', ...rest] = positionals
  const two = commands[`${first} ${second}`]
  const one = commands[first]
  if (values.help || !(two ?? one)) {
    console.log(help)
    process.exitCode = values.help ? 0 : 2
    return
  }
  await (two ? two(rest) : one!(positionals.slice(1)))
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
