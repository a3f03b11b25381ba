import * as z from 'zod'
import { NewUser, newPassword } from '../endpoints/users.ts'
import { checked } from './checked.ts'
import { asScript } from './metadata.ts'
import { printable } from './printable.ts'
import { createUser, deleteUser, generatedPassword, listUsers, prepareUser, setPassword } from './users.ts'
import type { OpenMetadata } from './workerd.ts'

interface Flags {
  readonly id?: string | undefined
  readonly username?: string | undefined
  readonly role?: string | undefined
  readonly sql: boolean
}

type WithMetadata = (work: (workerd: OpenMetadata) => Promise<void>) => Promise<void>

/** `user …`. A password is no flag: those stay in the history of a shell. */
export function userCommands(
  { id, username, role, sql }: Flags,
  withMetadata: WithMetadata,
): Record<string, (rest: string[]) => Promise<void>> {
  const given = (password: string) => checked(NewUser, { id, username, role, password })
  const now = Date.now()
  return {
    'user create': async () => {
      const password = chosenPassword()
      const user = given(password)
      if (sql) console.log(asScript([await prepareUser(user, now)]))
      else await withMetadata(async ({ metadata }) => console.log(await createUser(metadata, user, now)))
      tell(password)
    },
    'user list': () =>
      withMetadata(async ({ metadata }) => {
        for (const { id, username, role, createdAt } of await listUsers(metadata, now)) {
          console.log(`${id}  ${printable(username)}  ${role}  created ${new Date(createdAt).toISOString()}`)
        }
      }),
    'user password': async ([username]) => {
      const password = chosenPassword()
      await withMetadata(({ metadata }) => setPassword(metadata, username, password, now))
      console.log('Changed. Every sign-in of this user ends within ten seconds.')
      tell(password)
    },
    'user delete': async ([username]) => {
      await withMetadata(({ metadata }) => deleteUser(metadata, username, now))
      console.log('Deleted. Every sign-in and key of this user ends within ten seconds.')
    },
  }
}

/** The password of the environment, or a new one. */
const chosenPassword = (): string => {
  const { WEIR_PASSWORD = generatedPassword() } = process.env
  return checked(z.object({ WEIR_PASSWORD: newPassword }), { WEIR_PASSWORD }).WEIR_PASSWORD
}

/** Nobody needs to be told the password they chose. */
function tell(password: string): void {
  if (process.env.WEIR_PASSWORD === undefined) console.error(`${password}\nThis password is shown only now.`)
}
