import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { sections } from '../../access/opening.ts'
import { metadata } from '../../metadata/metadata.ts'
import { places } from '../paths.ts'
import type { OpenMetadata } from './workerd.ts'

const newSlug = (): string => `demo${randomBytes(8).toString('hex')}`

/**
 * The share of the demo website, for a first look. Call `showOnFrontPage` before the Worker starts, and `make` once the
 * website exists. If the share was deleted or its slug was changed, it is not created again.
 */
export function demoShare(dataDir: string) {
  const file = places(dataDir).demoShare
  const isMade = existsSync(file)
  const slug = isMade ? readFileSync(file, 'utf8') : newSlug()
  return {
    /** Makes the front page link to the share. */
    showOnFrontPage(): void {
      writeFileSync(`${places(dataDir).bundle}/pages/assets/demo.js`, `export const slug = '${slug}'\n`)
    },
    /** Creates the share the first time. Returns its slug, or null if the share no longer exists. */
    async make(database: OpenMetadata['metadata'], websiteId: string): Promise<string | null> {
      const { websites, shares, lookUp } = metadata(database, Date.now())
      if (!isMade) {
        const parameters = Object.fromEntries(sections.map((section) => [section, true]))
        const website = await websites.read(websiteId)
        if (website) await shares.create(website, { name: 'Demo', slug, parameters }, null)
        writeFileSync(file, slug, { mode: 0o600 })
      }
      const { holder } = await lookUp({ kind: 'slug', id: slug }, undefined, 'records')
      return holder?.kind === 'share' && holder.entityId === websiteId ? slug : null
    },
  }
}
