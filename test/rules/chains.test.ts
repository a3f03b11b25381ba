import { sweepChains } from '../support/chains.ts'

sweepChains(3)
