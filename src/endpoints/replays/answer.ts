import { personOf } from '../../access/rights.ts'
import { ApiError } from '../../errors.ts'
import { websiteKinds } from '../../metadata/website.ts'
import type { Recordings } from '../../query/lists/replays.ts'
import type { Context } from '../endpoint.ts'

/** No section of a share gives access to recordings, because they show what people did. */
export const replayReadAccess = { to: 'website', right: 'view', kinds: websiteKinds } as const
export const replayUpdateAccess = { to: 'website', right: 'update', kinds: websiteKinds } as const

/** Throws a 404 for links and pixels, which have no recordings. */
export function refuseOthers({ website }: Pick<Context, 'website'>): void {
  if (website?.kind !== 'website') throw new ApiError('not-found', 'Only websites have recordings.')
}

/** Prevents caches outside of Weir from storing the answer. */
export const cacheControl = 'private, no-store'

/** The recordings that the caller may see. */
export async function recordingsOf(context: Context): Promise<Recordings> {
  refuseOthers(context)
  const { reading, metadata, website } = context
  return { scope: reading().scope, hidden: await metadata.replays.hidden(website!.id) }
}

/** The user whose watched replays the request concerns. All operator keys count as one user. */
export const viewerOf = ({ holder }: Pick<Context, 'holder'>): string => personOf(holder)?.id ?? ''

export const noSuchReplay = (): ApiError => new ApiError('not-found', 'This website has no such replay.')
