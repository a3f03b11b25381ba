import { sweepLateViews } from '../support/chains.ts'

/** Late views of every kind: before they come, when they have come, and once their days are sealed again. */
sweepLateViews(8)
