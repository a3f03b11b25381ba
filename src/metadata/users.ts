import { type ListOptions, type Page, readPage } from './page.ts'
import type { User, UserRole } from './person.ts'
import { isTaken, type Sql, type Store, type Stored } from './store.ts'
import { hasSecondFactor } from './two-factors.ts'

/** A user, with the fields that are checked when signing in. */
export interface Account extends User {
  readonly passwordHash: string
  readonly teams: readonly UserTeam[]
  readonly hasSecondFactor: boolean
}

interface UserTeam {
  readonly id: string
  readonly name: string
  readonly logoUrl: string | null
}

/** A user as admins see them. */
export interface ManagedUser extends User {
  /** 1 or 0. */
  readonly twoFactorRequired: number
}

/** A user as they appear in a list, with the number of their websites. */
export interface ListedUser extends ManagedUser {
  readonly websites: number
}

export interface NewUser extends Omit<User, 'createdAt'> {
  readonly passwordHash: string
}

/** The fields of a user that can be changed. */
interface UserChange {
  readonly username?: string | undefined
  /** A new password revokes all of the user's sign-ins. */
  readonly passwordHash?: string | undefined
  readonly role?: UserRole | undefined
}

/**
 * The field whose value another user already has. Ids are never reused; a name becomes available again when its user is
 * deleted.
 */
export type TakenField = 'id' | 'username'

type UserOrder = 'username' | 'role' | 'createdAt'

type AccountRow = Stored<Omit<Account, 'hasSecondFactor'>, 'teams'> & { readonly hasSecondFactor: number }

const userColumns =
  'users.id, username, users.role, users.created_at AS createdAt, users.two_factor_required AS twoFactorRequired'

/** Names for which this returns the same key are considered equal. */
export const nameKeyOf = (username: string): string => username.toLowerCase()

const userOrders: Readonly<Record<UserOrder, string>> = {
  username: 'name_key',
  role: 'role',
  createdAt: 'created_at',
}

export const accountStatement = (condition: string): string =>
  `SELECT ${userColumns}, password_hash AS passwordHash, ${hasSecondFactor} AS hasSecondFactor,
     (SELECT json_group_array(json_object('id', teams.id, 'name', name, 'logoUrl', logo_url) ORDER BY search, teams.id)
      FROM team_members JOIN teams ON teams.id = team_id
      WHERE user_id = users.id AND deleted_at IS NULL) AS teams
   FROM users WHERE ${condition} AND deleted_at IS NULL`

export const accountOf = (row: AccountRow): Account => ({
  ...row,
  teams: JSON.parse(row.teams) as UserTeam[],
  hasSecondFactor: row.hasSecondFactor === 1,
})

/** Fails if the id or the name is taken. */
export const insertUser = ({ id, username, role, passwordHash }: NewUser, now: number): Sql => [
  `INSERT INTO users (id, username, name_key, password_hash, role, created_at, updated_at)
   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)`,
  id,
  username,
  nameKeyOf(username),
  passwordHash,
  role,
  now,
]

/** The id of the only admin; null if there are several. */
const lastAdmin = `(SELECT iif(count(*) = 1, min(id), NULL) FROM users WHERE role = 'admin' AND deleted_at IS NULL)`

/** The teams whose only owner is this user. */
const ownedAlone = `SELECT mine.team_id FROM team_members AS mine
  WHERE mine.user_id = ?1 AND mine.role = 'team-owner' AND NOT EXISTS (
    SELECT 1 FROM team_members AS other
    WHERE other.team_id = mine.team_id AND other.role = 'team-owner' AND other.user_id <> ?1)`

/**
 * The order matters: the first statements find websites and teams by memberships, which later statements delete. None
 * changes anything for the last admin.
 */
const deletions = (id: string, now: number): Sql[] => {
  const mayGo = `?1 IS NOT ${lastAdmin}`
  const ofTables = ['team_members', 'api_keys', 'sign_ins', 'two_factors', 'identities']
  return [
    [
      `UPDATE websites SET deleted_at = ?2
       WHERE deleted_at IS NULL AND (user_id = ?1 OR team_id IN (${ownedAlone})) AND ${mayGo}`,
      id,
      now,
    ],
    [`DELETE FROM boards WHERE (user_id = ?1 OR team_id IN (${ownedAlone})) AND ${mayGo}`, id],
    [`UPDATE teams SET deleted_at = ?2 WHERE deleted_at IS NULL AND id IN (${ownedAlone}) AND ${mayGo}`, id, now],
    ...ofTables.map((table): Sql => [`DELETE FROM ${table} WHERE user_id = ?1 AND ${mayGo}`, id]),
    [`UPDATE users SET deleted_at = ?2, password_hash = '' WHERE id = ?1 AND ${mayGo}`, id, now],
  ]
}

/** The result of a write. If it fails because a field's value is taken, returns that field. */
async function unlessTaken<Written>(write: Promise<Written>): Promise<Written | TakenField> {
  try {
    return await write
  } catch (error) {
    if (isTaken(error, 'users.name_key')) return 'username'
    if (isTaken(error, 'users.id')) return 'id'
    throw error
  }
}

