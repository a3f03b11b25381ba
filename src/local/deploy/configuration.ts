import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fnv1a } from '../../fnv.ts'
import { root } from '../paths.ts'
import { config } from '../start/wrangler-toml.ts'
import { Misuse } from '../told/misuse.ts'

type Limiter = (typeof config.ratelimits)[number]
type Limits = typeof config.vars.RATE_LIMITS

/** What a deployment has of its own. */
interface Deployment {
  /** The name of the Worker, and of its D1. */
  readonly name: string
  /** The account of Cloudflare. Without it, wrangler asks, or takes the only one. */
  readonly account?: string | undefined
  /** The host where the Worker answers; empty: that of workers.dev. */
  readonly domain: string
  /** Where D1 and the logs of collection lie; empty: anywhere. */
  readonly jurisdiction: string
  /** The id of D1, once there is one. */
  readonly database?: string | undefined
  /** Further parts of wrangler's configuration. */
  readonly further: object
  /** Variables of the Worker: texts, or JSON of objects and lists. */
  readonly variables: Readonly<Record<string, string>>
}

/** The folder of static files, beside the configuration. */
export const pagesBeside = (file: string): string => `${dirname(file)}/pages`

/** Writes the configuration of a deployment, made from `wrangler.toml`. Paths in it begin at its own folder. */
export function writeConfiguration(file: string, deployment: Deployment): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(configurationOf(deployment, relative(dirname(file), root)), null, 2))
}

/** The configuration for wrangler. What `WEIR_WRANGLER` says wins. */
function configurationOf(deployment: Deployment, toRoot: string): object {
  const { name, account, domain, database, further } = deployment
  const { d1_databases, assets, ratelimits, vars, ...whole } = config
  const variables = variablesOf(deployment)
  const limits = variables.RATE_LIMITS
  return {
    ...{ ...whole, name, main: `${toRoot}/${whole.main}` },
    ...(account && { account_id: account }),
    ...(domain && { routes: [{ pattern: domain, custom_domain: true }] }),
    ...{ workers_dev: domain === '', preview_urls: false },
    assets: { ...assets, directory: 'pages' },
    d1_databases: d1_databases.flatMap((one) =>
      database === undefined
        ? []
        : [{ ...one, database_name: name, database_id: database, migrations_dir: `${toRoot}/${one.migrations_dir}` }],
    ),
    ratelimits: ratelimits.flatMap((one) => (limits[one.name] ? [{ ...one, ...limiterOf(name, one, limits) }] : [])),
    vars: variables,
    ...further,
  }
}

/** Limiters of one account with the same id count together, so each Worker has its own. */
const limiterOf = (worker: string, { name, namespace_id }: Limiter, limits: Limits) => ({
  namespace_id: worker === config.name ? namespace_id : String(fnv1a(`${worker} ${name}`) >>> 0),
  simple: limits[name],
})

/** The variables of the Worker. An object adds to that of `wrangler.toml`; what it calls null is taken away. */
function variablesOf({ domain, jurisdiction, variables }: Deployment) {
  const own = Object.entries(variables).map(([name, text]): [string, unknown] => {
    const usual = (config.vars as Readonly<Record<string, unknown>>)[name]
    const value = jsonOr(name, text)
    return [name, isObject(usual) && isObject(value) ? withoutNull({ ...usual, ...value }) : value]
  })
  return {
    ...config.vars,
    ...(domain && { PUBLIC_URL: `https://${domain}` }),
    ...(jurisdiction && { JURISDICTION: jurisdiction }),
    ...(Object.fromEntries(own) as Partial<typeof config.vars>),
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const withoutNull = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))

/** A setting as the Worker gets it: objects and lists are JSON. */
export function jsonOr(name: string, text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    throw new Misuse(`${name}: Must be JSON.`)
  }
}
