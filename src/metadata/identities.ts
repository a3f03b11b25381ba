import { isTaken, type Sql, type Store } from './store.ts'
import { insertUser, type NewUser } from './users.ts'

/** A person who has an account at an issuer. */
interface Subject {
  /** The issuer's URL. */
  readonly issuer: string
  readonly subject: string
}

/** A person who has an account at an issuer and is a user of Weir. */
export interface Identity extends Subject {
  readonly id: string
  readonly createdAt: number
}

const insertIdentity = ({ issuer, subject }: Subject, userId: string, now: number): Sql => [
  `INSERT INTO identities (id, issuer, subject, user_id, created_at)
   SELECT ?1, ?2, ?3, id, ?5 FROM users WHERE id = ?4 AND deleted_at IS NULL`,
  crypto.randomUUID(),
  issuer,
  subject,
  userId,
  now,
]

export const identities = (store: Store) => ({
  list: (userId: string): Promise<Identity[]> =>
    store.all(
      'SELECT id, issuer, subject, created_at AS createdAt FROM identities WHERE user_id = ?1 ORDER BY created_at, id',
      userId,
    ),

  /** The id of the user with this identity; undefined if there is no such user. */
  userOf: ({ issuer, subject }: Subject): Promise<string | undefined> =>
    store.one(
      ({ userId }: { readonly userId: string }) => userId,
      `SELECT user_id AS userId FROM identities JOIN users ON users.id = user_id
       WHERE issuer = ?1 AND subject = ?2 AND deleted_at IS NULL`,
      issuer,
      subject,
    ),

  /**
   * Returns whether the user has the identity now. Returns false if it belongs to another user or there is no such
   * user.
   */
  async join(subject: Subject, userId: string): Promise<boolean> {
    try {
      const [joined] = await store.write(insertIdentity(subject, userId, store.now))
      return joined === 1
    } catch (error) {
      if (isTaken(error, 'identities.issuer')) return (await this.userOf(subject)) === userId
      throw error
    }
  },

  /** Creates a user with this identity. Returns false if the name or the identity is taken. */
  async create(subject: Subject, user: NewUser): Promise<boolean> {
    try {
      await store.write(insertUser(user, store.now), insertIdentity(subject, user.id, store.now))
      return true
    } catch (error) {
      if (isTaken(error, 'users.name_key') || isTaken(error, 'identities.issuer')) return false
      throw error
    }
  },

  /** Deletes an identity and revokes the user's sign-ins at issuers. Returns false if the user has no such identity. */
  async delete(id: string, userId: string): Promise<boolean> {
    const ofUser = 'FROM identities WHERE id = ?1 AND user_id = ?2'
    const [, deleted] = await store.write(
      [`DELETE FROM sign_ins WHERE user_id = ?2 AND issuer IS NOT NULL AND EXISTS (SELECT 1 ${ofUser})`, id, userId],
      [`DELETE ${ofUser}`, id, userId],
    )
    return deleted === 1
  },

  /** Marks a state as used until it expires. Returns false if it has already been used. */
  async useState(state: string, expiresAt: number): Promise<boolean> {
    const [, used] = await store.write(
      ['DELETE FROM used_states WHERE expires_at <= ?1', store.now],
      ['INSERT INTO used_states (state, expires_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING', state, expiresAt],
    )
    return used === 1
  },
})
