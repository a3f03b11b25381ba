import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../src/endpoints/index.ts'
import { places } from '../src/local/paths.ts'
import { config } from '../src/local/start/wrangler-toml.ts'
import { type Run, scaleOf } from './bench/scale.ts'

/** Checks statements in the docs against the code. `test/catalogue.test.ts` checks the event tables. */
const root = fileURLToPath(new URL('..', import.meta.url))
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

const filesIn = (folder: string, endings: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name))

const decisions = filesIn('docs/decisions', /\.md$/)
const pages = ['README.md', ...filesIn('docs', /\.md$/).filter((path) => !decisions.includes(path))]
const written = [...pages, ...decisions, 'CHANGELOG.md', 'test/oracle/README.md']
const code = ['src', 'sql', 'test']
  .flatMap((folder) => filesIn(folder, /\.(ts|sql|sh|html|js)$/))
  // This file is generated, and not in git.
  .filter((path) => path !== 'src/client/openapi.d.ts')

/** The texts between backticks in running text and in tables. */
const namesIn = (path: string): string[] =>
  [
    ...textOf(path)
      .replace(/```[\s\S]*?```/g, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, name]) => name!)

/** Each page, paired with everything that `find` finds on it. */
const each = (paths: readonly string[], find: (path: string) => readonly string[]): [string, string][] =>
  paths.flatMap((path) => [...new Set(find(path))].map((one): [string, string] => [path, one]))

const exists = (path: string): boolean => statSync(join(root, path), { throwIfNoEntry: false }) !== undefined

