/** How many response times are remembered, and how many are needed to compute the usual time. */
const remembered = 100
const enough = 20

/** The usual time is this quantile of response times. A hedge is sent after `tooLong` times the usual time. */
const usualPart = 0.95
const tooLong = 1.5

/** The hedge delay in milliseconds: its bounds, and its value until enough response times are known. */
const leastDelay = 50
const mostDelay = 2000
const usualFirstDelay = 500

/** How many hedges each answer adds to the budget, and the budget's maximum. */
const hedgesPerAnswer = 0.05
const mostHedges = 10

/**
 * Tracks how long statements take in this isolate. This decides when to send a hedge, which is the same statement sent
 * to a second replica.
 */
export interface Pace {
  took(milliseconds: number): void
  /** After this many milliseconds of silence, another replica may be asked. */
  hedgeDelay(): number
  /** Takes one hedge from the budget, if any is left. On an overloaded system, hedging makes everything slower. */
  takeHedge(): boolean
}

/** `firstDelay`: the hedge delay until enough response times are known. */
export function pace(firstDelay = usualFirstDelay): Pace {
  const times: number[] = []
  let [answers, hedges] = [0, mostHedges]
  return {
    took(milliseconds) {
      times[answers++ % remembered] = milliseconds
      hedges = Math.min(mostHedges, hedges + hedgesPerAnswer)
    },
    hedgeDelay() {
      if (times.length < enough) return firstDelay
      const usual = times.toSorted((one, other) => one - other)[Math.floor(usualPart * times.length)]!
      return Math.min(mostDelay, Math.max(leastDelay, Math.ceil(tooLong * usual)))
    },
    takeHedge() {
      if (hedges < 1) return false
      hedges--
      return true
    },
  }
}
