/**
 * The functions of `node:crypto` that the Worker uses. workerd has them under `nodejs_compat`; no other Node types
 * apply.
 */
declare module 'node:crypto' {
  export function scrypt(
    password: string,
    salt: string,
    keylen: number,
    options: { N: number; r: number; p: number; maxmem: number },
    callback: (error: Error | null, key: Uint8Array) => void,
  ): void
}
