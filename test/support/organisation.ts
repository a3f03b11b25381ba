import { randomUUID } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { hashOf, newKey, prefixOf } from '../../src/access/api-key.ts'
import { tokens } from '../../src/access/tokens.ts'
import { password } from './good-requests.ts'
import { cheaplyHashed } from './passwords.ts'
import { day } from './website.ts'

/** The id of an event on every website that has any events. */
export const eventId = '00000000-0000-4000-8000-00000000e1e1'

/** That event's session. */
export const sessionId = '00000000-0000-4000-8000-00000000e1e2'

/** The ids in the paths of one caller's requests. */
export interface Target {
  readonly websiteId: string
  readonly teamId: string
  /** Two websites may have events with the same id. */
  readonly eventId: string
  readonly sessionId: string
  /** That event's visit. */
  readonly replayId: string
  readonly segmentId: string
  readonly annotationId: string
  readonly linkId: string
  readonly pixelId: string
  readonly boardId: string
  readonly reportId: string
  readonly funnelId: string
  readonly goalId: string
  readonly shareId: string
  readonly slug: string
}

type Row = Readonly<Record<string, string | number | null>>
type Headers = Readonly<Record<string, string>>

const now = Date.now()
const year = 365 * 86_400_000

/** The hashed password of every user here. */
const hashed = cheaplyHashed(password)

const bearer = (secret: string): Headers => ({ authorization: `Bearer ${secret}` })

/**
 * People, teams and their objects, as D1 rows that are inserted together. Everything is new, and every name contains
 * `marker`.
 */
export function organisation(secret: string, marker: string) {
  const rows: [table: string, row: Row][] = []
  /** Adds a row with a new id, which it returns. */
  const add = (table: string, row: Row): string => {
    const id = randomUUID()
    rows.push([table, { id, ...row }])
    return typeof row.id === 'string' ? row.id : id
  }
  /** The same for tables with creation and update times. */
  const stamped = (table: string, row: Row): string => add(table, { created_at: now, updated_at: now, ...row })
  const named = (what: string) => `${what} ${marker} ${randomUUID().slice(0, 8)}`

  const user = (columns: Row = {}): string => {
    const username = named(String(columns.role ?? 'user'))
    return stamped('users', {
      ...{ username, name_key: username.toLowerCase(), password_hash: hashed, role: 'user' },
      ...columns,
    })
  }
  const signIn = async (userId: string, expiresAt = now + year): Promise<Headers> => {
    const jti = add('sign_ins', { user_id: userId, created_at: now, expires_at: expiresAt })
    return bearer(await tokens(secret).make({ typ: 'sign-in', jti }, now + year))
  }
  const key = async (columns: Row, websiteIds: readonly string[] = []) => {
    const made = newKey()
    const secrets = { key_hash: await hashOf(made), key_prefix: prefixOf(made) }
    const given = { is_admin: 0, access: 'write', all_websites: 1, ...columns }
    const id = add('api_keys', { name: named('key'), ...secrets, created_at: now, ...given })
    for (const website_id of websiteIds) rows.push(['api_key_websites', { key_id: id, website_id }])
    return { id, headers: bearer(made) }
  }
  const join = (teamId: string, userId: string, role: string): void =>
    void stamped('team_members', { team_id: teamId, user_id: userId, role })
  const team = (): { id: string; accessCode: string } => {
    const [name, accessCode] = [named('team'), `${randomUUID()}${marker}`]
    return { id: stamped('teams', { name, search: name.toLowerCase(), access_code: accessCode }), accessCode }
  }
  const share = async (websiteId: string, parameters: object, columns: Row = {}) => {
    const slug = randomUUID()
    const row = {
      ...{ website_id: websiteId, name: named('share'), slug, parameters: JSON.stringify(parameters) },
      ...columns,
    }
    const id = stamped('shares', row)
    return { id, slug, token: await tokens(secret).make({ typ: 'share', jti: id, slug }) }
  }
  const segment = (websiteId: string, text = marker): string => {
    const parameters = JSON.stringify({ filters: [{ name: 'browser', operator: 'eq', value: text }] })
    return stamped('segments', {
      ...{ website_id: websiteId, type: 'segment', name: named('segment'), search: marker, parameters },
    })
  }

  /** A website with one object of every kind. Its share has these parameters. */
  const website = async (columns: Row, teamId: string, shared: object = { filters: { path: marker } }) => {
    const [name, domain, note, boardName] = [named('website'), `${marker}.example`, named('note'), named('board')]
    const website_id = stamped('websites', {
      ...{ name, domain, search: `${name}\n${domain}`.toLowerCase() },
      replay_config: JSON.stringify({ replayEnabled: true, blockSelector: marker }),
      ...columns,
    })
    const annotation = { website_id, date: day.startAt, all_day: 1, note, search: note }
    stamped('saved_replays', { website_id, visit_id: sessionId, name: named('replay'), search: '' })
    const steps = ['/a', '/b'].map((value) => ({ type: 'path', value: `${value} ${marker}` }))
    const report = (type: string, parameters: object) =>
      stamped('reports', {
        ...{ website_id, type, name: named(type), description: '', search: marker },
        parameters: JSON.stringify(parameters),
      })
    const { public: _, ...owned } = columns
    const boardId = stamped('boards', {
      ...{ type: 'mixed', name: boardName, name_key: boardName, description: '', description_key: '' },
      parameters: JSON.stringify({ websiteId: website_id }),
      ...{ user_id: columns.user_id ?? null, team_id: columns.team_id ?? null },
    })
    rows.push(['board_subjects', { board_id: boardId, subject_id: website_id, kind: 'website' }])
    const addressed = (kind: string, url: string | null) => {
      const own = named(kind)
      return stamped('websites', { kind, name: own, slug: randomUUID(), url, domain: '', search: own, ...owned })
    }
    const { id: shareId, slug } = await share(website_id, shared)
    return {
      ...{ websiteId: website_id, teamId, eventId, sessionId, replayId: sessionId, boardId, shareId, slug },
      ...{ segmentId: segment(website_id), annotationId: stamped('annotations', annotation) },
      ...{ linkId: addressed('link', `https://${domain}/`), pixelId: addressed('pixel', null) },
      ...{ reportId: report('utm', {}), funnelId: report('funnel', { window: 60, steps }) },
      goalId: report('goal', { type: 'path', value: marker }),
    } satisfies Target
  }

  const nameOf = (userId: string) => rows.find(([, row]) => row.id === userId)![1].username as string
  const insert = (database: D1Database) => insertAll(database, rows)
  return { add, stamped, user, nameOf, signIn, key, join, team, share, segment, website, insert }
}

/** Inserts all of these rows or none. Rows in the same table with the same columns share a statement. */
async function insertAll(database: D1Database, rows: readonly (readonly [table: string, row: Row])[]): Promise<void> {
  const alike = new Map<string, { into: string; names: readonly string[]; rows: Row[] }>()
  for (const [table, row] of rows) {
    const names = Object.keys(row).sort()
    const into = `${table} (${names.join(', ')})`
    const before = alike.get(into)
    if (before) before.rows.push(row)
    else alike.set(into, { into, names, rows: [row] })
  }
  const statements = [...alike.values()].map(({ into, names, rows }) => {
    const values = names.map((name) => `value ->> '${name}'`).join(', ')
    return database.prepare(`INSERT INTO ${into} SELECT ${values} FROM json_each(?)`).bind(JSON.stringify(rows))
  })
  // A row may refer to a row in a later statement.
  await database.batch([database.prepare('PRAGMA defer_foreign_keys = on'), ...statements])
}
