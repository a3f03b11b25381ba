import * as z from 'zod'
import { challenge, unauthorized } from '../../access/credential.ts'
import { signOutAt } from '../../access/oidc.ts'
import { hashPassword, isPassword, isToBeHashedAnew } from '../../access/password.ts'
import { forbidden } from '../../access/permit.ts'
import { mayOnTeam } from '../../access/rights.ts'
import { secondStepLasts, signInLasts } from '../../access/tokens.ts'
import { ApiError } from '../../errors.ts'
import type { Metadata } from '../../metadata/metadata.ts'
import { type Account, nameKeyOf } from '../../metadata/users.ts'
import { group, query, shortText } from '../../request/query-string.ts'
import { Done } from '../answers.ts'
import { typedText } from '../bodies.ts'
import { action } from '../endpoint.ts'
import { passwordSchema } from '../users/users.ts'
import { requireSignIn, SignedInAnswer, SignedInUser, signedInUser } from './signed-in.ts'

const incorrectSignIn = (): ApiError =>
  new ApiError('incorrect-username-password', 'Wrong user name or password.', {
    headers: challenge,
  })

/**
 * The account after a correct password. An imported hash is replaced by Weir's own kind. Undefined if the password has
 * changed meanwhile.
 */
async function withOwnHash(account: Account, password: string, { users }: Metadata): Promise<Account | undefined> {
  if (!isToBeHashedAnew(account.passwordHash, password)) return account
  const passwordHash = await hashPassword(password)
  if (await users.hashAnew(account, passwordHash)) return { ...account, passwordHash }
  // Another sign-in may have replaced the hash at the same time.
  const current = await users.account(account.id)
  return current && (await isPassword(password, current.passwordHash)) ? current : undefined
}

const notByPassword = 'You cannot sign in with a password here. Sign in with your organisation.'

/** The answer of the first step for users with a second factor. */
const SecondStep = () =>
  z.object({
    requiresTwoFactor: z.literal(true),
    partialToken: z.string().describe('Only for /api/2fa/verify, within five minutes.'),
  })

export const login = action({
  name: 'login',
  method: 'post',
  path: '/api/auth/login',
  summary:
    'Signs a user in with a password. The token lasts a week. With a second factor this is the first step of two.',
  access: { to: 'anyone' },
  refuses: ['incorrect-username-password', 'forbidden', 'too-many-requests', 'service-unavailable'],
  body: () => z.strictObject({ username: typedText(255), password: passwordSchema(1) }),
  answer: () => z.union([SignedInAnswer(), SecondStep()]),
  async run({ username, password }, context) {
    const { metadata, tokens, now, attempt, signingIn } = context
    const { passwordOnlyFor } = signingIn
    if (passwordOnlyFor !== undefined && nameKeyOf(username) !== nameKeyOf(passwordOnlyFor))
      throw forbidden(notByPassword)
    await attempt({ kind: 'password', username })
    const id = crypto.randomUUID()
    const [expiresAt, stepEndsAt] = [now + signInLasts, now + secondStepLasts]
    // The token comes first: without a secret the server answers 503, regardless of the password.
    const token = await tokens.make({ typ: 'sign-in', jti: id }, expiresAt)
    const found = await metadata.users.accountNamed(username)
    const isRight = await isPassword(password, found?.passwordHash)
    const account = found && isRight ? await withOwnHash(found, password, metadata) : undefined
    const refuse = async (): Promise<never> => {
      await context.failedSignIn(username)
      throw incorrectSignIn()
    }
    if (passwordOnlyFor !== undefined && account?.role !== 'admin') return refuse()
    const signIn = account?.hasSecondFactor
      ? { id, expiresAt: stepEndsAt, step: 'code' as const }
      : { id, expiresAt, step: null }
    if (!account || !(await metadata.signIns.begin(account, signIn))) return refuse()
    if (!account.hasSecondFactor) return { body: { token, user: signedInUser(account) } }
    const partialToken = await tokens.make({ typ: 'second-step', jti: id }, stepEndsAt)
    return { body: { requiresTwoFactor: true, partialToken } as const }
  },
})

export const logout = action({
  name: 'logout',
  method: 'post',
  path: '/api/auth/logout',
  summary: 'Revokes this sign-in and its token. To sign out at its issuer, too, open url.',
  access: { to: 'person', isForSetUp: true },
  answer: () => Done().extend({ url: z.string().optional() }),
  async run(_, { metadata, holder, signingIn, now }) {
    const name = await metadata.signIns.end(requireSignIn(holder).id)
    const issuer = name === undefined ? undefined : signingIn.issuers().find((one) => one.name === name)
    // The sign-in has ended in Weir, even if the issuer fails.
    const url = issuer && (await signOutAt(issuer, signingIn.address('/websites'), now).catch(() => undefined))
    return { body: { ok: true, ...(url !== undefined && { url }) } as const }
  },
})

export const verify = action({
  name: 'verify',
  method: 'post',
  path: '/api/auth/verify',
  summary: 'The signed-in user, with their teams.',
  access: { to: 'person', isForSetUp: true },
  isUnaudited: true,
  answer: SignedInUser,
  async run(_, { metadata, holder }) {
    const account = await metadata.users.account(requireSignIn(holder).person.id)
    if (!account) throw unauthorized()
    return { body: signedInUser(account) }
  },
})

/** Umami's clients ask which plan of its hosted service the caller has. In Weir, everybody has every feature. */
export const getSubscription = action({
  name: 'getSubscription',
  path: '/api/auth/subscription',
  summary: 'The features that Umami’s clients may show: all of them.',
  access: { to: 'person' },
  query: query(group({ teamId: shortText('One of your teams. It does not change the answer.', 36) })),

  answer: () =>
    z.object({
      hasSubscription: z.literal(true),
      isPro: z.literal(true),
      isBusiness: z.literal(true),
      isNoBilling: z.literal(true),
      unlimitedWebsites: z.literal(true),
    }),
  async run({ teamId }, { holder }) {
    if (teamId !== undefined && !mayOnTeam(holder, teamId.toLowerCase(), 'view'))
      throw forbidden('You are not a member of this team.')
    return {
      body: {
        hasSubscription: true,
        isPro: true,
        isBusiness: true,
        isNoBilling: true,
        unlimitedWebsites: true,
      } as const,
    }
  },
})
