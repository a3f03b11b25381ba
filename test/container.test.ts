import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { satisfies } from 'semver'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from '../src/local/paths.ts'
import { spawned } from './support/process.ts'

/** Checks the files for servers and containers against the code. docs/one-server.md lists what was run. */
const textOf = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')

const dockerfile = textOf('Dockerfile')
const { services, volumes } = parse(textOf('compose.yaml')) as {
  services: Readonly<Record<string, Service>>
  volumes: Readonly<Record<string, null>>
}

interface Service {
  readonly image: string
  readonly build?: { readonly context: string; readonly args: Readonly<Record<string, string>> }
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly ports?: readonly string[]
}

/** Whether the code reads a variable as a property of the environment, or from a list of names. */
const isRead = (name: string): boolean =>
  [
    'src/env.ts',
    'src/local/start/senders.ts',
    'src/local/start/worker-variables.ts',
    'src/local/machine/version-file.ts',
    'src/local/told/weir-command.ts',
  ].some((file) => new RegExp(`\\b${name}\\b(?=['?:, ]|\\) return)`).test(textOf(file)))

const unit = textOf('docs/one-server/weir.service')

describe('the image', () => {
  /** The files of the package that only its tests need. */
  const ofTests = [
    ...['test', '.ci', '.dev.vars.example', '.dockerignore', '.github', 'biome.json', 'CHANGELOG.md', 'compose.yaml'],
    ...['Dockerfile', 'vitest.config.ts'],
  ]

  it('contains what the package contains except its tests, and all that npm ci needs, but no secrets', () => {
    const copied = [...dockerfile.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names]) => names!.split(' '))
    expect(copied.filter((name) => !existsSync(`${root}/${name}`))).toEqual([])
    const { workspaces, files, scripts } = JSON.parse(textOf('package.json')) as Readonly<{
      workspaces: string[]
      files: string[]
      scripts: Record<string, string>
    }>
    const manifests = ['package.json', 'package-lock.json', ...workspaces.map((folder) => `${folder}/package.json`)]
    expect(copied).toEqual(expect.arrayContaining([...manifests, '.']))
    // The last matching rule applies.
    const rules = textOf('.dockerignore').trim().split('\n').slice(1)
    const ofPackage = files.filter((one) => !one.startsWith('!') && !ofTests.includes(one))
    const taken = [...manifests.filter((one) => !one.startsWith('src/')), 'LICENSE', ...ofPackage]
    expect([rules[0], rules.at(-1)]).toEqual(['*', '**/node_modules'])
    expect(rules.slice(1, -1).sort()).toEqual(taken.map((one) => `!${one}`).sort())
    const named = [...dockerfile.matchAll(/(?:\.\/)?(src\/[\w/.-]+\.ts)/g)].map(([, file]) => file!)
    expect(named.length).toBeGreaterThan(0)
    const run = [...dockerfile.matchAll(/npm run (\w+)/g)].map(([, name]) => name!)
    expect([run, run.filter((name) => !scripts[name])]).toEqual([['prepare', 'bundle'], []])
    expect(named.filter((file) => !existsSync(`${root}/${file}`))).toEqual([])
  })

  it('runs as its own user and, like the systemd unit, uses only flags that serve accepts', async () => {
    expect(dockerfile).toMatch(/^USER weir$[\s\S]*^ENTRYPOINT/m)
    const [, words = ''] = /^CMD (\[.*\])$/m.exec(dockerfile)!
    const { stdout } = await spawned('weir', ['serve', '--help']).ended
    const flags = [...(JSON.parse(words) as string[]), ...unit.match(/ serve .*$/m)![0].split(' ')]
    expect(flags).toContain('serve')
    expect(flags.filter((word) => word.startsWith('--') && !stdout.includes(`  ${word} `))).toEqual([])
    const port = /--port N .*default: "(\d+)"/.exec(stdout)![1]
    const proxies = ['nginx.conf', 'Caddyfile'].map((name) => textOf(`docs/one-server/${name}`))
    const places = [...proxies, dockerfile].map((text) => /127\.0\.0\.1:(\d+)/.exec(text)![1])
    expect([...places, /^EXPOSE (\d+)$/m.exec(dockerfile)![1]]).toEqual(Array(4).fill(port))
    expect(services.weir!.ports).toEqual([`127.0.0.1:${port}:${port}`])
  })
})

