import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { privateFile } from '../machine/private-folder.ts'
import { makePages } from '../start/pages.ts'
import { jsonOr } from '../start/wrangler-toml.ts'
import { asScript, entryOfCommand } from '../storage/metadata.ts'
import { newSecret } from '../storage/shared-metadata.ts'
import { prepareUser } from '../storage/users.ts'
import { Misuse } from '../told/misuse.ts'
import { printable } from '../told/printable.ts'
import { clickHouseSecrets } from './clickhouse-steps.ts'
import { pagesBeside, writeConfiguration } from './configuration.ts'
import { copySteps } from './copies.ts'
import { isSecret } from './settings.ts'
import type { Run, Step } from './step.ts'
import type { Words } from './wrangler.ts'

/** The name of the first user. */
export const firstUsername = 'admin'

const whoami: Words = ['whoami', '--json']
const listDatabases: Words = ['d1', 'list', '--json']
const migrate: Words = ['d1', 'migrations', 'apply', 'METADATA', '--remote']
const execute: Words = ['d1', 'execute', 'METADATA', '--remote', '--yes', '--json']
const countUsers: Words = [...execute, '--command', 'SELECT count(*) AS users FROM users']
const listSecrets: Words = ['secret', 'list', '--format', 'json']
const storeSecrets: Words = ['secret', 'bulk']
const upload: Words = ['deploy']

const createDatabase = ({ settings, name }: Run): Words => {
  const jurisdiction = settings.get('WEIR_JURISDICTION')
  return ['d1', 'create', name, ...(jurisdiction ? ['--jurisdiction', jurisdiction] : [])]
}

/** The steps that use Cloudflare, through wrangler. */
export function cloudflareSteps(run: Run): Step[] {
  const { name, settings, wrangler } = run
  const lines = (...all: readonly Words[]): string[] => all.map((words) => wrangler.line(words))
  const domain = settings.get('WEIR_DOMAIN')
  return [
    { says: 'Checks whether wrangler is signed in to Cloudflare.', commands: lines(whoami), work: () => signIn(run) },
    {
      says: `Creates the D1 ${name} for users, websites and keys, unless it exists.`,
      commands: lines(listDatabases, createDatabase(run)),
      work: () => findDatabase(run),
    },
    ...copySteps(run),
    {
      says: 'Applies new migrations to D1.',
      commands: lines(migrate),
      work: async () => void (await wrangler.run(migrate)),
    },
    {
      says: `Creates the first user, ${firstUsername}, if D1 has no users.`,
      commands: lines(countUsers, [...execute, '--file', 'create-user.sql']),
      work: () => makeFirstUser(run),
    },
    {
      says: `Stores the secrets of the Worker ${name}. They are passed through stdin.`,
      commands: lines(listSecrets, storeSecrets),
      work: () => storeAllSecrets(run),
    },
    {
      says: `Deploys the Worker ${name}${domain ? ` to ${domain}` : ''}.`,
      commands: ['npm run pages', ...lines(upload)],
      work: () => uploadWorker(run),
    },
  ]
}

/** Writes the configuration with the settings and ids that are known so far. */
function configure({ configuration, name, settings, found }: Run): void {
  const variables = Object.entries(settings.ofWorker).filter(([variable]) => !isSecret(variable, settings.ofWorker))
  writeConfiguration(configuration, {
    ...{ name, ...found, variables: Object.fromEntries(variables) },
    further: Object(jsonOr('WEIR_WRANGLER', settings.get('WEIR_WRANGLER') || '{}')) as object,
    ...{ domain: settings.get('WEIR_DOMAIN') ?? '', jurisdiction: settings.get('WEIR_JURISDICTION') ?? '' },
  })
}

/** Signs in to Cloudflare if needed, and finds the account. */
export async function signIn(run: Run): Promise<void> {
  const { wrangler, ask, settings } = run
  configure(run)
  const isSignedIn = () =>
    wrangler.run(whoami).catch((error: Error) => {
      if (!/"loggedIn": ?false/.test(error.message)) throw error
      return undefined
    })
  let known = await isSignedIn()
  if (known === undefined && ask) {
    await wrangler.run(['login'], { asks: true })
    known = await isSignedIn()
  }
  if (known === undefined) {
    throw new Misuse(
      `wrangler is not signed in. Sign in: npx wrangler login. Or set CLOUDFLARE_API_TOKEN in ${settings.file}.`,
    )
  }
  const { accounts } = JSON.parse(known) as { accounts: readonly { readonly id: string; readonly name: string }[] }
  run.found.account = await chosenAccount(run, accounts)
  configure(run)
}

async function chosenAccount(
  { settings, ask }: Run,
  accounts: readonly { readonly id: string; readonly name: string }[],
): Promise<string> {
  const chosen = settings.get('CLOUDFLARE_ACCOUNT_ID')
  if (chosen) return chosen
  if (accounts.length === 1) return accounts[0]!.id
  const list = accounts.map(({ id, name }) => `${id} ${printable(name)}`).join('\n')
  const answer = (await ask?.(`${list}\nThe id of the account: `))?.trim()
  if (!accounts.some(({ id }) => id === answer)) {
    throw new Misuse(`Set CLOUDFLARE_ACCOUNT_ID in ${settings.file} to one of these accounts:\n${list}`)
  }
  settings.keep('CLOUDFLARE_ACCOUNT_ID', answer!)
  return answer!
}

