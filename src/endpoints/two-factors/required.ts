import * as z from 'zod'
import { ApiError } from '../../errors.ts'
import { Done } from '../answers.ts'
import { action, type Context } from '../endpoint.ts'

const Requirement = () => z.strictObject({ required: z.boolean({ error: 'Must be true or false.' }) })

const notThere = (what: string): ApiError => new ApiError('not-found', `There is no such ${what}.`)

export const requireTwoFactor = action({
  name: 'requireTwoFactor',
  method: 'post',
  path: '/api/admin/2fa/global',
  summary: 'Starts or stops requiring a second factor from everybody. Rules for teams and users still apply.',
  access: { to: 'admin' },
  body: Requirement,
  answer: () => Done().extend({ required: z.boolean() }),
  async run({ required }, { metadata }) {
    await metadata.twoFactors.requireOfAll(required)
    return { body: { ok: true, required } as const }
  },
})

export const requireTeamTwoFactor = action({
  name: 'requireTeamTwoFactor',
  method: 'post',
  path: '/api/admin/teams/:teamId/2fa',
  summary: 'Starts or stops requiring a second factor from the members of a team.',
  access: { to: 'admin' },
  refuses: ['not-found'],
  body: Requirement,
  answer: () => Done().extend({ teamId: z.string(), twoFactorRequired: z.boolean() }),
  async run({ teamId, required }, { metadata }) {
    if (!(await metadata.twoFactors.requireOf('teams', teamId, required))) throw notThere('team')
    return { body: { ok: true, teamId, twoFactorRequired: required } as const }
  },
})

export const getUserTwoFactor = action({
  name: 'getUserTwoFactor',
  path: '/api/admin/users/:userId/2fa',
  summary: 'Whether a user has a second factor.',
  access: { to: 'admin' },
  refuses: ['not-found'],
  answer: () => z.object({ isEnabled: z.boolean() }),
  run: async ({ userId }, context) => ({ body: { isEnabled: await isOn(userId, context) } }),
})

export const requireUserTwoFactor = action({
  name: 'requireUserTwoFactor',
  method: 'post',
  path: '/api/admin/users/:userId/2fa',
  summary: 'Starts or stops requiring a second factor from a user.',
  access: { to: 'admin' },
  refuses: ['not-found'],
  body: Requirement,
  answer: () => Done().extend({ userId: z.string(), twoFactorRequired: z.boolean() }),
  async run({ userId, required }, { metadata }) {
    if (!(await metadata.twoFactors.requireOf('users', userId, required))) throw notThere('user')
    return { body: { ok: true, userId, twoFactorRequired: required } as const }
  },
})

export const resetUserTwoFactor = action({
  name: 'resetUserTwoFactor',
  method: 'delete',
  path: '/api/admin/users/:userId/2fa',
  summary: 'Deletes the second factor of a user, with its backup codes and its lock. They may set up another one.',
  access: { to: 'admin' },
  refuses: ['not-found'],
  answer: () => Done().extend({ userId: z.string(), reset: z.object({ twoFactorAuth: z.boolean() }) }),
  async run({ userId }, context) {
    await isOn(userId, context)
    const twoFactorAuth = await context.metadata.twoFactors.delete(userId)
    return { body: { ok: true, userId, reset: { twoFactorAuth } } as const }
  },
})

/** Whether the user has a second factor. Throws a 404 if there is no such user. */
async function isOn(userId: string, { metadata }: Context): Promise<boolean> {
  const standing = await metadata.twoFactors.standing(userId)
  if (!standing) throw notThere('user')
  return standing.isOn === 1
}
