import { toBase64Url } from '../base64url.ts'
import { sha256, sha512 } from '../sha256.ts'

/** `api_` followed by 43 base64url characters: 256 random bits. */
const keyPattern = /^api_[\w-]{43}$/

/** An Umami API key, possibly imported: `umami_` followed by 32 random characters. */
const umamiKeyPattern = /^umami_[!-~]{32}$/

export const isKey = (text: string): boolean => keyPattern.test(text) || umamiKeyPattern.test(text)

/** Creates a key. Callers see it once; only its `hashOf` is stored. */
export const newKey = (): string =>
  `api_${toBase64Url(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`

/** The first characters of a key, which identify it in lists. */
export const prefixOf = (key: string): string => key.slice(0, 12)

/**
 * The SHA-256 hash of a key in hexadecimal. For Umami's keys, the SHA-512 hash, as Umami stores it. Keys are long and
 * random, so they need no slower hash.
 */
export function hashOf(key: string): Promise<string> {
  const bytes = new TextEncoder().encode(key)
  return umamiKeyPattern.test(key) ? sha512(bytes) : sha256(bytes)
}
