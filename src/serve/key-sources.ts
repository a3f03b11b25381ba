import { credentialOf } from '../access/credential.ts'
import { mayOnWebsite } from '../access/rights.ts'
import type { Submission } from '../collect/payload.ts'
import type { Credential, Holder } from '../metadata/holder.ts'
import { countUnknownKey, isPastRefusals } from './collect-refusals.ts'
import type { Exchange } from './exchange.ts'

/** Says whether the request may speak for the visitors of a website, a link or a pixel, by its id. */
type MayChange = (sourceId: string) => boolean

/**
 * Whether the request's key or sign-in may change the website of each of these sources. Any other credential counts as
 * none. Throws if D1 cannot say. A sender who tried too many unknown keys has none.
 */
export async function sourcesOfKey(submissions: readonly Submission[], exchange: Exchange): Promise<MayChange> {
  const ids = [...new Set(submissions.map(({ source }) => source.id))]
  const credential = ids.length > 0 && !isPastRefusals(exchange) ? await keyIn(exchange) : undefined
  if (!credential) return () => false
  const { holder, websites } = await knownOf(credential, ids, exchange)
  if (!holder) await countUnknownKey(exchange)
  const isAdmitted = isFromOrigin(holder, exchange.request.headers.get('origin'))
  const own = isAdmitted ? websites.filter((website) => mayOnWebsite(holder, website, 'update')) : []
  const changeable = new Set(own.map(({ id }) => id))
  return (id) => changeable.has(id)
}

/** The first credential of the request that is a key or a sign-in: some clients send a word beside it. */
async function keyIn({ request, tokens }: Exchange): Promise<Credential | undefined> {
  for (const name of ['authorization', 'x-umami-api-key', 'x-weir-api-key']) {
    const sent = request.headers.get(name)
    const alone = sent === null ? undefined : credentialOf(new Headers({ [name]: sent }), noQuery, tokens)
    const credential = await alone?.catch(() => undefined)
    if (credential?.kind === 'key' || credential?.kind === 'sign-in') return credential
  }
  return undefined
}

/** The slug of a share is none of these credentials. */
const noQuery = new URL('https://localhost')

/** The holder, and those of these websites that exist: two look-ups, however many they are. */
async function knownOf(credential: Credential, ids: readonly string[], { metadata }: Exchange) {
  const [only] = ids.length === 1 ? ids : []
  const { holder, website } = await metadata.lookUp(credential, only)
  if (only === undefined) return { holder, websites: holder ? await metadata.websites.owned(ids) : [] }
  return { holder, websites: website ? [website] : [] }
}

/** A key may be for some pages only. */
const isFromOrigin = (holder: Holder | undefined, origin: string | null): boolean =>
  holder?.kind !== 'key' || holder.origins === undefined || (origin !== null && holder.origins.includes(origin))
