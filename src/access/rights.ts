import type { Holder, Person } from '../metadata/lookup.ts'
import type { Website, WebsiteListFilter } from '../metadata/websites.ts'

/** What somebody may do with a website: read its answers; change, reset or delete it; give it to somebody else. */
export type WebsiteRight = 'view' | 'update' | 'transfer'

/** What somebody may do with a team: see it; change it and its members; delete it. */
export type TeamRight = 'view' | 'update' | 'delete'

/** The roles of a team, and what each may do. `wire.md` section 1.1. */
const teamRights: Readonly<Record<string, { website: readonly WebsiteRight[]; team: readonly TeamRight[] }>> = {
  'team-owner': { website: ['view', 'update', 'transfer'], team: ['view', 'update', 'delete'] },
  'team-manager': { website: ['view', 'update', 'transfer'], team: ['view', 'update'] },
  'team-member': { website: ['view', 'update'], team: ['view'] },
  'team-view-only': { website: ['view'], team: ['view'] },
}

const roleIn = (person: Person, teamId: string | null) =>
  teamId !== null && Object.hasOwn(person.teams, teamId) ? teamRights[person.teams[teamId]!] : undefined

function personMay(person: Person, website: Website, right: WebsiteRight): boolean {
  if (person.role === 'admin') return true
  if (person.role === 'view-only' && right !== 'view') return false
  return website.userId === person.id || (roleIn(person, website.teamId)?.website.includes(right) ?? false)
}

/** Whether the holder of a credential that is no share may do this with the website. */
export function mayOnWebsite(holder: Holder | undefined, website: Website, right: WebsiteRight): boolean {
  if (holder === undefined || holder.kind === 'share') return false
  if (holder.kind === 'sign-in') return personMay(holder.person, website, right)
  if (holder.access === 'read' && right !== 'view') return false
  if (holder.websiteIds && (right === 'transfer' || !holder.websiteIds.has(website.id))) return false
  if (holder.person) return personMay(holder.person, website, right)
  return true
}

/** Whether the holder may do this with the team. Keys that are limited to some websites reach no team. */
export function mayOnTeam(holder: Holder | undefined, teamId: string, right: TeamRight): boolean {
  if (!isWhole(holder) || (right !== 'view' && !mayChange(holder))) return false
  if (isAdmin(holder)) return true
  const person = personOf(holder)
  if (!person || (right !== 'view' && person.role === 'view-only')) return false
  return roleIn(person, teamId)?.team.includes(right) ?? false
}

/** Whether the person may make websites in this team. */
export const mayCreateIn = (person: Person, teamId: string): boolean =>
  person.role === 'admin' ||
  (person.role !== 'view-only' && (roleIn(person, teamId)?.website.includes('update') ?? false))

/** The user behind a credential, where there is one. */
export const personOf = (holder: Holder | undefined): Person | undefined =>
  holder === undefined || holder.kind === 'share' ? undefined : holder.person

/** The operator's admin key, or an admin who signed in or holds a key. */
export const isAdmin = (holder: Holder | undefined): boolean =>
  (holder?.kind === 'key' && holder.isAdmin) || personOf(holder)?.role === 'admin'

/** Whether the credential stands for all its owner may do, not for some websites alone. */
export const isWhole = (holder: Holder | undefined): boolean =>
  holder?.kind === 'sign-in' || (holder?.kind === 'key' && holder.websiteIds === undefined)

/** Whether the credential may change anything at all. */
export const mayChange = (holder: Holder | undefined): boolean =>
  holder?.kind === 'sign-in' || (holder?.kind === 'key' && holder.access === 'write')

/** The websites that are the holder's own, with `includeTeams` also those of the teams; those that a key is for; the operator's are all. */
export function ownWebsites(holder: Holder | undefined, includeTeams: boolean): WebsiteListFilter {
  const person = personOf(holder)
  if (holder?.kind !== 'key' || !holder.websiteIds) return { userId: person?.id, includeTeams }
  const listed = { ids: [...holder.websiteIds] }
  return person && person.role !== 'admin' ? { ...listed, userId: person.id, includeTeams: true } : listed
}