export const users = (store: Store) => ({
  list: (list: ListOptions<UserOrder>): Promise<Page<ListedUser>> =>
    readPage(
      store,
      {
        columns: `${userColumns},
          (SELECT count(*) FROM websites WHERE user_id = users.id AND kind = 'website'
             AND websites.deleted_at IS NULL) AS websites`,
        from: 'FROM users WHERE deleted_at IS NULL AND instr(name_key, ?1) > 0',
        order: `${userOrders[list.orderBy]} ${list.descending ? 'DESC' : 'ASC'}, id`,
      },
      [nameKeyOf(list.search)],
      list,
      (row: ListedUser) => row,
    ),

  read: (id: string): Promise<ManagedUser | undefined> =>
    store.first(`SELECT ${userColumns} FROM users WHERE id = ?1 AND deleted_at IS NULL`, id),

  account: (id: string): Promise<Account | undefined> => store.one(accountOf, accountStatement('users.id = ?1'), id),

  accountNamed: (username: string): Promise<Account | undefined> =>
    store.one(accountOf, accountStatement('name_key = ?1'), nameKeyOf(username)),

  /** The first admin created; undefined if there is none. */
  firstAdmin: (): Promise<{ readonly id: string } | undefined> =>
    store.first(`SELECT id FROM users WHERE role = 'admin' AND deleted_at IS NULL ORDER BY created_at, id LIMIT 1`),

  /** Changes a user's role, unless that would leave no admin. Returns whether the role has changed. */
  async giveRole(id: string, role: UserRole): Promise<boolean> {
    const [given] = await store.write([
      `UPDATE users SET role = ?2, updated_at = ?3 WHERE id = ?1 AND role <> ?2 AND ?1 IS NOT ${lastAdmin}`,
      id,
      role,
      store.now,
    ])
    return given === 1
  },

  async create(user: NewUser): Promise<TakenField | undefined> {
    const written = await unlessTaken(store.write(insertUser(user, store.now)))
    return typeof written === 'string' ? written : undefined
  },

  /** Returns why nothing has changed, if so: the name is taken, or the last admin would get another role. */
  async update(
    id: string,
    { username, passwordHash, role }: UserChange,
  ): Promise<TakenField | 'last-admin' | undefined> {
    const mayChange = `(coalesce(?5, 'admin') = 'admin' OR ?1 IS NOT ${lastAdmin})`
    const signOut: Sql = [
      'DELETE FROM sign_ins WHERE user_id = ?1 AND EXISTS (SELECT 1 FROM users WHERE id = ?1 AND password_hash = ?2)',
      ...[id, passwordHash ?? null],
    ]
    const written = await unlessTaken(
      store.write(
        [
          `UPDATE users SET username = coalesce(?2, username), name_key = coalesce(?3, name_key),
             password_hash = coalesce(?4, password_hash), role = coalesce(?5, role), updated_at = ?6
           WHERE id = ?1 AND deleted_at IS NULL AND ${mayChange}`,
          ...[id, username ?? null, username === undefined ? null : nameKeyOf(username), passwordHash ?? null],
          ...[role ?? null, store.now],
        ],
        ...(passwordHash === undefined ? [] : [signOut]),
      ),
    )
    if (typeof written === 'string') return written
    return written[0] === 0 && (await store.first(`SELECT 1 WHERE ?1 IS ${lastAdmin}`, id)) ? 'last-admin' : undefined
  },

  /**
   * Deletes the user with their websites, links, pixels and boards. Also deletes teams without another owner, with
   * everything that they own. Returns false, and deletes nothing, if the user is the last admin.
   */
  async delete(id: string): Promise<boolean> {
    const written = await store.write(...deletions(id, store.now))
    return written.at(-1) === 1
  },

  /** Replaces the hash of an unchanged password. Returns false if the stored hash has changed since it was read. */
  async hashAnew({ id, passwordHash }: Account, newHash: string): Promise<boolean> {
    const [changed] = await store.write([
      'UPDATE users SET password_hash = ?3 WHERE id = ?1 AND password_hash = ?2 AND deleted_at IS NULL',
      id,
      passwordHash,
      newHash,
    ])
    return changed === 1
  },

  /**
   * Changes the password and revokes all of the user's sign-ins except this one. Returns false if the password has
   * changed since it was checked.
   */
  async changePassword({ id, passwordHash }: Account, newHash: string, signInId: string): Promise<boolean> {
    const [changed] = await store.write(
      [
        'UPDATE users SET password_hash = ?3, updated_at = ?4 WHERE id = ?1 AND password_hash = ?2 AND deleted_at IS NULL',
        id,
        passwordHash,
        newHash,
        store.now,
      ],
      [
        'DELETE FROM sign_ins WHERE user_id = ?1 AND id <> ?2 AND EXISTS (SELECT 1 FROM users WHERE id = ?1 AND password_hash = ?3)',
        id,
        signInId,
        newHash,
      ],
    )
    return changed === 1
  },
})
