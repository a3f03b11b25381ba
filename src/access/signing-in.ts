import type { Env } from '../env.ts'
import { bearerOf } from './credential.ts'
import { type SecondFactorKeys, secondFactorKeys } from './second-factor-keys.ts'

/** What the steps of a sign-in need. */
export interface SigningIn {
  readonly keys: SecondFactorKeys
  /** What the request has after the word Bearer: the token of a step, which is no credential. */
  readonly bearer: string | undefined
}

export const signingIn = (env: Env, request: Request): SigningIn => ({
  keys: secondFactorKeys(env),
  bearer: bearerOf(request.headers),
})
