import { type Issuer, mayJoinByEmail } from '../access/issuers.ts'
import { arrive, groupsIn, type IssuerClaims } from '../access/oidc.ts'
import { nobodysHash } from '../access/password.ts'
import { returnPath, type SigningIn, signingIn } from '../access/signing-in.ts'
import { departureLasts, returnLasts } from '../access/tokens.ts'
import { cookieName, cookieOf } from '../endpoints/auth/sign-on.ts'
import { roles } from '../endpoints/users/users.ts'
import type { TeamRole } from '../metadata/person.ts'
import { type Account, nameKeyOf } from '../metadata/users.ts'
import { chargeAttempt } from './charge.ts'
import type { Exchange } from './exchange.ts'
import { log } from './log.ts'
import { publicUrl } from './respond.ts'

export const signingInOf = ({ env, request, url }: Exchange): SigningIn =>
  signingIn(env, request, (path) => publicUrl(new URL(path, url), env).href)

/** Why nobody is signed in, for the page. */
type Reason = 'ended' | 'failed' | 'no-account' | 'taken'

class SignOnRefused extends Error {
  readonly reason: Reason

  constructor(reason: Reason, cause?: unknown) {
    super(`The return from an issuer was refused: ${reason}.`, { cause })
    this.reason = reason
  }
}

/**
 * Answers a browser that returns from an issuer. It goes on to a page of ours, always the same one, with a one-time
 * code, or with the reason of a refusal. Nothing of the URL comes back.
 */
export async function answerReturn(exchange: Exchange): Promise<Response> {
  await chargeAttempt({ kind: 'issuer' }, undefined, returnPath(':issuer'), exchange)
  const place = await placeAfter(exchange).catch((error: unknown) => {
    const { reason, cause } = error instanceof SignOnRefused ? error : { reason: 'failed', cause: error }
    log(exchange, {
      issuer: exchange.hono.req.param('issuer'),
      refused: reason,
      ...(cause !== undefined && { cause: String(cause) }),
    })
    return `/websites#sign-in-failed=${reason}`
  })
  const headers = { 'Set-Cookie': cookieOf('', 0), 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }
  return exchange.respond(null, 307, { Location: place, ...headers })
}

async function placeAfter(exchange: Exchange): Promise<string> {
  const { metadata, tokens, now } = exchange
  const { issuer, claims, joins } = await returned(exchange)
  const subject = { issuer: issuer.issuer, subject: claims.sub }
  if (joins !== undefined) {
    const { holder } = await metadata.lookUp({ kind: 'sign-in', id: joins }, undefined, true)
    if (holder?.kind !== 'sign-in') throw new SignOnRefused('ended')
    if (!(await metadata.identities.join(subject, holder.person.id))) throw new SignOnRefused('taken')
    return '/account'
  }
  const userId = (await metadata.identities.userOf(subject)) ?? (await newcomer(issuer, claims, exchange))
  await applyGroups(userId, issuer, claims, exchange)
  const id = crypto.randomUUID()
  const expiresAt = now + returnLasts
  const code = await tokens.make({ typ: 'return', jti: id }, expiresAt)
  await metadata.signIns.beginAt(issuer.name, userId, { id, expiresAt })
  return `/websites#sign-in=${code}`
}

/** Who returns from which issuer. The browser must have left for it within ten minutes, and return once. */
async function returned(exchange: Exchange) {
  const { metadata, tokens, now, url, request, hono } = exchange
  const [, cookie = ''] =
    new RegExp(`(?:^|; )${cookieName}=([\\w.-]{1,4000})(?:;|$)`).exec(request.headers.get('cookie') ?? '') ?? []
  const departure = await tokens.read(cookie)
  const name = hono.req.param('issuer')
  if (departure?.typ !== 'departure' || departure.issuer !== name) throw new SignOnRefused('ended')
  const { issuers, address } = signingInOf(exchange)
  const issuer = issuers().find((one) => one.name === name)
  if (!issuer || url.searchParams.get('state') !== departure.state) throw new SignOnRefused('ended')
  if (!(await metadata.identities.useState(departure.state, now + departureLasts))) throw new SignOnRefused('ended')
  const claims = await arrive(issuer, url, departure, address(returnPath(name)), now)
  return { issuer, claims, joins: departure.joins }
}

/** The id of the user whom somebody becomes who is nobody here yet. */
async function newcomer(issuer: Issuer, claims: IssuerClaims, { metadata }: Exchange): Promise<string> {
  const { identities, users } = metadata
  const subject = { issuer: issuer.issuer, subject: claims.sub }
  const { email, email_verified: isVerified } = claims
  if (mayJoinByEmail(issuer) && typeof email === 'string' && isVerified === true) {
    const account = await users.accountNamed(email)
    if (account && mayBeJoined(account) && (await identities.join(subject, account.id))) return account.id
  }
  if (!issuer.signUp) throw new SignOnRefused('no-account')
  const name = nameFrom(claims, issuer)
  for (const username of [name, `${name} ${crypto.randomUUID().slice(0, 8)}`]) {
    const user = { id: crypto.randomUUID(), username, role: 'user', passwordHash: nobodysHash } as const
    if (await identities.create(subject, user)) return user.id
  }
  throw new SignOnRefused('failed')
}

/** An address opens no account with more rights or more protection than a password of its own gives. */
const mayBeJoined = ({ role, hasSecondFactor }: Account): boolean => role !== 'admin' && !hasSecondFactor

/**
 * The name of a new user. An address is none, unless the issuer has verified it: somebody else may be joined to the
 * user with this address later.
 */
function nameFrom(
  { preferred_username, email, email_verified, name, sub }: IssuerClaims,
  { singleTenant }: Issuer,
): string {
  const isTheirs = (text: string) => !text.includes('@') || (singleTenant && email_verified === true && text === email)
  const texts = [preferred_username, email, name, sub].filter((text) => typeof text === 'string')
  const [first = 'user'] = texts
    .filter(isTheirs)
    .map((text) => text.replace(/\p{Cc}/gu, '').trim())
    .filter(Boolean)
  return first.slice(0, 200).toWellFormed()
}

/** Gives the user the role and the teams of their groups, as far as the settings name groups. */
async function applyGroups(userId: string, issuer: Issuer, claims: IssuerClaims, exchange: Exchange): Promise<void> {
  const { users, teamMembers } = exchange.metadata
  const groups = groupsIn(claims, issuer)
  const given = Object.entries(issuer.roles ?? {}).flatMap(([group, role]) => (groups.has(group) ? [role] : []))
  const { passwordOnlyFor = '' } = signingInOf(exchange)
  const user = await users.read(userId)
  if (issuer.roles && user && nameKeyOf(user.username) !== nameKeyOf(passwordOnlyFor)) {
    await users.giveRole(userId, roles.find((role) => given.includes(role)) ?? 'user')
  }
  const wanted = new Map<string, Exclude<TeamRole, 'team-owner'> | undefined>()
  for (const [group, { team, role }] of Object.entries(issuer.teams ?? {})) {
    if (groups.has(group)) wanted.set(team, role)
    else if (!wanted.has(team)) wanted.set(team, undefined)
  }
  for (const [teamId, role] of wanted) {
    const member = await teamMembers.read(teamId, userId)
    if (member?.role === 'team-owner' || member?.role === role) continue
    if (!role) await teamMembers.remove(teamId, userId)
    else if (member) await teamMembers.setRole(teamId, userId, role)
    else await teamMembers.add(teamId, userId, role)
  }
}
