/** What the Worker uses of Node's modules, which workerd has under `nodejs_compat`; it knows no other of their types. */
declare module 'node:crypto' {
  export function scrypt(
    password: string,
    salt: string,
    keylen: number,
    options: { N: number; r: number; p: number; maxmem: number },
    callback: (error: Error | null, key: Uint8Array) => void,
  ): void
}
