import { timingSafeEqual } from 'hono/utils/buffer'

/**
 * The scrypt cost of OWASP's Password Storage Cheat Sheet for 16 MiB: N = 2^14, r = 8, p = 5. All requests of an
 * isolate share 128 MB of memory.
 */
const cost = { N: 2 ** 14, r: 8, p: 5 } as const

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

async function deriveKey(password: string, salt: string, { N, r, p }: Cost): Promise<string> {
  // Imported here: few isolates hash a password, and the import would slow the start of all.
  const { scrypt } = await import('node:crypto')
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(hex(key)),
    )
  })
}

/** Returns `scrypt$N$r$p$salt$hash`; salt and hash in hexadecimal. */
export async function hashPassword(password: string): Promise<string> {
  const salt = hex(crypto.getRandomValues(new Uint8Array(16)))
  return ['scrypt', cost.N, cost.r, cost.p, salt, await deriveKey(password, salt, cost)].join('$')
}

/**
 * Whether the password matches the hash. Without a hash (an unknown user) it takes just as long, and returns false.
 */
export async function isPassword(password: string, hashed: string | undefined): Promise<boolean> {
  const [, N, r, p, salt, hash] = (hashed ?? nobodysHash).split('$')
  const given = await deriveKey(password, salt!, { N: Number(N), r: Number(r), p: Number(p) })
  return (await timingSafeEqual(given, hash!)) && hashed !== undefined
}

const nobodysHash = ['scrypt', cost.N, cost.r, cost.p, '0'.repeat(32), '0'.repeat(64)].join('$')
