/** How many answers are remembered, and from how many on they say what is usual. */
const remembered = 100
const enough = 20

/** Which part of the answers is quicker than usual at most, and how much longer than that is too long. */
const usualPart = 0.95
const tooLong = 1.5

/** The delay of a hedge in milliseconds: its bounds, and what it is before enough is known. */
const leastDelay = 50
const mostDelay = 2000
const usualFirstDelay = 500

/** Hedges: how many an answer allows, and how many may come at once. */
const hedgesPerAnswer = 0.05
const mostHedges = 10

/** How long statements take in this isolate, and so when another replica is asked beside a silent one: a hedge. */
export interface Pace {
  /** An answer took so many milliseconds. */
  took(milliseconds: number): void
  /** After so many milliseconds of silence another replica may be asked. */
  hedgeDelay(): number
  /** Takes one hedge of what the answers allow. Where everything is slow, hedges would make it slower. */
  takeHedge(): boolean
}

/** `firstDelay`: the delay of a hedge before enough is known. */
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