describe('the documentation pages', () => {
  it('link only to files and headings in this repository', () => {
    const broken = each(written, (path) =>
      [...textOf(path).matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map(([, to]) => to!),
    ).filter(([path, to]) => {
      const [file = '', heading] = to.split('#')
      const target = file === '' ? path : normalize(join(dirname(path), file))
      if (target.startsWith('..') || !exists(target)) return true
      return heading !== undefined && !headingsOf(target).includes(heading)
    })
    expect(broken).toEqual([])
  })

  it('mention only files that exist', () => {
    const isPath = /^(src|test|sql|docs)\/[\w./-]+$/
    const named = each([...pages, 'test/oracle/README.md'], (path) => namesIn(path).filter((name) => isPath.test(name)))
    expect(named.length).toBeGreaterThan(80)
    expect(named.filter(([, name]) => !exists(name))).toEqual([])
  })

  it('use only names that occur in the code', () => {
    const all = [...code, 'package.json', 'wrangler.toml']
      .filter((path) => path !== 'test/docs.test.ts')
      .map(textOf)
      .join('\n')
    const isName = /^([a-z]+[A-Z]\w*|\w+_\w+|[A-Z][A-Z_]{3,}|X-[\w-]+)$/
    const named = each(pages, (path) =>
      namesIn(path)
        .flatMap((name) => name.split(/[\s,;=()]+/))
        .filter((name) => isName.test(name)),
    )
    expect(named.length).toBeGreaterThan(150)
    expect(named.filter(([, name]) => !all.includes(name) && !ofClickHouse.includes(name))).toEqual([])
  })

  it('mention only flags and commands that exist', () => {
    const sources = [...filesIn('src/local', /\.ts$/), ...filesIn('test/bench', /\.ts$/)].map(textOf).join('\n')
    const scripts = Object.keys((JSON.parse(textOf('package.json')) as { scripts: object }).scripts)
    const flags = each(pages, (path) =>
      [...textOf(path).matchAll(/(?<=[\s`])--([a-z][a-z-]+)/g)].map(([, flag]) => flag!),
    )
    expect(
      flags.filter(([, flag]) => !new RegExp(`['"\\s-]${flag}['"\\s:,]`).test(sources) && !ofOthers.includes(flag)),
    ).toEqual([])
    const runs = each(pages, (path) =>
      [...textOf(path).matchAll(/npm run (?:-s |--silent )?([\w:]+)/g)].map(([, name]) => name!),
    )
    expect(runs.filter(([, name]) => !scripts.includes(name))).toEqual([])
    const commands = each(pages, (path) =>
      [...textOf(path).matchAll(/(?:npm run (?:-s |--silent )?weir --|`weir) ([a-z]+(?:-[a-z]+)*)/g)].map(
        ([, name]) => name!,
      ),
    )
    expect(commands.length).toBeGreaterThan(15)
    expect(
      commands.filter(
        ([, name]) =>
          !new RegExp(`(^|\\s|')${name}( \\w+)?'?:|async ${name}|command\\('${name}'\\)`, 'm').test(sources),
      ),
    ).toEqual([])
  })

  it('mention only endpoints that exist', () => {
    const paths = endpoints.map(({ path }) => path)
    const table = [...textOf('docs/api.md').matchAll(/^\| (`\/[^|]*)\|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`(\/[^`]*)`/g)].map(([, path]) => `/api/websites/:websiteId${path}`),
    )
    expect(table.length).toBeGreaterThan(30)
    const named = each(pages, namesIn).flatMap(([, name]) => /^(?:[A-Z]+ )?(\/api\/[^\s?…{]+)/.exec(name)?.[1] ?? [])
    expect(
      [...table, ...named].filter((path) => !served(paths, path) && !notServed.some((one) => path.startsWith(one))),
    ).toEqual([])
  })

  it('correctly state that all paths of the official client work', async () => {
    const client = readFileSync(fileURLToPath(import.meta.resolve('@umami/api-client')), 'utf8')
    const theirs = [...new Set([...client.matchAll(/\bpath: ?['"](\/api[^'"]+)['"]/g)].map(([, path]) => path!))]
    const shape = (path: string) => path.replace(/\{\w+\}|:\w+/g, '*')
    const ours = new Set(['/api/send', '/api/batch', '/api/record', ...endpoints.map(({ path }) => shape(path))])
    const missing = theirs.filter((path) => !ours.has(shape(path)))
    expect(missing).toEqual([])
    const promised = `works unmodified, with all of its ${theirs.length} paths`
    for (const path of ['docs/api.md', 'README.md']) expect(textOf(path).replace(/\s+/g, ' ')).toContain(promised)
  })

  it('list the tables of D1 and the files in a data folder', () => {
    const storage = textOf('docs/storage.md')
    const d1 = storage.slice(storage.indexOf('## D1: metadata'))
    const made = filesIn('sql/metadata', /\.sql$/).flatMap((path) =>
      [...textOf(path).matchAll(/^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/gm)].map(([, name]) => name!),
    )
    const listed = [...d1.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name!)
    expect(listed.sort()).toEqual(made.sort())
    const files = [...d1.matchAll(/^- `([\w-]+)`:/gm)].map(([, name]) => name!)
    expect(files.sort()).toEqual(
      Object.values(places(''))
        .map((path) => path.slice(1))
        .sort(),
    )
  })

  it.each([
    ['docs/request-path.md', 'path | N characters; a longer one is a 404', 'src/app.ts', 'maxPathLength'],
    ['docs/request-path.md', 'query string | N characters and', 'src/request/query-string.ts', 'maxQueryLength'],
    ['docs/request-path.md', 'characters and N parameters', 'src/request/query-string.ts', 'maxParameters'],
    ['docs/request-path.md', 'of a parameter | N characters each', 'src/request/query-string.ts', 'maxTextLength'],
    ['docs/request-path.md', '`steps` of a funnel | N characters', 'src/request/funnel.ts', 'maxStepsLength'],
    ['docs/request-path.md', 'filters; values of a list | N;', 'src/request/filters.ts', 'maxConditions'],
    ['docs/request-path.md', 'filters; values of a list | 50; N', 'src/request/operators.ts', 'maxValues'],
    ['docs/request-path.md', '| body | N bytes', 'src/serve/body.ts', 'maxBodyBytes'],
    ['docs/request-path.md', '| N levels of arrays and objects', 'src/request/json.ts', 'maxJsonDepth'],
    ['docs/request-path.md', 'paths of a batch | N,', 'src/endpoints/server/read.ts', 'maxPaths'],
    [
      'docs/request-path.md',
      'paths of a batch | 20, each N characters',
      'src/endpoints/server/read.ts',
      'maxBatchPathLength',
    ],
    ['docs/request-path.md', 'It writes at most N issues', 'src/errors.ts', 'maxIssues'],
    ['docs/access.md', 'At most N sessions of a website may wait', 'src/metadata/sessions.ts', 'mostDeleted'],
    ['docs/deployment.md', 'seconds a statement may take (N;', 'src/clickhouse/server.ts', 'defaultTimeout'],
    [
      'docs/deployment.md',
      'the same for an [export](export.md) (N)',
      'src/clickhouse/server.ts',
      'defaultExportTimeout',
    ],
    ['docs/deployment.md', 'whose reader takes nothing (N)', 'src/clickhouse/server.ts', 'defaultExportPatience'],
  ])('%s says "%s" as %s does', (page, sentence, file, name) => {
    const figure = Number(new RegExp(`const ${name} = ([\\d_]+)`).exec(textOf(file))?.[1]?.replaceAll('_', ''))
    const words = textOf(page).replace(/\s+/g, ' ')
    expect(words).toContain(sentence.replace('N', figure.toLocaleString('en-US')))
  })

  it('give the rate limits and cache lifetimes as in wrangler.toml', () => {
    const { RATE_LIMITS, CACHE } = config.vars
    const stated = [...textOf('docs/access.md').matchAll(/^\| `([\w-]+)` +\|[^|]*\| +([\d,]+) +\|$/gm)].map(
      ([, name, limit]) => [
        `LIMIT_${name!.toUpperCase().replace('-', '_')}`,
        { limit: Number(limit!.replace(',', '')), period: 60 },
      ],
    )
    expect(Object.fromEntries(stated)).toEqual(RATE_LIMITS)
    expect(CACHE).toEqual({ open: 5, shared: 60, closed: 3600, settled: 300, stale: 60, onError: 86_400 })
    const cache = textOf('docs/cache.md').replace(/\s+/g, ' ')
    for (const words of [
      'had ended 5 minutes before',
      '| an hour |',
      '| 5 seconds |',
      '| a minute |',
      '**For a minute more**',
      '**For a day**',
    ]) {
      expect(cache).toContain(words)
    }
  })

  it('contain only TypeScript that compiles in strict mode against the packages', () => {
    const folder = mkdtempSync(`${tmpdir()}/weir-snippets-`)
    symlinkSync(join(root, 'node_modules'), `${folder}/node_modules`)
    const files = [...pages, 'src/client/README.md'].flatMap((path) =>
      [...textOf(path).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(({ index, 1: snippet }) => {
        // The text has empty lines before it, so that the compiler reports the page's line numbers.
        const before = textOf(path).slice(0, index).replace(/.*/g, '')
        const file = `${path}.${index}.mts`
        mkdirSync(dirname(`${folder}/${file}`), { recursive: true })
        writeFileSync(`${folder}/${file}`, `${before}\n${snippet}`)
        return file
      }),
    )
    expect(files.length).toBeGreaterThan(1)
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext']
    const types = ['--lib', 'es2022,dom', '--types', 'node', '--skipLibCheck']
    const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), [...options, ...types, ...files], { cwd: folder })
    rmSync(folder, { recursive: true })
    expect(String(tsc.stdout) + String(tsc.stderr)).toBe('')
    expect(tsc.status).toBe(0)
  })

  it('list every family of endpoints that the code has', () => {
    const families = readdirSync(join(root, 'src/endpoints'), { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    )
    const list = textOf('src/endpoints/index.ts')
    expect(
      families.filter(
        ({ name }) => !exists(`src/endpoints/${name}/index.ts`) || !list.includes(`'./${name}/index.ts'`),
      ),
    ).toEqual([])
  })

  it('are all linked from their index', () => {
    const [readme, list] = [textOf('README.md'), textOf('docs/decisions/README.md')]
    expect(pages.filter((path) => path !== 'README.md' && !readme.includes(`(${path})`))).toEqual([])
    const linking = (path: string) => pages.filter((page) => page !== path).map(textOf)
    const others = filesIn('docs', /./).filter((path) => statSync(join(root, path)).isFile() && !path.endsWith('.md'))
    expect(others.length).toBeGreaterThan(5)
    expect(others.filter((path) => !linking(path).some((text) => text.includes(path.slice('docs/'.length))))).toEqual(
      [],
    )
    expect(
      decisions
        .map((path) => path.slice('docs/decisions/'.length))
        .filter((name) => name !== 'README.md' && !list.includes(`(${name})`)),
    ).toEqual([])
  })
})

describe('the tables and the picture in docs/scale.md', () => {
  it('come from benchmark files: growth for ten times the events, and a curve for each filter', () => {
    const run = (events: number, price: number, sealing?: number): Run => {
      const tables = { weir: [{ table: 'events', rows: events, bytes: 188 * events }], naive: [] }
      const cell = { endpoint: 'stats', filter: 'none', range: '12 months', processor: 2 * price } as const
      return {
        Storage: { events, seconds: { weir: events / 1000, naive: 0 }, tables, sealing },
        'Every report': [
          ...[cell, { ...cell, filter: 'client', processor: price } as const],
          { ...cell, endpoint: 'journeys' },
        ],
      }
    }
    const { tables, picture } = scaleOf([run(1e8, 400), run(1e6, 25, 8)])
    expect(tables.replace(/ +/g, ' ')).toContain(
      '| 1,000,000 | 188.0 | 1,000 | 8.0 |\n| 100,000,000 | 188.0 | 1,000 | – |',
    )
    expect(tables).toContain('| `stats`           | 50/800 ×4.0 |\n| `stats`, filtered | 25/400 ×4.0 |')
    expect(tables + picture).not.toContain('journeys')
    expect(picture).toMatch(/<path d="M60 260L310 110" [^>]*stroke-dasharray/)
    expect(picture.match(/dasharray/g)).toHaveLength(1)
  })
})

describe('the decisions', () => {
  it('list every package with a reason', () => {
    const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Record<string, object>
    const listed = namesIn('docs/decisions/0002-dependencies.md')
    expect(Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !listed.includes(name))).toEqual([])
  })
})

describe('prose', () => {
  const words = (path: string): number => textOf(path).trim().split(/\s+/).length
  const sum = (paths: readonly string[]): number => paths.reduce((total, path) => total + words(path), 0)

  it('has at most 3,000 words on a page', () => {
    expect([...pages, ...decisions].filter((path) => words(path) > 3000)).toEqual([])
  })

  /** The maximum number of words in pages and in decisions, by subject. */
  const room: Readonly<Record<string, readonly [pages: number, decisions: number]>> = {
    'the API, its storage and its pages': [38_000, 20_000],
    'moving in from Umami': [3000, 900],
    'set-up: one server, containers, Cloudflare': [3500, 1000],
    'bad days: faults and their cures': [800, 800],
    'public answers in any cache': [400, 300],
    'reads near the reader': [700, 350],
    'one hot website': [300, 400],
    'chains on shards': [100, 150],
    'sign-in, audit log, the data of one person': [2500, 900],
    'the price of short questions': [100, 370],
    'the price of scale': [1500, 0],
    'what following the guides showed': [300, 0],
  }
  const roomOf = (at: 0 | 1): number => Object.values(room).reduce((total, one) => total + one[at], 0)

  it('stays within the word limits of its subjects, in all docs pages and in the decisions', () => {
    const docs = pages.filter((path) => path !== 'README.md')
    expect(docs.length).toBeGreaterThan(20)
    expect(sum(docs)).toBeLessThanOrEqual(roomOf(0))
    expect(sum(decisions)).toBeLessThanOrEqual(roomOf(1))
  })

  it('has at most 700 words about each version in CHANGELOG.md, which is unreleased or has a date', () => {
    const [, ...sections] = textOf('CHANGELOG.md').split(/^## /m)
    expect(sections.length).toBeGreaterThan(0)
    for (const section of sections) expect(section).toMatch(/^\d+\.\d+\.\d+ — (unreleased|\d{4}-\d\d-\d\d)\n/)
    expect(sections.filter((one) => one.split(/\s+/).length > 700).map((one) => one.split('\n')[0])).toEqual([])
  })

  it('is at most 120 characters wide, in pages (except tables and code) and in comments', () => {
    const wide = (path: string): string[] => {
      const text = path.endsWith('.md')
        ? textOf(path).replace(/^ *```[\s\S]*?^ *```/gm, (block) => block.replace(/[^\n]/g, ''))
        : textOf(path)
      const isProse = path.endsWith('.md')
        ? /^(?!\|)/
        : path.endsWith('.toml')
          ? /^#/
          : path.endsWith('.sql')
            ? /^\s*--/
            : /^\s*(\/?\*|\/\/)/
      return text.split('\n').filter((line) => line.length > 120 && isProse.test(line) && !/\S{100}/.test(line))
    }
    expect(each([...written, ...code, 'wrangler.toml'], wide)).toEqual([])
  })

  it('leaves nothing for later in src, docs and sql', () => {
    const later = /(?<!mas)todo|fixme|for now|not yet/i
    expect(later.test('// TODO: later') && !later.test('mastodon.social')).toBe(true)
    const texts = [
      ...filesIn('docs', /\.(md|ya?ml|conf|service|svg)$|\/(Caddyfile|weir)$/),
      ...filesIn('src', /\.(tsx|css|html)$/),
      ...code.filter((path) => !path.startsWith('test/')),
    ]
    expect(
      each(texts, (path) =>
        textOf(path)
          .split('\n')
          .filter((line) => later.test(line)),
      ),
    ).toEqual([])
  })

  it('mentions no folder outside this repository', () => {
    const outside =
      /(?:^|[\s`'"(])(?:\/(?:work|home|Users|root)\/\w|\.\.\/shared)|\b(?:seed|wire|design|analytics)\.md\b/m
    expect([...written, ...code].filter((path) => path !== 'test/docs.test.ts' && outside.test(textOf(path)))).toEqual(
      [],
    )
  })
})

/** The anchors that GitHub derives from a page's headings. */
const headingsOf = (path: string): string[] =>
  [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )

/** Whether an endpoint has this path, in which `*` matches any text. */
function served(paths: readonly string[], named: string): boolean {
  const pattern = named.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return paths.some((path) => new RegExp(`^${pattern}$`).test(path))
}

/** Umami paths that the pages mention although they are not endpoints. */
const notServed = ['/api/send', '/api/batch', '/api/record']

/** npm, git, curl and wrangler flags. */
const ofOthers = [
  'omit',
  'silent',
  'remote',
  'command',
  'dry-run',
  'local',
  'output',
  'file',
  'timestamp',
  'rebase',
  'data-binary',
  'import',
  'env',
  'location',
  'host',
  'format',
  'query',
  'multiquery',
  'workspace',
  'package-lock-only',
]

/** Names from ClickHouse, Cloudflare and SQLite that occur only in the pages. */
const ofClickHouse: readonly string[] = [
  'ACCESS_STORAGE_READONLY',
  'CLUSTER',
  'deduplicate_blocks_in_dependent_materialized_views',
  'distributed_group_by_no_merge',
  'internal_replication',
  'max_concurrent_queries_for_user',
  'max_partitions_per_insert_block',
  'max_replica_delay_for_distributed_queries',
  'optimize_skip_unused_shards',
  'select_from_system_db_requires_grant',
  'skip_unavailable_shards',
]
