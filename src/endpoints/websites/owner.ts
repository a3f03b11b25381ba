import { forbidden, websiteRefusal } from '../../access/permit.ts'
import { isAdmin, mayCreateIn, personOf } from '../../access/rights.ts'
import { ApiError, invalid } from '../../errors.ts'
import type { Website } from '../../metadata/website.ts'
import type { Context } from '../endpoint.ts'

export const noSuchOwner = {
  userId: { path: 'userId', message: 'There is no such user.' },
  teamId: { path: 'teamId', message: 'There is no such team.' },
} as const

/** Throws a 403 if the caller may not create websites, links, pixels or boards in the team. */
export function refuseUnlessMayCreateIn(teamId: string, { holder }: Pick<Context, 'holder'>): void {
  const person = personOf(holder)
  if (person && !mayCreateIn(person, teamId)) throw forbidden('You may not create anything in this team.')
}

/** The owner of a new object: the caller, or a team. Throws if the caller may not create it there. */
export async function newOwner(
  teamId: string | null | undefined,
  { holder, metadata }: Context,
): Promise<Pick<Website, 'userId' | 'teamId' | 'createdBy'>> {
  const person = personOf(holder)
  if (person?.role === 'view-only') throw forbidden('A view-only user may not create anything.')
  const createdBy = person?.id ?? null
  if (!teamId) return { userId: createdBy, teamId: null, createdBy }
  refuseUnlessMayCreateIn(teamId, { holder })
  if (!(await metadata.teams.read(teamId))) throw invalid([noSuchOwner.teamId])
  return { userId: null, teamId, createdBy }
}

/**
 * The owner of a new website. A website that the operator creates without a team goes to the first admin, so that at
 * least one user sees it.
 */
export async function newWebsiteOwner(
  teamId: string | null | undefined,
  context: Context,
): ReturnType<typeof newOwner> {
  const owner = await newOwner(teamId, context)
  if (owner.userId !== null || owner.teamId !== null) return owner
  return { ...owner, userId: (await context.metadata.users.firstAdmin())?.id ?? null }
}

/**
 * The id of a new website, link or pixel. Trackers publish ids, and events may already be stored under an id: knowing
 * the id must not give access to them.
 */
export function newWebsiteId(id: string | null | undefined, { holder }: Context): string {
  if (id && !isAdmin(holder)) throw forbidden('Only an admin may choose the id: leave it out.')
  return id ?? crypto.randomUUID()
}

export const ownerGone = () => forbidden('The owner was deleted just now.')

/** Reads the website, link or pixel from D1: the look-up cache may be some seconds old. */
export async function requireWebsite(websiteId: string, { metadata }: Context): Promise<Website> {
  const website = await metadata.websites.read(websiteId)
  if (!website) throw forbidden('This was deleted just now.')
  return website
}

/** How often a change is attempted if concurrent changes interfere. */
const maxAttempts = 5

/**
 * Applies a change to the current website, and retries if a concurrent change interferes. The caller may have lost the
 * right to update it by then, which is a 403. Returns the changed website.
 */
export async function changeWebsite(
  websiteId: string,
  context: Context,
  change: (website: Website) => Promise<'stale' | undefined>,
): Promise<Website> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const website = attempt === 0 ? context.website! : await context.reach(websiteId, 'update')
    if (!website) throw forbidden(websiteRefusal.update)
    if (!(await change(website))) return requireWebsite(websiteId, context)
  }
  throw new ApiError('service-unavailable', 'Others are changing this right now. Try again.', {
    headers: { 'Retry-After': '1' },
  })
}
