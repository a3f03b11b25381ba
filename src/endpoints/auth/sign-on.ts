import * as z from 'zod'
import { unauthorized } from '../../access/credential.ts'
import { depart } from '../../access/oidc.ts'
import { returnPath } from '../../access/signing-in.ts'
import { departureLasts } from '../../access/tokens.ts'
import { invalid, unavailable } from '../../errors.ts'
import { typedText } from '../bodies.ts'
import { type ActionAnswer, action, type Context } from '../endpoint.ts'
import { SignedInAnswer, signedInAnswer } from './signed-in.ts'

/** The cookie of a browser that is visiting an issuer. Only this host receives it, and no page can read it. */
export const cookieName = '__Host-weir-oidc'

/** A cookie with this value that lasts `seconds` seconds. */
export const cookieOf = (value: string, seconds: number): string =>
  `${cookieName}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Lax`

export const IssuerBody = () => z.strictObject({ issuer: typedText(40) })

export const Departed = () => z.object({ url: z.string().describe('The issuer’s page.') })

/**
 * Sends the browser to an issuer. If `joins` (the id of a sign-in) is given, the identity with which the browser
 * returns is added to that sign-in's user.
 */
export async function departTo(
  name: string,
  joins: string | undefined,
  { signingIn, tokens, now }: Context,
): Promise<ActionAnswer<{ url: string }>> {
  const issuer = signingIn.issuers().find((one) => one.name === name)
  if (!issuer) throw invalid([{ path: 'issuer', message: 'There is no issuer with this name.' }])
  const { url, departure } = await depart(issuer, signingIn.address(returnPath(name)), now).catch((error) => {
    throw unavailable('The issuer does not answer correctly. Try again.', error)
  })
  const claims = { typ: 'departure', ...departure, ...(joins !== undefined && { joins }) } as const
  const kept = await tokens.make(claims, now + departureLasts)
  return { body: { url }, cookie: cookieOf(kept, departureLasts / 1000) }
}

export const startSignOn = action({
  name: 'startSignOn',
  method: 'post',
  path: '/api/auth/oidc',
  summary: 'Begins a sign-in at an issuer: sets the cookie that the browser needs for its return.',
  access: { to: 'anyone' },
  isUnaudited: true,
  refuses: ['service-unavailable'],
  body: IssuerBody,
  answer: Departed,
  async run({ issuer }, context) {
    await context.attempt({ kind: 'issuer' })
    return departTo(issuer, undefined, context)
  },
})

export const sso = action({
  name: 'sso',
  method: 'post',
  path: '/api/auth/sso',
  summary: 'The token of a sign-in at an issuer. Send the return page’s code once, as Authorization: Bearer ….',
  access: { to: 'anyone' },
  refuses: ['unauthorized', 'service-unavailable'],
  answer: SignedInAnswer,
  async run(_, context) {
    const { signingIn, tokens, metadata } = context
    const claims = await tokens.read(signingIn.bearer ?? '')
    if (claims?.typ !== 'return') throw unauthorized()
    const waiting = { id: claims.jti, step: 'return' } as const
    const account = await metadata.signIns.account(waiting)
    if (!account) throw unauthorized()
    return { body: await signedInAnswer(account, waiting, context) }
  },
})
