import { ApiError } from '../errors.ts'
import type { Metadata, Website } from '../metadata/metadata.ts'
import type { Caller } from './caller.ts'

/** The website, for a caller who may read it; 403 otherwise, also where there is no such website. */
export async function permitWebsite(caller: Caller, websiteId: string, metadata: Metadata): Promise<Website> {
  const mayRead = caller.isAdmin || caller.websiteIds.has(websiteId)
  const website = mayRead ? await metadata.website(websiteId) : undefined
  if (!website) throw forbidden('This key does not open this website.')
  return website
}

export function permitAdmin(caller: Caller): void {
  if (!caller.isAdmin) throw forbidden('Only an admin key may do this.')
}

const forbidden = (message: string): ApiError => new ApiError('forbidden', message)
