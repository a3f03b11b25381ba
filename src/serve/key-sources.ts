import { credentialOf } from '../access/credential.ts'
import { mayOnWebsite } from '../access/rights.ts'
import type { Submission } from '../collect/payload.ts'
import type { Credential, Holder } from '../metadata/holder.ts'
import { countUnknownKey, isPastRefusals } from './collect-refusals.ts'
import type { Exchange } from './exchange.ts'

/** Whether the request may act on behalf of the visitors to a website, link or pixel, given its id. */
type MayChange = (sourceId: string) => boolean

/**
 * Whether the request's key or sign-in may change each of these sources. Other credentials are ignored. After too many
 * unknown keys from this sender, all credentials are ignored. Throws if D1 cannot be read.
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

/**
 * The first API key or sign-in in the request's headers. Some clients also send something else in one of these headers.
 */
async function keyIn({ request, tokens }: Exchange): Promise<Credential | undefined> {
  for (const name of ['authorization', 'x-umami-api-key', 'x-weir-api-key']) {
    const sent = request.headers.get(name)
    const alone = sent === null ? undefined : credentialOf(new Headers({ [name]: sent }), noQuery, tokens)
    const credential = await alone?.catch(() => undefined)
    if (credential?.kind === 'key' || credential?.kind === 'sign-in') return credential
  }
  return undefined
}

/** A URL without `share=`, because a share's slug is not accepted as a credential here. */
const noQuery = new URL('https://localhost')

/**
 * Looks up the holder of the credential and these websites, with at most two look-ups. Websites that do not exist are
 * left out.
 */
async function knownOf(credential: Credential, ids: readonly string[], { metadata }: Exchange) {
  const [only] = ids.length === 1 ? ids : []
  const { holder, website } = await metadata.lookUp(credential, only, 'records')
  if (only === undefined) return { holder, websites: holder ? await metadata.websites.owned(ids) : [] }
  return { holder, websites: website ? [website] : [] }
}

/** A key may be restricted to pages from certain origins. */
const isFromOrigin = (holder: Holder | undefined, origin: string | null): boolean =>
  holder?.kind !== 'key' || holder.origins === undefined || (origin !== null && holder.origins.includes(origin))
