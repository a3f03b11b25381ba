import { id as websiteId } from '../../endpoints/ids.ts'
import { NewWebsiteBody } from '../../endpoints/websites/websites.ts'
import { metadata } from '../../metadata/metadata.ts'
import type { Sql } from '../../metadata/store.ts'
import { ofOperator } from '../../metadata/websites.ts'
import { scriptTag } from '../script-tag.ts'
import { asScript } from '../storage/metadata.ts'
import { checked, Misuse } from '../told/misuse.ts'
import { printable } from '../told/printable.ts'
import { weirCommand } from '../told/weir-command.ts'
import { confirm } from './confirm.ts'
import type { Given } from './io.ts'
import { existingWebsite, websiteFlags } from './named-websites.ts'
import { NewEvent, sendEvent } from './send.ts'
import { userNamed } from './user-commands.ts'

interface NewWebsiteFlags {
  readonly id?: string
  readonly name: string
  readonly domain: string
  readonly owner?: string
}

export function createWebsite({
  flags: { id: chosen, name, domain, owner },
  io,
  withChange,
  apiUrl,
}: Given<NewWebsiteFlags>): Promise<void> {
  const given = checked(NewWebsiteBody(), { id: chosen, name, domain })
  return withChange(async (database) => {
    const id = given.id ?? crypto.randomUUID()
    const { users, websites } = metadata(database, Date.now())
    const user = owner === undefined ? await users.firstAdmin() : await userNamed(database, owner)
    const website = { id, name: given.name, domain: given.domain, ...ofOperator, userId: user?.id ?? null }
    if (await websites.create(website)) throw new Error(`A website with the id ${id} already exists, or existed.`)
    io.out(id)
    const url = await apiUrl()
    // The id goes to stdout for scripts; all else goes to stderr.
    io.err(`Put this tag into the pages of ${given.domain}${url ? '' : ', with the URL of your Weir'}:`)
    for (const line of nextSteps(url ?? 'https://weir.example.com', id)) io.err(`  ${line}`)
    return { id }
  })
}

/** Shows the tag of a new website, and the addresses of its pages. */
const nextSteps = (url: string, id: string): string[] => [
  scriptTag(url, id),
  `Settings   ${url}/websites/${id}/settings`,
  `Dashboard  ${url}/websites/${id}`,
]

const all = { search: '', orderBy: 'name', descending: false, limit: 10_000, offset: 0 } as const

export const listWebsites = ({ io, withMetadata }: Given<object>): Promise<void> =>
  withMetadata(async (database) => {
    const { data } = await metadata(database, Date.now()).websites.list('website', {}, all)
    for (const { id, name, domain } of data) io.out(`${id}  ${printable(name)}  ${domain}`)
    if (data.length === 0) io.note(`There are no websites. Create one: ${weirCommand} website create`)
  })

/** The command `website delete`. Like the API, it keeps the events. A purge can delete them. */
export async function deleteWebsite({ flags, words: [given], io, withChange }: Given<{ yes?: true }>): Promise<void> {
  const id = checked(websiteId(), given, 'ID')
  await withChange(async (database) => {
    const website = await existingWebsite(database, id)
    if (website.kind !== 'website') throw new Error(`${id} is a ${website.kind}, not a website.`)
    await confirm(io, flags, `Delete the website ${printable(website.name)} (${website.domain})?`)
    await metadata(database, Date.now()).websites.delete(id)
    io.out('Deleted. Within ten seconds, all requests for it are refused.')
    io.out(`Its events are still stored. To delete them for good: ${weirCommand} purge --deleted`)
    return { id }
  })
}

/** The command `send`. */
export async function send({
  flags: { website: ids, name, path, hostname },
  io,
  withMetadata,
  withClickHouse,
}: Given<{ website: string[]; name?: string; path?: string; hostname?: string }>): Promise<void> {
  const [website, ...others] = websiteFlags(ids)
  if (others.length > 0) throw new Misuse('Give --website once.')
  const event = checked(NewEvent, { website, name, path, hostname })
  await withMetadata((database) => existingWebsite(database, event.website))
  await withClickHouse(async ({ client }) => {
    const sent = await sendEvent(client, event)
    for (const warning of sent.warnings) io.err(warning)
    io.out(sent.id)
  })
}

export async function purgeCache({
  flags: { website, sql },
  io,
  withMetadata,
}: Given<{ website: string[]; sql?: true }>): Promise<void> {
  const ids = websiteFlags(website)
  if (sql) return io.out(asScript(ids.map(purgeAnswers)))
  await withMetadata(async (database) => {
    for (const id of ids) {
      await existingWebsite(database, id)
      await metadata(database, Date.now()).store.write(purgeAnswers(id))
    }
    io.out('Cached answers expire within ten seconds.')
  })
}

/** Increments the epoch in the website's cache keys, so that cached answers are not used again. */
const purgeAnswers = (id: string): Sql => [
  'UPDATE websites SET cache_epoch = cache_epoch + 1 WHERE id = ?1 AND deleted_at IS NULL',
  id,
]
