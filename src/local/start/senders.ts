import type { IncomingHttpHeaders } from 'node:http'
import { isAddress, oneAddress, withoutPort } from '../../collect/address.ts'
import { isInBlocks } from '../../collect/visitor.ts'
import { refuseTypos } from './checked-variables.ts'
import { openPlaces, type Place } from './places-file.ts'

/** The address of a request's sender, and the sender's place. */
export interface Sender {
  readonly address: string
  readonly place: Place
}

/** Finds the sender of a request that came from `peer` with these headers. */
export type SenderOf = (peer: string, headers: IncomingHttpHeaders) => Sender

/** The maximum length of a header value that is read, in characters. */
const longest = 1000

/**
 * Trusts only headers from the proxies in `TRUSTED_PROXIES`: `CLIENT_IP_HEADER` (`X-Forwarded-For`) and
 * `X-Umami-Client-Country`, `-Region` and `-City`. Without a country there, it looks the address up in `PLACES_FILE`.
 * Throws a `Misuse` for an invalid variable.
 */
export function sendersBy(env: NodeJS.ProcessEnv): SenderOf {
  const { TRUSTED_PROXIES: trusted, CLIENT_IP_HEADER: header = 'X-Forwarded-For', PLACES_FILE: file } = env
  refuseTypos(env)
  const placeOf = file ? openPlaces(file) : () => ({})
  const isTrusted = (address: string) => isInBlocks(address, trusted)
  return (peer, headers) => {
    const address = firstUntrusted(oneAddress(peer), textOf(headers[header.toLowerCase()]), isTrusted)
    const told = isTrusted(peer) ? placeIn(headers) : {}
    return { address, place: told.country ? told : placeOf(address) }
  }
}

const textOf = (value: string | readonly string[] | undefined): string => String(value ?? '')

/**
 * Each proxy appends the address that sent it the request. So the visitor is the last address that is not a trusted
 * proxy. The visitor may have invented everything before it.
 */
function firstUntrusted(peer: string, list: string, isTrusted: (address: string) => boolean): string {
  let address = peer
  for (const entry of list.slice(-longest).split(',').reverse()) {
    const next = oneAddress(withoutPort(entry.trim()))
    if (!isTrusted(address) || !isAddress(next)) break
    address = next
  }
  return address
}

/** The place that a proxy sent. Its region is `NO-03` or `03`. */
function placeIn(headers: IncomingHttpHeaders): Place {
  const sent = (name: string) => textOf(headers[`x-umami-client-${name}`]).slice(0, longest)
  const country = sent('country').toUpperCase()
  const regionCode = sent('region').replace(`${country}-`, '')
  // In header values, each byte of UTF-8 appears as one character.
  const city = Buffer.from(sent('city'), 'latin1').toString()
  return { country, ...(regionCode && { regionCode }), ...(city && { city }) }
}
