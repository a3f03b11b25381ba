import * as z from 'zod'
import { dayLength, nameOfZone, unknownZone } from '../../request/time-zone.ts'
import { bearer, headersOfKey, type System, signIn, systemAt } from '../compare/asked.ts'
import { type Compared, compared, monthsOf } from '../compare/compare.ts'
import { differenceLines, habitLines, tableLines } from '../compare/lines.ts'
import { createKey, deleteKey, listKeys } from '../storage/metadata.ts'
import { checked, Misuse } from '../told/misuse.ts'
import type { Given } from './io.ts'
import { momentOf } from './moments.ts'
import { websiteFlags } from './named-websites.ts'

interface Flags {
  readonly url: string
  readonly username?: string
  readonly website?: readonly string[]
  readonly since?: string
  readonly until?: string
  readonly zone?: readonly string[]
}

const address = z.url({ protocol: /^https?$/, error: 'Must be like https://umami.example.com.' })

const zones = z
  .array(z.string().refine((name) => nameOfZone(name) !== undefined, { error: unknownZone }))
  .max(20, { error: 'Must be at most 20 zones.' })

/**
 * The command `compare umami`. The exit code is 1 if there is a difference that no known habit of Umami explains, or if
 * no question could be asked.
 */
export async function compareUmami(given: Given<Flags>): Promise<number> {
  const { flags, io, apiUrl } = given
  const url = checked(address, flags.url, '--url')
  const own = await apiUrl()
  if (own === undefined) throw new Misuse('Weir is not running here. Start it, or set PUBLIC_URL to its URL.')
  const theirs = systemAt(url, await credentialOf(given, url))
  const all: Compared[] = []
  await withOwnKey(given, async (key) => {
    const ours = systemAt(own, bearer(key))
    for await (const one of everything(given, ours, theirs)) all.push(one)
  })
  if (all.length === 0) throw new Error('The two systems have no website in common.')
  for (const line of [...tableLines(all), '', ...habitLines(all), ...differenceLines(all)]) io.out(line)
  const isSilent = all.every(({ result }) => result === 'not asked')
  return isSilent || all.some(({ result }) => result === 'different') ? 1 : 0
}

/** The authorization header for Umami, from a key or from a sign-in with the password in the environment. */
async function credentialOf({ flags: { username }, io }: Given<Flags>, url: string) {
  const { UMAMI_PASSWORD: password, UMAMI_KEY: key } = io.env
  if (username === undefined) {
    if (key) return headersOfKey(key)
    throw new Misuse('Set UMAMI_KEY; or give --username and set UMAMI_PASSWORD.')
  }
  if (!password) throw new Misuse('Set UMAMI_PASSWORD to the password of --username.')
  return bearer(await signIn(url, username, password))
}

/** How long a command's own key stays valid if nothing deletes it, in milliseconds. */
const lasts = dayLength

/** Runs `work` with the key in WEIR_KEY, or else with a temporary key. */
async function withOwnKey({ io, withMetadata }: Given<Flags>, work: (key: string) => Promise<void>): Promise<void> {
  const { WEIR_KEY } = io.env
  if (WEIR_KEY) return work(WEIR_KEY)
  const now = Date.now()
  const name = `compare ${now}`
  const key = await withMetadata((database) =>
    createKey(database, name, { admin: true, access: 'read', expiresAt: now + lasts }, now),
  )
  await work(key).finally(() =>
    withMetadata(async (database) => {
      const made = (await listKeys(database)).find((one) => one.name === name)
      if (made) await deleteKey(database, made.id)
    }),
  )
}

/** A year, in milliseconds. */
const year = 366 * dayLength

async function* everything({ flags, io }: Given<Flags>, ours: System, theirs: System): AsyncGenerator<Compared> {
  const today = Math.floor(Date.now() / dayLength) * dayLength
  const until = momentOf(flags.until, '--until') ?? today
  const since = momentOf(flags.since, '--since') ?? until - year
  if (since >= until) throw new Misuse('--since must be before --until.')
  const inZones = checked(zones, flags.zone ?? ['UTC'], '--zone')
  const umami = { version: await versionOf(theirs) }
  const ids = flags.website ? websiteFlags(flags.website) : await websitesIn(ours)
  for (const websiteId of ids) {
    if (!(await hasWebsite(theirs, websiteId))) {
      io.err(`${websiteId}: Umami does not show this website.`)
      continue
    }
    for (const zone of inZones) {
      for (const month of monthsOf(since, until, zone)) {
        io.note(`${websiteId} ${zone} ${new Date(month.startAt).toISOString()}`)
        yield* compared(ours, theirs, umami, { websiteId, zone, ...month })
      }
    }
  }
}

async function versionOf(system: System): Promise<string | undefined> {
  const answer = await system.ask('/config')
  const version = 'body' in answer ? (answer.body as { readonly currentVersion?: unknown } | null)?.currentVersion : ''
  return typeof version === 'string' && version !== '' ? version : undefined
}

async function websitesIn(ours: System): Promise<readonly string[]> {
  const answer = await ours.ask('/websites?pageSize=1000')
  if (!('body' in answer)) throw new Error(`Weir answers ${answer.status}: is WEIR_KEY the key of an admin?`)
  return (answer.body as { readonly data: readonly { readonly id: string }[] }).data.map(({ id }) => id)
}

async function hasWebsite(system: System, id: string): Promise<boolean> {
  const answer = await system.ask(`/websites/${id}`)
  return 'body' in answer && answer.body !== null
}
