import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { clickHouseSecrets } from '../src/local/deploy/clickhouse-steps.ts'
import { writeConfiguration } from '../src/local/deploy/configuration.ts'
import { root } from '../src/local/paths.ts'
import { config } from '../src/local/start/wrangler-toml.ts'

/** Checks how wrangler reacts to the edits of `wrangler.toml` in the docs. */
const asShipped = readFileSync(`${root}/wrangler.toml`, 'utf8')

const blocks = readdirSync(`${root}/docs`)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) =>
    [...readFileSync(`${root}/docs/${name}`, 'utf8').matchAll(/^```toml\n([\s\S]*?)^```/gm)].map(
      ([, block]): [string, string] => [name, block!],
    ),
  )

/** The first words of an edit, such as `routes =` or `[[vars.CLICKHOUSE_REPLICAS]]`. */
const headOf = (block: string): string => /^(\[.*\]|\w+ =)/.exec(block)![0]

/** `wrangler.toml` with the matching commented-out lines replaced by a block. */
function edited(text: string, block: string): string {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => line.startsWith(`# ${headOf(block)}`))
  if (first < 0) throw new Error(`wrangler.toml has no comment with ${headOf(block)}`)
  const next = lines.findIndex((line, index) => index > first && !line.startsWith('# '))
  return [...lines.slice(0, first), block, ...lines.slice(next)].join('\n')
}

