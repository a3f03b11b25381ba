import { type Issuer, isOfOneTenant } from '../access/issuers.ts'
import { arrive, groupsIn, type IssuerClaims } from '../access/oidc.ts'
import { nobodysHash } from '../access/password.ts'
import { lacksFactor } from '../access/rights.ts'
import { returnPath, type SigningIn, signingIn } from '../access/signing-in.ts'
import { departureLasts, returnLasts } from '../access/tokens.ts'
import { cookieName, cookieOf } from '../endpoints/auth/sign-on.ts'
import { roles } from '../endpoints/users/users.ts'
import type { TeamRole } from '../metadata/person.ts'
import { type Account, nameKeyOf } from '../metadata/users.ts'
import { addEntry, recordFailure } from './audit.ts'
import { chargeAttempt } from './charge.ts'
import type { Exchange } from './exchange.ts'
import { log } from './log.ts'
import { publicUrl } from './respond.ts'

export const signingInOf = ({ env, request, url }: Exchange): SigningIn =>
  signingIn(env, request, (path) => publicUrl(new URL(path, url), env).href)

/** The reason for a failed sign-in, which is sent to the page. */
type Reason = 'ended' | 'failed' | 'no-account' | 'taken'

class SignOnRefused extends Error {
  readonly reason: Reason

  constructor(reason: Reason, cause?: unknown) {
    super(`The sign-in at an issuer was refused: ${reason}.`, { cause })
    this.reason = reason
  }
}

/**
 * Answers a browser that returns from an issuer. Redirects it to one fixed page, with a one-time code or the reason for
 * the refusal. The target contains nothing from the URL.
 */
