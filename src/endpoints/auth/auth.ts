import * as z from 'zod'
import { challenge, unauthorized } from '../../access/credential.ts'
import { hashPassword, isPassword, isToBeHashedAnew } from '../../access/password.ts'
import { signInLasts } from '../../access/tokens.ts'
import { ApiError } from '../../errors.ts'
import { titled, type ValueOf } from '../../made.ts'
import type { Holder, SignInHolder } from '../../metadata/holder.ts'
import type { Metadata } from '../../metadata/metadata.ts'
import type { Account } from '../../metadata/users.ts'
import { Done, done } from '../answers.ts'
import { typedText } from '../bodies.ts'
import { action } from '../endpoint.ts'
import { passwordSchema, UserAnswer, userAnswer } from '../users/users.ts'

const SignedInUser = titled('SignedInUser', () =>
  UserAnswer().extend({
    isAdmin: z.boolean(),
    teams: z.array(z.object({ id: z.string(), name: z.string(), logoUrl: z.string().nullable() })),
  }),
)

const signedInUser = (account: Account): ValueOf<typeof SignedInUser> => ({
  ...userAnswer(account),
  isAdmin: account.role === 'admin',
  teams: [...account.teams],
})

/** The holder of the sign-in. Throws a 401 for any other caller. */
export function requireSignIn(holder: Holder | undefined): SignInHolder {
  if (holder?.kind !== 'sign-in') throw unauthorized()
  return holder
}

const incorrectSignIn = (): ApiError =>
  new ApiError('incorrect-username-password', 'Wrong user name or password.', {
    headers: challenge,
  })

/**
 * The account after a correct password. An imported hash is replaced by our own kind. Undefined if the password has
 * changed meanwhile.
 */
async function withOwnHash(account: Account, password: string, { users }: Metadata): Promise<Account | undefined> {
  if (!isToBeHashedAnew(account.passwordHash, password)) return account
  const passwordHash = await hashPassword(password)
  if (await users.hashAnew(account, passwordHash)) return { ...account, passwordHash }
  // Another sign-in may have replaced it at the same time.
  const current = await users.account(account.id)
  return current && (await isPassword(password, current.passwordHash)) ? current : undefined
}

export const login = action({
  name: 'login',
  method: 'post',
  path: '/api/auth/login',
  summary: 'Signs a user in with a password. The token lasts a week.',
  access: { to: 'anyone' },
  refuses: ['incorrect-username-password', 'too-many-requests', 'service-unavailable'],
  body: () => z.strictObject({ username: typedText(255), password: passwordSchema(1) }),
  answer: () => z.object({ token: z.string(), user: SignedInUser() }),
  async run({ username, password }, { metadata, tokens, now, attempt }) {
    await attempt({ kind: 'password', username })
    const id = crypto.randomUUID()
    const expiresAt = now + signInLasts
    // The token comes first: without a secret the server answers 503, whatever the password.
    const token = await tokens.make({ typ: 'sign-in', jti: id }, expiresAt)
    const found = await metadata.users.accountNamed(username)
    const isRight = await isPassword(password, found?.passwordHash)
    const account = found && isRight ? await withOwnHash(found, password, metadata) : undefined
    if (!account || !(await metadata.users.signIn(account, id, expiresAt))) throw incorrectSignIn()
    return { body: { token, user: signedInUser(account) } }
  },
})

export const logout = action({
  name: 'logout',
  method: 'post',
  path: '/api/auth/logout',
  summary: 'Ends this sign-in. Its token stops working.',
  access: { to: 'person' },
  answer: Done,
  async run(_, { metadata, holder }) {
    await metadata.users.signOut(requireSignIn(holder).id)
    return done
  },
})

export const verify = action({
  name: 'verify',
  method: 'post',
  path: '/api/auth/verify',
  summary: 'The signed-in user, with their teams.',
  access: { to: 'person' },
  answer: SignedInUser,
  async run(_, { metadata, holder }) {
    const account = await metadata.users.account(requireSignIn(holder).person.id)
    if (!account) throw unauthorized()
    return { body: signedInUser(account) }
  },
})
