import type { FactsByName } from './facts.ts'
import { aboutNow, analysisOracle } from './oracles.ts'

export const realtimeFacts: FactsByName = {
  getRealtime: {
    may: 'view',
    openedBy: ['realtime'],
    oracle: aboutNow(analysisOracle),
    meaning: 'endpoints/realtime.test.ts',
    looksBack: (now) => now - (now % 60_000) - 1_800_000,
  },
}
