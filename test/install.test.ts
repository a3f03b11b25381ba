import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { build } from 'esbuild'
import { minVersion, satisfies, subset } from 'semver'
import { beforeAll, describe, expect, it } from 'vitest'
import { root } from '../src/local/paths.ts'

interface Manifest {
  readonly engines?: { readonly node?: string }
  readonly scripts?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

interface Locked extends Manifest {
  readonly version?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

interface Lock {
  readonly packages: Readonly<Record<string, Locked>>
}

const workspaces = ['src/client/package.json', 'test/bench/package.json']

const textOf = (file: string): string => readFileSync(`${root}/${file}`, 'utf8')
const lockText = textOf('package-lock.json')
const { packages } = JSON.parse(lockText) as Lock
const manifest = JSON.parse(textOf('package.json')) as Manifest

describe('the version', () => {
  it('is the same in all packages, in the code, and in the tags and packages that pages name', () => {
    const inCode = /version = '(.*)'/.exec(textOf('src/version.ts'))![1]!
    const manifests = ['package.json', 'src/client/package.json'].map((file) => JSON.parse(textOf(file)) as Locked)
    const locked = ['', 'src/client'].map((path) => packages[path]!)
    const pages = ['docs/CONTRIBUTING.md', 'docs/client.md', 'docs/one-server.md'].map(textOf)
    const named = found(pages, /(?:\bweir(?:-client)?-|--branch v)(\d+\.\d+\.\d+)/g)
    expect(named.length).toBeGreaterThan(5)
    const all = [...manifests.map(({ version }) => version), ...locked.map(({ version }) => version), ...named]
    expect(new Set(all)).toEqual(new Set([inCode]))
  })
})

describe('package-lock.json', () => {
  it('matches package.json, so that npm install changes neither file', () => {
    const fields = Object.keys(packages['']!) as (keyof Manifest)[]
    expect(fields.length).toBeGreaterThan(4)
    expect(packages['']).toEqual(Object.fromEntries(fields.map((field) => [field, manifest[field]])))
  })

  it('is in npm 10’s format; to restore it, run npx npm@10 install --package-lock-only', () => {
    expect(lockText.match(/"libc"/g)).toBeNull()
    // Each workspace resolves to its folder, and nothing resolves to a URL.
    expect(lockText.match(/"resolved": "(?!src\/client"|test\/bench")/g)).toBeNull()
  })

  it('is complete, so that npm ci needs no metadata from the registry', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weir-lock-'))
    for (const file of ['package.json', 'package-lock.json', ...workspaces]) {
      cpSync(`${root}/${file}`, `${folder}/${file}`, { recursive: true })
    }
    const options = ['--dry-run', '--offline', '--ignore-scripts', '--cache', `${folder}/cache`]
    expect(execFileSync('npm', ['ci', ...options], { cwd: folder, encoding: 'utf8' })).toMatch(/^added \d{3} packages/m)
  })

  it('contains the packages for all systems; the docs list those without a checksum', () => {
    const versions = new Map(
      Object.entries(packages).map(([path, { version }]) => [path.split('node_modules/').at(-1), version]),
    )
    const wanted = Object.values(packages).flatMap((one) => Object.entries(one.optionalDependencies ?? {}))
    expect(wanted.length).toBeGreaterThan(100)
    expect(wanted.filter(([name]) => !versions.has(name))).toEqual([])
    const unchecked = Object.entries(packages).filter(
      ([path, one]) => path.includes('node_modules/') && one.version && !one.integrity,
    )
    const [, table] = textOf('docs/decisions/0002-dependencies.md').split('## Packages of other systems')
    const rows = [...table!.matchAll(/^\| (`[^|]+) \| (\S+) +\|/gm)]
    const listed = rows.flatMap(([, names, version]) =>
      [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => [name, version]),
    )
    expect(listed).toEqual(unchecked.map(([path, { version }]) => [path.replace('node_modules/', ''), version]))
  })

  it('contains no package that requires a Node version other than those of package.json', () => {
    const node = manifest.engines!.node!
    expect(minVersion(node)?.version).toBe('20.19.0')
    const others = Object.entries(packages).filter(([, { engines }]) => engines?.node && !subset(node, engines.node))
    expect(others.map(([name, { engines }]) => `${name} ${engines!.node}`)).toEqual([])
  })
})

/** Everything that a regular expression's groups match in the texts. */
const found = (texts: readonly string[], pattern: RegExp): string[] =>
  texts.flatMap((text) => [...text.matchAll(pattern)].map(([, group]) => group!))

describe('npm ci --omit=dev', () => {
  /**
   * Everything that `npm start`, commands and deployments run or bundle, including the pages' scripts and style sheets.
   */
  const entryPoints = readdirSync(`${root}/src`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.d)\.(tsx?|css)$/.test(path) && !path.startsWith('client/'))
    .map((path) => `${root}/src/${path}`)

  /** The package of an import, such as `hono` for `hono/cors`. */
  const packageOf = (path: string): string => /^(@[^/]+\/)?[^/]+/.exec(path)![0]

  const isInstalled = (name: string): boolean => {
    const one = packages[`node_modules/${name}`]
    return one !== undefined && !one.dev
  }

  /** The number of bytes on disk below the existing folders. A hard-linked file is counted once. */
  function bytesIn(folders: readonly string[]): number {
    const entries = folders.flatMap((folder) =>
      existsSync(folder)
        ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => lstatSync(`${folder}/${path}`))
        : [],
    )
    const blocks = new Map(entries.map((entry) => [entry.ino, entry.blocks]))
    return [...blocks.values()].reduce((sum, one) => sum + one * 512, 0)
  }

  it('installs exactly the packages that are imported, bundled, resolved or run by a script', async () => {
    // With many entry points, esbuild would bundle shared modules once for each.
    const contents = [...entryPoints, `${root}/src/client/generate/prepare.ts`].map((path) => `import '${path}'`)
    const { metafile } = await build({
      stdin: { contents: contents.join('\n'), resolveDir: root },
      ...{ absWorkingDir: root, bundle: true, packages: 'external', platform: 'node', format: 'esm' },
      ...{ jsx: 'automatic', jsxImportSource: 'preact', write: false, outdir: '.', metafile: true },
    })
    const inputs = Object.entries(metafile.inputs).filter(([path]) => path !== '<stdin>')
    const imported = inputs.flatMap(([, { imports }]) => imports.filter((one) => one.external).map((one) => one.path))
    const texts = inputs.map(([path]) => textOf(path))
    const resolved = found(texts, /\.resolve\(['`]([^'`]+)['`]\)/g)
    const { start, weir, prepare, pages, deploy } = manifest.scripts!
    const run = found([start!, weir!, prepare!, pages!, deploy!], /(?:--import |^|&& )(tsx|wrangler)\b/g)
    const needed = new Set([...imported, ...resolved, ...run].map(packageOf))
    const ours = [...needed].filter((name) => !/^(node|cloudflare):/.test(name) && name !== '@weir/client')
    expect(ours.sort()).toEqual(Object.keys(manifest.dependencies!).sort())

    const licences = found(found(texts, /licencesOf\(('[^)]+)\)/g), /'([^']+)'/g)
    expect(licences).toContain('postcss')
    expect(licences.filter((name) => !isInstalled(name))).toEqual([])
  })

  it('installs no heavy developer packages, and at most 850 MB', () => {
    const heavy = ['@biomejs/biome', '@sparticuz/chromium', 'playwright-core', 'typescript', 'vitest']
    expect(heavy.filter((name) => isInstalled(name))).toEqual([])
    const names = Object.keys(packages).flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? [])
    const folders = names.filter((name) => isInstalled(name) && !name.startsWith('@weir/'))
    const megabytes = bytesIn(folders.map((name) => `${root}/node_modules/${name}`)) / 1024 / 1024
    // ClickHouse alone takes 500 MB on each system.
    expect(megabytes).toBeGreaterThan(500)
    expect(megabytes).toBeLessThan(850)
  })
})

describe('npm pack', () => {
  /** The files that npm would pack. */
  const packed = (folder: string): string[] => {
    const options = ['--dry-run', '--json', '--ignore-scripts']
    const told = execFileSync('npm', ['pack', ...options], { cwd: `${root}/${folder}`, encoding: 'utf8' })
    const [{ files }] = JSON.parse(told) as [{ files: { path: string }[] }]
    return files.map(({ path }) => path)
  }
  let ofWeir: string[]
  beforeAll(() => {
    ofWeir = packed('.')
  })
  const existing = (folder: string): string[] =>
    readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && !one.parentPath.includes('node_modules'))
      .map((one) => relative(root, join(one.parentPath, one.name)))

  it('contains everything that the code imports and reads, and no files of other packages', () => {
    const own = readdirSync(`${root}/src/local`, { recursive: true, encoding: 'utf8' }).filter((one) =>
      /\.[jt]s$/.test(one),
    )
    const read = found(
      own.map((path) => textOf(`src/local/${path}`)),
      /\$\{root\}\/([\w.-]+)/g,
    )
    const parts = [...new Set(read)].filter((one) => !['node_modules', '..', '.git'].includes(one))
    expect(parts.sort()).toEqual(['docs', 'sql', 'src', 'wrangler.toml'])
    const needed = ['docs', 'sql', 'src'].flatMap(existing)
    expect(needed.length).toBeGreaterThan(500)
    expect([...needed, 'wrangler.toml', 'tsconfig.json'].filter((path) => !ofWeir.includes(path))).toEqual([])
    const secret = /node_modules|\/\.(env|weir|wrangler)|\.dev\.vars$|\.log$/
    expect(ofWeir.filter((path) => secret.test(path))).toEqual([])
    expect(Object.values(manifest.bin!).filter((path) => !ofWeir.includes(path))).toEqual([])
  })

  it('contains all files of the repository, or copies, so that .ci/run works in the unpacked package', () => {
    const tracked = ['.ci', '.github', 'test'].flatMap(existing)
    const others = readdirSync(root, { withFileTypes: true }).filter((one) => one.isFile() && one.name !== '.git')
    const ignored = /^(?:\.env.*|\.dev\.vars|.*\.log|.*\.tgz)$/
    const needed = [...tracked, ...others.map(({ name }) => name).filter((name) => !ignored.test(name))]
    const copied = textOf('package.json').match(/"prepack": ".*"/)![0]
    const missing = needed.filter((path) => !ofWeir.includes(path))
    expect(missing.sort()).toEqual(['.gitignore', 'package-lock.json'])
    const says = (text: string) => missing.filter((path) => text.includes(path))
    expect([says(copied), says(textOf('.ci/run'))]).toEqual([missing, missing])
    expect(tracked.length).toBeGreaterThan(300)
  })

  it('contains everything that the client package imports and declares', () => {
    const code = found([textOf('src/client/index.js'), textOf('src/client/index.d.ts')], /from '\.\/([^']+)'/g)
    expect(code.length).toBeGreaterThan(1)
    const files = packed('src/client')
    expect([...code, 'index.js', 'index.d.ts', 'README.md'].filter((name) => !files.includes(name))).toEqual([])
    expect(files.filter((path) => /node_modules|generate/.test(path))).toEqual([])
  })
})

describe('npm start and npm run weir', () => {
  it.each(['start', 'run weir'])('report missing packages in one sentence: npm %s', (script) => {
    const folder = mkdtempSync(join(tmpdir(), 'weir-bare-'))
    for (const file of ['package.json', 'src/local'])
      cpSync(`${root}/${file}`, `${folder}/${file}`, { recursive: true })
    const { status, stdout, stderr } = spawnSync('npm', ['--silent', ...script.split(' ')], {
      cwd: folder,
      encoding: 'utf8',
    })
    const [said] = stderr.split('\n').filter((line) => line && !line.startsWith('npm '))
    expect([status, stdout, said]).toEqual([
      1,
      '',
      expect.stringMatching(/^Packages are missing: .+ Install them: npm ci$/),
    ])
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  it('refuse to run only if Node is too old', () => {
    const versions = ['v18.20.8', 'v20.18.3', 'v20.19.0', 'v21.7.3', 'v22.13.1', 'v24.0.0']
    for (const version of versions) {
      const set = `Object.defineProperty(process, 'version', { value: '${version}' })`
      const words = ['--import', `data:text/javascript,${encodeURIComponent(set)}`, `${root}/src/local/installed.js`]
      const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
      const refusal = `Weir needs Node 20.19, 22.13, 24.0 or newer. This is ${version}.\n`
      const isRight = satisfies(version, manifest.engines!.node!)
      expect([version, status, stderr]).toEqual(isRight ? [version, 0, ''] : [version, 1, refusal])
    }
  })
})
