import { ApiError } from '../errors.ts'
import type { Holder } from '../metadata/lookup.ts'
import type { Website } from '../metadata/websites.ts'
import { isOpen, type Opening, openingOf, publicOpening, type Section, shareOpening } from './opening.ts'
import {
  isAdmin,
  isWhole,
  mayChange,
  mayOnTeam,
  mayOnWebsite,
  personOf,
  type TeamRight,
  type WebsiteRight,
} from './rights.ts'

/** Who may call an endpoint. */
export type Access =
  /** Anyone; credentials are not looked at, but may be handed on to what is asked inside. Calls count against no limit. */
  | { readonly to: 'anyone'; readonly handsOn?: true }
  /** The holder of any credential, a share included. */
  | { readonly to: 'holder' }
  /** The holder of a key, or somebody signed in. */
  | { readonly to: 'known' }
  /** Somebody signed in, or the holder of a key that is not limited to some websites. */
  | { readonly to: 'account' }
  /** Somebody who signed in with a password: no key. */
  | { readonly to: 'person' }
  /** The user that the path names as `userId`, signed in, or an admin. */
  | { readonly to: 'self' }
  /** An admin who signed in, or the operator's admin key. */
  | { readonly to: 'admin' }
  /** Those with this right to the website of the path; also shares, and everyone, where one of these sections is open. */
  | { readonly to: 'website'; readonly right: WebsiteRight; readonly sections?: readonly Section[] }
  /** Those with this right to the team of the path. */
  | { readonly to: 'team'; readonly right: TeamRight }

/** What a request is about, as far as rights go. */
export interface AccessRequest {
  readonly holder: Holder | undefined
  /** The website that the path names, where there is such a website. */
  readonly website: Website | undefined
  /** In milliseconds since 1970. */
  readonly now: number
  readonly ids: Readonly<Record<string, string>>
  /** Whether the endpoint changes something. */
  readonly changes: boolean
}

/** By what right a caller may do something. */
export type Grant =
  /** The caller's own right. */
  | { readonly kind: 'own'; readonly opening?: undefined }
  /** What a share, or a public website, opens: the caller is restricted to that. */
  | { readonly kind: 'opening'; readonly opening: Opening }

const ownGrant: Grant = { kind: 'own' }

/** Whether a request without a credential may go on to be validated: somebody opened this to everyone. */
export const isOpenToAll = (access: Access, website: Website | undefined, now: number): boolean =>
  access.to === 'website' && isOpen(publicOpening(website, now), access.sections)

/** The grant of a caller who may do this; 403 otherwise, the same whether or not what was asked for exists. */
export function permit(access: Access, request: AccessRequest): Grant {
  const { holder, ids, changes } = request
  if (access.to === 'anyone' || access.to === 'holder') return ownGrant
  if (access.to === 'website') {
    const opening = openingFor(access, request)
    if (opening) return { kind: 'opening', opening }
    if (hasRight(access, request)) return ownGrant
    throw forbidden(holder?.kind === 'share' ? 'This share does not open this.' : websiteRefusal[access.right])
  }
  if (changes && !mayChange(holder)) throw forbidden('This credential may only read.')
  if (!accessRules[access.to](holder, ids, access)) throw forbidden(accessRefusal[access.to])
  return ownGrant
}

type ReaderRequest = Pick<AccessRequest, 'holder' | 'website' | 'now'>
type WebsiteAccess = Extract<Access, { to: 'website' }>

const hasRight = ({ right }: WebsiteAccess, { holder, website }: ReaderRequest): boolean =>
  website !== undefined && mayOnWebsite(holder, website, right)

/**
 * What is open to a caller without a right of their own, if anything: a share opens its own website; what is public is
 * open whatever the credential.
 */
export function openingFor(access: Access, request: ReaderRequest): Opening | undefined {
  const { holder, website, now } = request
  if (access.to !== 'website' || !website || hasRight(access, request)) return undefined
  const share = shareOpening(holder, website)
  if (isOpen(share, access.sections)) return share
  const everyones = publicOpening(website, now)
  return isOpen(everyones, access.sections) ? everyones : undefined
}

type PlainAccess = Exclude<Access['to'], 'anyone' | 'holder' | 'website'>

const accessRules: Readonly<
  Record<PlainAccess, (holder: Holder | undefined, ids: AccessRequest['ids'], access: Access) => boolean>
> = {
  known: (holder) => holder?.kind === 'key' || holder?.kind === 'sign-in',
  account: isWhole,
  person: (holder) => holder?.kind === 'sign-in',
  self: (holder, ids) => isAdminHere(holder) || (holder?.kind === 'sign-in' && holder.person.id === ids.userId),
  admin: (holder) => isAdminHere(holder),
  team: (holder, ids, access) => access.to === 'team' && mayOnTeam(holder, ids.teamId!, access.right),
}

/** Keys of people manage no users: who steals one must not be able to make himself a user. */
const isAdminHere = (holder: Holder | undefined): boolean =>
  isAdmin(holder) && (holder?.kind === 'sign-in' || personOf(holder) === undefined)

const accessRefusal: Readonly<Record<PlainAccess, string>> = {
  known: 'A share opens nothing here.',
  account: 'A share, or a key for some websites, opens nothing here.',
  person: 'Sign in with a password to do this; a key does not do.',
  self: 'Only this user, signed in, or an admin may do this.',
  admin: 'Only an admin may do this.',
  team: 'You do not have the right to do this with this team, or there is no such team.',
}

export const websiteRefusal: Readonly<Record<WebsiteRight, string>> = {
  view: 'This credential does not open this website, or there is no such website.',
  update: 'This credential may not change this website, or there is no such website.',
  transfer: 'This credential may not give this website away, or there is no such website.',
}

/** The lists of origins that a request has to come from: one of each. Those of a credential hold wherever it is used. */
export const originsOf = (holder: Holder | undefined, opening: Opening | undefined): readonly (readonly string[])[] =>
  [
    opening?.origins,
    holder?.kind === 'key' ? holder.origins : undefined,
    holder?.kind === 'share' ? openingOf(holder.parameters).origins : undefined,
  ].filter((origins) => origins !== undefined)

export const forbidden = (message: string): ApiError => new ApiError('forbidden', message)
