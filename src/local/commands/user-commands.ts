import { NewUserBody, newPassword } from '../../endpoints/users/users.ts'
import { howToRun, privateFile } from '../start/private-folder.ts'
import { asScript } from '../storage/metadata.ts'
import { createUser, deleteUser, generatedPassword, listUsers, prepareUser, setPassword } from '../storage/users.ts'
import type { Given, Io } from './io.ts'
import { printable } from './io.ts'
import { checked } from './misuse.ts'

// No command takes a password as a flag, because a shell's history would keep it.

interface NewUserFlags {
  readonly id?: string
  readonly username: string
  readonly role: string
  readonly sql?: true
}

export async function createOneUser({ flags, io, withMetadata }: Given<NewUserFlags>): Promise<void> {
  const password = chosenPassword(io)
  const { id, username, role, sql } = flags
  const user = checked(NewUserBody(), { id, username, role, password })
  const now = Date.now()
  if (sql) io.out(privateFile('create-user.sql', asScript([await prepareUser(user, now)])))
  else await withMetadata(async (metadata) => io.out(await createUser(metadata, user, now)))
  tell(io, password)
  if (sql) io.err(howToRun)
}

export const listAllUsers = ({ io, withMetadata }: Given<object>): Promise<void> =>
  withMetadata(async (metadata) => {
    const users = await listUsers(metadata, Date.now())
    for (const { id, username, role, createdAt } of users) {
      io.out(`${id}  ${printable(username)}  ${role}  created ${new Date(createdAt).toISOString()}`)
    }
    if (users.length === 0) io.note('There are no users. Make one: npm run weir -- user create')
  })

/** The command `user password`. */
export async function changePassword({ words: [username], io, withMetadata }: Given<object>): Promise<void> {
  const password = chosenPassword(io)
  await withMetadata((metadata) => setPassword(metadata, username, password, Date.now()))
  io.out('Changed. Every sign-in of this user ends within ten seconds.')
  tell(io, password)
}

export async function deleteOneUser({ words: [username], io, withMetadata }: Given<object>): Promise<void> {
  await withMetadata((metadata) => deleteUser(metadata, username, Date.now()))
  io.out('Deleted. Every sign-in and key of this user ends within ten seconds.')
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
