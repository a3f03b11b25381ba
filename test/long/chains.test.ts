import { sealFailures, sweepChains } from '../support/chains.ts'

/**
 * More questions over ranges of every length than `test/rules/chains.test.ts`, and a failure at each call of a seal.
 */
sweepChains(8)
sealFailures()
