import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { finalSteps } from '../../src/local/deploy/final-steps.ts'
import { isSecret, settingsIn } from '../../src/local/deploy/settings.ts'
import type { Run } from '../../src/local/deploy/step.ts'
import { root } from '../../src/local/paths.ts'
import { codeAt } from '../support/codes.ts'
import { weir } from '../support/commands.ts'
import { type Cloudflare, startCloudflare } from '../support/doubles/cloudflare.ts'
import { type KeepingUsers, startKeepingUsers } from '../support/doubles/keeping-users.ts'
import { running } from '../support/weir.ts'

/** Uses the real wrangler, a stand-in for Cloudflare's API, and a ClickHouse double that stores users. */
let cloudflare: Cloudflare
let clickhouse: KeepingUsers
let folder: string
let file: string
let given: string
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
  // All other settings are asked for, or keep their defaults.
  const address = { CLICKHOUSE_URL: `${clickhouse.url}/?database=deployed`, PUBLIC_URL: cloudflare.url }
  const own = {
    WEIR_DOMAIN: 'weir.example.com',
    WEIR_D1_COPIES: 'auto',
    COLLECT_WINDOW: '7',
    CACHE: '{"open":1}',
    METRICS_TOKEN: 'of-metrics',
  }
  const lines = Object.entries({ ...address, ...own }).map(([name, value]) => `${name}='${value}'`)
  given = lines.join('\n')
  writeFileSync(file, given)
})

