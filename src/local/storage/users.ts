import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { D1Database } from '@cloudflare/workers-types'
import { hashPassword, isPassword } from '../../access/password.ts'
import { metadata } from '../../metadata/metadata.ts'
import type { UserRole } from '../../metadata/person.ts'
import { insertUser, type NewUser } from '../../metadata/users.ts'
import { printedPrefix } from '../../pages/session/printed-password.ts'
import { places } from '../paths.ts'

/** A new password to print. The pages recognise it by its prefix. */
export const generatedPassword = (): string => printedPrefix + randomBytes(18).toString('base64url')

interface GivenUser {
  readonly id?: string | undefined
  readonly username: string
  readonly password: string
  readonly role: UserRole
}

const hashed = async ({ id = randomUUID(), username, password, role }: GivenUser): Promise<NewUser> => ({
  id,
  username,
  role,
  passwordHash: await hashPassword(password),
})

/** The statement that inserts a new user. */
export const prepareUser = async (given: GivenUser, now: number) => insertUser(await hashed(given), now)

/** Creates a user and returns its id. */
export async function createUser(database: D1Database, given: GivenUser, now: number): Promise<string> {
  const user = await hashed(given)
  const taken = await metadata(database, now).users.create(user)
  if (taken) throw new Error(`A user with this ${taken} already exists.`)
  return user.id
}

/** The query that lists all users in D1. */
export const everyone = { search: '', orderBy: 'username', descending: false, limit: 10_000, offset: 0 } as const

/** The credentials for signing in. */
interface SignIn {
  readonly username: string
  readonly password: string
}

/** Whether there is at least one user. */
export const hasUsers = async (database: D1Database): Promise<boolean> =>
  (await metadata(database, Date.now()).users.list({ ...everyone, limit: 1 })).count > 0

const username = 'admin'

/**
 * The credentials to print for a data folder. If there are no users, creates an admin. The password is stored in a file
 * while it is valid. Undefined if the user has changed the password, or if only other users exist.
 */
export async function firstSignIn(dataDir: string, database: D1Database, now: number): Promise<SignIn | undefined> {
  const file = places(dataDir).adminPassword
  const { users } = metadata(database, now)
  if (!(await hasUsers(database))) {
    const password = generatedPassword()
    writeFileSync(file, password, { mode: 0o600 })
    await createUser(database, { username, password, role: 'admin' }, now)
    return { username, password }
  }
  if (!existsSync(file)) return undefined
  const password = readFileSync(file, 'utf8')
  const account = await users.accountNamed(username)
  return account && (await isPassword(password, account.passwordHash)) ? { username, password } : undefined
}
