import { sha256 } from '../sha256.ts'

/** `api_` and 43 characters of base64url: 256 random bits. */
const keyPattern = /^api_[\w-]{43}$/

export const isKey = (text: string): boolean => keyPattern.test(text)

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

/** SHA-256 of a key, in hexadecimal. Keys are long and random, so they need no slower hash. */
export const hashOf = (key: string): Promise<string> => sha256(new TextEncoder().encode(key))
