import type { D1Database } from '@cloudflare/workers-types'
import { metadata } from '../../metadata/metadata.ts'
import type { Website } from '../../metadata/website.ts'

/** Throws if D1 does not have the website. */
export async function existingWebsite(database: D1Database, id: string): Promise<Website> {
  const website = await metadata(database, Date.now()).websites.read(id)
  if (!website) throw new Error(`There is no website ${id}. See: npm run weir -- website list`)
  return website
}
