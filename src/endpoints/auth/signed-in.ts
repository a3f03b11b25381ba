import * as z from 'zod'
import { unauthorized } from '../../access/credential.ts'
import { signInLasts } from '../../access/tokens.ts'
import { titled, type ValueOf } from '../../made.ts'
import type { Holder, SignInHolder } from '../../metadata/holder.ts'
import type { Account, SignInStep } from '../../metadata/users.ts'
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
 * Signs the account in, for a week: the one place where sign-ins end their last step. `before` is the sign-in that
 * waits for this step. Throws a 401 if that has ended meanwhile.
 */
export async function signedInAnswer(
  account: Account,
  { metadata, tokens, now }: Pick<Context, 'metadata' | 'tokens' | 'now'>,
  before: { readonly id: string; readonly step: SignInStep },
): Promise<ValueOf<typeof SignedInAnswer>> {
  const id = crypto.randomUUID()
  const expiresAt = now + signInLasts
  const token = await tokens.make({ typ: 'sign-in', jti: id }, expiresAt)
  if (!(await metadata.users.finishSignIn(before, { id, expiresAt }))) throw unauthorized()
  return { token, user: signedInUser(account) }
}
