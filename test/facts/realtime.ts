import { type FactsByName, report } from './facts.ts'
import { aboutNow, analysisOracle } from './oracles.ts'

export const realtimeFacts: FactsByName = {
  getRealtime: report(['realtime'], 'realtime', aboutNow(analysisOracle), {
    looksBack: (now) => now - (now % 60_000) - 1_800_000,
  }),
}
