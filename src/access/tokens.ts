import { sign, verify } from 'hono/utils/jwt/jwt'
import * as z from 'zod'
import { ApiError } from '../errors.ts'
import { made, type ValueOf } from '../made.ts'
import { dayLength } from '../request/time-zone.ts'

/**
 * The claims of a token, which identifies one of these:
 * - a sign-in that is complete, waits for its second step, or waits for the page to fetch its token.
 * - a departure: the data that a browser stores while it visits an issuer. `joins` is the sign-in that requested the
 *   visit.
 * - a share, by id and slug.
 */
const Claims = () =>
  z.discriminatedUnion('typ', [
    z.object({ typ: z.literal('sign-in'), jti: z.string() }),
    z.object({ typ: z.literal('second-step'), jti: z.string() }),
    z.object({ typ: z.literal('return'), jti: z.string() }),
    z.object({
      ...{ typ: z.literal('departure'), issuer: z.string(), joins: z.string().optional() },
      ...{ state: z.string(), nonce: z.string(), verifier: z.string() },
    }),
    z.object({ typ: z.literal('share'), jti: z.string(), slug: z.string() }),
  ])

type Claims = ValueOf<typeof Claims>

/** How long a sign-in lasts, in milliseconds: a week. */
export const signInLasts = 7 * dayLength

/** How long a sign-in may wait for its second step, in milliseconds: five minutes. */
export const secondStepLasts = 300_000

/** How long a browser may stay at an issuer, and how long its page may take to fetch its token, in milliseconds. */
export const [departureLasts, returnLasts] = [600_000, 60_000]

/**
 * Creates and reads signed tokens (JWT, HS256). A token identifies a row in D1; the caller must check that the row
 * exists.
 */
export interface Tokens {
  /** `expiresAt` is in milliseconds since 1970. Throws a 503 if the server has no secret. */
  make(claims: Claims, expiresAt?: number): Promise<string>
  /** Returns undefined if the token was not signed here or has expired. */
  read(token: string): Promise<Claims | undefined>
}

/**
 * The only valid spelling of a token. A signature's 256 bits are encoded in 43 characters of six bits each, so the last
 * two bits must be zero. The signature covers the spelling of the header and payload.
 */
const spelling = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/

/** The secret; undefined if it has fewer than 32 characters. */
export const usableSecret = (secret: string | undefined): string | undefined =>
  secret !== undefined && secret.length >= 32 ? secret : undefined

/** Signs with `secret`. If it has fewer than 32 characters, nothing can be signed and every token is refused. */
export function tokens(secret: string | undefined): Tokens {
  const usable = usableSecret(secret)
  return {
    async make(claims, expiresAt) {
      if (usable === undefined) {
        throw new ApiError('service-unavailable', 'This server cannot sign tokens: its AUTH_SECRET is not set.', {
          headers: { 'Retry-After': '3600' },
          cause: new Error('AUTH_SECRET is missing, or shorter than 32 characters.'),
        })
      }
      return sign({ ...claims, ...(expiresAt !== undefined && { exp: Math.floor(expiresAt / 1000) }) }, usable, 'HS256')
    },
    async read(token) {
      if (usable === undefined || !spelling.test(token)) return undefined
      const claims = await verify(token, usable, 'HS256').catch(() => undefined)
      return made(Claims).safeParse(claims).data
    },
  }
}
