import { scryptSync } from 'node:crypto'

const salt = '00'
/** Node refuses a lower cost within the memory that the Worker grants. */
const cost = { N: 4, r: 1, p: 1 }

/**
 * A stored password with a low cost of hashing. The stored text contains the cost, and the Worker reads it from
 * there.
 */
export const cheaplyHashed = (password: string): string =>
  ['scrypt', cost.N, cost.r, cost.p, salt, scryptSync(password, salt, 32, cost).toString('hex')].join('$')
