import { createHash, createHmac, scryptSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { D1Database } from '@cloudflare/workers-types'
import { bundle } from '../../src/local/bundle.ts'
import { startClickHouse, urlOf } from '../../src/local/clickhouse.ts'
import { migrateEvents, migrateMetadata } from '../../src/local/migrations.ts'
import { places } from '../../src/local/paths.ts'
import { bundled, startBundled } from '../../src/local/workerd.ts'
import { body as eventsBody } from './events.ts'
import { type Caller, ids, password, secrets } from './names.ts'

/** The world that the requests are about: the same ids, names, times and events each time. */

type Row = Readonly<Record<string, string | number | null>>

const secret = 'the secret that signs every token of these tests'
const forever = Date.UTC(2100, 0, 1)

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function signed(claims: object): string {
  const text = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const rows: [table: string, row: Row][] = []

/** Each row is a second younger than the one before. */
let clock = Date.UTC(2023, 0, 1)

function add(table: string, row: Row, isStamped = true): void {
  clock += 1000
  rows.push([table, { ...(isStamped && { created_at: clock, updated_at: clock }), ...row }])
}

const salt = '5a'.repeat(16)
const hash = scryptSync(password, salt, 32, { N: 2 ** 14, r: 8, p: 5, maxmem: 2 ** 26 }).toString('hex')
const passwordHash = ['scrypt', 2 ** 14, 8, 5, salt, hash].join('$')

const roles: Readonly<Record<string, string>> = { admin: 'admin', 'view-only': 'view-only' }

for (const [username, id] of Object.entries(ids.user)) {
  const role = roles[username] ?? 'user'
  add('users', { id, username, name_key: username.toLowerCase(), password_hash: passwordHash, role })
  const signIn = { id: ids.signIn[username]!, user_id: id, created_at: clock, expires_at: forever }
  add('sign_ins', signIn, false)
}

for (const [name, id] of Object.entries(ids.team)) {
  add('teams', { id, name, search: name.toLowerCase(), access_code: `code-of-${name}` })
}

const members: readonly (readonly [team: string, user: string, role: string])[] = [
  ['ours', 'owner', 'team-owner'],
  ['ours', 'team-owner', 'team-owner'],
  ['ours', 'team-manager', 'team-manager'],
  ['ours', 'team-member', 'team-member'],
  ['ours', 'team-view-only', 'team-view-only'],
  ['ours', 'view-only', 'team-manager'],
  ['ours', 'member', 'team-member'],
  ['theirs', 'outsider', 'team-owner'],
  ['doomed', 'owner', 'team-owner'],
  ['doomed', 'member', 'team-member'],
]
for (const [index, [team, user, role]] of members.entries()) {
  add('team_members', { id: ids.membership[index]!, team_id: ids.team[team]!, user_id: ids.user[user]!, role })
}

/** Whose each website is, and what is not as usual about it. */
const websites: Readonly<Record<string, Row>> = {
  own: { user_id: ids.user.owner!, replay_config: JSON.stringify({ replayEnabled: true, sampleRate: 0.5 }) },
  teams: { team_id: ids.team.ours! },
  public: { user_id: ids.user.owner!, public: JSON.stringify({ events: true }) },
  locked: {
    user_id: ids.user.owner!,
    public: JSON.stringify({ events: true, filters: { browser: 'chrome', eventType: 'neq.4' } }),
  },
  origins: {
    user_id: ids.user.owner!,
    public: JSON.stringify({ events: true, allowFilter: false, origins: ['https://www.example.com'] }),
  },
  reset: { user_id: ids.user.owner!, reset_at: Date.UTC(2025, 9, 12, 10, 11, 12, 345) },
  empty: { user_id: ids.user.owner! },
  elsewhere: { user_id: ids.user.outsider! },
  doomed: { user_id: ids.user.owner! },
  changing: { user_id: ids.user.owner! },
  deleted: { user_id: ids.user.owner!, deleted_at: Date.UTC(2025, 0, 1) },
}
for (const [name, columns] of Object.entries(websites)) {
  const domain = `${name}.example`
  const search = `${name}\n${domain}`
  add('websites', { id: ids.website[name]!, name, domain, search, created_by: ids.user.owner!, ...columns })
}

const shares: Readonly<Record<string, object>> = {
  open: { events: true },
  closed: {},
  locked: { events: true, filters: { browser: 'chrome' } },
  unfiltered: { events: true, allowFilter: false },
  origins: { events: true, origins: ['https://www.example.com'] },
  expired: { events: true, expiresAt: '2025-01-01T00:00:00.000Z' },
  lasting: { overview: true, events: true, utm: true, theme: 'dark', expiresAt: '2099-01-01T00:00:00.000Z' },
  doomed: { events: true },
  changing: { events: true },
}
for (const [name, parameters] of Object.entries(shares)) {
  const { expiresAt } = parameters as { expiresAt?: string }
  const expires_at = expiresAt === undefined ? null : Date.parse(expiresAt)
  const slug = `slug-of-${name}`
  const text = JSON.stringify(parameters)
  const row = { id: ids.share[name]!, website_id: ids.website.own!, name, search: name, slug, parameters: text }
  add('shares', { ...row, expires_at })
}

const filter = (name: string, operator: string, value: string | string[]) => ({ name, operator, value })
const segments: Readonly<Record<string, readonly [type: string, parameters: object]>> = {
  chrome: ['segment', { filters: [filter('browser', 'eq', 'chrome')] }],
  several: [
    'segment',
    {
      match: 'any',
      filters: [filter('country', 'eq', ['DE', 'FR']), filter('path', 'c', 'pri'), filter('os', 're', '^M')],
    },
  ],
  distinct: ['segment', { filters: [filter('distinctId', 'eq', 'user-3')] }],
  pattern: ['segment', { filters: [filter('title', 're', '(')] }],
  buyers: ['cohort', { action: { type: 'event', value: 'buy' }, dateRange: 'all' }],
  readers: [
    'cohort',
    {
      action: { type: 'path', value: '/pricing' },
      dateRange: `range:${Date.UTC(2025, 8, 1)}:${Date.UTC(2025, 9, 20)}`,
      filters: [filter('country', 'neq', 'US')],
    },
  ],
  today: ['cohort', { action: { type: 'event', value: 'buy' }, dateRange: '0day' }],
  unfinished: ['cohort', {}],
  doomed: ['segment', { filters: [] }],
  changing: ['segment', { filters: [] }],
}
for (const [name, [type, parameters]] of Object.entries(segments)) {
  const row = { id: ids.segment[name]!, website_id: ids.website.own!, type, name, search: name }
  add('segments', { ...row, parameters: JSON.stringify(parameters) })
}

const keys: Readonly<Record<string, { columns: Row; websiteIds?: readonly string[] }>> = {
  operator: { columns: { is_admin: 1 } },
  expired: { columns: { user_id: ids.user.owner!, all_websites: 1, expires_at: Date.UTC(2025, 0, 1) } },
  other: { columns: {}, websiteIds: [ids.website.elsewhere!] },
  listed: { columns: { user_id: ids.user.owner! }, websiteIds: [ids.website.own!, ids.website.changing!] },
  read: { columns: { user_id: ids.user.owner!, all_websites: 1, access: 'read' } },
  write: { columns: { user_id: ids.user.owner!, all_websites: 1 } },
  'of origins': { columns: { user_id: ids.user.owner!, all_websites: 1, origins: '["https://www.example.com"]' } },
  doomed: { columns: { user_id: ids.user.owner!, all_websites: 1 } },
}
for (const [name, { columns, websiteIds = [] }] of Object.entries(keys)) {
  const key = secrets.key[name]!
  const hashed = { key_hash: createHash('sha256').update(key).digest('hex'), key_prefix: key.slice(0, 12) }
  // Used so late that no request is noted as a use.
  const row = { id: ids.key[name]!, name, ...hashed, is_admin: 0, access: 'write', last_used_at: forever }
  add('api_keys', { ...row, created_at: clock, ...columns }, false)
  for (const website_id of websiteIds) add('api_key_websites', { key_id: ids.key[name]!, website_id }, false)
}

async function fill(database: D1Database): Promise<void> {
  await database.batch(
    rows.map(([table, row]) => {
      const places = Object.keys(row).map((_, index) => `?${index + 1}`)
      const query = `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`
      return database.prepare(query).bind(...Object.values(row))
    }),
  )
}

const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
const shareToken = (name: string): string => signed({ typ: 'share', jti: ids.share[name], slug: `slug-of-${name}` })

/** The headers by which a caller is known. */
export function headersOf(caller: Caller): Readonly<Record<string, string>> {
  if (caller === 'none' || caller === 'public') return {}
  if (caller === 'wrong') return bearer(`api_${'x'.repeat(43)}`)
  if (caller === 'closed share') {
    return { 'x-umami-share-token': shareToken('closed'), 'x-umami-share-context': '1' }
  }
  if (caller === 'share') return { 'x-weir-share-token': shareToken('open') }
  if (caller.startsWith('share ')) return { 'x-weir-share-token': shareToken(caller.slice('share '.length)) }
  const key = secrets.key[caller]
  return bearer(key ?? signed({ typ: 'sign-in', jti: ids.signIn[caller], exp: forever / 1000 }))
}

/** Seconds that answers are kept for where the cache is on: longer than the test takes. */
const cache = { open: 600, shared: 60, closed: 3600, settled: 300, stale: 60, onError: 86_400 }

/** What stands in the place of every limiter: nobody has a request left. */
const spent = {
  name: 'spent',
  modules: true as const,
  script: 'export default () => ({ limit: async () => ({ success: false }) })',
}

/** How the Worker is started. */
export type Way = 'plain' | 'cached' | 'limited'

/** One ClickHouse, on which Workers are started one after the other. */
export interface World {
  /** The URL of the Worker. */
  start(way: Way): Promise<string>
  /** From now on ClickHouse is gone. */
  stopEvents(): Promise<void>
  close(): Promise<void>
}

export async function newWorld(): Promise<World> {
  const dataDir = mkdtempSync(`${tmpdir()}/weir-before-`)
  writeFileSync(`${dataDir}/auth-secret`, secret)
  const clickhouse = await startClickHouse(dataDir, 0)
  const { server } = clickhouse
  const filled = (async () => {
    await migrateEvents(clickhouse.client, server)
    const url = `${urlOf(server)}&query=${encodeURIComponent('INSERT INTO ingest FORMAT JSONEachRow')}`
    const answer = await fetch(url, { method: 'POST', body: new Uint8Array(eventsBody()) })
    if (!answer.ok) throw new Error(await answer.text())
  })()
  const worked = async (way: Way) => {
    const options = bundled(dataDir, 0, server, undefined, way === 'cached' ? cache : undefined)
    const { d1Persist, cf, ratelimits, ...worker } = options
    const limits =
      way === 'limited'
        ? { wrappedBindings: Object.fromEntries(Object.keys(ratelimits).map((one) => [one, spent.name])) }
        : { ratelimits }
    // What goes wrong is asked for here: nobody wants to read of it.
    const silent = { handleRuntimeStdio: () => {} }
    return startBundled({ d1Persist, cf, ...worker, ...limits }, { ...silent, beside: [spent] })
  }
  await bundle(places(dataDir).bundle)
  let worker = await worked('plain')
  await migrateMetadata(worker.metadata)
  await fill(worker.metadata)
  await filled
  let started: Way = 'plain'
  let isUp = true
  const stopEvents = async () => {
    if (isUp) await clickhouse.close()
    isUp = false
  }
  return {
    async start(way) {
      if (way !== started) {
        await worker.close()
        started = way
        worker = await worked(way)
      }
      return worker.url
    },
    stopEvents,
    async close() {
      await worker.close()
      await stopEvents()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
