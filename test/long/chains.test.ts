import { sweepChains } from '../support/chains.ts'

/** Every length of a range, more often than `test/rules/chains.test.ts`. */
sweepChains(150)
