import * as z from 'zod'
import { isoMoment, nameSchema, origins } from '../../endpoints/bodies.ts'
import { id as websiteId } from '../../endpoints/ids.ts'
import { metadata } from '../../metadata/metadata.ts'
import { howToRun, privateFile } from '../machine/private-folder.ts'
import { asScript, deleteKey, type KeyScope, listKeys, prepareKey } from '../storage/metadata.ts'
import { checked, Misuse } from '../told/misuse.ts'
import { printable } from '../told/printable.ts'
import { weirCommand } from '../told/weir-command.ts'
import type { Given } from './io.ts'
import { existingWebsite } from './named-websites.ts'

interface KeyFlags {
  readonly name: string
  readonly website?: string[]
  readonly admin?: boolean
  readonly write?: true
  readonly expires?: string
  readonly origin?: string[]
  readonly sql?: true
}

export async function createKeyOf({ flags, io, withChange, entryOf }: Given<KeyFlags>): Promise<void> {
  const now = Date.now()
  const name = checked(nameSchema(255), flags.name, '--name')
  const scope = keyScope(flags, now)
  const { id, key, inserts } = await prepareKey(name, scope, now)
  if (flags.sql) {
    io.out(privateFile('create-key.sql', asScript([...inserts, entryOf({ id })])))
    return io.err(`${key}\n${shownOnce(scope)} It works once the statements have run.\n${howToRun}`)
  }
  await withChange(async (database) => {
    if (!scope.admin) for (const websiteId of scope.websiteIds) await existingWebsite(database, websiteId)
    await metadata(database, now).store.write(...inserts)
    io.out(key)
    io.err(shownOnce(scope))
    return { id }
  })
}

const shownOnce = ({ access }: KeyScope): string => `This key is shown only now. Its access: ${access}.`

function keyScope({ admin = false, website = [], write, expires, origin }: KeyFlags, now: number): KeyScope {
  const websiteIds = checked(z.array(websiteId()), website, '--website')
  if (admin === websiteIds.length > 0) throw new Misuse('Give either --admin, or --website for each website.')
  const expiresAt = expires === undefined ? undefined : momentOf(expires)
  if (expiresAt !== undefined && expiresAt <= now) throw new Misuse('--expires must be later than now.')
  const limits = {
    access: admin || write ? ('write' as const) : ('read' as const),
    origins: checked(origins().optional(), origin, '--origin'),
    expiresAt,
  }
  return admin ? { admin, ...limits } : { admin, websiteIds, ...limits }
}

/**
 * A moment, in milliseconds since 1970. A date alone means the end of that day in UTC, so that the key works all day.
 */
function momentOf(text: string): number {
  const { data } = isoMoment().safeParse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59.999Z` : text)
  if (data !== undefined) return Date.parse(data)
  throw new Misuse(
    '--expires: Must be a date such as 2030-12-31, the last day in UTC, or a moment such as 2030-12-31T12:00:00Z.',
  )
}

export const listAllKeys = ({ io, withMetadata }: Given<object>): Promise<void> =>
  withMetadata(async (database) => {
    const keys = await listKeys(database)
    for (const { id, name, prefix, opens, access, expiresAt, lastUsedAt } of keys) {
      const times = `expires ${timeOrNever(expiresAt)}  last used ${timeOrNever(lastUsedAt)}`
      io.out(`${id}  ${prefix}…  ${printable(name)}  ${opens}  ${access}  ${times}`)
    }
    if (keys.length === 0) io.note(`There are no keys. Create one: ${weirCommand} key create`)
  })

const timeOrNever = (moment: number | null): string => (moment === null ? 'never' : new Date(moment).toISOString())

export const deleteOneKey = ({ words: [id = ''], io, withChange }: Given<object>): Promise<void> =>
  withChange(async (database) => {
    if (!(await deleteKey(database, id))) {
      throw new Error(`There is no key ${printable(id)}. See: ${weirCommand} key list`)
    }
    io.out('Deleted. It stops working within ten seconds everywhere.')
    return { id }
  })
