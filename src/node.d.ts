/** The Node functions that the Worker uses. workerd provides them with `nodejs_compat`; no other Node types apply. */
declare module 'node:crypto' {
  export function scrypt(
    password: string,
    salt: string,
    keylen: number,
    options: { N: number; r: number; p: number; maxmem: number },
    callback: (error: Error | null, key: Uint8Array) => void,
  ): void

  interface Digest {
    update(data: Uint8Array): Digest
    digest(): Uint8Array
  }
  export function createHmac(algorithm: 'sha1' | 'sha256', key: Uint8Array): Digest
  export function createHash(algorithm: 'sha1'): Digest
}

declare module 'node:net' {
  /** The IP version, 4 or 6; 0 if the string is not an IP address. */
  export function isIP(text: string): 0 | 4 | 6
}
