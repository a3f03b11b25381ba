import type { BoardOwner, BoardSubject, SharedBoard } from '../metadata/board-subjects.ts'
import type { Holder } from '../metadata/holder.ts'
import type { Person } from '../metadata/person.ts'
import type { Website } from '../metadata/website.ts'
import type { WebsiteListFilter } from '../metadata/websites.ts'

/** Rights to a website: `view` its data; `update`, reset or delete it; `transfer` it to another owner. */
export type WebsiteRight = 'view' | 'update' | 'transfer'

/** Rights to a team: `view` it; `update` it and its members; `delete` it. */
export type TeamRight = 'view' | 'update' | 'delete'

/** Umami's team roles and their rights. */
const teamRights: Readonly<Record<string, { website: readonly WebsiteRight[]; team: readonly TeamRight[] }>> = {
  'team-owner': { website: ['view', 'update', 'transfer'], team: ['view', 'update', 'delete'] },
  'team-manager': { website: ['view', 'update', 'transfer'], team: ['view', 'update'] },
  'team-member': { website: ['view', 'update'], team: ['view'] },
  'team-view-only': { website: ['view'], team: ['view'] },
}

/** The facts that decide a person's rights. */
type RoleHolder = Pick<Person, 'role' | 'teams'>

const roleIn = (person: RoleHolder, teamId: string | null) =>
  teamId !== null && Object.hasOwn(person.teams, teamId) ? teamRights[person.teams[teamId]!] : undefined

/** Something owned by a user, a team or the operator. */
type Owned = Pick<Website, 'id' | 'userId' | 'teamId'>

function personMay(person: Person, website: Owned, right: WebsiteRight): boolean {
  if (person.role === 'admin') return true
  if (person.role === 'view-only' && right !== 'view') return false
  return website.userId === person.id || (roleIn(person, website.teamId)?.website.includes(right) ?? false)
}

/** Whether the holder of a credential other than a share has this right to the website, link, pixel or board. */
export function mayOnWebsite(holder: Holder | undefined, website: Owned, right: WebsiteRight): boolean {
  if (holder === undefined || holder.kind === 'share' || lacksFactor(holder)) return false
  if (holder.kind === 'sign-in') return personMay(holder.person, website, right)
  if (holder.access === 'read' && right !== 'view') return false
  if (holder.websiteIds && (right === 'transfer' || !holder.websiteIds.has(website.id))) return false
  if (holder.person) return personMay(holder.person, website, right)
  return true
}

/** Whether the holder has this right to the team. Keys restricted to certain websites have no rights to teams. */
export function mayOnTeam(holder: Holder | undefined, teamId: string, right: TeamRight): boolean {
  if (!isWhole(holder) || (right !== 'view' && !mayChange(holder))) return false
  if (isAdmin(holder)) return true
  const person = personOf(holder)
  if (!person || (right !== 'view' && person.role === 'view-only')) return false
  return roleIn(person, teamId)?.team.includes(right) ?? false
}

/** Whether the person may create websites and boards in this team and add to its boards. */
export const mayCreateIn = (person: RoleHolder, teamId: string): boolean =>
  person.role === 'admin' ||
  (person.role !== 'view-only' && (roleIn(person, teamId)?.website.includes('update') ?? false))

/**
 * Whether a board's owner may share this website, link or pixel of the board, which requires the right to update it. A
 * team may share what it owns. It may also share what a member added and owns, as long as that member may still add to
 * the team's boards.
 */
export function mayOwnerShare(owner: BoardOwner, subject: Owned, putBy: BoardSubject['putBy']): boolean {
  if (owner === 'operator') return true
  if (!('teamId' in owner)) return personMay(owner, subject, 'update')
  if (subject.teamId === owner.teamId) return true
  const contributor = owner.contributors.find(({ id }) => id === putBy && id === subject.userId)
  return contributor !== undefined && mayCreateIn(contributor, owner.teamId)
}

/** Whether a share of the board currently opens the website, link or pixel. */
export const doesBoardOpen = ({ subjects, owner }: SharedBoard, website: Owned): boolean =>
  subjects.some(({ id, putBy }) => id === website.id && mayOwnerShare(owner, website, putBy))

/** The user behind a credential; undefined for the operator's keys and for shares. */
export const personOf = (holder: Holder | undefined): Person | undefined =>
  holder === undefined || holder.kind === 'share' ? undefined : holder.person

/** Whether the holder is signed in and lacks a second factor that they must have. */
export const lacksFactor = (holder: Holder | undefined): boolean => holder?.kind === 'sign-in' && holder.lacksFactor

/** Whether the holder is the operator's admin key, or an admin with a sign-in or API key. */
export const isAdmin = (holder: Holder | undefined): boolean =>
  (holder?.kind === 'key' && holder.isAdmin) || personOf(holder)?.role === 'admin'

/** Whether the credential has all rights of its owner. A key restricted to certain websites does not. */
export const isWhole = (holder: Holder | undefined): boolean =>
  holder?.kind === 'sign-in' || (holder?.kind === 'key' && holder.websiteIds === undefined)

/** Whether the credential may write at all. */
export const mayChange = (holder: Holder | undefined): boolean =>
  holder?.kind === 'sign-in' || (holder?.kind === 'key' && holder.access === 'write')

/**
 * The filter for the holder's websites: those that a person owns and, with `includeTeams`, also those of their teams;
 * for a restricted key, the websites it lists; for the operator, all.
 */
export function ownWebsites(holder: Holder | undefined, includeTeams: boolean): WebsiteListFilter {
  const person = personOf(holder)
  if (holder?.kind !== 'key' || !holder.websiteIds) return { userId: person?.id, includeTeams }
  const listed = { ids: [...holder.websiteIds] }
  return person && person.role !== 'admin' ? { ...listed, userId: person.id, includeTeams: true } : listed
}
