import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { AnyReport, Endpoint } from '../../../src/endpoints/endpoint.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import { noteVersion } from '../../../src/local/machine/version-file.ts'
import { places } from '../../../src/local/paths.ts'
import { readLog } from '../../../src/local/start/logs.ts'
import { logFile, logIds } from '../../../src/local/storage/log-files.ts'
import { createKey } from '../../../src/local/storage/metadata.ts'
import { seal } from '../../../src/local/storage/seal.ts'
import { version } from '../../../src/version.ts'
import { putTables } from '../../support/migrated.ts'
import { runCommand } from '../../support/run-command.ts'
import { type Asked, ask, frozenNow, type Manifest, type Question, type Started, startFolder } from './folder.ts'
import { guard } from './guarded.ts'

/**
 * Makes a data folder with the running version, for the tests of later versions:
 * `npx tsx test/local/released/make.ts` writes `<version>.tgz` beside this file, and `<version>.json` with what the
 * release freezes.
 */

/** Ids are fixed, and so are the times of stored events, so that each run makes nearly the same folder. */
const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const [shop, blog, quiet, again, gone] = [id(1), id(2), id(3), id(4), id(5)] as const
const range = { startAt: String(Date.UTC(2025, 8, 1)), endAt: String(Date.UTC(2025, 10, 30) - 1) }
/** A visit with a recording. */
const visit = { replayId: '00000000-0000-4000-a000-000000000003', sessionId: '00000000-0000-4000-9000-000000000003' }

export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

/** Views, custom events with properties and sales, and web vitals, on sixty days. A visit has one visitor. */
const traffic = (website: string, events: number) => `INSERT INTO ingest
    (website_id, session_id, visit_id, event_id, created_at, event_type, event_name, hostname, browser, os, device,
    screen, language, country, region, city, url_path, url_query, utm_source, utm_medium, referrer_domain, page_title,
    distinct_id, lcp, properties.key, properties.data_type, properties.string_value, properties.number_value,
    properties.date_value)
  SELECT toUUID('${website}') AS website_id,
    toUUID(concat('00000000-0000-4000-9000-', leftPad(toString(number % 97 % 41), 12, '0'))) AS session_id,
    toUUID(concat('00000000-0000-4000-a000-', leftPad(toString(number % 97), 12, '0'))) AS visit_id,
    toUUID(concat('00000000-0000-4000-b000-', leftPad(toString(number), 12, '0'))) AS event_id,
    toDateTime64('2025-09-20 10:00:00.000', 3, 'UTC') + INTERVAL (number % 97 % 60) DAY + INTERVAL number * 61 SECOND
      AS created_at,
    [1, 1, 2, 5][number % 4 + 1] AS event_type, if(event_type = 2, ['buy', 'sign up'][number % 3 % 2 + 1], '') AS event_name,
    'shop.example' AS hostname, ['chrome', 'firefox', 'safari'][number % 97 % 41 % 3 + 1] AS browser,
    ['Linux', 'iOS'][number % 97 % 41 % 2 + 1] AS os, ['desktop', 'mobile'][number % 97 % 41 % 2 + 1] AS device,
    '1920x1080' AS screen, ['en-US', 'de-DE'][number % 97 % 41 % 2 + 1] AS language,
    ['DE', 'US', 'NO'][number % 97 % 41 % 3 + 1] AS country, ['DE-BE', 'US-CA', 'NO-03'][number % 97 % 41 % 3 + 1] AS region,
    ['Berlin', 'San Jose', 'Oslo'][number % 97 % 41 % 3 + 1] AS city,
    ['/', '/pricing', '/docs?a=b'][number % 3 + 1] AS url_path, if(number % 11 = 0, 'gclid=x', '') AS url_query,
    if(number % 7 = 0, 'news', '') AS utm_source, if(number % 7 = 0, 'email', '') AS utm_medium,
    ['', 'google.com', 'www.facebook.com'][number % 97 % 3 + 1] AS referrer_domain, 'Åse’s “shop”' AS page_title,
    if(number % 97 % 41 = 7, 'ada', '') AS distinct_id, if(event_type = 5, 900 + number, NULL) AS lcp,
    if(event_type = 2, ['currency', 'plan', 'revenue'], []) AS \`properties.key\`,
    if(event_type = 2, [1, 1, 2], []) AS \`properties.data_type\`,
    if(event_type = 2, ['EUR', 'pro', toString(number)], []) AS \`properties.string_value\`,
    if(event_type = 2, [NULL, NULL, toDecimal128(number, 4)], []) AS \`properties.number_value\`,
    if(event_type = 2, [NULL, NULL, NULL], []) AS \`properties.date_value\`
  FROM numbers(${events})`

