import { scryptSync } from 'node:crypto'

const salt = '00'
/** The lowest cost that Node accepts within the memory that the Worker grants. */
const cost = { N: 4, r: 1, p: 1 }

/**
 * A stored password with a low hashing cost. The stored text contains the cost, and the Worker reads the cost from
 * there.
 */
export const cheaplyHashed = (password: string): string =>
  ['scrypt', cost.N, cost.r, cost.p, salt, scryptSync(password, salt, 32, cost).toString('hex')].join('$')
