import { type ListPart, type Page, readPage } from './page.ts'
import type { Sql, Store, Stored } from './store.ts'

export const actorKinds = ['user', 'key', 'operator', 'nobody'] as const

/** Who made a change: a signed-in user, the owner of a key, the operator's key, or a `weir` command. */
export interface Actor {
  readonly kind: (typeof actorKinds)[number]
  readonly id: string | null
  readonly name: string | null
}

/** A change to record. It contains the names of fields, but never their values. */
export interface NewEntry {
  readonly actor: Actor
  /** The API operation, such as `updateWebsite`, or the words of a command, such as `weir user create`. */
  readonly action: string
  /** The ids in the request, by parameter name. */
  readonly subjects: Readonly<Record<string, string>>
  readonly fields: readonly string[]
  /** The network that the request came from. */
  readonly network: string | null
}

export interface AuditEntry extends NewEntry {
  readonly id: number
  /** In milliseconds since 1970. For failed sign-ins, the start of their minute. */
  readonly createdAt: number
  /** How often it happened. Only failed sign-ins can have more than one. */
  readonly times: number
}

/** The filters for a list; null means no filter. */
export interface AuditFilter {
  readonly action: string | null
  readonly actorId: string | null
  /** An id that must be among the subjects. */
  readonly subjectId: string | null
  readonly startAt: number | null
  readonly endAt: number | null
  /** Only entries with a lower id. */
  readonly before: number | null
}

type AuditRow = Stored<Omit<AuditEntry, 'actor'>, 'subjects' | 'fields'> & {
  readonly actorKind: Actor['kind']
  readonly actorId: string | null
  readonly actorName: string | null
}

const auditColumns = `id, created_at AS createdAt, actor_kind AS actorKind, actor_id AS actorId, actor_name AS actorName,
  action, subjects, fields, network, times`

const entryOf = ({ actorKind, actorId, actorName, ...row }: AuditRow): AuditEntry => ({
  ...row,
  actor: { kind: actorKind, id: actorId, name: actorName },
  subjects: JSON.parse(row.subjects) as AuditEntry['subjects'],
  fields: JSON.parse(row.fields) as AuditEntry['fields'],
})

const failedSignIn = 'failedSignIn'

/**
 * The maximum number of rows for failed sign-ins per day, with a user's name and without. There is a limit because
 * anybody can cause such rows. Further ones are counted in one row per minute.
 */
const mostFailures = 1000

const [minute, day] = [60_000, 86_400_000]

export const insertEntry = ({ actor, action, subjects, fields, network }: NewEntry, now: number): Sql => [
  `INSERT INTO audit_entries (created_at, actor_kind, actor_id, actor_name, action, subjects, fields, network)
   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
  ...[now, actor.kind, actor.id, actor.name, action],
  ...[JSON.stringify(subjects), JSON.stringify(fields), network],
]

export const audit = (store: Store) => ({
  add: (entry: NewEntry): Promise<void> => store.note(...insertEntry(entry, store.now)),

  /**
   * Counts a failed sign-in together with others in the same minute. The name is stored only if a user has it;
   * otherwise it might be a password typed into the wrong field. Beyond the limit, neither name nor network is stored.
   */
  addFailure: (nameKey: string, network: string): Promise<void> =>
    store.note(
      `INSERT INTO audit_entries (created_at, actor_kind, actor_name, action, subjects, fields, network)
       SELECT ?1, 'nobody', iif(has_room, name, NULL), ?3, '{}', '[]', iif(has_room, ?4, NULL)
       FROM (SELECT name, ${mostFailures} > (SELECT count(*) FROM audit_entries
           WHERE created_at > ?1 - ${day} AND action = ?3 AND (actor_name IS NULL) = (name IS NULL)) AS has_room
         FROM (SELECT (SELECT username FROM users WHERE name_key = ?2 AND deleted_at IS NULL) AS name))
       WHERE TRUE
       ON CONFLICT (created_at, coalesce(actor_name, ''), coalesce(network, '')) WHERE action = 'failedSignIn'
       DO UPDATE SET times = times + 1`,
      ...[Math.floor(store.now / minute) * minute, nameKey, failedSignIn, network],
    ),

  /** Lists the entries, newest first. */
  list: (filter: AuditFilter, part: ListPart): Promise<Page<AuditEntry>> =>
    readPage(
      store,
      {
        columns: auditColumns,
        from: `FROM audit_entries WHERE (?1 IS NULL OR action = ?1) AND (?2 IS NULL OR actor_id = ?2)
          AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(subjects) WHERE value = ?3))
          AND (?4 IS NULL OR created_at >= ?4) AND (?5 IS NULL OR created_at <= ?5) AND (?7 IS NULL OR id < ?7)
          AND instr(lower(coalesce(actor_name, '') || ' ' || action), ?6) > 0`,
        order: 'id DESC',
      },
      [
        ...[filter.action, filter.actorId, filter.subjectId, filter.startAt, filter.endAt],
        ...[part.search.toLowerCase(), filter.before],
      ],
      part,
      entryOf,
    ),
})
