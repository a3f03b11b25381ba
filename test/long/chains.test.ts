import { sealFailures, sweepChains } from '../support/chains.ts'

/** Every length of a range, more often than `test/rules/chains.test.ts`, and a failure at each call of a seal. */
sweepChains(8)
sealFailures()