interface Database {
  readonly name: string
  readonly uuid: string
  readonly jurisdiction?: string | null
}

async function findDatabase(run: Run): Promise<void> {
  const { wrangler, name, settings, found, say } = run
  const known = JSON.parse(await wrangler.run(listDatabases)) as Database[]
  const database = known.find((one) => one.name === name)
  const wanted = settings.get('WEIR_JURISDICTION') ?? ''
  if (database && database.jurisdiction !== undefined && (database.jurisdiction ?? '') !== wanted) {
    throw new Misuse(
      `The D1 ${name} is in the jurisdiction ${database.jurisdiction || '(none)'}, which cannot change. ` +
        `Set WEIR_JURISDICTION in ${settings.file} to this value, or choose another WEIR_WORKER.`,
    )
  }
  if (database) say(`The D1 ${name} exists.`)
  found.database = database?.uuid ?? (await makeDatabase(run, wanted))
  configure(run)
}

/** Creates D1 and returns its id. */
async function makeDatabase(run: Run, jurisdiction: string): Promise<string> {
  const create = createDatabase(run)
  const said = await run.wrangler.run(create).catch((error: Error) => {
    if (!error.message.includes('Invalid values')) throw error
    throw new Error(
      `This version of wrangler does not support the jurisdiction ${jurisdiction}. Use a newer one: ` +
        `npx wrangler@latest ${create.join(' ')}\nThen run this command again.`,
    )
  })
  const id = /database_id"?\s*[:=]\s*"([\da-f-]{36})"/.exec(said)?.[1]
  if (id === undefined)
    throw new Error(`wrangler created the D1 ${run.name} but did not print its id. Run the command again.`)
  return id
}

async function makeFirstUser({ wrangler, settings, found, say }: Run): Promise<void> {
  const [answer] = JSON.parse(await wrangler.run(countUsers)) as { results: { users: number }[] }[]
  if (answer?.results[0]?.users) return say('D1 has users.')
  const id = randomUUID()
  const user = { id, username: firstUsername, password: settings.get('WEIR_ADMIN_PASSWORD')!, role: 'admin' } as const
  const statements = [await prepareUser(user, Date.now()), entryOfCommand('deploy', [], { id })]
  const file = privateFile('create-user.sql', `${asScript(statements)}\n`)
  try {
    await wrangler.run([...execute, '--file', file])
  } finally {
    rmSync(dirname(file), { recursive: true, force: true })
  }
  found.isFirst = true
}

/** Whether wrangler failed because there is no such Worker, judging by Cloudflare's error codes. */
export const isNoWorker = ({ message }: Error): boolean =>
  /\[code: 100(07|90)\]|not found|does not exist/i.test(message)

async function storeAllSecrets({ wrangler, settings, name }: Run): Promise<void> {
  if (!settings.get('AUTH_SECRET')) {
    const stored = await wrangler.run(listSecrets).catch((error: Error) => {
      if (!isNoWorker(error)) throw error
      return '[]'
    })
    if (/"AUTH_SECRET"/.test(stored)) {
      throw new Misuse(
        `The Worker ${name} has an AUTH_SECRET that is missing in ${settings.file}. Add it there. ` +
          'Any other value of 32 characters also works, but it signs out all users and begins new visitor sessions.',
      )
    }
    settings.keep('AUTH_SECRET', newSecret())
  }
  const own = Object.entries(settings.ofWorker).filter(([variable]) => isSecret(variable, settings.ofWorker))
  const secrets = {
    ...clickHouseSecrets(settings),
    ...Object.fromEntries(own),
    AUTH_SECRET: settings.get('AUTH_SECRET'),
  }
  await wrangler.run(storeSecrets, { input: JSON.stringify(secrets) })
}

async function uploadWorker(run: Run): Promise<void> {
  const { wrangler, settings, found, ask } = run
  await refuseTakenDomain(run)
  await makePages(pagesBeside(run.configuration))
  const folder = mkdtempSync(`${tmpdir()}/weir-deploy-`)
  const output = `${folder}/output`
  try {
    // wrangler may ask for a name below workers.dev.
    await wrangler.run(upload, { env: { WRANGLER_OUTPUT_FILE_PATH: output }, asks: ask !== undefined })
    const lines = readFileSync(output, 'utf8').trim().split('\n')
    const entries = lines.map((line) => JSON.parse(line) as { readonly type: string; readonly targets?: string[] })
    const [target = ''] = entries.find(({ type }) => type === 'deploy')?.targets ?? []
    const host = settings.get('WEIR_DOMAIN') || target.replace(/^https?:\/\//, '')
    found.url = settings.ofWorker.PUBLIC_URL?.replace(/\/$/, '') ?? `https://${host}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** If wrangler cannot ask anyone, it replaces the domain's DNS record, which may belong to a website. */
async function refuseTakenDomain({ settings, ask, isSure }: Run): Promise<void> {
  const domain = settings.get('WEIR_DOMAIN')
  if (!domain || ask || isSure) return
  const isThere = await lookup(domain).catch(() => undefined)
  if (!isThere) return
  const answer = await fetch(`https://${domain}/health`).catch(() => undefined)
  if (answer && (await answer.text()) === '{"ok":true}') return
  throw new Misuse(
    `${domain} has a DNS record, but no Weir answers there. To replace it, add --yes. Or choose another WEIR_DOMAIN.`,
  )
}
