import { createHash, createHmac } from 'node:crypto'
import { fromBase64Url, toBase64Url } from '../base64url.ts'
import { dayLength, daysSinceMonday } from '../request/time-zone.ts'
import { joined } from './lines.ts'

/**
 * Creates ids that stand for an event's sender in place of the address and User-Agent. They depend on a secret and on
 * the period. All functions are pure.
 */

export type Hash = Uint8Array<ArrayBuffer>

/** How long a visitor keeps the same session id. The default is a UTC month. */
export type Rotation = 'day' | 'week' | 'month'

export const visitLasts = 30 * 60_000

/** The start of the period that contains this moment, in milliseconds since 1970. Weeks start on Monday. */
export function saltPeriod(moment: number, rotation: Rotation): number {
  const date = new Date(moment)
  if (rotation === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
  const midnight = Math.floor(moment / dayLength) * dayLength
  return rotation === 'day' ? midnight : midnight - daysSinceMonday(midnight) * dayLength
}

/** The start of the period that follows the one starting at `period`. */
export const nextPeriod = (period: number, rotation: Rotation): number =>
  saltPeriod(period + (rotation === 'month' ? 31 : rotation === 'week' ? 7 : 1) * dayLength, rotation)

const encoder = new TextEncoder()

/** Encodes texts as bytes, because hashing texts takes workerd twice as long. */
const bytesFor = (...texts: readonly (string | Hash)[]): Hash =>
  joined(texts.map((text) => (typeof text === 'string' ? encoder.encode(text) : text)))

const hmac = (key: string, ...texts: readonly (string | Hash)[]): Hash =>
  new Uint8Array(
    createHmac('sha256', encoder.encode(key))
      .update(bytesFor(...texts))
      .digest(),
  )

interface Visitor {
  readonly sourceId: string
  readonly address: string
  readonly userAgent: string
  /** Whether the sender gave another address or User-Agent, and did not prove that it may do so. */
  readonly isNamed?: boolean
}

/** Replaces the salt of a period whose own salt has been deleted. */
export const lateSalt = (secret: string, period: number): Hash => hmac(secret, new Date(period).toISOString())

/**
 * Identifies one visitor of one source in one period. It can only be computed or verified with the secret and the salt.
 */
export const visitorBase = (
  secret: string,
  salt: Hash,
  { sourceId, address, userAgent, isNamed = false }: Visitor,
): Hash => hmac(secret, salt, JSON.stringify([...(isNamed ? ['named'] : []), sourceId, address, userAgent]))

/** The session of a visitor with this distinct id; `''` means that there is no distinct id. */
export const sessionOf = (base: Hash, distinctId: string): string => uuidV5(base.subarray(0, 16), distinctId)

/**
 * The visit for an event that arrives long after its time. Each UTC hour has one such visit, regardless of the order of
 * arrival.
 */
export const hourlyVisit = (sessionId: string, moment: number): string =>
  uuidV5(bytesOfUuid(sessionId), new Date(moment).toISOString().slice(0, 13))

/** See RFC 9562, section 5.5. */
export function uuidV5(namespace: Hash, name: string): string {
  const bytes = new Uint8Array(createHash('sha1').update(bytesFor(namespace, name)).digest()).subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return uuidOfBytes(bytes)
}

/** The content of a token in a response. */
interface VisitToken {
  readonly sessionId: string
  readonly visitId: string
  /** The time of the visit's last event, in milliseconds since 1970. */
  readonly at: number
  /** The owner of the session. */
  readonly owner: string
}

/** The content of a token whose signature is valid. */
export interface SignedToken extends VisitToken {
  /** Whether the token was created for this visitor of this source. */
  isOf(base: Hash): boolean
}

/** The owner of a session that has not been claimed by a distinct id. */
export const noOwner = '0'.repeat(16)

/** The owner of sessions with this distinct id, as a hash of 16 hexadecimal digits. */
export const ownerHash = (distinctId: string): string => hexOf(hmac('distinct', distinctId).subarray(0, 8))

const tokenLength = 48
const macLength = 16

/**
 * Creates the text of a token. Only somebody who knows `secret` can create one that `readToken` accepts for this base.
 */
export function makeToken(secret: string, base: Hash, { sessionId, visitId, at, owner }: VisitToken): string {
  const bytes = new Uint8Array(tokenLength + 2 * macLength)
  bytes.set(bytesOfUuid(sessionId))
  bytes.set(bytesOfUuid(visitId), 16)
  new DataView(bytes.buffer).setFloat64(32, at)
  bytes.set(bytesOfHex(owner), 40)
  const said = bytes.subarray(0, tokenLength)
  bytes.set(macOf(secret, said), tokenLength)
  bytes.set(macOf(secret, said, base), tokenLength + macLength)
  return toBase64Url(String.fromCharCode(...bytes))
}

/**
 * The maximum length of a header that may contain a token, in characters. A whole response as JSON fits, including its
 * warnings.
 */
const longestHeader = 8000

/**
 * The content of a token; undefined if it has no valid signature. `isOf` checks the visitor. `given` may be a whole
 * response as JSON, because some senders store and return that.
 */
export function readToken(secret: string, given: string | null): SignedToken | undefined {
  if (!given || given.length > longestHeader) return undefined
  const bytes = bytesOfBase64(given.startsWith('{') ? cacheIn(given) : given)
  if (bytes?.length !== tokenLength + 2 * macLength) return undefined
  const said = bytes.subarray(0, tokenLength)
  const macs = [bytes.subarray(tokenLength, tokenLength + macLength), bytes.subarray(tokenLength + macLength)] as const
  if (!isSame(macs[0], macOf(secret, said))) return undefined
  return {
    sessionId: uuidOfBytes(bytes.subarray(0, 16)),
    visitId: uuidOfBytes(bytes.subarray(16, 32)),
    at: new DataView(bytes.buffer).getFloat64(32),
    owner: hexOf(bytes.subarray(40, 48)),
    isOf: (base) => isSame(macs[1], macOf(secret, said, base)),
  }
}

/** Compares in constant time, wherever the hashes differ. */
function isSame(one: Hash, other: Hash): boolean {
  let difference = 0
  for (let index = 0; index < macLength; index++) difference |= one[index]! ^ other[index]!
  return difference === 0
}

const macOf = (secret: string, token: Hash, base: Hash | '' = ''): Hash =>
  hmac(secret, 'visit token', base, token).subarray(0, macLength)

function cacheIn(json: string): string {
  try {
    const { cache } = JSON.parse(json) as { cache?: unknown }
    return typeof cache === 'string' ? cache : ''
  } catch {
    return ''
  }
}

function bytesOfBase64(text: string): Hash | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined
  try {
    return Uint8Array.from(fromBase64Url(text), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export const hexOf = (bytes: Uint8Array): string => {
  let text = ''
  for (const byte of bytes) text += hexOfByte[byte]
  return text
}

export function bytesOfHex(text: string): Hash {
  const bytes = new Uint8Array(text.length / 2)
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = 16 * hexDigit(text.charCodeAt(2 * index)) + hexDigit(text.charCodeAt(2 * index + 1))
  }
  return bytes
}

/** The value of a hexadecimal digit, from its character code. Only letters have bit 6 set. */
const hexDigit = (code: number): number => (code & 15) + 9 * (code >> 6)

/** Converts a UUID to its 16 bytes. */
export const bytesOfUuid = (uuid: string): Hash => bytesOfHex(uuid.replaceAll('-', ''))

/** Formats a UUID's bytes as text, in lower case. */
const uuidOfBytes = (bytes: Uint8Array): string => uuidOfHex(hexOf(bytes))

/** Formats the first 32 hexadecimal digits of a text as a UUID. */
export const uuidOfHex = (text: string): string =>
  [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20, 32)].join('-')
