import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fnv1a } from '../../fnv.ts'
import { root } from '../paths.ts'
import { config, merged } from '../start/wrangler-toml.ts'

type Limiter = (typeof config.ratelimits)[number]
type Limits = typeof config.vars.RATE_LIMITS

/** The settings that differ between deployments. */
interface Deployment {
  /** The name of the Worker, and of its D1. */
  readonly name: string
  /** The Cloudflare account. Without it, wrangler asks, or uses the only one. */
  readonly account?: string | undefined
  /** The host of the Worker. If empty, the Worker's host is below workers.dev. */
  readonly domain: string
  /** The jurisdiction of D1 and the collection logs. If empty, they may be anywhere. */
  readonly jurisdiction: string
  /** The id of D1, once it exists. */
  readonly database?: string | undefined
  /** Additional parts of wrangler's configuration. */
  readonly further: object
  /** The Worker's variables. Each is a text, or an object or a list as JSON. */
  readonly variables: Readonly<Record<string, string>>
}

/** The folder for static files, which is beside the configuration. */
export const pagesBeside = (file: string): string => `${dirname(file)}/pages`

/** Writes a deployment's configuration, which is based on `wrangler.toml`. Its paths are relative to its own folder. */
export function writeConfiguration(file: string, deployment: Deployment): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(configurationOf(deployment, relative(dirname(file), root)), null, 2))
}

/** The configuration for wrangler. `WEIR_WRANGLER` overrides the rest. */
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

/** Rate limiters with the same id share their count within an account, so each Worker has its own ids. */
const limiterOf = (worker: string, { name, namespace_id }: Limiter, limits: Limits) => ({
  namespace_id: worker === config.name ? namespace_id : String(fnv1a(`${worker} ${name}`) >>> 0),
  simple: limits[name],
})

/** The variables of the Worker. An object is merged into the one in `wrangler.toml`; null removes a key. */
function variablesOf({ domain, jurisdiction, variables }: Deployment) {
  const usual: Readonly<Record<string, unknown>> = config.vars
  const own = Object.entries(variables).map(([name, text]) => [name, merged(usual[name], name, text)])
  return {
    ...config.vars,
    ...(domain && { PUBLIC_URL: `https://${domain}` }),
    ...(jurisdiction && { JURISDICTION: jurisdiction }),
    ...(Object.fromEntries(own) as Partial<typeof config.vars>),
  }
}
