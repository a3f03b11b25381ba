import * as z from 'zod'
import { unauthorized } from '../../access/credential.ts'
import { signInLasts } from '../../access/tokens.ts'
import { titled, type ValueOf } from '../../made.ts'
import type { Holder, SignInHolder } from '../../metadata/holder.ts'
import type { WaitingSignIn } from '../../metadata/sign-ins.ts'
import type { Account } from '../../metadata/users.ts'
import type { Context } from '../endpoint.ts'
import { UserAnswer, userAnswer } from '../users/users.ts'

export const SignedInUser = titled('SignedInUser', () =>
  UserAnswer().extend({
    isAdmin: z.boolean(),
    teams: z.array(z.object({ id: z.string(), name: z.string(), logoUrl: z.string().nullable() })),
  }),
)

export const signedInUser = (account: Account): ValueOf<typeof SignedInUser> => ({
  ...userAnswer(account),
  isAdmin: account.role === 'admin',
  teams: [...account.teams],
})

export const SignedInAnswer = titled('SignedIn', () => z.object({ token: z.string(), user: SignedInUser() }))

/** The holder of the sign-in. Throws a 401 for any other caller. */
export function requireSignIn(holder: Holder | undefined): SignInHolder {
  if (holder?.kind !== 'sign-in') throw unauthorized()
  return holder
}

/**
 * Completes a sign-in. Only this step makes a waiting sign-in valid. Throws a 401 if the sign-in has ended meanwhile.
 */
export async function signedInAnswer(
  account: Account,
  waiting: WaitingSignIn,
  { metadata, tokens, now }: Pick<Context, 'metadata' | 'tokens' | 'now'>,
): Promise<ValueOf<typeof SignedInAnswer>> {
  const id = crypto.randomUUID()
  const expiresAt = now + signInLasts
  const token = await tokens.make({ typ: 'sign-in', jti: id }, expiresAt)
  if (!(await metadata.signIns.finish(waiting, { id, expiresAt }))) throw unauthorized()
  return { token, user: signedInUser(account) }
}
