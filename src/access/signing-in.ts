import type { Env } from '../env.ts'
import { bearerOf } from './credential.ts'
import { configuredIssuers, type Issuer } from './issuers.ts'
import { type SecondFactorKeys, secondFactorKeys } from './second-factor-keys.ts'

/** The settings and services that the steps of a sign-in need. */
export interface SigningIn {
  readonly keys: SecondFactorKeys
  /** The request's Bearer token. Here it belongs to a step of a sign-in and is not a credential. */
  readonly bearer: string | undefined
  /** The issuers in the settings. Throws if the settings are invalid. */
  readonly issuers: () => readonly Issuer[]
  /** The name of the only user who may sign in with a password; undefined if all may. */
  readonly passwordOnlyFor: string | undefined
  /** The URL of a path on this server, for issuers and browsers. */
  readonly address: (path: string) => string
}

export const signingIn = (env: Env, request: Request, address: SigningIn['address']): SigningIn => ({
  keys: secondFactorKeys(env),
  bearer: bearerOf(request.headers),
  issuers: () => configuredIssuers(env),
  passwordOnlyFor: env.PASSWORD_ONLY_FOR || undefined,
  address,
})

/** The path where browsers return from the issuer with this name. */
export const returnPath = (issuer: string): string => `/oidc/${issuer}`
