import { sealFailures, sweepChains } from '../support/chains.ts'

/**
 * Asks more questions over ranges of every length than `test/rules/chains.test.ts`, and fails at each call of a seal.
 */
sweepChains(8)
sealFailures()
