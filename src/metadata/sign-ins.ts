import type { Sql, Store } from './store.ts'
import { hasSecondFactor } from './two-factors.ts'
import { type Account, accountOf, accountStatement } from './users.ts'

/**
 * The step that must follow before a sign-in is valid: the user enters a second-factor code (`code`), or the page
 * fetches the token after the return from an issuer (`return`).
 */
type SignInStep = 'code' | 'return'

/** A new sign-in. Without a step, it is valid immediately. */
interface NewSignIn {
  readonly id: string
  /** In milliseconds since 1970. */
  readonly expiresAt: number
  readonly step: SignInStep | null
}

/** A sign-in that is waiting for a step. */
export interface WaitingSignIn {
  readonly id: string
  readonly step: SignInStep
}

const deleteExpired = (userId: string, now: number): Sql => [
  'DELETE FROM sign_ins WHERE user_id = ?1 AND expires_at <= ?2',
  userId,
  now,
]

/** Begins, completes and revokes sign-ins. */
export const signIns = (store: Store) => ({
  /**
   * Stores a sign-in with a password. Returns false if, since the password was checked, it has changed or a second
   * factor has been switched on or off.
   */
  async begin({ id, passwordHash }: Account, signIn: NewSignIn): Promise<boolean> {
    const [, inserted] = await store.write(deleteExpired(id, store.now), [
      `INSERT INTO sign_ins (id, user_id, created_at, expires_at, step)
         SELECT ?1, id, ?3, ?4, ?6 FROM users WHERE id = ?2 AND password_hash = ?5 AND deleted_at IS NULL
           AND ${hasSecondFactor} = (?6 IS NOT NULL)`,
      signIn.id,
      id,
      store.now,
      signIn.expiresAt,
      passwordHash,
      signIn.step,
    ])
    return inserted === 1
  },

  /**
   * Stores a sign-in at an issuer, given the issuer's name in the settings. The sign-in waits until the page fetches
   * its token.
   */
  async beginAt(issuer: string, userId: string, { id, expiresAt }: Omit<NewSignIn, 'step'>): Promise<void> {
    await store.write(deleteExpired(userId, store.now), [
      `INSERT INTO sign_ins (id, user_id, created_at, expires_at, step, issuer)
       SELECT ?1, id, ?3, ?4, 'return', ?5 FROM users WHERE id = ?2 AND deleted_at IS NULL`,
      id,
      userId,
      store.now,
      expiresAt,
      issuer,
    ])
  },

  /** The account whose sign-in is waiting for this step. */
  account: ({ id, step }: WaitingSignIn): Promise<Account | undefined> =>
    store.one(
      accountOf,
      accountStatement('users.id = (SELECT user_id FROM sign_ins WHERE id = ?1 AND step = ?2 AND expires_at > ?3)'),
      id,
      step,
      store.now,
    ),

  /** Replaces a waiting sign-in with a valid one. Returns false if the waiting one is no longer valid. */
  async finish(waiting: WaitingSignIn, { id, expiresAt }: Omit<NewSignIn, 'step'>): Promise<boolean> {
    const [inserted] = await store.write(
      [
        `INSERT INTO sign_ins (id, user_id, created_at, expires_at, issuer)
         SELECT ?3, user_id, ?4, ?5, issuer FROM sign_ins WHERE id = ?1 AND step = ?2 AND expires_at > ?4`,
        waiting.id,
        waiting.step,
        id,
        store.now,
        expiresAt,
      ],
      ['DELETE FROM sign_ins WHERE id = ?1', waiting.id],
    )
    return inserted === 1
  },

  /** Revokes a sign-in. Returns the name of the issuer that it came from. */
  async end(id: string): Promise<string | undefined> {
    const [[row]] = (await Promise.all([
      store.all<{ readonly issuer: string | null }>('SELECT issuer FROM sign_ins WHERE id = ?1', id),
      store.write(['DELETE FROM sign_ins WHERE id = ?1', id]),
    ])) as [readonly { readonly issuer: string | null }[], unknown]
    return row?.issuer ?? undefined
  },
})
