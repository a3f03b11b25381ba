import { sealFailures, sweepChains } from '../support/chains.ts'

/**
 * More questions for every length of a range than `test/rules/chains.test.ts`, and a failure at each call of a seal.
 */
sweepChains(8)
sealFailures()
