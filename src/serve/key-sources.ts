import { credentialOf } from '../access/credential.ts'
import { mayOnWebsite } from '../access/rights.ts'
import type { Submission } from '../collect/payload.ts'
import type { Credential, Holder } from '../metadata/holder.ts'
import { countUnknownKey, isPastRefusals } from './collect-refusals.ts'
import type { Exchange } from './exchange.ts'

/** Says whether the request may speak for the visitors of a website, a link or a pixel, by its id. */
type MayChange = (sourceId: string) => boolean

/**
 * Says of which of these sources the request's key or sign-in may change the website. Any other credential is as none.
 * Throws if D1 cannot say. A sender who tried too many unknown keys has none.
 */
export async function sourcesOfKey(submissions: readonly Submission[], exchange: Exchange): Promise<MayChange> {
  const ids = [...new Set(submissions.map(({ source }) => source.id))]
  const credential = ids.length > 0 && !isPastRefusals(exchange) ? await keyIn(exchange) : undefined
  if (!credential) return () => false
  const [first, ...others] = ids
  const known = await isChangeable(credential, first!, exchange)
  if (!known.holder) {
    await countUnknownKey(exchange)
    return () => false
  }
  const rest = await Promise.all(others.map((id) => isChangeable(credential, id, exchange)))
  const changeable = new Set(ids.filter((_, index) => [known, ...rest][index]!.mayChange))
  return (id) => changeable.has(id)
}

/** The credential of the request, if it is a key or a sign-in. */
async function keyIn({ request, url, tokens }: Exchange): Promise<Credential | undefined> {
  const credential = await credentialOf(request.headers, url, tokens).catch(() => undefined)
  return credential?.kind === 'key' || credential?.kind === 'sign-in' ? credential : undefined
}

async function isChangeable(credential: Credential, sourceId: string, { metadata, request }: Exchange) {
  const { holder, website } = await metadata.lookUp(credential, sourceId)
  const isAdmitted = isFromOrigin(holder, request.headers.get('origin'))
  return { holder, mayChange: website !== undefined && isAdmitted && mayOnWebsite(holder, website, 'update') }
}

/** A key may be for some pages only. */
const isFromOrigin = (holder: Holder | undefined, origin: string | null): boolean =>
  holder?.kind !== 'key' || holder.origins === undefined || (origin !== null && holder.origins.includes(origin))