const rrweb = ['{"type":4,"data":{"href":"https://shop.example/","width":800,"height":600},"timestamp":1760530000000}']

/** A recording of a visit of the shop, and clicks. */
const recordings = [
  `INSERT INTO ingest_replay_chunks SELECT '${shop}', toUUID('00000000-0000-4000-a000-000000000003'),
     toUUID('00000000-0000-4000-9000-000000000003'), '2025-10-15 12:06:41', number, lower(hex(SHA256(toString(number)))),
     '2025-10-15 12:06:40', '2025-10-15 12:06:41', [1760530000000 + number], '${rrweb}' FROM numbers(2)`,
  `INSERT INTO ingest_heatmap_events SELECT '${shop}', toUUID('00000000-0000-4000-a000-000000000003'),
     toUUID('00000000-0000-4000-9000-000000000003'), '2025-10-15 12:06:41', '2025-10-15 12:06:42', '00000000000000ff',
     number, 1, '/', 5, 6, 7, 8, 800, 600, 800, 600, NULL FROM numbers(3)`,
]

const reports = endpoints.filter((endpoint): endpoint is AnyReport => endpoint.kind === 'report')

async function store({ clickhouse: { client } }: Started): Promise<void> {
  for (const query of [traffic(shop, 1200), traffic(blog, 300), traffic(again, 100), ...recordings])
    await client.command({ query })
  const rowsOf = (list: readonly (readonly object[] | undefined)[]) =>
    [...new Set(list.flatMap((some) => some ?? []).map((row) => JSON.stringify({ ...row, website_id: shop })))].map(
      (row) => JSON.parse(row) as { created_at?: string; event_id?: string },
    )
  const format = 'JSONEachRow'
  const events = rowsOf(reports.map(({ example }) => example.events)).filter((row) => row.created_at !== undefined)
  // `restore` stores an id once. Examples of several reports may have the same one.
  const values = events.map((row, place) => {
    const isRepeated = events.findIndex(({ event_id }) => event_id === row.event_id) < place
    return { ...row, event_id: isRepeated || !row.event_id ? id(9000 + place) : row.event_id }
  })
  await client.insert({ table: 'ingest', values, format })
  const calls = rowsOf(reports.map(({ example }) => example.calls))
  await client.insert({ table: 'ingest_session_data', values: calls, format })
  const { sealed, differing } = await seal(client, { websiteIds: [], patience: 0 })
  if (sealed === 0 || differing.length > 0) throw new Error(`Sealed ${sealed} days; ${differing} differ.`)
}

/** Creates users, a team, websites and everything that users save. Returns the ids for the paths of endpoints. */
async function createThings(url: string, key: string, signIn: Manifest['signIn']): Promise<Record<string, string>> {
  const post = async (path: string, body: object) =>
    (await ask(url, key, { path, body })) as { id: string; slug: string }
  const user = await post('/api/users', { ...signIn, role: 'user' })
  const team = await post('/api/teams', { name: 'Team', ownerId: user.id })
  await post('/api/websites', { id: shop, name: 'Shop', domain: 'shop.example' })
  await post('/api/websites', { id: blog, name: 'Blog', domain: 'blog.example', teamId: team.id })
  await post('/api/websites', { id: again, name: 'Again', domain: 'again.example' })
  await post('/api/websites', { id: quiet, name: 'Quiet', domain: 'quiet.example' })
  await post(`/api/websites/${quiet}`, { replayConfig: { replayEnabled: true } })
  const of = `/api/websites/${shop}`
  const steps = ['/', '/pricing'].map((value) => ({ type: 'path', value }))
  const chrome = { filters: [{ name: 'browser', operator: 'eq', value: 'chrome' }] }
  const made = {
    segmentId: post(`${of}/segments`, { type: 'segment', name: 'Chrome', parameters: chrome }),
    funnelId: post(`${of}/funnels`, { name: 'Funnel', parameters: { window: 60, steps } }),
    goalId: post(`${of}/goals`, { name: 'Goal', parameters: { type: 'path', value: '/pricing' } }),
    annotationId: post(`${of}/annotations`, { date: '2025-10-15', note: 'Release' }),
    shareId: post(`${of}/shares`, { name: 'Share', parameters: { overview: true } }),
    boardId: post('/api/boards', { name: 'Board', type: 'mixed', parameters: { websiteId: shop } }),
    linkId: post('/api/links', { name: 'Link', url: 'https://shop.example/sale', slug: 'released-link' }),
    pixelId: post('/api/pixels', { name: 'Pixel', slug: 'released-pixel' }),
  }
  const ids = await Promise.all(Object.entries(made).map(async ([name, one]) => [name, (await one).id]))
  return {
    ...Object.fromEntries(ids),
    websiteId: shop,
    userId: user.id,
    teamId: team.id,
    reportId: (await made.goalId).id,
    share: (await made.shareId).slug,
  }
}

