import { randomUUID } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { hashPassword } from '../../access/password.ts'
import { NewUserBody, newPassword } from '../../endpoints/users/users.ts'
import { metadata } from '../../metadata/metadata.ts'
import { howToRun, privateFile } from '../machine/private-folder.ts'
import { asScript } from '../storage/metadata.ts'
import { createUser, everyone, generatedPassword, prepareUser } from '../storage/users.ts'
import { checked } from '../told/misuse.ts'
import { printable } from '../told/printable.ts'
import { weirCommand } from '../told/weir-command.ts'
import { confirm } from './confirm.ts'
import type { Given, Io } from './io.ts'

// No command accepts a password as a flag, because it would remain in the shell's history.

interface NewUserFlags {
  readonly id?: string
  readonly username: string
  readonly role: string
  readonly sql?: true
}

export async function createOneUser({ flags, io, withChange, entryOf }: Given<NewUserFlags>): Promise<void> {
  const password = chosenPassword(io)
  const { id = randomUUID(), username, role, sql } = flags
  const user = checked(NewUserBody(), { id, username, role, password })
  const now = Date.now()
  if (sql) io.out(privateFile('create-user.sql', asScript([await prepareUser(user, now), entryOf({ id })])))
  else {
    await withChange(async (database) => {
      io.out(await createUser(database, user, now))
      return { id }
    })
  }
  tell(io, password)
  if (sql) io.err(howToRun)
}

export const listAllUsers = ({ io, withMetadata }: Given<object>): Promise<void> =>
  withMetadata(async (database) => {
    const { data } = await metadata(database, Date.now()).users.list(everyone)
    for (const { id, username, role, createdAt } of data) {
      io.out(`${id}  ${printable(username)}  ${role}  created ${new Date(createdAt).toISOString()}`)
    }
    if (data.length === 0) io.note(`There are no users. Create one: ${weirCommand} user create`)
  })

/** The command `user password`. */
export async function changePassword({ words: [username], io, withChange }: Given<object>): Promise<void> {
  const password = chosenPassword(io)
  await withChange(async (database) => {
    const { users, id } = await userNamed(database, username)
    await users.update(id, { passwordHash: await hashPassword(password) })
    return { id }
  })
  io.out('Changed. This user is signed out everywhere within ten seconds.')
  tell(io, password)
}

export async function resetTwoFactor({ words: [username], io, withChange }: Given<object>): Promise<void> {
  await withChange(async (database) => {
    const { id } = await userNamed(database, username)
    const isReset = await metadata(database, Date.now()).twoFactors.delete(id)
    io.out(isReset ? 'Reset. The password alone is now enough to sign in.' : 'This user has no second factor.')
    return isReset ? { id } : undefined
  })
}

export async function deleteOneUser({
  flags,
  words: [username],
  io,
  withChange,
}: Given<{ yes?: true }>): Promise<void> {
  await withChange(async (database) => {
    const { users, id } = await userNamed(database, username)
    await confirm(io, flags, `Delete the user ${printable(username!)} with all websites and keys of this user?`)
    if (!(await users.delete(id))) {
      throw new Error(`This is the last admin. Create another one first: ${weirCommand} user create --role admin`)
    }
    return { id }
  })
  io.out('Deleted. All sign-ins and keys of this user stop working within ten seconds.')
}

/** The id of the user with this name. Throws if there is no such user. */
export async function userNamed(database: D1Database, username = '') {
  const { users } = metadata(database, Date.now())
  const user = await users.accountNamed(username)
  if (!user) throw new Error(`There is no user ${printable(username)}. See: ${weirCommand} user list`)
  return { users, id: user.id }
}

/** The password from the environment, or a generated one. */
const chosenPassword = ({ env }: Io): string => {
  const { WEIR_PASSWORD = generatedPassword() } = env
  return checked(newPassword(), WEIR_PASSWORD, 'WEIR_PASSWORD')
}

/** Prints the password, unless the user chose it. */
function tell(io: Io, password: string): void {
  if (io.env.WEIR_PASSWORD === undefined) io.err(`${password}\nThis password is shown only now.`)
}
