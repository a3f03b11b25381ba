import { ApiError } from '../errors.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { Scope } from '../query/where.ts'
import type { Caller } from './caller.ts'

/** The scope of a caller who may read this website; 403 otherwise, also where there is no such website. */
export async function permitWebsite(caller: Caller, websiteId: string, metadata: Metadata): Promise<Scope> {
  const mayRead = caller.isAdmin || caller.websiteIds.has(websiteId)
  if (!mayRead || !(await metadata.website(websiteId))) throw forbidden('This key does not open this website.')
  return { websiteId }
}

export function permitAdmin(caller: Caller): void {
  if (!caller.isAdmin) throw forbidden('Only an admin key may do this.')
}

const forbidden = (message: string): ApiError => new ApiError('forbidden', message)
