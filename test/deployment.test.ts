import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { root } from '../src/local/paths.ts'

/** The edits of `wrangler.toml` in the docs, checked with wrangler. */
const asShipped = readFileSync(`${root}/wrangler.toml`, 'utf8')

const blocks = readdirSync(`${root}/docs`)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) =>
    [...readFileSync(`${root}/docs/${name}`, 'utf8').matchAll(/^```toml\n([\s\S]*?)^```/gm)].map(
      ([, block]): [string, string] => [name, block!],
    ),
  )

/** The beginning of an edit: `routes =`, `[[vars.CLICKHOUSE_REPLICAS]]`. */
const headOf = (block: string): string => /^(\[.*\]|\w+ =)/.exec(block)![0]

/** `wrangler.toml` with the matching commented lines replaced by a block. */
function edited(text: string, block: string): string {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => line.startsWith(`# ${headOf(block)}`))
  if (first < 0) throw new Error(`wrangler.toml has no comment with ${headOf(block)}`)
  const next = lines.findIndex((line, index) => index > first && !line.startsWith('# '))
  return [...lines.slice(0, first), block, ...lines.slice(next)].join('\n')
}

const topLevelOf = (text: string): object => {
  const { env, ...production } = parse(text)
  return production
}

describe('wrangler.toml', () => {
  it.each(blocks)('takes an edit of %s where it has the comment', (_page, block) => {
    expect(topLevelOf(edited(asShipped, block))).toMatchObject(parse(block))
  })

  it('has commented lines that mean the same without their #', () => {
    const samples = asShipped.replace(/^# (?=\[|\w+ = )/gm, '')
    const { routes, workers_dev, vars, analytics_engine_datasets, assets } = topLevelOf(samples) as Record<
      string,
      object
    >
    expect({ routes, workers_dev }).toEqual({
      routes: [{ pattern: 'weir.example.com', custom_domain: true }],
      workers_dev: false,
    })
    expect(vars).toMatchObject({ PUBLIC_URL: 'https://weir.example.com', CLICKHOUSE_REPLICAS: [{ name: 'frankfurt' }] })
    expect(analytics_engine_datasets).toHaveLength(1)
    expect(assets).toEqual((topLevelOf(asShipped) as Record<string, object>).assets)
  })

  it('deploys without a warning with all edits of the guide, which wrangler would warn of elsewhere', async () => {
    // The domain and the two regions of the guide.
    const edits = blocks.flatMap(([page, block]) => (page === 'deployment.md' ? [block] : []))
    expect(edits.length).toBeGreaterThan(1)
    expect(await saidOf(edits.reduce(edited, asShipped), '')).not.toContain('WARNING')
    const inAssets = asShipped.replace('\n[[d1_databases]]', 'routes = []\n\n[[d1_databases]]')
    expect(await saidOf(inAssets, '')).toContain('WARNING')
  })

  it('deploys staging as it is without a warning', async () => {
    expect(await saidOf(asShipped, 'staging')).not.toContain('WARNING')
  })
})

/** The output of `wrangler deploy --dry-run` with this configuration. */
async function saidOf(configuration: string, environment: string): Promise<string> {
  const folder = mkdtempSync(`${tmpdir()}/weir-deployment-`)
  writeFileSync(`${folder}/wrangler.toml`, configuration)
  const flags = ['--dry-run', '--outdir', `${folder}/made`, '--assets', 'docs', '--config', `${folder}/wrangler.toml`]
  const { stdout, stderr } = await promisify(execFile)(
    `${root}/node_modules/.bin/wrangler`,
    ['deploy', 'src/worker.ts', `--env=${environment}`, ...flags],
    { cwd: root, env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_LOG_PATH: `${folder}/logs` } },
  )
  expect(stdout).toContain('--dry-run: exiting now.')
  return stdout + stderr
}
