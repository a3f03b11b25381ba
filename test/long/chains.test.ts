import { sealFailures, sweepChains } from '../support/chains.ts'

/**
 * Sends more questions over ranges of every length than `test/rules/chains.test.ts`, and makes a seal fail at each of
 * its calls.
 */
sweepChains(8)
sealFailures()