describe('wrangler.toml', () => {
  it.each(blocks)('accepts the edit from %s instead of its comment', (_page, block) => {
    expect(parse(edited(asShipped, block))).toMatchObject(parse(block))
  })

  it('has commented-out lines that are valid settings without the #', () => {
    const samples = asShipped.replace(/^# (?=\[|\w+ = )/gm, '')
    const { routes, workers_dev, vars, analytics_engine_datasets, assets } = parse(samples) as Record<string, object>
    expect({ routes, workers_dev }).toEqual({
      routes: [{ pattern: 'weir.example.com', custom_domain: true }],
      workers_dev: false,
    })
    expect(vars).toMatchObject({ PUBLIC_URL: 'https://weir.example.com', CLICKHOUSE_REPLICAS: [{ name: 'frankfurt' }] })
    expect(analytics_engine_datasets).toHaveLength(1)
    expect(assets).toEqual((parse(asShipped) as Record<string, object>).assets)
  })

  it('deploys unmodified without warnings, which wrangler prints for a misplaced line', async () => {
    const folder = mkdtempSync(`${tmpdir()}/weir-deployment-`)
    const saidOf = (text: string) => {
      writeFileSync(`${folder}/wrangler.toml`, text)
      return dryRun(`${folder}/wrangler.toml`, smallWorker(folder), '--assets', 'docs')
    }
    expect(await saidOf(asShipped)).not.toContain('WARNING')
    const misplaced = asShipped.replace('[assets]\n', '[assets]\nroutes = []\n')
    expect(await saidOf(misplaced)).toContain('WARNING')
  })
})

describe("Cloudflare's Deploy button", () => {
  const { cloudflare, scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
    readonly cloudflare: { readonly bindings: Readonly<Record<string, { readonly description: string }>> }
    readonly scripts: Readonly<Record<string, string>>
  }

  it('asks for the secrets that the Worker needs and for the name of D1, each with a description', () => {
    const asked = Object.keys(parseEnv(readFileSync(`${root}/.dev.vars.example`, 'utf8'))).sort()
    expect(Object.keys(cloudflare.bindings).sort()).toEqual([...asked, 'METADATA'].sort())
    expect(Object.values(cloudflare.bindings).filter(({ description }) => description.length < 30)).toEqual([])
    const settings = { get: (name: string) => (name === 'CLICKHOUSE_URL' ? 'https://host' : name) }
    expect([...Object.keys(clickHouseSecrets(settings)), 'AUTH_SECRET'].sort()).toEqual(asked)
  })

  it('migrates D1 by its binding, so that the database may have any name', () => {
    const [database] = config.d1_databases
    expect(scripts.deploy).toContain(`wrangler d1 migrations apply ${database?.binding} --remote && wrangler deploy`)
  })
})

describe('the configuration that weir deploy writes', () => {
  it('contains all of the operator’s settings, and deploys without warnings', async () => {
    const file = `${mkdtempSync(`${tmpdir()}/weir-deployment-`)}/dist/weir-staging.json`
    const replica = { name: 'virginia', url: 'https://virginia.example:8443', latitude: 39, longitude: -77.5 }
    writeConfiguration(file, {
      ...{ name: 'weir-staging', account: 'account', domain: 'weir.example.com' },
      ...{ jurisdiction: 'eu', database: 'id-of-d1' },
      further: {
        analytics_engine_datasets: [{ binding: 'ANALYTICS', dataset: 'weir' }],
        ...{ cache: { enabled: false }, placement: { region: 'aws:eu-central-1' } },
      },
      variables: {
        CLICKHOUSE_REPLICAS: JSON.stringify([replica]),
        CACHE: '{"open":9}',
        RATE_LIMITS: '{"LIMIT_KEY":{"limit":5,"period":10},"LIMIT_SHARE":null}',
      },
    })
    mkdirSync(`${dirname(file)}/pages`)
    expect(await dryRun(file, smallWorker(dirname(file)))).not.toContain('WARNING')
    const made = JSON.parse(readFileSync(file, 'utf8')) as typeof config & { routes: unknown; workers_dev: boolean }
    expect(made).toMatchObject({
      ...{ account_id: 'account', workers_dev: false, assets: { directory: 'pages' } },
      routes: [{ pattern: 'weir.example.com', custom_domain: true }],
      d1_databases: [{ database_name: 'weir-staging', database_id: 'id-of-d1' }],
      analytics_engine_datasets: [{ dataset: 'weir' }],
      ...{ cache: { enabled: false }, placement: { region: 'aws:eu-central-1' } },
      vars: { PUBLIC_URL: 'https://weir.example.com', JURISDICTION: 'eu', CLICKHOUSE_REPLICAS: [replica] },
    })
    expect(made.vars.CACHE).toEqual({ ...config.vars.CACHE, open: 9 })
    const { LIMIT_KEY: _, LIMIT_SHARE: __, ...others } = config.vars.RATE_LIMITS
    expect(made.vars.RATE_LIMITS).toEqual({ LIMIT_KEY: { limit: 5, period: 10 }, ...others })
    const limiters = Object.fromEntries(made.ratelimits.map(({ name, simple }) => [name, simple]))
    expect(limiters).toEqual(made.vars.RATE_LIMITS)
    // Two Workers with the same limiter id would share a limiter.
    const ids = [...config.ratelimits, ...made.ratelimits].map((one) => one.namespace_id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

/** Writes a Worker with the classes of Weir's, because bundling Weir takes longer than reading a configuration. */
function smallWorker(folder: string): string {
  const classes = [...asShipped.matchAll(/^class_name = "(\w+)"/gm)].map(([, name]) => `export class ${name} {}\n`)
  writeFileSync(`${folder}/small.js`, `${classes.join('')}export default {}\n`)
  return `${folder}/small.js`
}

/** The output of `wrangler deploy --dry-run` with this configuration. */
async function dryRun(configuration: string, ...words: readonly string[]): Promise<string> {
  const folder = dirname(configuration)
  const { stdout, stderr } = await promisify(execFile)(
    `${root}/node_modules/.bin/wrangler`,
    ['deploy', ...words, '--dry-run', '--outdir', `${folder}/made`, '--config', configuration],
    { cwd: root, env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG_PATH: `${folder}/logs` } },
  )
  expect(stdout).toContain('--dry-run: exiting now.')
  return stdout + stderr
}
