import { createHash, createHmac } from 'node:crypto'

/**
 * Who sent an event, without an address or User-Agent: ids that depend on a secret and on the period. All functions are
 * pure.
 */

type Bytes = Uint8Array<ArrayBuffer>

/** How long the same visitor keeps the same session id: a UTC month, by default. */
export type Rotation = 'day' | 'week' | 'month'

export const visitLasts = 30 * 60_000

export const dayLasts = 86_400_000

/** The start of the moment's period, in milliseconds since 1970. Weeks start on Monday. */
function saltPeriod(moment: number, rotation: Rotation): number {
  const date = new Date(moment)
  if (rotation === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
  const midnight = Math.floor(moment / dayLasts) * dayLasts
  return rotation === 'day' ? midnight : midnight - ((date.getUTCDay() + 6) % 7) * dayLasts
}

const hmac = (key: string | Bytes, ...texts: readonly (string | Bytes)[]): Bytes => {
  const made = createHmac('sha256', key)
  for (const text of texts) made.update(text)
  return new Uint8Array(made.digest())
}

interface Visitor {
  readonly sourceId: string
  readonly address: string
  readonly userAgent: string
}

/** The last salt: nearly all events are of one period. */
let lastSalt: { readonly secret: string; readonly period: number; readonly salt: Bytes } | undefined

function saltOf(secret: string, period: number): Bytes {
  if (lastSalt?.secret !== secret || lastSalt.period !== period) {
    lastSalt = { secret, period, salt: hmac(secret, new Date(period).toISOString()) }
  }
  return lastSalt.salt
}

/** Stands for one visitor of one source in one period. Nobody without the secret can make it, or undo it. */
export function visitorBase(
  secret: string,
  { sourceId, address, userAgent }: Visitor,
  moment: number,
  rotation: Rotation,
): Bytes {
  return hmac(saltOf(secret, saltPeriod(moment, rotation)), JSON.stringify([sourceId, address, userAgent]))
}

/** The session of a visitor; another one for each distinct id, `''` being none. */
export const sessionOf = (base: Bytes, distinctId: string): string => uuidV5(base.subarray(0, 16), distinctId)

/** The visit of an event that arrives long after its time: one for each UTC hour, in whatever order they come. */
export const hourlyVisit = (sessionId: string, moment: number): string =>
  uuidV5(bytesOfUuid(sessionId), new Date(moment).toISOString().slice(0, 13))

/** RFC 9562, section 5.5. */
function uuidV5(namespace: Bytes, name: string): string {
  const bytes = new Uint8Array(createHash('sha1').update(namespace).update(name).digest()).subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return uuidOfBytes(bytes)
}

/** What a token of an answer says. */
interface VisitToken {
  readonly sessionId: string
  readonly visitId: string
  /** The time of the visit's last event, in milliseconds since 1970. */
  readonly at: number
  /** A hash of the distinct id under which the session is known; all zero if there is none. */
  readonly distinct: string
}

/** The hash of a distinct id in a token, in hexadecimal. */
export const distinctHash = (distinctId: string | undefined): string =>
  distinctId === undefined ? '0'.repeat(16) : hex(hmac('distinct', distinctId).subarray(0, 8))

const tokenLength = 48
const macLength = 16

/** The text of a token. Only who has `secret` can make one that `readToken` takes for this base. */
export function makeToken(secret: string, base: Bytes, { sessionId, visitId, at, distinct }: VisitToken): string {
  const bytes = new Uint8Array(tokenLength + macLength)
  bytes.set(bytesOfUuid(sessionId))
  bytes.set(bytesOfUuid(visitId), 16)
  new DataView(bytes.buffer).setFloat64(32, at)
  bytes.set(bytesOfHex(distinct), 40)
  bytes.set(macOf(secret, base, bytes.subarray(0, tokenLength)), tokenLength)
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** The longest header that may hold a token, in characters: a whole answer as JSON fits. */
const longestHeader = 1000

/**
 * What a token says; undefined if it was not made here, for this visitor of this source. It may be the whole answer as
 * JSON: some senders keep that.
 */
export function readToken(secret: string, base: Bytes, given: string | null): VisitToken | undefined {
  if (!given || given.length > longestHeader) return undefined
  const bytes = bytesOfBase64(given.startsWith('{') ? cacheIn(given) : given)
  if (bytes?.length !== tokenLength + macLength) return undefined
  const mac = macOf(secret, base, bytes.subarray(0, tokenLength))
  let difference = 0
  for (let index = 0; index < macLength; index++) difference |= mac[index]! ^ bytes[tokenLength + index]!
  if (difference !== 0) return undefined
  return {
    sessionId: uuidOfBytes(bytes.subarray(0, 16)),
    visitId: uuidOfBytes(bytes.subarray(16, 32)),
    at: new DataView(bytes.buffer).getFloat64(32),
    distinct: hex(bytes.subarray(40, 48)),
  }
}

const macOf = (secret: string, base: Bytes, token: Bytes): Bytes =>
  hmac(secret, 'visit token', base, token).subarray(0, macLength)

function cacheIn(json: string): string {
  try {
    const { cache } = JSON.parse(json) as { cache?: unknown }
    return typeof cache === 'string' ? cache : ''
  } catch {
    return ''
  }
}

function bytesOfBase64(text: string): Bytes | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const hex = (bytes: Uint8Array): string => {
  let text = ''
  for (const byte of bytes) text += hexOfByte[byte]
  return text
}

const bytesOfHex = (text: string): Bytes =>
  Uint8Array.from({ length: text.length / 2 }, (_, index) => Number.parseInt(text.slice(2 * index, 2 * index + 2), 16))

/** The 16 bytes of a UUID. */
const bytesOfUuid = (uuid: string): Bytes => bytesOfHex(uuid.replaceAll('-', ''))

/** The text of a UUID, in lower case. */
function uuidOfBytes(bytes: Uint8Array): string {
  const text = hex(bytes)
  const parts = [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)]
  return parts.join('-')
}
