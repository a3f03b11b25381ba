import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { refuseTypos } from '../start/checked-variables.ts'
import { refuseUnreachable, serverOf } from '../storage/clickhouse-url.ts'
import { generatedPassword } from '../storage/users.ts'
import { explained } from '../told/explained.ts'
import { checked, Misuse } from '../told/misuse.ts'
import { copyModes } from './copies.ts'
import type { Settings } from './settings.ts'
import type { Ask } from './step.ts'

/** Where to ask questions and report invalid answers. */
interface Asking {
  readonly ask: Ask
  say(line: string): void
}

/** The jurisdictions for D1 and Durable Objects. The empty one means anywhere. */
const jurisdictions = ['', 'eu', 'us', 'fedramp']

const host = z
  .string()
  .max(253)
  .regex(/^(?!-)([a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/, { error: 'Must be a host such as weir.example.com.' })

interface Question {
  readonly name: string
  readonly text: string
  /** The default, for a person who only presses Enter, and for a script. */
  otherwise(): string
  readonly schema: z.ZodType<string>
}

const questionsFor = (settings: Settings): Question[] => [
  {
    name: 'WEIR_DOMAIN',
    text: 'The host for Weir, in a zone of your Cloudflare account, such as weir.example.com (empty: workers.dev, with a smaller cache)',
    otherwise: () => '',
    schema: z.literal('').or(host),
  },
  {
    name: 'WEIR_WEBSITE',
    text: 'The host of the website to count',
    otherwise: () => settings.get('WEIR_DOMAIN')?.replace(/^[^.]+\.(?=[^.]+\.)/, '') || 'www.example.com',
    schema: host,
  },
  {
    name: 'WEIR_JURISDICTION',
    text: 'Must D1 and the event logs stay in a jurisdiction (eu, us or fedramp)? It cannot be changed later (empty: no)',
    otherwise: () => '',
    schema: z.string().refine((one) => jurisdictions.includes(one), { error: 'Must be eu, us, fedramp or empty.' }),
  },
  {
    name: 'WEIR_D1_COPIES',
    text: 'D1 copies near readers on other continents, for a busy Weir (auto or disabled; empty: no change)',
    otherwise: () => '',
    schema: z.string().refine((one) => copyModes.includes(one), { error: 'Must be auto, disabled or empty.' }),
  },
]

/**
 * Completes the settings that a deployment needs. Asks for each, with a default and a check, and stores each answer
 * immediately. Without a terminal, uses the defaults, and throws if a setting has none. Generates the secrets.
 */
export async function complete(settings: Settings, asking: Asking): Promise<void> {
  refuseTypos(settings.ofWorker)
  await completeClickHouse(settings, asking)
  for (const question of questionsFor(settings)) {
    const { name, text, otherwise, schema } = question
    const given = settings.get(name)
    const check = (answer: string) => checked(schema, answer, name)
    if (given !== undefined) check(given)
    else settings.keep(name, await answerTo(text, otherwise(), asking, check))
  }
  const passwords = ['READER', 'VISITOR', 'WRITER', 'SEALER'].map((user) => `WEIR_${user}_PASSWORD`)
  for (const name of passwords) if (!settings.get(name)) settings.keep(name, randomBytes(24).toString('base64url'))
  if (!settings.get('WEIR_ADMIN_PASSWORD')) settings.keep('WEIR_ADMIN_PASSWORD', generatedPassword())
}

/** Asks for the address of ClickHouse until a server answers there. */
async function completeClickHouse(settings: Settings, asking: Asking): Promise<void> {
  const known = settings.get('CLICKHOUSE_URL')
  if (known !== undefined) return refuseUnreachable(serverOf({ CLICKHOUSE_URL: known }))
  if (!asking.ask) throw new Misuse(`Set CLICKHOUSE_URL in ${settings.file}: there is no terminal to ask.`)
  for (;;) {
    try {
      const url = await askForClickHouse(asking)
      await refuseUnreachable(serverOf({ CLICKHOUSE_URL: url }))
      return settings.keep('CLICKHOUSE_URL', url)
    } catch (error) {
      if (error instanceof NoAnswer) throw error
      asking.say(explained(error))
    }
  }
}

async function askForClickHouse(asking: Asking): Promise<string> {
  const address = await answerTo('The address of ClickHouse, such as https://host:8443', undefined, asking)
  const user = await answerTo('Its admin', 'default', asking)
  const hidden: Ask = asking.ask && ((question) => asking.ask!(question, true))
  const password = await answerTo('The password of this admin', '', { ...asking, ask: hidden })
  const database = await answerTo('The database of Weir', 'weir', asking)
  const whole = /^https?:\/\//.test(address) ? address : `https://${address}`
  if (!URL.canParse(whole)) return whole
  const url = new URL(whole)
  if (url.port === '' && url.protocol === 'https:') url.port = '8443'
  Object.assign(url, { username: encoded(user), password: encoded(password) })
  url.searchParams.set('database', database)
  return url.href
}

/** Percent-encoded, including single quotes, because the settings file puts values into single quotes. */
const encoded = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27')

class NoAnswer extends Error {}

/** Asks until an answer passes the check. An empty answer means the default. */
async function answerTo(
  text: string,
  otherwise: string | undefined,
  { ask, say }: Asking,
  check = (answer: string): string => answer,
): Promise<string> {
  if (!ask) return check(otherwise ?? '')
  for (;;) {
    const answer = (await ask(`${text}${otherwise ? ` [${otherwise}]` : ''}: `)).trim() || otherwise
    if (answer === undefined) throw new NoAnswer('Nothing was answered. Run the command again.')
    try {
      return check(answer)
    } catch (error) {
      say(explained(error))
    }
  }
}
