import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { weir } from '../support/commands.ts'
import { type Cloudflare, startCloudflare } from '../support/doubles/cloudflare.ts'
import { type KeepingUsers, startKeepingUsers } from '../support/doubles/keeping-users.ts'
import { spawned } from '../support/process.ts'
import { running } from '../support/weir.ts'

/** The real wrangler, on a stand-in of Cloudflare's API, and a ClickHouse that keeps users. */
let cloudflare: Cloudflare
let clickhouse: KeepingUsers
let folder: string
let file: string
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  folder = mkdtempSync(`${tmpdir()}/weir-deploy-`)
  file = `${folder}/.env`
  clickhouse = await startKeepingUsers(running.clickhouse)
  cloudflare = await startCloudflare()
  env = {
    ...{ PATH: process.env.PATH, HOME: folder, WRANGLER_LOG_PATH: `${folder}/logs` },
    ...{ CLOUDFLARE_API_TOKEN: 'token-of-the-operator', CLOUDFLARE_API_BASE_URL: cloudflare.api },
  }
  // All else is asked, or takes its default.
  const given = { CLICKHOUSE_URL: `${clickhouse.url}/?database=deployed`, PUBLIC_URL: cloudflare.url }
  const own = { WEIR_DOMAIN: 'weir.example.com', COLLECT_WINDOW: '7', CACHE: '{"open":1}', METRICS_TOKEN: 'of-metrics' }
  const lines = Object.entries({ ...given, ...own }).map(([name, value]) => `${name}='${value}'`)
  writeFileSync(file, lines.join('\n'))
})

afterAll(async () => {
  clickhouse.close()
  await cloudflare.close()
  rmSync(folder, { recursive: true, force: true })
})

const deploy = (...flags: string[]) => spawned('weir', ['deploy', '--settings', file, '--json', ...flags], env)

interface Result {
  readonly url: string
  readonly username: string
  readonly password?: string
  readonly website: string
  readonly tag: string
  readonly curl: string
}

/** The commands of wrangler in an output. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/^(?:\$ )?(npx wrangler .*?)(?: < .*)?$/gm)].map(([, command]) => command!)

describe('npm run weir -- deploy', () => {
  it('goes from the address of ClickHouse to a counted event', async () => {
    const planned = await deploy('--dry-run').ended
    expect([planned.code, planned.stderr, cloudflare.requests]).toEqual([0, '', []])

    const { code, stdout, stderr } = await deploy().ended
    expect([code, stderr]).toEqual([0, expect.stringContaining('11/11 ')])
    const made = JSON.parse(stdout) as Result
    expect(made).toMatchObject({ url: cloudflare.url, username: 'admin' })
    expect(made.tag).toBe(
      `<script defer src="${cloudflare.url}/script.js" data-website-id="${made.website}"></script>`,
    )
  })
})
