import { timingSafeEqual } from 'hono/utils/buffer'

/**
 * The scrypt cost that OWASP's Password Storage Cheat Sheet recommends for 16 MiB: N = 2^14, r = 8, p = 5. All requests
 * in an isolate share 128 MB of memory.
 */
const cost = { N: 2 ** 14, r: 8, p: 5 } as const

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

async function deriveKey(password: string, salt: string, { N, r, p }: Cost): Promise<string> {
  // Imported here, because few isolates hash a password, and the import would slow down the start of every isolate.
  const { scrypt } = await import('node:crypto')
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(hex(key)),
    )
  })
}

/** Returns `scrypt$N$r$p$salt$hash`, with salt and hash in hexadecimal. */
export async function hashPassword(password: string): Promise<string> {
  const salt = hex(crypto.getRandomValues(new Uint8Array(16)))
  return ['scrypt', cost.N, cost.r, cost.p, salt, await deriveKey(password, salt, cost)].join('$')
}

/**
 * Whether the password matches the hash. For an unknown user or an unknown kind of hash, takes the same time and
 * returns false.
 */
export async function isPassword(password: string, hashed: string | undefined): Promise<boolean> {
  if (hashed !== undefined && isBcrypt(hashed)) return isBcryptPassword(password, hashed)
  const known = hashed?.startsWith('scrypt$') ? hashed : undefined
  const [, N, r, p, salt, hash] = (known ?? nobodysHash).split('$')
  const given = await deriveKey(password, salt!, { N: Number(N), r: Number(r), p: Number(p) })
  return (await timingSafeEqual(given, hash!)) && known !== undefined
}

/** A hash that no password matches, for unknown users and for users whose password could not be imported. */
export const nobodysHash = ['scrypt', cost.N, cost.r, cost.p, '0'.repeat(32), '0'.repeat(64)].join('$')

/** A bcrypt hash as Umami stores it, with a cost from 4 to 12. Cost 12 takes 0.3 seconds. */
const bcryptForm = /^\$2[aby]\$(0[4-9]|1[0-2])\$[./A-Za-z\d]{53}$/

export const isBcrypt = (hash: string): boolean => bcryptForm.test(hash)

/** bcrypt ignores all bytes of a password after the 72nd. */
const bcryptBytes = 72

/** Whether to rehash a matching password. bcrypt covers only the beginning of a long password. */
export const isToBeHashedAnew = (hash: string, password: string): boolean =>
  isBcrypt(hash) && new TextEncoder().encode(password).length <= bcryptBytes

async function isBcryptPassword(password: string, hashed: string): Promise<boolean> {
  // Imported here, because only imported users who have not signed in yet have such a hash.
  const { compareSync } = await import('bcryptjs')
  if (compareSync(password, hashed)) return true
  // bcrypt with cost 10 takes as long as two of scrypt's five passes. The remaining passes make it take as long as for
  // unknown users.
  const passes = Math.ceil(2 ** (Number(hashed.slice(4, 6)) - 9))
  if (passes < cost.p) await deriveKey(password, '', { ...cost, p: cost.p - passes })
  return false
}
