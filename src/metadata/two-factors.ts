import type { Store } from './store.ts'

/** The fields of a second factor that are needed to check a code. */
interface SecondFactor {
  /** Sealed; see `access/second-factor-keys.ts`. */
  readonly secret: string
}

/** Whether a user has a second factor, and which settings require one. Each field is 1 or 0. */
interface Standing {
  readonly isOn: number
  readonly all: number
  readonly team: number
  readonly user: number
}

const inRequiringTeam = `EXISTS (SELECT 1 FROM team_members JOIN teams ON teams.id = team_id
  WHERE user_id = users.id AND teams.two_factor_required = 1 AND teams.deleted_at IS NULL)`
const requiredOfAll = "EXISTS (SELECT 1 FROM settings WHERE name = 'two-factor-required')"

/** Whether the user in a row of `users` has a second factor. */
export const hasSecondFactor =
  'EXISTS (SELECT 1 FROM two_factors WHERE user_id = users.id AND confirmed_at IS NOT NULL)'

/** Whether the user in a row of `users` must have a second factor but lacks one. */
export const lacksSecondFactor = `(NOT ${hasSecondFactor}
  AND (users.two_factor_required = 1 OR ${requiredOfAll} OR ${inRequiringTeam}))`

/** The number of wrong codes that lock a second factor, and the duration of the lock in milliseconds. */
const mostTries = 5
const lockLasts = 900_000

/** The number of attempts, including the one that is beginning. */
const withThisTry = 'iif(locked_until IS NULL, tries + 1, 1)'

export const twoFactors = (store: Store) => ({
  standing: (userId: string): Promise<Standing | undefined> =>
    store.first(
      `SELECT ${hasSecondFactor} AS isOn, ${requiredOfAll} AS "all", ${inRequiringTeam} AS team,
         two_factor_required AS user
       FROM users WHERE id = ?1 AND deleted_at IS NULL`,
      userId,
    ),

  /** Starts or restarts setting up a second factor. Returns false if the user already has one. */
  async begin(userId: string, secret: string): Promise<boolean> {
    const [begun] = await store.write([
      `INSERT INTO two_factors (user_id, secret, created_at) VALUES (?1, ?2, ?3)
       ON CONFLICT DO UPDATE SET secret = ?2, created_at = ?3 WHERE confirmed_at IS NULL`,
      userId,
      secret,
      store.now,
    ])
    return begun === 1
  },

  /**
   * Counts an attempt before its code is checked, so that simultaneous attempts are counted too. The last allowed
   * attempt locks the second factor, unless its code is right. Returns undefined if no second factor has this state, or
   * while it is locked.
   */
  beginTry: (userId: string, isConfirmed: boolean): Promise<SecondFactor | undefined> =>
    store.note(
      `UPDATE two_factors SET tries = ${withThisTry},
         locked_until = iif(${withThisTry} >= ${mostTries}, ?2 + ${lockLasts}, NULL)
       WHERE user_id = ?1 AND (confirmed_at IS NOT NULL) = ?3 AND (locked_until IS NULL OR locked_until <= ?2)
       RETURNING secret`,
      userId,
      store.now,
      isConfirmed ? 1 : 0,
    ),

  /** When the lock ends, in milliseconds since 1970; undefined if the second factor is not locked. */
  lockedUntil: (userId: string): Promise<number | undefined> =>
    store.one(
      ({ until }: { readonly until: number }) => until,
      'SELECT locked_until AS until FROM two_factors WHERE user_id = ?1 AND locked_until > ?2',
      userId,
      store.now,
    ),

  /** Accepts the code for this step. Returns false if the code for this step or a later one has already been used. */
  async countStep(userId: string, step: number): Promise<boolean> {
    const counted = await store.note<object>(
      `UPDATE two_factors SET last_step = ?2, tries = 0, locked_until = NULL
       WHERE user_id = ?1 AND last_step < ?2 RETURNING 1`,
      userId,
      step,
    )
    return counted !== undefined
  },

  /** Marks the backup code with this hash as used. Returns false if there is no such code or it has been used. */
  async countBackupCode(userId: string, hash: string): Promise<boolean> {
    const counted = await store.note<object>(
      `UPDATE two_factors SET tries = 0, locked_until = NULL,
         backup_codes = (SELECT json_group_array(value) FROM json_each(backup_codes) WHERE value <> ?2)
       WHERE user_id = ?1 AND EXISTS (SELECT 1 FROM json_each(backup_codes) WHERE value = ?2) RETURNING 1`,
      userId,
      hash,
    )
    return counted !== undefined
  },

  /**
   * Enables the second factor and revokes all other sign-ins. Returns false if it is already enabled or has a different
   * secret.
   */
  async confirm(
    { userId, secret, hashes }: { userId: string; secret: string; hashes: readonly string[] },
    signInId: string,
  ): Promise<boolean> {
    const [confirmed] = await store.write(
      [
        'UPDATE two_factors SET confirmed_at = ?3, backup_codes = ?4 WHERE user_id = ?1 AND secret = ?2 AND confirmed_at IS NULL',
        userId,
        secret,
        store.now,
        JSON.stringify(hashes),
      ],
      [
        `DELETE FROM sign_ins WHERE user_id = ?1 AND id <> ?2
           AND EXISTS (SELECT 1 FROM two_factors WHERE user_id = ?1 AND confirmed_at = ?3)`,
        userId,
        signInId,
        store.now,
      ],
    )
    return confirmed === 1
  },

  /** Deletes a second factor that is being set up. */
  async cancel(userId: string): Promise<void> {
    await store.write(['DELETE FROM two_factors WHERE user_id = ?1 AND confirmed_at IS NULL', userId])
  },

  /** Deletes the second factor with its backup codes and lock. Returns false if the user has no second factor. */
  async delete(userId: string): Promise<boolean> {
    const [deleted] = await store.write(['DELETE FROM two_factors WHERE user_id = ?1', userId])
    return deleted === 1
  },

  async requireOfAll(isRequired: boolean): Promise<void> {
    await store.write([
      isRequired
        ? "INSERT INTO settings (name) VALUES ('two-factor-required') ON CONFLICT DO NOTHING"
        : "DELETE FROM settings WHERE name = 'two-factor-required'",
    ])
  },

  /** Returns false if the user or team does not exist. */
  async requireOf(whose: 'users' | 'teams', id: string, isRequired: boolean): Promise<boolean> {
    const [changed] = await store.write([
      `UPDATE ${whose} SET two_factor_required = ?2, updated_at = ?3 WHERE id = ?1 AND deleted_at IS NULL`,
      id,
      isRequired ? 1 : 0,
      store.now,
    ])
    return changed === 1
  },
})
