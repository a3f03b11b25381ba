import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { root } from '../src/local/paths.ts'
import { workerVariables } from '../src/local/start/worker-variables.ts'

/** Checks that code reads each setting, and that a page explains it. */

const textsIn = (folder: string, endings: RegExp): [path: string, text: string][] =>
  readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.test(name) && !name.includes('node_modules'))
    .map((name) => [`${folder}/${name}`, readFileSync(`${root}/${folder}/${name}`, 'utf8')])

const code = textsIn('src', /\.(ts|tsx)$/)
const ofWorker = readFileSync(`${root}/src/env.ts`, 'utf8')
const pages = [readFileSync(`${root}/README.md`, 'utf8'), ...textsIn('docs', /\.md$/).map(([, text]) => text)].join(
  '\n',
)

const isWord = (name: string, text: string): boolean => new RegExp(`\\b${name}\\b`).test(text)

/** The Worker's bindings, and variables that Weir sets itself. They are not settings. */
const ofWeir = [
  ...['METADATA', 'COLLECT', 'ANALYTICS', 'VERSION', 'JURISDICTION', 'COLLECT_TOKENS_SINCE', 'PURGER', 'DEMO'],
  ...['CHECK_LOGS', 'LOG_IS_BESIDE', 'WEIR_WORKERD', 'WEIR_COMMAND', 'WEIR_COMMIT', 'MINIFLARE_WORKERD_PATH'],
]

/** A variable that npm sets. */
const ofNpm = 'INIT_CWD'

const workers = [...ofWorker.matchAll(/^ {2}readonly ([A-Z][A-Z_]+)\??:/gm)].map(([, name]) => name!)

const commands = code
  .filter(([path]) => path.startsWith('src/local/'))
  .flatMap(([, text]) => [...text.matchAll(/\benv(?:\.|\[')([A-Z][A-Z_]+)\b/g)].map(([, name]) => name!))

it('each setting of the Worker is read by code', () => {
  const others = code.filter(([path]) => path !== 'src/env.ts')
  expect(workers.length).toBeGreaterThan(50)
  expect(workers.filter((name) => !others.some(([, text]) => isWord(name, text)))).toEqual([])
})

it('each setting of the Worker and of commands is explained on a page', () => {
  expect(new Set(commands).size).toBeGreaterThan(10)
  const settings = [...new Set([...workers, ...commands])].filter((name) => !ofWeir.includes(name) && name !== ofNpm)
  expect(settings.filter((name) => !isWord(name, pages))).toEqual([])
})

/** Settings that `npm start` and `serve` set themselves. */
const ofStart = ['CLICKHOUSE_URL', 'CLICKHOUSE_REPLICAS', 'CLICKHOUSE_USER', 'CLICKHOUSE_PASSWORD']
const ofFolder = ['CLICKHOUSE_DATABASE', 'AUTH_SECRET', 'METRICS_TOKEN']

it('npm start and serve pass each other setting of the Worker on; objects are merged', () => {
  const bindings = ['ASSETS', ...workers.filter((name) => name.startsWith('LIMIT_'))]
  const passed = workers.filter((name) => ![...ofWeir, ...ofStart, ...ofFolder, ...bindings].includes(name))
  const objects = ['CACHE', 'CONCURRENCY', 'LOG', 'RATE_LIMITS']
  const valid: Record<string, string> = {
    SALT_ROTATION: 'week',
    PUBLIC_URL: 'https://x',
    IGNORE_IP: '192.0.2.1',
    TRUSTED_PROXIES: '::1',
  }
  const textFor = (name: string) => (objects.includes(name) ? '{"a":1,"b":null}' : (valid[name] ?? '7'))
  const env = Object.fromEntries(passed.map((name) => [name, textFor(name)]))
  const usual = { CACHE: { a: 0, b: 2, c: 3 } }
  const expected = Object.entries(env).map(([name, text]) => [name, objects.includes(name) ? { a: 1, b: null } : text])
  expect(workerVariables({ ...env, OTHER: 'x', PATH: '/' }, usual)).toEqual({
    ...Object.fromEntries(expected),
    CACHE: { a: 1, c: 3 },
  })
  expect(workerVariables({ LOG: 'debug', CACHE: '1', RECORD_DAILY: '' })).toEqual({})
  expect(() => workerVariables({ CACHE: '{' })).toThrow('CACHE: Must be JSON.')
  expect(() => workerVariables({ SALT_ROTATION: 'daily' })).toThrow('SALT_ROTATION: Must be one of: day, week, month.')
  expect(() => workerVariables({ CLIENT_IP_HEADER: 'a b' })).toThrow('CLIENT_IP_HEADER: Must be the name of a header.')
  expect(() => workerVariables({ PUBLIC_URL: 'weir.example.com' })).toThrow('PUBLIC_URL: Must be a URL such as')
  expect(() => workerVariables({ IGNORE_IP: '192.0.2.1, 192.0.2.300' })).toThrow('IGNORE_IP: 192.0.2.300 is neither')
})

it('variables that are no settings are set by Weir’s own files', () => {
  const files = ['wrangler.toml', 'Dockerfile', 'src/local/bin.js'].map((path) =>
    readFileSync(`${root}/${path}`, 'utf8'),
  )
  const setting = [...files, ...code.filter(([path]) => path.startsWith('src/local/')).map(([, text]) => text)]
  expect(ofWeir.filter((name) => !setting.some((text) => isWord(name, text)))).toEqual([])
})
