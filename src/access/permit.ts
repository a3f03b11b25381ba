import { ApiError } from '../errors.ts'
import type { Holder } from '../metadata/holder.ts'
import { type Website, type WebsiteKind, websiteKinds } from '../metadata/website.ts'
import { isOpen, type Opening, openingOfShare, publicOpening, type Section, shareOpening } from './opening.ts'
import {
  isAdmin,
  isWhole,
  lacksFactor,
  mayChange,
  mayOnTeam,
  mayOnWebsite,
  personOf,
  type TeamRight,
  type WebsiteRight,
} from './rights.ts'

/** Who may call an endpoint. */
export type Access =
  /** Anyone. Credentials are ignored, but passed on to inner requests if `handsOn` is set. Not rate limited. */
  | { readonly to: 'anyone'; readonly handsOn?: true }
  /** Any credential, including a share. */
  | { readonly to: 'holder' }
  /** An API key or a sign-in. */
  | { readonly to: 'known' }
  /** A sign-in, or an API key that is not restricted to certain websites. */
  | { readonly to: 'account' }
  /** A sign-in, but not an API key. With `isForSetUp`, also a sign-in that must first set up a second factor. */
  | { readonly to: 'person'; readonly isForSetUp?: true }
  /** The signed-in user whose id is `userId` in the path, or an admin. */
  | { readonly to: 'self' }
  /** A signed-in admin, or the operator's admin key. */
  | { readonly to: 'admin' }
  /**
   * Callers with this right to the request's website. With `sections`, also callers through a share or a public website
   * that opens one of these sections. If those callers may not filter, one of `unfiltered` (if given) must also be
   * open. `kinds` lists the kinds of entity that the id may identify. By default, it may only identify a website.
   */
  | {
      readonly to: 'website'
      readonly right: WebsiteRight
      readonly sections?: readonly Section[]
      readonly unfiltered?: readonly Section[]
      readonly kinds?: readonly WebsiteKind[]
    }
  /** Callers with this right to the link or pixel in the path. Callers who may not see it get a 404. */
  | { readonly to: 'link' | 'pixel'; readonly right: WebsiteRight; readonly sections?: readonly Section[] }
  /** Callers with this right to the team in the path. */
  | { readonly to: 'team'; readonly right: TeamRight }

/** The facts that decide whether a request has access. */
interface AccessRequest {
  readonly holder: Holder | undefined
  /** The website that the path identifies; undefined if it does not exist. */
  readonly website: Website | undefined
  /** In milliseconds since 1970. */
  readonly now: number
  readonly ids: Readonly<Record<string, string>>
  /** Whether the endpoint writes. */
  readonly changes: boolean
}

/** The reason why a caller has access. */
export type Grant =
  /** The caller's own right. */
  | { readonly kind: 'own'; readonly opening?: undefined }
  /** A share or a public website. The caller is restricted to its opening. */
  | { readonly kind: 'opening'; readonly opening: Opening }

const ownGrant: Grant = { kind: 'own' }

/**
 * Whether a request without a credential must be validated, because the website opens one of the sections to everyone.
 */
export const isOpenToAll = (access: Access, website: Website | undefined, now: number): boolean =>
  isToWebsite(access) && isOpenTo(access, publicOpening(website, now))

/** Returns the caller's grant, or throws a 403, which is the same whether or not the subject exists. */
export function permit(access: Access, request: AccessRequest): Grant {
  const { holder, ids, changes } = request
  if (access.to === 'anyone') return ownGrant
  if (lacksFactor(holder) && !(access.to === 'person' && access.isForSetUp)) throw factorNeeded()
  if (access.to === 'holder') return ownGrant
  if (isToWebsite(access)) {
    const opening = openingFor(access, request)
    if (opening) return { kind: 'opening', opening }
    if (hasRight(access, request)) return ownGrant
    if (access.to !== 'website' && !isKnownTo(request))
      throw new ApiError('not-found', `There is no such ${access.to}.`)
    throw forbidden(holder?.kind === 'share' ? 'This share gives no access to this.' : websiteRefusal[access.right])
  }
  if (changes && !mayChange(holder)) throw forbidden('This credential may only read.')
  if (!accessRules[access.to](holder, ids, access)) throw forbidden(accessRefusal[access.to])
  return ownGrant
}

