import { sha256, sha512 } from '../sha256.ts'

/** `api_` and 43 characters of base64url: 256 random bits. */
const keyPattern = /^api_[\w-]{43}$/

/** An Umami API key, possibly imported: 32 random characters. */
const umamiKeyPattern = /^umami_[!-~]{32}$/

export const isKey = (text: string): boolean => keyPattern.test(text) || umamiKeyPattern.test(text)

/** Makes a key. Callers see it once; only its `hashOf` is stored. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `api_${btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')}`
}

/** The start of a key. Lists identify the key by it. */
export const prefixOf = (key: string): string => key.slice(0, 12)

/**
 * The SHA-256 of a key in hexadecimal; for Umami's keys the SHA-512, as Umami stores it. Keys are long and random, so
 * they need no slower hash.
 */
export function hashOf(key: string): Promise<string> {
  const bytes = new TextEncoder().encode(key)
  return umamiKeyPattern.test(key) ? sha512(bytes) : sha256(bytes)
}
