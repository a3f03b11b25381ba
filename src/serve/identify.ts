import { credentialOf, namesOpening, unauthorized } from '../access/credential.ts'
import { isFromOneOf } from '../access/origins.ts'
import { isOpenToAll, isToWebsite, kindsOf, openingFor, originsOf } from '../access/permit.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { isWrite } from '../endpoints/facts.ts'
import { id } from '../endpoints/ids.ts'
import { made } from '../made.ts'
import type { Credential, Holder } from '../metadata/holder.ts'
import { isNewUse } from '../metadata/keys.ts'
import type { Purpose } from '../metadata/look-ups.ts'
import { MetadataError } from '../metadata/store.ts'
import type { Website } from '../metadata/website.ts'
import { websiteIn } from './body.ts'
import { lookUpGuess } from './charge.ts'
import type { Exchange } from './exchange.ts'
import { log } from './log.ts'
import type { RequestSubject } from './record.ts'

/** The caller and the website of a request. */
export interface Caller {
  /** Undefined if the request has no credential or the endpoint accepts none. */
  readonly holder: Holder | undefined
  /** The website that the path or the body identifies; undefined if it does not exist. */
  readonly website: Website | undefined
  /** When the look-ups of `holder` and `website` expire, in milliseconds since 1970. */
  readonly knownUntil: number
  /** Whether pages from the request's origin may use this credential, share or public website. */
  readonly isAdmitted: boolean
  /** Why D1 cannot be read, if `holder` and `website` were looked up before the failure. */
  readonly outage?: unknown
}

const anyone: Caller = { holder: undefined, website: undefined, knownUntil: Infinity, isAdmitted: true }

/** Identifies the caller. Throws a 401 if the endpoint requires a credential and the request has no valid one. */
export async function identify(endpoint: Endpoint, exchange: Exchange): Promise<Caller> {
  const { access, path } = endpoint
  if (access.to === 'anyone') return anyone
  const { request, url, tokens, metadata, now, record } = exchange
  const credential = await credentialOf(request.headers, url, tokens)
  const isNamed = isToWebsite(access)
  const websiteId = isNamed ? made(id).safeParse(await websiteIn(endpoint, exchange)).data : undefined
  const lookUp = () => metadata.lookUp(credential, websiteId, purposeOf(endpoint, url))
  const looking = credential?.kind === 'slug' ? lookUpGuess(lookUp, path, exchange) : lookUp()
  const { holder, isRead, until, outage, ...found } = await looking.catch((error: unknown) => {
    if (error instanceof MetadataError) record.caller = kindOf(credential)
    throw error
  })
  if (outage !== undefined) log(exchange, { failing: 'D1', cause: String(outage) })
  const website = isNamed && found.website && kindsOf(access).includes(found.website.kind) ? found.website : undefined
  if (!holder && credential) throw unauthorized()
  if (!holder && !isOpenToAll(access, website, now)) throw unauthorized('none')
  record.caller = callerOf(holder, website)
  if (website) record.website = website.id
  if (isRead && holder?.kind === 'key' && isNewUse(holder.lastUsedAt, now)) {
    exchange.waitUntil(metadata.keys.used(holder.id))
  }
  if (holder?.kind === 'share') exchange.slugs.add(holder.slug)
  if (website?.shareId) exchange.slugs.add(website.shareId)
  const origins = originsOf(holder, openingFor(access, { holder, website, now }))
  return { holder, website, knownUntil: until, isAdmitted: isFromOneOf(exchange, origins), outage }
}

function purposeOf(endpoint: Endpoint, url: URL): Purpose {
  if (isWrite(endpoint)) return 'change'
  if (namesOpening(url)) return 'public'
  return endpoint.kind === 'report' ? 'figures' : 'records'
}

/** The holder of a request's API key or sign-in; undefined without a valid one. */
export async function knownHolder({ request, url, tokens, metadata }: Exchange): Promise<Holder | undefined> {
  const credential = await credentialOf(request.headers, url, tokens).catch(() => undefined)
  if (credential?.kind !== 'key' && credential?.kind !== 'sign-in') return undefined
  return (await metadata.lookUp(credential, undefined, 'figures')).holder
}

/** The kind of caller that a credential claims to be, for use while D1 cannot be read. */
function kindOf(credential: Credential | undefined): RequestSubject['caller'] {
  if (credential?.kind === 'sign-in') return 'user'
  return credential?.kind === 'slug' ? 'share' : (credential?.kind ?? 'none')
}

function callerOf(holder: Holder | undefined, website: Website | undefined): RequestSubject['caller'] {
  if (holder) return holder.kind === 'sign-in' ? 'user' : holder.kind
  return website ? 'public' : 'none'
}
