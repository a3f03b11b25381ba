import { sweepLateViews } from '../support/chains.ts'

/** Tests late views of every kind: before they arrive, after they arrive, and after their days are sealed again. */
sweepLateViews(8)
