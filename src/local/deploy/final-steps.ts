import { setTimeout as pause } from 'node:timers/promises'
import { scriptTag } from '../script-tag.ts'
import { shellWord } from '../told/shell-word.ts'
import { firstUsername } from './cloudflare-steps.ts'
import type { Step, Run as WholeRun } from './step.ts'

/** What these steps need of a deployment. */
type Run = Pick<WholeRun, 'settings' | 'found' | 'name' | 'say'>

/** How many times to try the new Worker, and the pause in between, in milliseconds. A new domain takes minutes. */
const [tries, patience] = [60, 3000]

/** How many times a Worker may answer that it is not ready, because its secrets may be new. */
const readyTries = 3

/** The steps that send requests to the deployed Worker. */
export const finalSteps = (run: Run): Step[] => [
  {
    says: 'Checks whether the Worker answers and can read ClickHouse and D1.',
    commands: [`curl ${urlOf(run)}/ready`],
    work: () => waitForWorker(run),
  },
  {
    says: 'Creates the first website, if the first user has none.',
    commands: [`curl ${urlOf(run)}/api/auth/login -d …`, `curl ${urlOf(run)}/api/websites -d …`],
    work: () => makeFirstWebsite(run),
  },
]

const urlOf = ({ found, settings, name }: Run): string =>
  found.url ?? `https://${settings.get('WEIR_DOMAIN') || `${name}.ACCOUNT.workers.dev`}`

async function waitForWorker(run: Run): Promise<void> {
  const url = urlOf(run)
  let unready = 0
  for (let left = tries; left > 0; left--) {
    const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined)
    const isOurs = response !== undefined && /^\{"(ok|error)":/.test(await response.text())
    if (isOurs && response.ok) return
    if (isOurs && ++unready >= readyTries) throw new Error(unreadyText(url))
    await pause(patience)
  }
  throw new Error(
    `${url} does not answer. A new domain or its certificate may take a few more minutes. Try this command later.`,
  )
}

const unreadyText = (url: string): string =>
  `The Worker runs at ${url}, but cannot read ClickHouse, although this machine can. Workers have no fixed addresses: ` +
  'allow all addresses in the access list of ClickHouse Cloud, or in your firewall. Then run this command again. ' +
  'The log says more: npx wrangler tail'

interface Website {
  readonly id: string
}

/** The statuses of an answer that refuses the first user, not the request itself. */
const refusals = [401, 403, 429]

/** The Worker does not let the first user in. The message says why. */
class NotLetIn extends Error {}

/** Sends a request to the Worker, a POST if it has a body. */
async function asked<Body>(address: string, body: object | undefined, token?: string): Promise<Body> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(address, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
  if (answer.ok) return (await answer.json()) as Body
  const refusal = (await answer.json().catch(() => ({}))) as { readonly error?: { readonly message: string } }
  const why = refusal.error?.message ?? `The answer is ${answer.status}.`
  throw refusals.includes(answer.status) ? new NotLetIn(why) : new Error(`${address}: ${why}`)
}

/** Does nothing if the first user cannot sign in with the password alone: the Worker is deployed all the same. */
async function makeFirstWebsite(run: Run): Promise<void> {
  const { settings, found, say } = run
  const [url, password] = [urlOf(run), settings.get('WEIR_ADMIN_PASSWORD')]
  try {
    const { token } = await asked<{ token?: string }>(`${url}/api/auth/login`, { username: firstUsername, password })
    if (token === undefined) throw new NotLetIn('This user has a second factor.')
    const { data } = await asked<{ data: Website[] }>(`${url}/api/websites?pageSize=1`, undefined, token)
    const domain = settings.get('WEIR_WEBSITE')!
    const website = data[0] ?? (await asked<Website>(`${url}/api/websites`, { name: domain, domain }, token))
    found.website = website.id
  } catch (error) {
    if (!(error instanceof NotLetIn)) throw error
    const who = `${firstUsername} with WEIR_ADMIN_PASSWORD`
    say(`Cannot sign in as ${who} to look for websites: ${error.message} Create the first one at ${url}/websites.`)
  }
}

/** The result of a deployment for its operator. */
export function result({ settings, found, name }: Run) {
  const { url = '', website, isFirst = false } = found
  const payload = { website, hostname: settings.get('WEIR_WEBSITE'), url: '/', name: 'hello' }
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Firefox/130.0'
  const words = [
    'curl',
    `${url}/api/send`,
    '-H',
    `User-Agent: ${agent}`,
    '-d',
    JSON.stringify({ type: 'event', payload }),
  ]
  return {
    ...{ name, url, username: firstUsername },
    ...(isFirst && { password: settings.get('WEIR_ADMIN_PASSWORD') }),
    ...(website && { website, tag: scriptTag(url, website), curl: words.map(shellWord).join(' ') }),
  }
}

/** The result as text, for a person. */
export function told({ url, username, password, tag, curl }: ReturnType<typeof result>, file: string): string {
  const how = password ? `password ${password}` : `the password in ${file}, WEIR_ADMIN_PASSWORD, unless it was changed`
  const more = tag
    ? `\n  To count the visits to a page, add this tag to it:\n  ${tag}\n\n  Send an event:\n  ${curl}\n`
    : ''
  return `\n  Weir is running: ${url}/websites\n  Sign in as ${username}, ${how}\n${more}`
}
