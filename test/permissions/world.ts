import { randomUUID } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { hashOf, newKey, prefixOf } from '../../src/access/api-key.ts'
import { sections } from '../../src/access/opening.ts'
import { tokens } from '../../src/access/tokens.ts'
import { password } from '../support/good-requests.ts'
import { cheaplyHashed } from '../support/passwords.ts'
import { day } from '../support/website.ts'

/** An event that every website has, if it has any. */
export const eventId = '00000000-0000-4000-8000-00000000e1e1'

/** The session of that event. */
export const sessionId = '00000000-0000-4000-8000-00000000e1e2'

/** The ids in the paths of one caller's requests. */
export interface Target {
  readonly websiteId: string
  readonly teamId: string
  /** Two websites may hold events of the same id. */
  readonly eventId: string
  readonly sessionId: string
  /** The visit of that event. */
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

/** A separate small organisation, written directly into D1, which no other test uses. */
export interface World {
  /** Headers of each kind of caller. */
  readonly headers: Readonly<Record<Caller, Readonly<Record<string, string>>>>
  /** The website of the owner, of the team, and the one that is open to everyone. */
  readonly targets: Readonly<Record<'own' | 'teams' | 'public', Target>>
  readonly ownerId: string
  /** A member of the team whom nobody here signs in as. */
  readonly memberId: string
  readonly memberName: string
  /** A user who is in no team. */
  readonly newcomerId: string
  /** A key of the owner that no request is made with. */
  readonly keyId: string
  /** Of a second team, which none of them is in. */
  readonly accessCode: string
}

const everySection = Object.fromEntries(sections.map((section) => [section, true]))

/** Every kind of caller, in the order of the table's columns. */
export const callers = [
  'none',
  'wrong',
  'expired',
  'other',
  'listed',
  'read',
  'write',
  'outsider',
  'owner',
  'team-owner',
  'team-manager',
  'team-member',
  'team-view-only',
  'view-only',
  'share',
  'closed share',
  'public',
  'admin',
  'operator',
] as const

export type Caller = (typeof callers)[number]

/** The targets of a caller's requests. */
export const targetOf = (caller: Caller): keyof World['targets'] =>
  caller.startsWith('team-') || caller === 'view-only' ? 'teams' : caller === 'public' ? 'public' : 'own'

export type Row = Readonly<Record<string, string | number | null>>

const now = Date.now()
const year = 365 * 86_400_000

/** Of every user here. */
export const hashed = cheaplyHashed(password)

/** Everything of it is new, and every name in it holds `marker`. */
export async function newWorld(database: D1Database, secret: string, marker: string = randomUUID()): Promise<World> {
  const rows: [table: string, row: Row][] = []
  const add = (table: string, row: Row) => void rows.push([table, row])
  const named = (what: string) => `${what} ${marker} ${randomUUID().slice(0, 8)}`

  const user = (role: string): string => {
    const id = randomUUID()
    const username = named(role)
    const names = { username, name_key: username.toLowerCase() }
    add('users', { id, ...names, password_hash: hashed, role, created_at: now, updated_at: now })
    return id
  }
  const signIn = async (userId: string): Promise<Record<string, string>> => {
    const id = randomUUID()
    add('sign_ins', { id, user_id: userId, created_at: now, expires_at: now + year })
    return bearer(await tokens(secret).make({ typ: 'sign-in', jti: id }, now + year))
  }
  const key = async (columns: Row, websiteIds: readonly string[] = []): Promise<Record<string, string>> => {
    const [id, secretKey] = [randomUUID(), newKey()]
    const given = { is_admin: 0, access: 'write', all_websites: 1, ...columns }
    const secrets = { key_hash: await hashOf(secretKey), key_prefix: prefixOf(secretKey) }
    add('api_keys', { id, name: named('key'), ...secrets, created_at: now, ...given })
    for (const website_id of websiteIds) add('api_key_websites', { key_id: id, website_id })
    return { ...bearer(secretKey), id }
  }
  const team = (): { id: string; accessCode: string } => {
    const [id, accessCode] = [randomUUID(), `${randomUUID()}${marker}`]
    const name = named('team')
    add('teams', {
      id,
      name,
      search: name.toLowerCase(),
      access_code: accessCode,
      created_at: now,
      updated_at: now,
    })
    return { id, accessCode }
  }
  const join = (teamId: string, userId: string, role: string): void =>
    add('team_members', { id: randomUUID(), team_id: teamId, user_id: userId, role, created_at: now, updated_at: now })
  const share = async (websiteId: string, parameters: object) => {
    const [id, slug] = [randomUUID(), randomUUID()]
    add('shares', {
      id,
      website_id: websiteId,
      name: named('share'),
      slug,
      parameters: JSON.stringify(parameters),
      created_at: now,
      updated_at: now,
    })
    return { id, slug, token: await tokens(secret).make({ typ: 'share', jti: id, slug }) }
  }
  const website = async (columns: Row, teamId: string): Promise<Target> => {
    const [websiteId, segmentId, annotationId] = [randomUUID(), randomUUID(), randomUUID()]
    const name = named('website')
    const domain = `${marker}.example`
    add('websites', {
      id: websiteId,
      name,
      domain,
      search: `${name}\n${domain}`.toLowerCase(),
      replay_config: JSON.stringify({ replayEnabled: true, blockSelector: marker }),
      created_at: now,
      updated_at: now,
      ...columns,
    })
    const segment = {
      id: segmentId,
      website_id: websiteId,
      type: 'segment',
      name: named('segment'),
      search: marker,
      parameters: JSON.stringify({ filters: [{ name: 'browser', operator: 'eq', value: marker }] }),
    }
    add('segments', { ...segment, created_at: now, updated_at: now })
    const note = named('note')
    add('annotations', {
      id: annotationId,
      website_id: websiteId,
      date: day.startAt,
      all_day: 1,
      note,
      search: note,
      created_at: now,
      updated_at: now,
    })
    add('saved_replays', {
      id: randomUUID(),
      website_id: websiteId,
      visit_id: sessionId,
      name: named('replay'),
      search: '',
      created_at: now,
      updated_at: now,
    })
    const { public: _, ...owned } = columns
    const steps = ['/a', '/b'].map((value) => ({ type: 'path', value: `${value} ${marker}` }))
    const [reportId, funnelId, goalId] = Object.entries({
      utm: {},
      funnel: { window: 60, steps },
      goal: { type: 'path', value: marker },
    }).map(([type, parameters]) => {
      const saved = {
        id: randomUUID(),
        website_id: websiteId,
        type,
        name: named(type),
        description: '',
        search: marker,
      }
      add('reports', { ...saved, parameters: JSON.stringify(parameters), created_at: now, updated_at: now })
      return saved.id
    })
    const [boardId, boardName] = [randomUUID(), named('board')]
    add('boards', {
      id: boardId,
      type: 'mixed',
      name: boardName,
      name_key: boardName,
      description: '',
      description_key: '',
      parameters: JSON.stringify({ websiteId }),
      user_id: columns.user_id ?? null,
      team_id: columns.team_id ?? null,
      created_at: now,
      updated_at: now,
    })
    add('board_subjects', { board_id: boardId, subject_id: websiteId, kind: 'website' })
    const [linkId, pixelId] = (['link', 'pixel'] as const).map((kind) => {
      const linkName = named(kind)
      const url = kind === 'link' ? `https://${domain}/` : null
      const addressed = { id: randomUUID(), kind, name: linkName, slug: randomUUID(), url }
      add('websites', { ...addressed, domain: '', search: linkName, created_at: now, updated_at: now, ...owned })
      return addressed.id
    })
    const { id, slug } = await share(websiteId, { filters: { path: marker } })
    return {
      websiteId,
      teamId,
      eventId,
      sessionId,
      replayId: sessionId,
      segmentId,
      annotationId,
      linkId: linkId!,
      pixelId: pixelId!,
      boardId,
      reportId: reportId!,
      funnelId: funnelId!,
      goalId: goalId!,
      shareId: id,
      slug,
    }
  }

  const [owner, outsider, viewOnly, admin, member, newcomer] = [
    'user',
    'user',
    'view-only',
    'admin',
    'user',
    'user',
  ].map(user)
  const ours = team()
  const theirs = team()
  join(theirs.id, user('user'), 'team-owner')
  join(ours.id, owner!, 'team-owner')
  join(ours.id, member!, 'team-member')
  const roles = ['team-owner', 'team-manager', 'team-member', 'team-view-only'] as const
  const inTeam: Record<string, Record<string, string>> = {}
  for (const role of roles) {
    const id = user('user')
    join(ours.id, id, role)
    inTeam[role] = await signIn(id)
  }
  const own = await website({ user_id: owner!, created_by: owner! }, ours.id)
  const teams = await website({ team_id: ours.id, created_by: owner! }, ours.id)
  const open = await website({ user_id: owner!, public: JSON.stringify(everySection) }, ours.id)
  const elsewhere = await website({ user_id: outsider! }, theirs.id)
  join(ours.id, viewOnly!, 'team-manager')
  const opened = await share(own.websiteId, everySection)
  const closed = await share(own.websiteId, {})
  const kept = await key({ user_id: owner! })
  const headers = {
    none: {},
    wrong: bearer(newKey()),
    expired: await key({ user_id: owner!, expires_at: now - 1 }),
    other: await key({ all_websites: 0 }, [elsewhere.websiteId]),
    listed: await key({ user_id: owner!, all_websites: 0 }, [own.websiteId]),
    read: await key({ user_id: owner!, access: 'read' }),
    write: await key({ user_id: owner! }),
    outsider: await signIn(outsider!),
    owner: await signIn(owner!),
    ...(inTeam as Record<(typeof roles)[number], Record<string, string>>),
    'view-only': await signIn(viewOnly!),
    share: { 'x-weir-share-token': opened.token },
    'closed share': { 'x-umami-share-token': closed.token, 'x-umami-share-context': '1' },
    public: {},
    admin: await signIn(admin!),
    operator: await key({ is_admin: 1 }),
  }
  await insertAll(database, rows)
  return {
    headers: Object.fromEntries(
      Object.entries(headers).map(([caller, { id: _, ...sent }]: [string, Record<string, string>]) => [caller, sent]),
    ) as World['headers'],
    targets: { own, teams, public: open },
    ownerId: owner!,
    memberId: member!,
    newcomerId: newcomer!,
    memberName: rows.find(([table, row]) => table === 'users' && row.id === member)![1].username as string,
    keyId: kept.id!,
    accessCode: theirs.accessCode,
  }
}

const bearer = (secret: string): Record<string, string> => ({ authorization: `Bearer ${secret}` })

/** Inserts these rows, all or none: those of one table with the same columns in one statement. */
export async function insertAll(
  database: D1Database,
  rows: readonly (readonly [table: string, row: Row])[],
): Promise<void> {
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
  // A row may refer to one of a later statement.
  await database.batch([database.prepare('PRAGMA defer_foreign_keys = on'), ...statements])
}
