import type { Env } from '../env.ts'
import { ApiError } from '../errors.ts'
import { usableSecret } from './tokens.ts'

/**
 * Protects second-factor secrets. The keys are derived from `TWO_FACTOR_KEY`, or else from `AUTH_SECRET`. The functions
 * throw a 503 if the server has neither.
 */
export interface SecondFactorKeys {
  readonly isConfigured: boolean
  /** Encrypts a secret for this user only. */
  seal(secret: string, userId: string): Promise<string>
  /** Decrypts a secret. Returns undefined if it was sealed with another key or for another user. */
  open(sealed: string, userId: string): Promise<string | undefined>
  /** A keyed hash of a backup code. */
  hash(code: string, userId: string): Promise<string>
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** Derives two keys for two purposes with HKDF (RFC 5869). */
async function keysFrom(secret: string) {
  const material = await crypto.subtle.importKey('raw', utf8(secret), 'HKDF', false, ['deriveKey'])
  const derived = (
    info: string,
    algorithm: { name: string; length: number; hash?: string },
    uses: ('encrypt' | 'decrypt' | 'sign')[],
  ) =>
    crypto.subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8(`weir second factor: ${info}`) },
      material,
      algorithm,
      false,
      uses,
    )
  return {
    sealing: await derived('secrets', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt']),
    hashing: await derived('backup codes', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign']),
  }
}

const asText = (bytes: ArrayBuffer | Uint8Array): string => btoa(String.fromCharCode(...new Uint8Array(bytes)))

const fromText = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/** In bytes, as recommended for AES-GCM. */
const nonceLength = 12

export function secondFactorKeys({
  TWO_FACTOR_KEY,
  AUTH_SECRET,
}: Pick<Env, 'TWO_FACTOR_KEY' | 'AUTH_SECRET'>): SecondFactorKeys {
  const secret = usableSecret(TWO_FACTOR_KEY || AUTH_SECRET)
  const keys = () => {
    if (secret === undefined) throw notConfigured()
    return keysFrom(secret)
  }
  const sealingFor = (userId: string, iv: Uint8Array<ArrayBuffer>) => ({
    name: 'AES-GCM',
    iv,
    additionalData: utf8(userId),
  })
  return {
    isConfigured: secret !== undefined,
    async seal(text, userId) {
      const { sealing } = await keys()
      const nonce = crypto.getRandomValues(new Uint8Array(nonceLength))
      const sealed = await crypto.subtle.encrypt(sealingFor(userId, nonce), sealing, utf8(text))
      return `${asText(nonce)}.${asText(sealed)}`
    },
    async open(text, userId) {
      const { sealing } = await keys()
      const [nonce = '', sealed = ''] = text.split('.')
      const opened = crypto.subtle.decrypt(sealingFor(userId, fromText(nonce)), sealing, fromText(sealed))
      return opened.then(
        (bytes) => new TextDecoder().decode(bytes),
        () => undefined,
      )
    },
    async hash(code, userId) {
      const { hashing } = await keys()
      return asText(await crypto.subtle.sign('HMAC', hashing, utf8(`${userId} ${code}`)))
    },
  }
}

const notConfigured = (): ApiError =>
  new ApiError('service-unavailable', 'This server cannot store second factors: it has no secret to encrypt them.', {
    headers: { 'Retry-After': '3600' },
    cause: new Error('TWO_FACTOR_KEY, or else AUTH_SECRET, is missing or shorter than 32 characters.'),
  })