/** Answers that follow the clock, the version, or who asked last. */
const unstable = new RegExp(
  [
    ...['^/(?:health|ready)$', '^/api/(?:heartbeat|config|me|realtime|admin/(?:audit|imports))\\b', '/active$'],
    ...['/collection$', '/charts$', '^/api/share/:slug$', '^/api/(?:2fa|auth)/'],
  ].join('|'),
)

/** A GET of each stable endpoint about the shop, each report also by POST, and a few about the blog and by a share. */
function questions(ids: Readonly<Record<string, string>>): Question[] {
  const pathOf = (path: string, more: object) =>
    path.replace(/:(\w+)/g, (name, of: string) => ({ ...ids, ...visit, ...more })[of] ?? name)
  const about = (endpoint: Endpoint): Question[] => {
    const { method, path, kind } = endpoint
    const example = kind === 'report' ? endpoint.example : undefined
    const query = { ...example?.query, ...(example === undefined || 'startAt' in example.query ? range : {}) }
    if (method === 'post' && example) {
      const type = path.slice(path.lastIndexOf('/') + 1)
      return [{ path, body: { websiteId: shop, type, filters: {}, parameters: query } }]
    }
    const full = pathOf(path, { eventId: id(1), ...example?.ids })
    if (method !== 'get' || full.includes(':')) return []
    const needed = path === '/api/reports' ? { websiteId: shop, type: 'goal' } : {}
    const type = path.endsWith('/segments') ? { type: 'segment' } : {}
    return [{ path: `${full}?${new URLSearchParams({ ...query, ...needed, ...type })}` }]
  }
  const ofShop = endpoints.filter(({ path }) => !unstable.test(path)).flatMap(about)
  const few = ['events', 'events/stats', 'event-data/stats', 'pageviews', 'sessions', 'stats']
  const blogs = ofShop.filter(({ path }) => few.some((name) => path.startsWith(`/api/websites/${shop}/${name}?`)))
  const path = `/api/websites/${shop}/stats?${new URLSearchParams({ ...range, share: ids.share! })}`
  const list = `/api/websites/${shop}/events?${new URLSearchParams(range)}`
  const lists = ['application/x-ndjson', 'text/csv; escape=none'].map((accept) => ({ path: list, accept }))
  return [...ofShop, ...blogs.map((one) => ({ path: one.path.replace(shop, blog) })), { path }, ...lists]
}

/**
 * Sends rows of each kind that stay in the log, because ClickHouse has ended. Returns requests about them, with a part
 * of their answers once they are stored.
 */