describe('a server’s settings', () => {
  it('are stored where others cannot read them; paths are relative to the folder where weir is run', () => {
    const { EnvironmentFile = '' } = Object.fromEntries(unit.split('\n').map((line) => line.split('=-')))
    const made = /\| install -m 640 -g weir \/dev\/stdin (\S+)$/m.exec(textOf('docs/one-server.md'))
    expect([made?.[1], textOf('docs/one-server/weir')]).toEqual([
      EnvironmentFile,
      expect.stringMatching(/^export INIT_CWD="\$PWD"\ncd /m),
    ])
    expect(textOf('docs/one-server/weir')).toContain(`. ${EnvironmentFile};`)
  })

  it('are overridden by those of the shell', async () => {
    const folder = mkdtempSync(`${tmpdir()}/weir-script-`)
    const program = (name: string, text: string) =>
      writeFileSync(`${folder}/${name}`, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    program('runuser', 'shift 3; exec "$@"')
    program('node', 'echo "$*|$CLICKHOUSE_URL|$PUBLIC_URL|$HOME|$INIT_CWD"')
    const script = textOf('docs/one-server/weir').replace('/usr/sbin/runuser', `${folder}/runuser`)
    program('weir', script.replaceAll('/etc/weir.env', `${folder}/weir.env`))
    writeFileSync(`${folder}/weir.env`, `CLICKHOUSE_URL='http://old/'\nPUBLIC_URL='https://a b.example'\n`)
    const env = { PATH: `${folder}:${process.env.PATH}`, WEIR_CODE: folder, CLICKHOUSE_URL: "http://it's new/" }
    const { stdout } = await promisify(execFile)(`${folder}/weir`, ['check', 'a b'], { env, cwd: '/' })
    expect(stdout.trim().split('|')).toEqual([
      expect.stringMatching(/ --data-dir \/var\/lib\/weir\/data check a b$/),
      ...["http://it's new/", 'https://a b.example', '/var/lib/weir', '/'],
    ])
    rmSync(folder, { recursive: true })
  })

  it('are variables that the code reads, in compose.yaml, in the systemd unit and in builds', () => {
    const inUnit = [...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, all]) => all!.split(' '))
    const names = [
      ...Object.keys(services.weir!.environment),
      ...Object.keys(services.weir!.build!.args),
      ...inUnit.map((one) => one.split('=')[0]!).filter((name) => name !== 'NODE_ENV' && name !== 'HOME'),
    ]
    expect(names.length).toBeGreaterThan(7)
    expect(names.filter((name) => !isRead(name))).toEqual([])
    expect(isRead('CLICKHOUSE_PASSWORT')).toBe(false)
    expect(dockerfile).toContain('ARG WEIR_COMMIT')
  })

  it('put everything that the image writes in volumes, and share the password only with ClickHouse', () => {
    const kept = [...Object.values(services)].flatMap((one) => one.volumes.map((volume) => volume.split(':')))
    expect(kept.map(([name]) => name).sort()).toEqual(Object.keys(volumes).sort())
    const inImage = JSON.parse(/^VOLUME (.*)$/m.exec(dockerfile)![1]!) as string[]
    expect(services.weir!.volumes.map((volume) => volume.split(':')[1])).toEqual(inImage)
    const { clickhouse, weir } = services
    expect(weir!.environment.CLICKHOUSE_URL).toBe('http://clickhouse:8123/?database=weir')
    expect(weir!.environment.CLICKHOUSE_USER).toBe(clickhouse!.environment.CLICKHOUSE_USER)
    const passwords = textOf('compose.yaml').match(/CLICKHOUSE_PASSWORD: .*/g)
    expect(passwords).toEqual([
      expect.stringMatching(/\{CLICKHOUSE_PASSWORD:\?/),
      expect.stringMatching(/\{CLICKHOUSE_PASSWORD\}/),
    ])
    // Each command of Compose reads the whole file, in CI, too.
    const { jobs } = parse(textOf('.github/workflows/ci.yaml')) as { jobs: { image: { env: Record<string, string> } } }
    const required = [...textOf('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!)
    expect(Object.keys(jobs.image.env)).toEqual(expect.arrayContaining(required))
  })

  it('configure proxies to set the visitor’s address, and to remove other headers about visitors', () => {
    const [nginx, caddy] = ['nginx.conf', 'Caddyfile'].map((name) => textOf(`docs/one-server/${name}`))
    expect(nginx).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
    for (const name of ['Country', 'Region', 'City']) {
      expect(nginx).toContain(`proxy_set_header X-Umami-Client-${name} "";`)
      expect(caddy).toContain(`header_up -X-Umami-Client-${name}\n`)
    }
  })
})

describe('nginx’s cache', () => {
  const nginx = textOf('docs/one-server/nginx.conf')
  /** The patterns and values of a map in the file. */
  const mapOf = (name: string) => {
    const [, lines = ''] = new RegExp(`map \\S+ \\$${name} \\{([^]*?)\\n\\}`).exec(nginx)!
    return [...lines.matchAll(/"~(.+)" (.+);/g)].map(([, pattern, value]) => [new RegExp(pattern!), value] as const)
  }

  it('stores only answers at public URLs', () => {
    const isPublic = (url: string) => mapOf('zone').some(([pattern]) => pattern.test(url))
    const open = ['/share/a1', '/public/x', '/api/websites/x/stats?share=public', '/api/websites/x/stats?a=b&share=s']
    const closed = [
      '/',
      '/api/share/a1',
      '/api/websites/x/shares?a=b',
      '/api/send',
      '/websites?ashare=x',
      '/login/share/',
    ]
    const long = `/api/websites/x/stats?share=s&path=${'x'.repeat(8000)}`
    expect([...open, ...closed, long].filter(isPublic)).toEqual(open)
    expect(nginx).toMatch(/map \$request_uri \$zone \{\n.*\n.*\n {4}default off;\n\}/)
    expect(nginx.match(/proxy_(cache|no_cache|cache_bypass) .*/g)).toEqual(['proxy_cache $zone;'])
  })

  it('has a new key every five seconds', () => {
    const keyAt = (time: string) =>
      mapOf('five_seconds').flatMap(([pattern, value]) => {
        const found = pattern.exec(time)
        return found ? [value!.replace(/["${}]/g, '').replace('tens', found.groups!.tens!)] : []
      })
    expect(['1764483740.000', '1764483744.999', '1764483745.000', '1764483749.999', '1764483750.0'].map(keyAt)).toEqual(
      ['1764483740', '1764483740', '1764483745', '1764483745', '1764483750'].map((key) => [key]),
    )
    expect(nginx).toContain('proxy_cache_key $request_uri$five_seconds;')
  })
})

interface Job {
  readonly needs?: readonly string[]
  readonly if?: string
  readonly permissions?: object
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } }
  readonly steps: readonly { readonly run?: string; readonly uses?: string; readonly with?: object }[]
}

describe('the workflow', () => {
  const workflow = parse(textOf('.github/workflows/ci.yaml')) as {
    readonly permissions: object
    readonly jobs: Readonly<Record<string, Job>>
  }

  it('uses pinned commits of actions, and runs npm only where there is no token', () => {
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)
    const used = steps.filter(({ uses }) => uses !== undefined)
    expect(used.length).toBeGreaterThan(4)
    expect(used.filter(({ uses }) => !/^actions\/[a-z-]+@[\da-f]{40}$/.test(uses!))).toEqual([])
    const checkouts = used.filter(({ uses }) => uses!.startsWith('actions/checkout@'))
    expect(checkouts.filter((one) => (one.with as Record<string, unknown>)?.['persist-credentials'] !== false)).toEqual(
      [],
    )
    expect(workflow.permissions).toEqual({ contents: 'read' })
    expect(Object.entries(workflow.jobs).flatMap(([name, { permissions }]) => (permissions ? [name] : []))).toEqual([
      'publish',
    ])
    const published = workflow.jobs.publish!.steps.map(({ run = '' }) => run)
    const firstWith = (word: string): number => published.findIndex((run) => run.includes(word))
    const order = ['"v$(node -p', 'npm ci', 'docker login', 'docker push', 'gh release'].map(firstWith)
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(order[0]).toBeGreaterThan(0)
  })

  it('runs .ci/run on each of package.json’s Node versions before it publishes a tag', () => {
    const { jobs } = workflow
    const { node } = (JSON.parse(textOf('package.json')) as { engines: { node: string } }).engines
    const lines = jobs.test!.strategy!.matrix.node
    expect(lines).toEqual([20, 22, 24])
    expect(lines.filter((line) => !satisfies(`${line}.999.0`, node))).toEqual([])
    expect(jobs.test!.steps.map(({ run }) => run)).toContain('.ci/run')
    expect(statSync(`${root}/.ci/run`).mode & 0o111).not.toBe(0)
    expect([jobs.publish!.needs, jobs.publish!.if]).toEqual([
      ['test', 'image'],
      "startsWith(github.ref, 'refs/tags/v')",
    ])
  })
})
