import { scrypt } from 'node:crypto'
import { timingSafeEqual } from 'hono/utils/buffer'

/**
 * scrypt as OWASP's Password Storage Cheat Sheet gives it for 16 MiB: N = 2^14, r = 8, p = 5. A Worker has 128 MB of
 * memory for all its requests together.
 */
const cost = { N: 2 ** 14, r: 8, p: 5 } as const

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const deriveKey = (password: string, salt: string, { N, r, p }: { N: number; r: number; p: number }): Promise<string> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(hex(key)),
    )
  })

/** `scrypt$N$r$p$salt$hash`, salt and hash in hexadecimal. */
export async function hashPassword(password: string): Promise<string> {
  const salt = hex(crypto.getRandomValues(new Uint8Array(16)))
  return ['scrypt', cost.N, cost.r, cost.p, salt, await deriveKey(password, salt, cost)].join('$')
}

/** Whether the password is the one that was hashed. Takes as long where there is no hash, because there is no such user. */
export async function isPassword(password: string, hashed: string | undefined): Promise<boolean> {
  const [, N, r, p, salt, hash] = (hashed ?? nobodysHash).split('$')
  const given = await deriveKey(password, salt!, { N: Number(N), r: Number(r), p: Number(p) })
  return (await timingSafeEqual(given, hash!)) && hashed !== undefined
}

const nobodysHash = ['scrypt', cost.N, cost.r, cost.p, '0'.repeat(32), '0'.repeat(64)].join('$')