async function leaveWaiting(url: string): Promise<Asked[]> {
  const at = Date.now()
  const headers: Record<string, string> = { 'user-agent': firefox, 'content-type': 'application/json' }
  const send = async (path: string, type: string, given: object): Promise<{ cache?: string; ok?: boolean }> => {
    const body = JSON.stringify({ type, payload: { website: quiet, ...given } })
    const response = await fetch(url + path, { method: 'POST', headers, body })
    const answer = (await response.json()) as { cache?: string; ok?: boolean }
    if (!(answer.cache ?? answer.ok)) throw new Error(`${path} answered ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }
  const page = { hostname: 'quiet.example', url: '/' }
  for (let view = 0; view < 3; view++) headers['x-umami-cache'] = (await send('/api/send', 'event', page)).cache!
  await send('/api/send', 'event', { ...page, name: 'buy', data: { price: 5 } })
  await send('/api/send', 'identify', { ...page, id: 'ada', data: { plan: 'pro' } })
  await send('/api/record', 'record', { events: [JSON.parse(rrweb[0]!)], timestamp: Math.floor(at / 1000) })
  const during = new URLSearchParams({ startAt: String(at - 60_000), endAt: String(at + 60_000) })
  const asked = (name: string, answer: unknown): Asked => ({ path: `/api/websites/${quiet}/${name}?${during}`, answer })
  return [
    asked('stats', { pageviews: 3, visitors: 1 }),
    asked('event-data/properties', [{ eventName: 'buy', propertyName: 'price', total: 1 }]),
    asked('session-data/properties', [{ propertyName: 'plan', total: 1 }]),
    asked('replays', { data: [{}], count: 1 }),
  ]
}

/** The number of rows that `leaveWaiting` sends. */
const waitingRows = 6

/** The code of a Worker whose clock is ahead by some days. */
const ahead = (code: string, days: number): string => `{
  const now = Date.now
  globalThis.Date = class extends Date {
    constructor(...given) { super(...(given.length > 0 ? given : [Date.now()])) }
    static now() { return now() + ${days * 24 * 3600_000} }
  }
}
${code}`

/** Throws if a later clock changes an answer, which would then fail in later versions. The folder is a copy. */
async function expectLasting(dataDir: string, key: string, asked: readonly Asked[], code: string): Promise<void> {
  const started = await startFolder(dataDir)
  const url = await started.rollBack(ahead(code, 40))
  for (const { answer, ...question } of asked) {
    const later = await ask(url, key, question)
    if (!isDeepStrictEqual(later, answer)) throw new Error(`The clock changes the answer of ${question.path}.`)
  }
  await started.close()
}

/** Makes a backup of the running folder, before any event waits. */
async function backUp(dataDir: string, to: string, { metadata }: Started): Promise<void> {
  const openMetadata = async () => ({ metadata, close: async () => {} })
  const words = ['backup', '--to', `${to}s`, '--data-dir', dataDir]
  const { code, stdout, stderr } = await runCommand(words, { env: {}, openMetadata })
  if (code !== 0) throw new Error(stderr)
  renameSync(stdout.trimEnd(), to)
}

/**
 * Makes the archive of a data folder and its backup, with its manifest, and the file of what a release freezes. Throws
 * if one of the files exists.
 */
export async function make(archive: string): Promise<void> {
  const frozen = archive.replace(/\.tgz$/, '.json')
  for (const file of [archive, frozen])
    if (existsSync(file)) throw new Error(`${file} exists. Before its release, it may be deleted.`)
  const folder = mkdtempSync(`${tmpdir()}/weir-released-`)
  const dataDir = `${folder}/data`
  mkdirSync(dataDir, { mode: 0o700 })
  await putTables(dataDir)
  const started = await startFolder(dataDir)
  const code = readFileSync(`${places(dataDir).bundle}/worker.js`, 'utf8')
  const { url, metadata } = started
  const key = await createKey(metadata, 'released', { admin: true, access: 'write' }, Date.now())
  const signIn = { username: 'ada', password: 'correct horse battery' }
  const ids = await createThings(url, key, signIn)
  await store(started)
  const sites = { shop, blog, again, gone }
  const about = { ...visit, range: String(new URLSearchParams(range)) }
  const { questions: guarded, second } = await guard(url, key, metadata, sites, about)
  const asked: Asked[] = []
  for (const question of [...questions(ids), ...guarded])
    asked.push({ ...question, answer: await ask(url, key, question) })
  await backUp(dataDir, `${folder}/backup`, started)
  await started.clickhouse.close()
  const waiting = await leaveWaiting(url)
  await started.close()
  noteVersion(places(dataDir).version)
  let rows = 0
  for (const log of logIds(dataDir)) await readLog(dataDir, logFile(dataDir, log), () => rows++)
  if (rows !== waitingRows) throw new Error(`${rows} rows wait in the log, not ${waitingRows}.`)
  cpSync(dataDir, `${folder}/later`, { recursive: true, verbatimSymlinks: true })
  await expectLasting(`${folder}/later`, key, asked, code)
  const manifest: Manifest = { version, key, signIn, second, waiting, asked }
  writeFileSync(`${folder}/manifest.json`, JSON.stringify(manifest))
  writeFileSync(`${folder}/worker.js`, code)
  rmSync(places(dataDir).bundle, { recursive: true })
  execFileSync('tar', ['-czf', archive, '-C', folder, 'manifest.json', 'worker.js', 'data', 'backup'])
  writeFileSync(frozen, `${JSON.stringify(frozenNow(), null, 2)}\n`)
  rmSync(folder, { recursive: true })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const archive = process.argv[2] ?? fileURLToPath(new URL(`${version}.tgz`, import.meta.url))
  await make(archive)
  console.log(`${archive}: ${readFileSync(archive).length} bytes`)
  process.exit(0)
}
