import * as z from 'zod'
import { newBackupCodes, newSecret, plainCode } from '../../access/codes.ts'
import { unauthorized } from '../../access/credential.ts'
import { isPassword } from '../../access/password.ts'
import { ApiError, invalid } from '../../errors.ts'
import { Done, done } from '../answers.ts'
import { requireSignIn, SignedInAnswer, signedInAnswer } from '../auth/signed-in.ts'
import { action } from '../endpoint.ts'
import { passwordSchema } from '../users/users.ts'
import { codeSchema, requireCode } from './proof.ts'

/** Also allows users who must set up a second factor before they may do anything else. */
const setUpAccess = { to: 'person', isForSetUp: true } as const

const Status = () =>
  z.object({
    isConfigured: z.boolean().describe('Whether the server can store second factors.'),
    isEnabled: z.boolean().describe('Whether you have one.'),
    isRequired: z.boolean().describe('Whether you must have one.'),
    requiredReason: z.enum(['global', 'team', 'user']).nullable().describe('Which rule requires it.'),
    globalRequired: z.boolean().describe('Whether everybody must have one.'),
  })

export const getTwoFactorStatus = action({
  name: 'getTwoFactorStatus',
  path: '/api/2fa/status',
  summary: 'Whether you have a second factor, and whether you must have one.',
  access: setUpAccess,
  answer: Status,
  async run(_, { holder, metadata, signingIn }) {
    const standing = await metadata.twoFactors.standing(requireSignIn(holder).person.id)
    if (!standing) throw unauthorized()
    const { isOn, all, team, user } = standing
    const requiredReason = all ? 'global' : team ? 'team' : user ? 'user' : null
    const required = { isRequired: requiredReason !== null, requiredReason, globalRequired: all === 1 } as const
    return { body: { isConfigured: signingIn.keys.isConfigured, isEnabled: isOn === 1, ...required } }
  },
})

export const initiateTwoFactorSetup = action({
  name: 'initiateTwoFactorSetup',
  method: 'post',
  path: '/api/2fa/setup/initiate',
  summary: 'Begins to set up a second factor: a key for an app that generates codes. Confirm it with a code.',
  access: setUpAccess,
  refuses: ['conflict'],
  answer: () =>
    z.object({
      manualKey: z.string().describe('The key in base32, to type in.'),
      qrCodeDataUrl: z.string().describe('The key as an image, for a camera.'),
    }),
  async run(_, { holder, metadata, signingIn }) {
    const { person } = requireSignIn(holder)
    const { secret, qrCodeDataUrl } = await newSecret(person.username)
    const isBegun = await metadata.twoFactors.begin(person.id, await signingIn.keys.seal(secret, person.id))
    if (!isBegun) throw new ApiError('conflict', 'You have a second factor. Switch it off first.')
    return { body: { manualKey: secret, qrCodeDataUrl } }
  },
})

export const confirmTwoFactorSetup = action({
  name: 'confirmTwoFactorSetup',
  method: 'post',
  path: '/api/2fa/setup/confirm',
  summary: 'Switches the second factor on. Only this answer shows the backup codes. Your other sign-ins are revoked.',
  access: setUpAccess,
  refuses: ['conflict'],
  body: () => z.strictObject({ token: codeSchema() }),
  answer: () => z.object({ backupCodes: z.array(z.string()).describe('Each replaces a code once.') }),
  async run({ token }, context) {
    const { holder, metadata, signingIn } = context
    const { id, person } = requireSignIn(holder)
    const secret = await requireCode(token, 'token', { userId: person.id, isConfirmed: false }, context)
    const backupCodes = newBackupCodes()
    const hashes = await Promise.all(backupCodes.map((code) => signingIn.keys.hash(plainCode(code), person.id)))
    if (!(await metadata.twoFactors.confirm({ userId: person.id, secret, hashes }, id))) {
      throw new ApiError('conflict', 'Another page has set up a second factor meanwhile.')
    }
    return { body: { backupCodes } }
  },
})

export const cancelTwoFactorSetup = action({
  name: 'cancelTwoFactorSetup',
  method: 'post',
  path: '/api/2fa/setup/cancel',
  summary: 'Cancels the set-up of a second factor that is not confirmed yet.',
  access: setUpAccess,
  answer: Done,
  async run(_, { holder, metadata }) {
    await metadata.twoFactors.cancel(requireSignIn(holder).person.id)
    return done
  },
})

export const disableTwoFactor = action({
  name: 'disableTwoFactor',
  method: 'post',
  path: '/api/2fa/disable',
  summary: 'Switches your second factor off, with your password and a code or a backup code.',
  access: { to: 'person' },
  refuses: ['conflict'],
  body: () => z.strictObject({ password: passwordSchema(1), token: codeSchema() }),
  answer: Done,
  async run({ password, token }, context) {
    const { holder, metadata, attempt } = context
    const { person } = requireSignIn(holder)
    await attempt({ kind: 'password', username: person.username })
    const account = await metadata.users.account(person.id)
    if (!(await isPassword(password, account?.passwordHash))) {
      throw invalid([{ path: 'password', message: 'Is wrong.' }])
    }
    await requireCode(token, 'token', { userId: person.id, isConfirmed: true }, context)
    await metadata.twoFactors.delete(person.id)
    return done
  },
})

const oneCode = 'Give token, a code from the app, or backupCode.'

export const verifyTwoFactor = action({
  name: 'verifyTwoFactor',
  method: 'post',
  path: '/api/2fa/verify',
  summary: 'The second step of a sign-in. Send the partialToken of the first step as Authorization: Bearer ….',
  access: { to: 'anyone' },
  refuses: ['unauthorized', 'conflict', 'service-unavailable'],
  body: () =>
    z
      .strictObject({ token: codeSchema().optional(), backupCode: codeSchema().optional() })
      .refine(({ token, backupCode }) => (token === undefined) !== (backupCode === undefined), {
        path: ['token'],
        error: oneCode,
      }),
  answer: SignedInAnswer,
  async run({ token, backupCode }, context) {
    const { signingIn, tokens, metadata, attempt, failedSignIn } = context
    const claims = await tokens.read(signingIn.bearer ?? '')
    if (claims?.typ !== 'second-step') throw unauthorized()
    const waiting = { id: claims.jti, step: 'code' } as const
    const account = await metadata.signIns.account(waiting)
    if (!account) throw unauthorized()
    await attempt({ kind: 'password', username: account.username })
    const path = token === undefined ? 'backupCode' : 'token'
    const tried = { userId: account.id, isConfirmed: true }
    await requireCode(token ?? backupCode!, path, tried, context).catch(async (error: unknown) => {
      await failedSignIn(account.username)
      throw error
    })
    return { body: await signedInAnswer(account, waiting, context) }
  },
})
