import * as z from 'zod'
import { ApiError, invalid } from '../../errors.ts'
import type { ValueOf } from '../../made.ts'
import type { Identity } from '../../metadata/identities.ts'
import { Done, done, timeOf } from '../answers.ts'
import { Departed, departTo, IssuerBody } from '../auth/sign-on.ts'
import { requireSignIn } from '../auth/signed-in.ts'
import { typedText } from '../bodies.ts'
import { action } from '../endpoint.ts'

const IdentityAnswer = () =>
  z.object({
    id: z.string(),
    issuer: z.string().describe('The URL of the issuer.'),
    subject: z.string().describe('The user’s id at the issuer (sub).'),
    createdAt: z.string(),
  })

const identityAnswer = ({ createdAt, ...identity }: Identity): ValueOf<typeof IdentityAnswer> => ({
  ...identity,
  createdAt: timeOf(createdAt),
})

export const joinMyIdentity = action({
  name: 'joinMyIdentity',
  method: 'post',
  path: '/api/me/identities',
  summary: 'Begins a sign-in at an issuer, to link that identity to your account.',
  access: { to: 'person' },
  isUnaudited: true,
  body: IssuerBody,
  answer: Departed,
  async run({ issuer }, context) {
    await context.attempt({ kind: 'issuer' })
    return departTo(issuer, requireSignIn(context.holder).id, context)
  },
})

export const getUserIdentities = action({
  name: 'getUserIdentities',
  path: '/api/users/:userId/identities',
  summary: 'The identities of a user at issuers.',
  access: { to: 'self' },
  answer: () => z.array(IdentityAnswer()),
  run: async ({ userId }, { metadata }) => ({ body: (await metadata.identities.list(userId)).map(identityAnswer) }),
})

export const createUserIdentity = action({
  name: 'createUserIdentity',
  method: 'post',
  path: '/api/users/:userId/identities',
  summary: 'Lets somebody at an issuer sign in as a user.',
  access: { to: 'admin' },
  refuses: ['not-found'],
  body: () => z.strictObject({ issuer: typedText(500), subject: typedText(500) }),
  answer: Done,
  async run({ userId, issuer, subject }, { metadata }) {
    if (await metadata.identities.join({ issuer, subject }, userId)) return done
    if (!(await metadata.users.read(userId))) throw new ApiError('not-found', 'There is no such user.')
    throw invalid([{ path: 'subject', message: 'Belongs to another user here.' }])
  },
})

export const deleteUserIdentity = action({
  name: 'deleteUserIdentity',
  method: 'delete',
  path: '/api/users/:userId/identities/:identityId',
  summary: 'Removes an issuer’s identity from a user.',
  access: { to: 'self' },
  refuses: ['not-found'],
  answer: Done,
  async run({ userId, identityId }, { metadata }) {
    if (await metadata.identities.delete(identityId, userId)) return done
    throw new ApiError('not-found', 'The user has no such identity.')
  },
})
