import { scryptSync } from 'node:crypto'

const salt = '00'
const cost = { N: 2, r: 1, p: 1 }

/** A password as the Worker stores it, but for what it cost to hash: that stands in it, and is read from it. */
export const cheaplyHashed = (password: string): string =>
  ['scrypt', cost.N, cost.r, cost.p, salt, scryptSync(password, salt, 32, cost).toString('hex')].join('$')
