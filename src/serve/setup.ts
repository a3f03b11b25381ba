import { usableSecret } from '../access/tokens.ts'
import { readEveryTable, TablesMissing } from '../clickhouse/every-table.ts'
import { sha256 } from '../sha256.ts'
import { escaped } from './badge.ts'
import { replicasOf } from './clickhouse-route.ts'
import type { Exchange } from './exchange.ts'
import { log } from './log.ts'
import { nothingHere, pageHeaders, textOfFile } from './pages.ts'
import { readiness } from './ready.ts'

/** How often the code changes, in milliseconds. The previous code remains valid. */
const codeLasts = 600_000

/** The timeout for a replica, in milliseconds. */
const setupPatience = 5000

/** This isolate's own secret, used to create codes as long as the Worker has no secret. */
let ofIsolate: string | undefined

/** Something that a new Worker still lacks, and the command to set it up. */
interface Lack {
  readonly what: string
  readonly command: string
}

/**
 * The set-up page of a new Worker. With a code from the Worker's log, it shows what is missing, with commands; without
 * one, it tells where to find the code. Once nothing is missing, the page no longer exists.
 */
export async function answerSetup(exchange: Exchange): Promise<Response> {
  const { url, now } = exchange
  const [code, before] = await Promise.all([now, now - codeLasts].map((moment) => codeAt(moment, exchange)))
  const given = url.searchParams.get('code')
  if (given === code || given === before) return answerLacks(exchange, await lacksOf(exchange))
  const isReady = await Promise.all([readiness(exchange), hasUser(exchange)]).then(
    ([, isThere]) => isThere,
    () => false,
  )
  if (isReady) throw nothingHere()
  log(exchange, { setup: `/setup?code=${code}` })
  const what = 'This Worker’s log contains the URL of a page that shows what is missing.'
  return answerLacks(exchange, [{ what, command: `npx wrangler tail ${url.hostname.split('.')[0]}` }])
}

const codeAt = async (moment: number, { env }: Exchange): Promise<string> => {
  ofIsolate ??= crypto.randomUUID()
  const secret = usableSecret(env.AUTH_SECRET) || env.CLICKHOUSE_PASSWORD || ofIsolate
  const text = `setup ${Math.floor(moment / codeLasts)} ${secret}`
  return (await sha256(new TextEncoder().encode(text))).slice(0, 32)
}

async function answerLacks(exchange: Exchange, lacks: readonly Lack[]): Promise<Response> {
  const html = await textOfFile('/setup.html', exchange)
  const items = lacks.map(({ what, command }) => `<p>${escaped(what)}</p><pre>${escaped(command)}</pre>`)
  const missing = items.length > 0 ? items.join('\n') : '<p>Nothing is missing.</p>'
  const own = { ...pageHeaders, 'Cache-Control': 'private, no-store', 'Content-Type': 'text/html; charset=utf-8' }
  return exchange.respond(
    html.replace('<div id="missing"></div>', () => missing),
    200,
    own,
  )
}

async function hasUser({ metadata }: Exchange): Promise<boolean> {
  return (await metadata.store.first('SELECT 1 FROM users LIMIT 1')) !== undefined
}

async function lacksOf(exchange: Exchange): Promise<Lack[]> {
  const found = await Promise.all([lackOfSecret(exchange), lackOfUsers(exchange), lackOfClickHouse(exchange)])
  return found.filter((lack) => lack !== undefined)
}

const lackOfSecret = ({ env }: Exchange): Lack | undefined =>
  usableSecret(env.AUTH_SECRET) !== undefined
    ? undefined
    : {
        what: 'AUTH_SECRET has fewer than 32 characters: nobody can sign in.',
        command: 'openssl rand -base64 32 | npx wrangler secret put AUTH_SECRET',
      }

const lackOfUsers = (exchange: Exchange): Promise<Lack | undefined> =>
  hasUser(exchange).then(
    (isThere) =>
      isThere
        ? undefined
        : {
            what: 'There is no user.',
            command:
              'npx wrangler d1 execute METADATA --remote ' +
              '--file "$(npm run --silent weir -- user create --username me --role admin --sql)"',
          },
    () => ({ what: 'D1 has no tables.', command: 'npx wrangler d1 migrations apply METADATA --remote' }),
  )

async function lackOfClickHouse({ env }: Exchange): Promise<Lack | undefined> {
  try {
    for (const replica of replicasOf(env).all) await readEveryTable(replica, setupPatience)
    return undefined
  } catch (error) {
    if (error instanceof TablesMissing) {
      return {
        what: `ClickHouse lacks tables, or rights to read them: ${error.message}.`,
        command:
          "export CLICKHOUSE_URL='https://ADMIN:PASSWORD@HOST:8443/?database=weir'\nnpm run weir -- migrate && npm run weir -- access",
      }
    }
    return {
      what:
        `ClickHouse cannot be read: ${error instanceof Error ? error.message : error}. ` +
        'Workers have no fixed IP addresses, so its list of allowed addresses must allow all.',
      command:
        'npx wrangler secret put CLICKHOUSE_URL\nnpx wrangler secret put CLICKHOUSE_USER\nnpx wrangler secret put CLICKHOUSE_PASSWORD',
    }
  }
}
