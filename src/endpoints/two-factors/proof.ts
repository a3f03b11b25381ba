import { plainCode, stepOf } from '../../access/codes.ts'
import { ApiError, invalid } from '../../errors.ts'
import { timeOf } from '../answers.ts'
import { typedText } from '../bodies.ts'
import type { Context } from '../endpoint.ts'

/** An authenticator code or a backup code, as the user types it. */
export const codeSchema = () => typedText(64)

/** The user of a second factor, and whether the factor is enabled or being set up. */
interface Tried {
  readonly userId: string
  readonly isConfirmed: boolean
}

const wrongCode = (path: string): ApiError =>
  invalid([{ path, message: 'Is wrong, or has been used. Five wrong codes lock the second factor for 15 minutes.' }])

const ended = (): ApiError =>
  new ApiError('conflict', 'This second factor is invalid: the server has another secret. Ask an admin to reset it.')

function locked(until: number, now: number): ApiError {
  const seconds = Math.ceil((until - now) / 1000)
  return new ApiError(
    'too-many-requests',
    'Too many wrong codes. The second factor is locked; lockedUntil says when.',
    {
      headers: { 'Retry-After': String(seconds) },
      lockedUntil: timeOf(until),
    },
  )
}

/**
 * Proves that the caller has the second factor, by a code or a backup code, each of which works only once. Returns its
 * sealed secret. Throws a 400 about the field for a wrong code; the fifth wrong code locks the second factor, with a
 * 429. Throws a 409 if the user has no second factor in this state.
 */
export async function requireCode(
  typed: string,
  path: string,
  { userId, isConfirmed }: Tried,
  { metadata: { twoFactors }, signingIn: { keys }, now }: Context,
): Promise<string> {
  const factor = await twoFactors.beginTry(userId, isConfirmed)
  if (!factor) {
    const until = await twoFactors.lockedUntil(userId)
    throw until === undefined ? noFactor(isConfirmed) : locked(until, now)
  }
  const secret = await keys.open(factor.secret, userId)
  if (secret === undefined) throw ended()
  const code = plainCode(typed)
  const step = await stepOf(code, secret, now)
  const isRight =
    step === undefined
      ? await twoFactors.countBackupCode(userId, await keys.hash(code, userId))
      : await twoFactors.countStep(userId, step)
  if (!isRight) throw wrongCode(path)
  return factor.secret
}

const noFactor = (isConfirmed: boolean): ApiError =>
  new ApiError('conflict', isConfirmed ? 'You have no second factor.' : 'Begin to set up a second factor first.')
