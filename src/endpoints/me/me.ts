import * as z from 'zod'
import { unauthorized } from '../../access/credential.ts'
import { hashPassword, isPassword } from '../../access/password.ts'
import { ApiError } from '../../errors.ts'
import type { ValueOf } from '../../made.ts'
import type { Holder } from '../../metadata/holder.ts'
import type { Person } from '../../metadata/person.ts'
import { requireSignIn } from '../auth/signed-in.ts'
import { action } from '../endpoint.ts'
import { SharedIds, sharedIds, withVisibleParameters } from '../shares/answer.ts'
import { newPassword, passwordSchema, UserAnswer, userAnswer } from '../users/users.ts'

const MeAnswer = () =>
  z.object({
    authType: z.enum(['session', 'api-key', 'share']),
    user: UserAnswer().omit({ createdAt: true }).extend({ isAdmin: z.boolean() }).optional(),
    apiKey: z.object({ id: z.string(), name: z.string() }).optional(),
    shareToken: z
      .object({
        shareId: z.string(),
        ...SharedIds(),
        parameters: z.record(z.string(), z.union([z.boolean(), z.string()])),
      })
      .optional(),
  })

const meUser = ({ id, username, role }: Person) => ({ id, username, role, isAdmin: role === 'admin' })

function meAnswer(holder: Holder): ValueOf<typeof MeAnswer> {
  switch (holder.kind) {
    case 'sign-in':
      return { authType: 'session', user: meUser(holder.person) }
    case 'key': {
      const { id, name, person } = holder
      return { authType: 'api-key', ...(person && { user: meUser(person) }), apiKey: { id, name } }
    }
    case 'share': {
      const { id, parameters } = holder
      const shareToken = {
        shareId: id,
        ...sharedIds(holder),
        parameters: withVisibleParameters(parameters),
      }
      return { authType: 'share', shareToken }
    }
  }
}

export const getMe = action({
  name: 'getMe',
  path: '/api/me',
  summary: 'The owner and the kind of this credential.',
  access: { to: 'holder' },
  answer: MeAnswer,
  async run(_, { holder }) {
    if (!holder) throw unauthorized()
    return { body: meAnswer(holder) }
  },
})

const incorrectPassword = (): ApiError => {
  const message = 'Current password is incorrect'
  return new ApiError('bad-request', message, { issues: [{ path: 'currentPassword', message }] })
}

/** Forms send the new password twice. */
const PasswordBody = () =>
  z
    .strictObject({
      currentPassword: passwordSchema(1),
      newPassword: newPassword(),
      confirmPassword: z.string({ error: notTheSame }).optional(),
    })
    .refine(({ newPassword, confirmPassword = newPassword }) => confirmPassword === newPassword, {
      path: ['confirmPassword'],
      error: notTheSame,
    })

const notTheSame = 'Must be the same as newPassword, or left out.'

export const updateMyPassword = action({
  name: 'updateMyPassword',
  method: 'post',
  path: '/api/me/password',
  summary: 'Changes your password and revokes your other sign-ins. Your keys stay valid.',
  access: { to: 'person' },
  body: PasswordBody,
  answer: UserAnswer,
  async run({ currentPassword, newPassword }, { metadata, holder, attempt }) {
    const { id, person } = requireSignIn(holder)
    await attempt({ kind: 'password', username: person.username })
    const account = await metadata.users.account(person.id)
    if (!account) throw unauthorized()
    const isRight = await isPassword(currentPassword, account.passwordHash)
    if (!isRight || !(await metadata.users.changePassword(account, await hashPassword(newPassword), id))) {
      throw incorrectPassword()
    }
    return { body: userAnswer(account) }
  },
})
