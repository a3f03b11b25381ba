import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bugs } from './planted/bugs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface SourceFile {
  /** The path relative to the checkout, such as `src/query/language/sql.ts`. */
  readonly path: string
  readonly text: string
}

function filesIn(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(root, folder, name), 'utf8') }))
}

/** The typed client is a separate package, which nothing in Weir imports. */
const sources = filesIn('src').filter(({ path }) => !path.startsWith('src/client/'))
const worker = sources.filter(({ path }) => !path.startsWith('src/local/'))
const tests = filesIn('test')

interface Import {
  readonly from: string
  /** The text between `import` and `from`, or empty if there is no `from`. */
  readonly names: string
  /** The path of one of Weir's own files, relative to the checkout, or the name of a package. */
  readonly what: string
  readonly isType: boolean
}

function importsOf({ path, text }: SourceFile): Import[] {
  const statements = [...text.matchAll(/^(?:import|export)\s+(type\s+)?(?:([\w\s*{},]+?)\s+from\s+)?'([^']+)'/gm)]
  const dynamic = [...text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)]
  return [
    ...statements.map(([, type, names = '', what]) => ({
      from: path,
      names,
      what: placed(path, what!),
      isType: type !== undefined || hasOnlyTypes(names),
    })),
    ...dynamic.map(([, what]) => ({ from: path, names: '', what: placed(path, what!), isType: false })),
  ]
}

const placed = (path: string, what: string): string =>
  what.startsWith('.') ? relative(root, join(root, dirname(path), what)) : what

/** `{ type A, type B }` is erased before the code runs. */
const hasOnlyTypes = (names: string): boolean =>
  names.startsWith('{') &&
  names
    .slice(1, -1)
    .split(',')
    .every((name) => name.trim() === '' || name.trim().startsWith('type '))

/** A file's top-level names, and whether other files may import them. */
const topLevelNames = ({ text }: SourceFile): { name: string; isExported: boolean }[] =>
  [
    ...text.matchAll(
      /^(export )?(?:declare )?(?:(?:async )?function\*?|(?:abstract )?class|interface|type|const|let|enum) +(\w+)/gm,
    ),
  ].map(([, isExported, name]) => ({ name: name!, isExported: isExported !== undefined }))