export async function answerReturn(exchange: Exchange): Promise<Response> {
  await chargeAttempt({ kind: 'issuer' }, undefined, returnPath(':issuer'), exchange)
  const place = await placeAfter(exchange).catch(async (error: unknown) => {
    await recordFailure(undefined, exchange)
    const { reason, cause } = error instanceof SignOnRefused ? error : { reason: 'failed', cause: error }
    log(exchange, {
      issuer: exchange.param('issuer'),
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
    const { holder } = await metadata.lookUp({ kind: 'sign-in', id: joins }, undefined, 'change')
    if (holder?.kind !== 'sign-in' || lacksFactor(holder)) throw new SignOnRefused('ended')
    if (!(await metadata.identities.join(subject, holder.person.id))) throw new SignOnRefused('taken')
    await recordReturn(issuer, holder.person.id, ['identity'], exchange)
    return '/account'
  }
  const known = await metadata.identities.userOf(subject)
  const { userId, made } = known ? { userId: known, made: [] } : await newcomer(issuer, claims, exchange)
  const given = await applyGroups(userId, issuer, claims, exchange)
  await recordReturn(issuer, userId, [...made, ...given], exchange)
  const id = crypto.randomUUID()
  const expiresAt = now + returnLasts
  const code = await tokens.make({ typ: 'return', jti: id }, expiresAt)
  await metadata.signIns.beginAt(issuer.name, userId, { id, expiresAt })
  return `/websites#sign-in=${code}`
}

/** Adds the return from an issuer to the audit log. `fields`: the parts of the user that were created or changed. */
async function recordReturn(
  { name }: Issuer,
  userId: string,
  fields: readonly string[],
  exchange: Exchange,
): Promise<void> {
  const user = await exchange.metadata.users.read(userId)
  const actor = { kind: 'user', id: userId, name: user?.username ?? null } as const
  await addEntry({ actor, action: 'returnFromIssuer', subjects: { userId, issuer: name }, fields }, exchange)
}

/**
 * The person who returns, and the issuer. The browser must have been sent to the issuer at most ten minutes ago, and
 * may return only once.
 */
async function returned(exchange: Exchange) {
  const { metadata, tokens, now, url, request, param } = exchange
  const [, cookie = ''] =
    new RegExp(`(?:^|; )${cookieName}=([\\w.-]{1,4000})(?:;|$)`).exec(request.headers.get('cookie') ?? '') ?? []
  const departure = await tokens.read(cookie)
  const name = param('issuer')
  if (departure?.typ !== 'departure' || departure.issuer !== name) throw new SignOnRefused('ended')
  const { issuers, address } = signingInOf(exchange)
  const issuer = issuers().find((one) => one.name === name)
  if (!issuer || url.searchParams.get('state') !== departure.state) throw new SignOnRefused('ended')
  if (!(await metadata.identities.useState(departure.state, now + departureLasts))) throw new SignOnRefused('ended')
  const claims = await arrive(issuer, url, departure, address(returnPath(name)), now)
  return { issuer, claims, joins: departure.joins }
}

/**
 * Finds or creates the user for a person whose identity is new. Returns the user's id and what was created.
 */
async function newcomer(issuer: Issuer, claims: IssuerClaims, { metadata }: Exchange) {
  const { identities, users } = metadata
  const subject = { issuer: issuer.issuer, subject: claims.sub }
  const { email, email_verified: isVerified } = claims
  if (issuer.join === 'email' && isOfOneTenant(issuer) && typeof email === 'string' && isVerified === true) {
    const account = await users.accountNamed(email)
    if (account && mayBeJoined(account) && (await identities.join(subject, account.id))) {
      return { userId: account.id, made: ['identity'] }
    }
  }
  if (!issuer.signUp) throw new SignOnRefused('no-account')
  const name = nameFrom(claims, issuer)
  for (const username of [name, `${name} ${crypto.randomUUID().slice(0, 8)}`]) {
    const user = { id: crypto.randomUUID(), username, role: 'user', passwordHash: nobodysHash } as const
    if (await identities.create(subject, user)) return { userId: user.id, made: ['user', 'identity'] }
  }
  throw new SignOnRefused('failed')
}

/**
 * Whether an e-mail address is sufficient to link an identity to this account, which excludes admins and accounts with
 * a second factor.
 */
const mayBeJoined = ({ role, hasSecondFactor }: Account): boolean => role !== 'admin' && !hasSecondFactor

/**
 * A new user's name. An e-mail address is used only if the issuer has verified it. Otherwise, the real owner of the
 * address might later be linked to this user.
 */
function nameFrom({ preferred_username, email, email_verified, name, sub }: IssuerClaims, issuer: Issuer): string {
  const isTheirs = (text: string) =>
    !text.includes('@') || (isOfOneTenant(issuer) && email_verified === true && text === email)
  const texts = [preferred_username, email, name, sub].filter((text) => typeof text === 'string')
  const [first = 'user'] = texts
    .filter(isTheirs)
    .map((text) => text.replace(/\p{Cc}/gu, '').trim())
    .filter(Boolean)
  return first.slice(0, 200).toWellFormed()
}

/**
 * Gives the user the role and teams that the settings assign to their groups. Returns
 * the names of the changed fields.
 */
async function applyGroups(userId: string, issuer: Issuer, claims: IssuerClaims, exchange: Exchange) {
  const { users, teamMembers } = exchange.metadata
  const groups = groupsIn(claims, issuer)
  const given = Object.entries(issuer.roles ?? {}).flatMap(([group, role]) => (groups.has(group) ? [role] : []))
  const { passwordOnlyFor = '' } = signingInOf(exchange)
  const user = await users.read(userId)
  const mayGive = issuer.roles && user && nameKeyOf(user.username) !== nameKeyOf(passwordOnlyFor)
  const role = roles.find((role) => given.includes(role)) ?? 'user'
  const changed = new Set(mayGive && (await users.giveRole(userId, role)) ? ['role'] : [])
  const wanted = new Map<string, Exclude<TeamRole, 'team-owner'> | undefined>()
  for (const [group, { team, role }] of Object.entries(issuer.teams ?? {})) {
    if (groups.has(group)) wanted.set(team, role)
    else if (!wanted.has(team)) wanted.set(team, undefined)
  }
  for (const [teamId, role] of wanted) {
    const member = await teamMembers.read(teamId, userId)
    if (member?.role === 'team-owner' || member?.role === role) continue
    const change = member ? teamMembers.setRole : teamMembers.add
    if (await (role ? change(teamId, userId, role) : teamMembers.remove(teamId, userId))) changed.add('teams')
  }
  return changed
}
