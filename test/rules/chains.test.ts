import { sweepChains } from '../support/chains.ts'
import { runs } from '../support/long.ts'

sweepChains(runs(1, 3))
