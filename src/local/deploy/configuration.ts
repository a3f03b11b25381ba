import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fnv1a } from '../../fnv.ts'
import { root } from '../paths.ts'
import { config } from '../start/wrangler-toml.ts'
import { Misuse } from '../told/misuse.ts'

/** What a deployment has of its own. */
export interface Deployment {
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
  /** Variables of the Worker: texts, or JSON of objects and lists. */
  readonly variables: Readonly<Record<string, string>>
}

/** The folder of static files, beside the configuration. */
export const pagesBeside = (file: string): string => `${dirname(file)}/pages`

/** Writes the configuration of a deployment, made from `wrangler.toml`, as JSON. Paths in it begin at its own folder. */
export function writeConfiguration(file: string, deployment: Deployment): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(configurationOf(deployment, relative(dirname(file), root)), null, 2))
}

function configurationOf(deployment: Deployment, toRoot: string): object {
  const { name, account, domain, jurisdiction, database } = deployment
  const { env: _, d1_databases, vars, assets, ratelimits, ...whole } = config
  const own = Object.fromEntries(Object.entries(deployment.variables).map(([key, text]) => [key, parsed(key, text)]))
  const limits = { ...vars.RATE_LIMITS, ...(own.RATE_LIMITS as object) } as typeof vars.RATE_LIMITS
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
    // Limiters of one account with the same id count together.
    ratelimits: ratelimits.map((one) => ({
      ...one,
      ...(name !== config.name && { namespace_id: String(fnv1a(`${name} ${one.name}`) >>> 0) }),
      simple: limits[one.name],
    })),
    vars: {
      ...{ ...vars, ...own, RATE_LIMITS: limits },
      ...(domain && own.PUBLIC_URL === undefined && { PUBLIC_URL: `https://${domain}` }),
      ...(jurisdiction && { JURISDICTION: jurisdiction }),
    },
  }
}

/** A variable as the Worker gets it. */
function parsed(name: string, text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    throw new Misuse(`${name}: Must be JSON.`)
  }
}