/** The Worker's files that define a name, by name. A schema and its type with the same name are one definition. */
const definitions = new Map<string, { readonly files: Set<string>; isExported: boolean }>()
for (const file of worker.filter(({ path }) => !/^src\/(pages|recorder)\//.test(path))) {
  for (const { name, isExported } of topLevelNames(file)) {
    const known = definitions.get(name) ?? { files: new Set<string>(), isExported: false }
    known.files.add(file.path)
    known.isExported ||= isExported
    definitions.set(name, known)
  }
}

const imports = sources.flatMap(importsOf)
const described = ({ from, what }: Import): string => `${from} imports ${what}`

/**
 * The parts that each part of the Worker may import in addition to itself, types included: only those listed before
 * it. This is the reverse of a request's direction.
 */
const parts: readonly (readonly [part: string, ...imports: string[]])[] = [
  ['src/base64url.ts'],
  ['src/channel-lists.ts'],
  ['src/errors.ts'],
  ['src/fnv.ts'],
  ['src/newest.ts'],
  ['src/sha256.ts'],
  ['src/silence.ts'],
  ['src/until.ts'],
  ['src/version.ts'],
  ['src/made.ts', 'zod'],
  ['src/request/', 'src/base64url.ts', 'src/errors.ts', 'src/made.ts', 'zod'],
  ['src/query/', 'src/request/', 'src/made.ts', 'zod'],
  ['src/metadata/', 'src/newest.ts', 'src/silence.ts', '@cloudflare/workers-types'],
  ['src/cache/', 'src/query/', 'src/request/', 'src/errors.ts', 'src/sha256.ts', 'src/silence.ts', 'src/until.ts'],
  [
    'src/clickhouse/',
    ...['src/query/', 'src/request/', 'src/errors.ts', 'src/made.ts', 'src/until.ts', 'zod', '@clickhouse/client-web'],
  ],
  ['src/env.ts', 'src/cache/', 'src/clickhouse/', '@cloudflare/workers-types'],
  ['src/node.d.ts'],
  [
    'src/collect/',
    ...[
      ...['src/env.ts', 'src/clickhouse/', 'src/request/', 'src/base64url.ts', 'src/errors.ts', 'src/made.ts'],
      ...['src/newest.ts', 'src/sha256.ts', 'src/silence.ts', 'zod', '@cloudflare/workers-types'],
    ],
    ...['node:crypto', 'node:net', 'node:zlib', 'cloudflare:workers', 'detect-browser', 'ipaddr.js', 'isbot'],
    'ua-parser-js',
  ],
  [
    'src/access/',
    ...[
      ...['src/env.ts', 'src/metadata/', 'src/request/', 'src/base64url.ts', 'src/errors.ts', 'src/made.ts'],
      ...['src/sha256.ts', 'zod', 'node:crypto'],
    ],
    ...['hono/utils/jwt/jwt', 'hono/utils/buffer', 'bcryptjs', 'oauth4webapi', 'otpauth/bare', 'uqr'],
  ],
  [
    'src/endpoints/',
    ...[
      ...['src/access/', 'src/cache/', 'src/metadata/', 'src/query/', 'src/request/', 'src/errors.ts', 'src/made.ts'],
      ...['src/version.ts', 'zod', 'fflate'],
    ],
  ],
  ['src/mcp/', 'src/endpoints/', 'src/request/', 'src/errors.ts', 'src/version.ts', 'zod'],
  [
    'src/serve/',
    ...['src/env.ts', 'src/access/', 'src/cache/', 'src/clickhouse/', 'src/collect/', 'src/endpoints/'],
    ...['src/mcp/', 'src/metadata/', 'src/query/'],
    ...[
      ...['src/request/', 'src/channel-lists.ts', 'src/errors.ts', 'src/fnv.ts', 'src/made.ts', 'src/newest.ts'],
      ...[
        'src/sha256.ts',
        'src/silence.ts',
        'src/until.ts',
        'src/version.ts',
        'zod',
        'hono',
        'hono/body-limit',
        'hono/utils/url',
      ],
      ...['@hono/zod-validator', 'node:zlib'],
    ],
  ],
  [
    'src/app.ts',
    ...['src/access/', 'src/endpoints/', 'src/serve/', 'src/errors.ts'],
    ...['hono', 'hono/cors', 'hono/hono-base', 'hono/http-exception', 'hono/request-id', 'hono/router/trie-router'],
    'hono/utils/url',
  ],
  // This is code for browsers. With the Worker, it shares only pure functions of `src/request`.
  ['src/tracker/'],
  ['src/pages/', ...['src/request/', '@rrweb/replay', '@weir/client', 'preact', 'preact/hooks', 'uplot']],
  ['src/recorder/', 'src/tracker/', '@rrweb/record'],
  ['src/worker.ts', 'src/app.ts', 'src/collect/', 'src/serve/'],
]

/** The folders of `src/query`. Each may only import from itself and from those before it. */
const queryFolders = ['language', 'tables', 'chains', 'figures', 'lists'] as const

/** A hint in the error about where to list this file's endpoint, or empty for other files. */
const listOf = (path: string): string =>
  path.replace(/^src\/endpoints\/([\w-]+)\/[\w-]+\.ts$|.*/, (_, family) =>
    family === undefined ? '' : ` List an endpoint in src/endpoints/${family}/index.ts.`,
  )

describe('the source', () => {
  it.each(parts)('imports only from lower parts: %s', (part, ...allowed) => {
    const names = parts.map(([name]) => name)
    const below = names.slice(0, names.indexOf(part))
    expect(allowed.filter((one) => one.startsWith('src/') && !below.includes(one))).toEqual([])
    const own = imports.filter(({ from }) => from === part || isWithin(part, from))
    const fits = ({ what }: Import) => [part, ...allowed].some((one) => what === one || isWithin(one, what))
    expect(own.filter((one) => !fits(one)).map(described)).toEqual([])
    const unused = allowed.filter((one) => !own.some(({ what }) => what === one || isWithin(one, what)))
    expect(unused).toEqual([])
  })

  it('has a rule for each folder and each top-level file of the Worker', () => {
    const found = worker.map(({ path }) => path.match(/^src\/[^/]+\/?/)?.[0])
    expect([...new Set(found)].sort()).toEqual(parts.map(([part]) => part).sort())
  })

  it.each([...queryFolders.entries()])('imports only downwards in src/query: folder %d, %s', (place, folder) => {
    const own = imports.filter(({ from }) => from.startsWith(`src/query/${folder}/`))
    const above = queryFolders.slice(place + 1).map((one) => `src/query/${one}/`)
    expect(own.length).toBeGreaterThan(5)
    expect(own.filter(({ what }) => above.some((one) => isWithin(one, what))).map(described)).toEqual([])
  })

  it('has all files of src/query in one of these folders', () => {
    const folders = worker.flatMap(({ path }) => path.match(/^src\/query\/(.*?)\/?[^/]*$/)?.[1] ?? [])
    expect([...new Set(folders)].sort()).toEqual([...queryFolders].sort())
  })

  it('has no import cycles, type imports included', () => {
    const pairs = imports.map(({ from, what }) => ({ from, what }))
    expect(circlesIn(pairs)).toEqual([])
    // This is a planted type import, in a file that many others import.
    const planted = [...pairs, { from: 'src/request/fields.ts', what: 'src/serve/index.ts' }]
    expect(circlesIn(planted).some((files) => files.includes('src/serve/index.ts'))).toBe(true)
    expect(circlesIn([{ from: 'a', what: 'a' }])).toEqual([['a', 'a']])
  })

  it('has no src/local or Node imports in the Worker, except node:crypto, node:net and node:zlib', () => {
    const outside = imports.filter(({ from }) => !from.startsWith('src/local/'))
    expect(outside.length).toBeGreaterThan(50)
    expect(outside.filter(({ what }) => /^node:/.test(what) || isWithin('src/local/', what)).map(described)).toEqual([
      'src/access/codes.ts imports node:crypto',
      ...['src/access/password.ts imports node:crypto', 'src/collect/gzipped.ts imports node:zlib'],
      ...['src/collect/identity.ts imports node:crypto', 'src/collect/visitor.ts imports node:net'],
      'src/serve/recordings.ts imports node:zlib',
    ])
  })

  it('imports only downwards in src/local: import, storage, engine, machine, told; never commands', () => {
    const layers = ['told', 'machine', 'engine', 'storage', 'import'].map((name) => `src/local/${name}/`)
    const layerOf = (path: string) => layers.findIndex((layer) => path.startsWith(layer))
    const between = imports.filter(({ from, what }) => layerOf(from) >= 0 && what.startsWith('src/local/'))
    expect(between.length).toBeGreaterThan(50)
    const isUp = ({ from, what }: (typeof between)[number]) =>
      what.split('/').length > 3 && !(layerOf(what) >= 0 && layerOf(what) <= layerOf(from))
    expect(between.filter(isUp).map(described)).toEqual([])
  })

  it('imports zod as a namespace, so that only the parts in use are bundled', () => {
    const zod = imports.filter(({ what }) => what === 'zod' || what.startsWith('zod/'))
    expect(zod.length).toBeGreaterThan(5)
    expect(zod.filter(({ what, names }) => what !== 'zod' || names !== '* as z').map(described)).toEqual([])
  })

  it('uses each name in the Worker for only one purpose', () => {
    const several = [...definitions].filter(([, { files, isExported }]) => files.size > (isExported ? 1 : 3))
    expect(definitions.size).toBeGreaterThan(500)
    expect(several.map(([name, { files }]) => [name, ...files].join(' '))).toEqual([])
  })

  it('exports only what another file imports', () => {
    const used = [...imports, ...tests.flatMap(importsOf)]
    const isUsed = (path: string, name: string): boolean =>
      used.some(({ what, names }) => what === path && (/\*|^$/.test(names) || names.match(/\w+/g)?.includes(name)))
    // The tracker and recorder load their second files by URL.
    const imported = sources.filter(({ path }) => !/^src\/(recorder\/replay|tracker\/more)\.ts$/.test(path))
    const unused = imported.flatMap((file) =>
      topLevelNames(file)
        .filter(({ name, isExported }) => isExported && !isUsed(file.path, name))
        .map(({ name }) => `${file.path}: no other file imports ${name}.${listOf(file.path)}`),
    )
    expect(unused).toEqual([])
  })

  it.each([
    ['src/local/start.ts', ['commander']],
    ['src/local/command-line.ts', ['commander']],
  ])('loads no large package before %s prints its first line', (entry, packages) => {
    const loaded = new Set([entry])
    // The loop over a set includes elements added later. An import without names is dynamic.
    for (const path of loaded) {
      const needed = imports.filter(({ from, names, isType }) => from === path && names !== '' && !isType)
      for (const { what } of needed) loaded.add(what)
    }
    const outside = [...loaded].filter((what) => !what.startsWith('src/') && !what.startsWith('node:'))
    expect(outside.sort()).toEqual(packages)
  })

  it('loads the PostgreSQL client only once an import runs', () => {
    const loads = imports.filter(({ what, isType }) => what === 'pg' && !isType)
    expect(loads.map(({ from, names }) => [from, names])).toEqual([['src/local/import/postgres.ts', '']])
  })

  it('has no files longer than 300 lines', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 301)
    expect(long.map(({ path }) => path)).toEqual([])
  })

  it('has no test files longer than 600 lines', () => {
    expect(tests.filter(({ text }) => text.split('\n').length > 601).map(({ path }) => path)).toEqual([])
  })

  it('has a benchmark of at most 4,050 lines, data definitions included, and 260 for imports', () => {
    const all = readdirSync(join(root, 'test/bench'), { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    )
    const linesOf = (some: typeof all) =>
      some
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').split('\n').length - 1)
        .reduce((sum, one) => sum + one, 0)
    const isOfImports = ({ parentPath }: (typeof all)[number]) => parentPath.endsWith('/import')
    expect(linesOf(all.filter((one) => !isOfImports(one)))).toBeLessThanOrEqual(4050)
    expect(linesOf(all.filter(isOfImports))).toBeLessThanOrEqual(260)
  })

  it('creates SQL fragments only in src/query/language/sql.ts, and never from a plain string', () => {
    const makers = worker.filter(({ text }) => /\bnew (Fragment|Bound)\(|\braw\(/.test(text)).map(({ path }) => path)
    expect(makers).toEqual(['src/query/language/sql.ts'])
    expect(worker.filter(({ text }) => /\braw\(/.test(text)).map(({ path }) => path)).toEqual([])
  })

  it('contains ClickHouse table names only in src/query/tables/rows.ts, which adds conditions to reads', () => {
    const readers = imports.filter(
      ({ names, what }) => what === 'src/query/language/sql.ts' && /\*|(?<!\w)from(?!\w)|^$/.test(names),
    )
    expect(readers.map(({ from }) => from)).toEqual(['src/query/tables/rows.ts'])
  })

  it('counts visitors only in src/query/figures/figures.ts', () => {
    const counting = worker.filter(({ text }) => /uniqExact\(session/.test(text)).map(({ path }) => path)
    expect(counting).toEqual(['src/query/figures/figures.ts'])
  })

  it('sorts and limits rows only in src/query/language/order.ts', () => {
    const queries = worker.filter(({ path }) => /^src\/(query|endpoints|serve\/export)\//.test(path))
    const cutting = queries
      .filter(({ text }) => /^[^/*]*\b(order by [\w$]|limit [\d$])/m.test(text))
      .map(({ path }) => path)
    expect(cutting.sort()).toEqual(['src/query/language/order.ts', 'src/query/tables/rows.ts'])
  })

  it('has no regular expression in the Worker that starts with a repetition, which may be quadratic', () => {
    const repetitions = /(?<=[(=,:?&|[] ?)\/(?:\\[a-zA-Z]|\.|\[(?:\\.|[^\]\\])*\])[+*]/
    expect(repetitions.test('name.replace(/\\d+$/)') && repetitions.test('text.split(/[a-z]*x/)')).toBe(true)
    expect(worker.flatMap(({ text }) => text.split('\n').filter((line) => repetitions.test(line)))).toEqual([])
  })

  it('logs in the Worker only in src/serve/log.ts, which masks slugs, and in code without a request', () => {
    const logging = worker.filter(({ text }) => /\bconsole\./.test(text)).map(({ path }) => path)
    // The tracker prints warnings in the site developer's browser.
    expect(logging).toEqual(['src/collect/delivery.ts', 'src/serve/log.ts', 'src/tracker/script.ts'])
  })

  it('writes to ClickHouse only in src/collect/insert.ts, for the collection log and for imports', () => {
    const writers = worker.filter(({ text }) => /\bINSERT INTO (?:\$\{table\} FORMAT|heartbeats)|\.insert\(/.test(text))
    expect(writers.map(({ path }) => path)).toEqual(['src/collect/insert.ts'])
    const users = imports.filter(({ what, isType }) => what === 'src/collect/insert.ts' && !isType)
    expect(users.map(({ from }) => from)).toEqual([
      ...['src/collect/carrier.ts', 'src/collect/delivery.ts', 'src/collect/flushes.ts', 'src/collect/journal.ts'],
      'src/collect/log.ts',
      ...['src/local/commands/import-command.ts', 'src/local/import/writer.ts'],
    ])
  })

  it('reads the clock only in src/serve/arrive.ts and in a log object’s clock', () => {
    const served = worker.filter(({ path }) => !/^src\/(pages|recorder)\//.test(path))
    const clocks = served.filter(({ text }) => /\bDate\.now\(\)|\bnew Date\(\)/.test(text)).map(({ path }) => path)
    expect(clocks).toEqual(['src/collect/clock.ts', 'src/serve/arrive.ts'])
  })
})

/** The cycles in these imports, each as a list of files that starts and ends with the same file. */
function circlesIn(imports: readonly Pick<Import, 'from' | 'what'>[]): string[][] {
  const imported = new Map<string, string[]>()
  for (const { from, what } of imports) imported.set(from, [...(imported.get(from) ?? []), what])
  const [circles, done]: [string[][], Set<string>] = [[], new Set()]
  const walk = (file: string, path: readonly string[]): void => {
    const place = path.indexOf(file)
    if (place >= 0) circles.push([...path.slice(place), file])
    if (place >= 0 || done.has(file)) return
    for (const what of imported.get(file) ?? []) walk(what, [...path, file])
    done.add(file)
  }
  for (const file of imported.keys()) walk(file, [])
  return circles
}

const isWithin = (folder: string, path: string): boolean => folder.endsWith('/') && path.startsWith(folder)

/**
 * The titles of tests and groups. In formatted code, a test ends at the first closing bracket with the same
 * indentation.
 */
function titledIn({ path, text }: SourceFile): { path: string; title: string; isTest: boolean; lines: number }[] {
  const lines = text.split('\n')
  return lines.flatMap((line, start) => {
    const own = /^( *)(?:(?:it|describe)\b[^'"`]*|[\])}].*)?\((['"`])(.*)\2, *(?:\{.*\}, *)?(?:async|\(|\w+ =>)/.exec(
      line,
    )
    const alone = /^( *) {2}(['"`])(.*)\2,$/.exec(line)
    const isAlone =
      alone && /\($/.test(lines[start - 1]!) && /^ *(?:async|\(|\{ timeout|\w+ =>)/.test(lines[start + 1]!)
    const [, indent, , title] = own ?? (isAlone ? alone : undefined) ?? []
    if (title === undefined) return []
    const end = lines.findIndex(
      (one, place) => place > start && one.startsWith(indent!) && /^[)\]}]/.test(one.slice(indent!.length)),
    )
    const body = lines.slice(start + 1, end)
    return [{ path, title, isTest: !body.some((one) => /^ *(?:it|describe)\b/.test(one)), lines: body.length + 2 }]
  })
}

describe('the tests', () => {
  const titled = tests.flatMap(titledIn)

  it('have titles of at most 100 characters', () => {
    expect(titled.length).toBeGreaterThan(2000)
    expect(titled.filter(({ title }) => title.length > 100)).toEqual([])
  })

  it('have at most 40 lines each in most folders', () => {
    const held = titled.filter(
      ({ path }) => !/^test\/(access|bench|clients|local|pages|query|request|serve)\//.test(path),
    )
    expect(held.filter(({ isTest, lines }) => isTest && lines > 40)).toEqual([])
    expect(Math.max(...held.map(({ lines }) => lines))).toBeGreaterThan(40)
  })

  it('are all run once, against the real platform', () => {
    const dodges = new RegExp(
      [
        '(it|test|describe)\\.(skip|only|todo|skipIf|runIf|fails)\\b',
        '\\b(x|f)(it|describe)\\(',
        '\\bretry:',
        '\\bvi\\.mock\\(',
      ].join('|'),
    )
    expect(tests.filter(({ text }) => dodges.test(text)).map(({ path }) => path)).toEqual([])
  })

  it('neither insert nor read events if their ClickHouse has no rows', () => {
    const rows = /\bbody\.data\b|\b(ingest|websiteWith|websiteOfRefused)\(|\bawait add\(/
    const asking = tests.filter((file) => importsOf(file).some(({ what }) => what === 'test/support/rowless.ts'))
    expect(asking.length).toBeGreaterThan(5)
    expect(asking.filter(({ text }) => rows.test(text)).map(({ path }) => path)).toEqual([])
  })
})

describe('planted bugs', () => {
  it.each(bugs.map((bug) => [bug.name, bug] as const))('can be planted in a single place: %s', (_, { file, from }) => {
    expect(readFileSync(join(root, file), 'utf8').split(from)).toHaveLength(2)
  })
})
