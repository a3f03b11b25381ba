import type { D1Database } from '@cloudflare/workers-types'
import * as z from 'zod'
import { id } from '../../endpoints/ids.ts'
import { metadata } from '../../metadata/metadata.ts'
import type { Website } from '../../metadata/website.ts'
import { checked } from '../told/misuse.ts'
import { weirCommand } from '../told/weir-command.ts'

const websites = z.array(id()).max(1000, { error: 'Must be 1,000 websites at most.' })

/** The ids of a repeated `--website`. */
export const websiteFlags = (given: readonly string[] = []): string[] => checked(websites, given, '--website')

/** Throws if D1 does not have the website. */
export async function existingWebsite(database: D1Database, id: string): Promise<Website> {
  const website = await metadata(database, Date.now()).websites.read(id)
  if (!website) throw new Error(`There is no website ${id}. See: ${weirCommand} website list`)
  return website
}