afterAll(async () => {
  clickhouse.close()
  await cloudflare.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The command's output, run in this process, which starts wrangler with these variables. */
async function inside(...words: string[]) {
  for (const name of ['HOME', 'WRANGLER_LOG_PATH']) vi.stubEnv(name, env[name])
  return weir([...words, '--settings', file, '--json'], { env }).finally(() => vi.unstubAllEnvs())
}

interface Result {
  readonly url: string
  readonly password?: string
  readonly website: string
  readonly tag: string
  readonly curl: string
}

/** The wrangler commands in an output, without the variable file names. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/^(?:\$ )?(npx wrangler .*?)(?: < .*)?$/gm)].map(([, one]) =>
    one!.replace(/\S+(?=create-user)/, ''),
  )

describe('npm run weir -- deploy', () => {
  it('deploys a Worker that counts an event', async () => {
    const planned = await inside('deploy', '--dry-run')
    expect([planned.code, planned.stderr, cloudflare.requests]).toEqual([0, '', []])
    expect(planned.stdout).toContain(`/d1/database/DATABASE --json '{"read_replication":{"mode":"auto"}}' -H "Auth`)
    expect(planned.stdout).toContain('# deploy makes the files of --config and --file')
    expect(readFileSync(file, 'utf8')).toBe(given)

    const { code, stdout, stderr } = await inside('deploy')
    expect([code, stderr]).toEqual([0, expect.stringContaining('12/12 ')])
    expect(stderr).toContain('Cloudflare needs one that is reachable from the Internet.')
    const ran = commandsIn(stderr)
    expect(ran.length).toBeGreaterThan(8)
    expect(ran.filter((command) => !commandsIn(planned.stdout).includes(command))).toEqual([])

    const { url, tag, website, curl, password } = JSON.parse(stdout) as Result
    expect([url, tag]).toEqual([
      cloudflare.url,
      `<script defer src="${url}/script.js" data-website-id="${website}"></script>`,
    ])
    expect(execFileSync('sh', ['-c', curl.replace(/^curl/, 'curl -s')], { encoding: 'utf8' })).toContain('"sessionId"')
    const headers = { 'content-type': 'application/json' }
    const signIn = { method: 'POST', headers, body: JSON.stringify({ username: 'admin', password }) }
    const { token } = (await (await fetch(`${url}/api/auth/login`, signIn)).json()) as { token: string }
    const stats = `${url}/api/websites/${website}/events/stats?period=today`
    await vi.waitFor(async () => {
      const answer = await fetch(stats, { headers: { authorization: `Bearer ${token}` } })
      expect(await answer.json()).toMatchObject({ data: { events: 1 } })
    }, 30_000)
  }, 300_000)

  it('passes the settings to the Worker, and keeps secrets out of arguments, logs and other files', () => {
    const settings = parseEnv(readFileSync(file, 'utf8')) as Record<string, string>
    const { secrets, metadata, domains } = cloudflare.workers.get('weir')!
    expect(secrets).toEqual({
      CLICKHOUSE_URL: `${clickhouse.url}/?database=deployed`,
      ...{ CLICKHOUSE_USER: 'weir_reader', CLICKHOUSE_PASSWORD: settings.WEIR_READER_PASSWORD },
      ...{ CLICKHOUSE_VISITOR_PASSWORD: settings.WEIR_VISITOR_PASSWORD, CLICKHOUSE_WRITE_USER: 'weir_writer' },
      ...{ CLICKHOUSE_WRITE_PASSWORD: settings.WEIR_WRITER_PASSWORD },
      ...{ AUTH_SECRET: settings.AUTH_SECRET, METRICS_TOKEN: 'of-metrics' },
    })
    const bound = Object.fromEntries(metadata!.bindings.map(({ name, ...binding }) => [name, binding]))
    expect(bound).toMatchObject({
      METADATA: { type: 'd1', id: cloudflare.databases[0]!.uuid },
      COLLECT_WINDOW: { text: '7' },
      CACHE: { json: { open: 1 } },
      PUBLIC_URL: { text: cloudflare.url },
      VERSION: { type: 'version_metadata' },
    })
    expect(cloudflare.databases[0]).toMatchObject({ read_replication: { mode: 'auto' } })
    expect(metadata!.cache_options).toEqual({ enabled: true })
    expect(domains).toMatchObject([{ hostname: 'weir.example.com' }])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const hidden = Object.entries(settings).flatMap(([name, value]) => (isSecret(name, settings) ? [value] : []))
    expect(hidden.length).toBeGreaterThan(6)
    const others = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    const texts = others.flatMap(({ parentPath, name }) => (name === '.env' ? [] : [`${parentPath}/${name}`]))
    expect(texts.length).toBeGreaterThan(50)
    expect(texts.filter((path) => hidden.some((one) => readFileSync(path).includes(one)))).toEqual([])
  })

  it('ends well, and says so, once the first user must have, or has, a second factor', async () => {
    const { url } = cloudflare
    const settings = settingsIn(file, {})
    const said: string[] = []
    const found: Run['found'] = { url }
    const run = { settings, found, name: 'weir', say: (line: string) => void said.push(line) }
    const look = () => finalSteps(run).at(-1)!.work()
    const post = async (path: string, body?: object, token?: string) => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      expect([path, answer.status]).toEqual([path, 200])
      // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies
      return (await answer.json()) as any
    }
    await look()
    expect([said, found.website]).toEqual([[], expect.any(String)])
    const password = settings.get('WEIR_ADMIN_PASSWORD')
    const { token, user } = await post('/api/auth/login', { username: 'admin', password })
    await post(`/api/admin/users/${user.id}/2fa`, { required: true }, token)
    await look()
    const { manualKey } = await post('/api/2fa/setup/initiate', undefined, token)
    await post('/api/2fa/setup/confirm', { token: codeAt(manualKey, Date.now()) }, token)
    await look()
    const begin = 'Cannot sign in as admin with WEIR_ADMIN_PASSWORD to look for websites: '
    expect(said).toEqual([
      expect.stringMatching(`^${begin}You must have a second factor\\..* Create the first one at ${url}/websites\\.$`),
      `${begin}This user has a second factor. Create the first one at ${url}/websites.`,
    ])
  })

  it('can be undone by undeploy, which lists what remains', async () => {
    const undone = await inside('undeploy', '--yes')
    expect([undone.code, undone.stderr, cloudflare.workers.size]).toEqual([
      0,
      expect.stringContaining('delete weir'),
      0,
    ])
    const { stays } = JSON.parse(undone.stdout) as { stays: Record<string, string> }
    expect(Object.keys(stays)[0]).toBe('The ClickHouse database deployed, with 1 events')
    expect(Object.values(stays)).toEqual([
      ...['DROP DATABASE deployed', 'DROP USER weir_reader, weir_visitor, weir_writer, weir_sealer'],
      ...['npx wrangler d1 delete weir', `rm ${file}`],
    ])
  }, 300_000)

  it('asks for ClickHouse’s address until a server responds, and refuses users who may not create users', async () => {
    const own = `${folder}/asked.env`
    const { host, searchParams } = new URL(running.clickhouse)
    const [user, password] = ['user', 'password'].map((name) => searchParams.get(name) ?? '')
    const answers = [
      ...['127.0.0.1:9', '', '', ''],
      ...[`http://${host}`, user, password, 'asked'],
      ...['not a host', 'stats.example.com', '', 'mars', 'eu', 'no', ''],
    ]
    const ask = async () => answers.shift()!
    const { code, stderr } = await weir(['deploy', '--settings', own], { ask })
    expect([code, answers]).toEqual([1, []])
    expect(stderr).toContain('127.0.0.1:9 ')
    expect(stderr).toContain('WEIR_DOMAIN: Must be a host such as weir.example.com.')
    expect(stderr).toContain('WEIR_JURISDICTION: Must be eu, us, fedramp or empty.')
    expect(stderr).toContain('WEIR_D1_COPIES: Must be auto, disabled or empty.')
    expect(stderr).toMatch(/lacks rights: CREATE USER ON \*\.\*, .*Use an admin/)
    const kept = parseEnv(readFileSync(own, 'utf8')) as Record<string, string>
    expect(kept).toMatchObject({
      WEIR_DOMAIN: 'stats.example.com',
      WEIR_WEBSITE: 'example.com',
      WEIR_JURISDICTION: 'eu',
    })
    expect(new URL(kept.CLICKHOUSE_URL!).searchParams.get('database')).toBe('asked')
  })

  it('does not show a password that is typed at a terminal', async () => {
    const command = `${process.execPath} --import tsx src/local/command-line.ts deploy --settings ${folder}/typed.env`
    const terminal = spawn('script', ['-qec', command, '/dev/null'], { cwd: root, env })
    const answers = ['127.0.0.1:9', 'an-admin', 'a-secret', '', '\u0004']
    let shown = ''
    let read = 0
    for await (const piece of terminal.stdout) {
      shown += String(piece)
      const [question] = /: (?:\x1b\S*)?$/.exec(shown.slice(read)) ?? []
      if (question === undefined) continue
      read = shown.length
      terminal.stdin.write(`${answers.shift()}\r`)
    }
    expect(answers).toEqual([])
    expect(shown).toMatch(
      /an-admin[\s\S]*password of this admin: \s[\s\S]*127\.0\.0\.1:9 cannot[\s\S]*Nothing was answered/,
    )
    expect(shown).not.toContain('a-secret')
  })

  it.each([
    [{}, 'Set CLICKHOUSE_URL in '],
    [{ CLICKHOUSE_URL: 'ftp://host' }, 'CLICKHOUSE_URL must be the URL'],
    [{ WEIR_WORKER: 'My Worker' }, 'WEIR_WORKER: Must be 54 lower-case letters, digits and hyphens at most.'],
  ])('refuses %j with one sentence if nobody can be asked', async (variables, sentence) => {
    const ended = await weir(['deploy', '--settings', `${folder}/none`], { env: variables })
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) })
  })
})