const factorNeeded = (): ApiError =>
  new ApiError(
    'two-factor-required',
    'You must have a second factor. Set it up at /account, or with POST /api/2fa/setup/initiate.',
  )

type ReaderRequest = Pick<AccessRequest, 'holder' | 'website' | 'now'>
type WebsiteAccess = Extract<Access, { to: WebsiteKind }>

/** Whether this access depends on a right to the request's website, link or pixel. */
export const isToWebsite = (access: Access): access is WebsiteAccess =>
  (websiteKinds as readonly string[]).includes(access.to)

/** The kinds of entity that the id may identify. */
export const kindsOf = (access: WebsiteAccess): readonly WebsiteKind[] =>
  (access.to === 'website' ? access.kinds : undefined) ?? [access.to]

/** Whether the caller may know that this link or pixel exists. */
const isKnownTo = ({ holder, website }: AccessRequest): boolean =>
  website !== undefined && (mayOnWebsite(holder, website, 'view') || shareOpening(holder, website) !== undefined)

const hasRight = ({ right }: Pick<WebsiteAccess, 'right'>, { holder, website }: ReaderRequest): boolean =>
  website !== undefined && mayOnWebsite(holder, website, right)

/**
 * The opening for a caller without a right to the website. A share opens the website it belongs to. A public website is
 * open to callers with any credential.
 */
export function openingFor(access: Access, request: ReaderRequest): Opening | undefined {
  const { holder, website, now } = request
  if (!isToWebsite(access) || !website || hasRight(access, request)) return undefined
  const share = shareOpening(holder, website)
  if (isOpenTo(access, share)) return share
  const everyones = publicOpening(website, now)
  return isOpenTo(access, everyones) ? everyones : undefined
}

function isOpenTo(access: WebsiteAccess, opening: Opening | undefined): opening is Opening {
  const unfiltered = access.to === 'website' ? access.unfiltered : undefined
  return (
    isOpen(opening, access.sections) && (opening.allowFilter || unfiltered === undefined || isOpen(opening, unfiltered))
  )
}

type PlainAccess = Exclude<Access['to'], 'anyone' | 'holder' | WebsiteKind>

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

/**
 * Whether the holder is a signed-in admin (with a second factor, if required), or the operator's admin key. Users' API
 * keys cannot manage users: otherwise, somebody who stole such a key could create an account.
 */
export const isAdminHere = (holder: Holder | undefined): boolean =>
  isAdmin(holder) && !lacksFactor(holder) && (holder?.kind === 'sign-in' || personOf(holder) === undefined)

const accessRefusal: Readonly<Record<PlainAccess, string>> = {
  known: 'A share gives no access here.',
  account: 'A share, or a key limited to some websites, gives no access here.',
  person: 'Sign in to do this; an API key is not enough.',
  self: 'Only this user, signed in, or an admin may do this.',
  admin: 'Only an admin may do this.',
  team: 'You may not do this with this team, or the team does not exist.',
}

export const websiteRefusal: Readonly<Record<WebsiteRight, string>> = {
  view: 'This credential gives no access to this website, or the website does not exist.',
  update: 'This credential may not change this website, or the website does not exist.',
  transfer: 'This credential may not transfer this website, or the website does not exist.',
}

/** The lists of allowed origins. The request's origin must be in every list. A credential's list applies everywhere. */
export const originsOf = (holder: Holder | undefined, opening: Opening | undefined): readonly (readonly string[])[] =>
  [
    opening?.origins,
    holder?.kind === 'key' ? holder.origins : undefined,
    holder?.kind === 'share' ? openingOfShare(holder).origins : undefined,
  ].filter((origins) => origins !== undefined)

export const forbidden = (message: string): ApiError => new ApiError('forbidden', message)
