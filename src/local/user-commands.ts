import * as z from 'zod'
import { NewUserBody, newPassword } from '../endpoints/users/users.ts'
import { checked } from './checked.ts'
import type { Commands, Io, Opened } from './io.ts'
import { asScript } from './metadata.ts'
import { printable } from './printable.ts'
import { createUser, deleteUser, generatedPassword, listUsers, prepareUser, setPassword } from './users.ts'

interface Flags {
  readonly id?: string | undefined
  readonly username?: string | undefined
  readonly role?: string | undefined
  readonly sql: boolean
}

/** The commands `user …`. They take no password as a flag, because a shell's history would keep it. */
export function userCommands(
  { id, username, role, sql }: Flags,
  io: Io,
  withMetadata: Opened['withMetadata'],
): Commands {
  const given = (password: string) => checked(NewUserBody(), { id, username, role, password })
  const now = Date.now()
  return {
    'user create': async () => {
      const password = chosenPassword(io)
      const user = given(password)
      if (sql) io.out(asScript([await prepareUser(user, now)]))
      else await withMetadata(async (metadata) => io.out(await createUser(metadata, user, now)))
      tell(io, password)
    },
    'user list': () =>
      withMetadata(async (metadata) => {
        for (const { id, username, role, createdAt } of await listUsers(metadata, now)) {
          io.out(`${id}  ${printable(username)}  ${role}  created ${new Date(createdAt).toISOString()}`)
        }
      }),
    'user password': async ([username]) => {
      const password = chosenPassword(io)
      await withMetadata((metadata) => setPassword(metadata, username, password, now))
      io.out('Changed. Every sign-in of this user ends within ten seconds.')
      tell(io, password)
    },
    'user delete': async ([username]) => {
      await withMetadata((metadata) => deleteUser(metadata, username, now))
      io.out('Deleted. Every sign-in and key of this user ends within ten seconds.')
    },
  }
}

/** The password from the environment, or a generated one. */
const chosenPassword = ({ env }: Io): string => {
  const { WEIR_PASSWORD = generatedPassword() } = env
  return checked(z.object({ WEIR_PASSWORD: newPassword() }), { WEIR_PASSWORD }).WEIR_PASSWORD
}

/** Prints the password, unless the user chose it. */
function tell(io: Io, password: string): void {
  if (io.env.WEIR_PASSWORD === undefined) io.err(`${password}\nThis password is shown only now.`)
}
