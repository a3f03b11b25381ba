/** Durations are in milliseconds; moments are in milliseconds since 1970. */

/** After this many consecutive unanswered requests, a replica receives no more requests. */
const mostStrikes = 3

/** The maximum duration of a trial, and the pause after it. Together they limit how late a recovery is noticed. */
export const trialLasts = 1200
const trialPause = 400

/**
 * A replica becomes suspect once a request has waited this long while the replica answered nothing else. If the replica
 * shows a sign of life during the wait, the longer time applies, counted from that sign.
 */
const firstSilence = 250
const longSilence = 3000

/** The penalty for a failure in the order of replicas, and the half-life of such penalties. */
export const failureCost = 1000
const halfLife = 5000

/** What an isolate remembers about a replica: whether to ask it, and how much slower than other replicas it was. */
export interface Breaker {
  /** While the breaker is open, the replica receives only occasional trials. */
  isOpen(): boolean
  /** Whether the breaker is open because the replica is silent, so that waiting is useless. */
  isMute(): boolean
  answered(now: number): void
  /** The replica answered a ping, but not a statement. */
  alive(now: number): void
  /** A request failed. Returns whether this opened the breaker. */
  failed(now: number): boolean
  /** A request received no answer although there was ample time. Returns whether this opened the breaker. */
  silent(now: number): boolean
  /** The replica answers nothing, not even pings. Returns whether this opened the breaker. */
  mute(now: number): boolean
  /** Whether the replica showed a sign of life at or after this moment. */
  isHeardSince(moment: number): boolean
  /**
   * Begins a trial if one is due and none is running. A trial ends at a fixed time, even if the platform drops its
   * request.
   */
  beginTrial(now: number): boolean
  /** The trial received no answer. */
  trialFailed(now: number): void
  /** The replica seems to be this many milliseconds slower than the other replicas. */
  slower(by: number, now: number): void
  /** How much slower the replica was recently, in milliseconds. The value decays, so the replica is tried again. */
  lateness(now: number): number
  /** Whether the replica has been silent for too long for a request that has waited since this moment. */
  isSilent(since: number, now: number): boolean
}

export function breaker(): Breaker {
  let [strikes, nextTrial, lastSign, isSilence] = [0, 0, 0, false]
  let late = { by: 0, at: 0 }
  const lateness = (now: number): number => late.by * 0.5 ** ((now - late.at) / halfLife)
  const isOpen = (): boolean => strikes >= mostStrikes
  const strike = (now: number): boolean => {
    if (isOpen()) return false
    strikes++
    // The first trial may follow immediately.
    nextTrial = isOpen() ? now : now + trialPause
    return isOpen()
  }
  return {
    isOpen,
    isMute: () => isOpen() && isSilence,
    answered(now) {
      strikes = 0
      lastSign = now
    },
    alive(now) {
      isSilence = false
      lastSign = now
    },
    failed(now) {
      isSilence = false
      return strike(now)
    },
    silent(now) {
      isSilence = true
      return strike(now)
    },
    mute(now) {
      isSilence = true
      if (isOpen()) return false
      ;[strikes, nextTrial] = [mostStrikes, now]
      return true
    },
    isHeardSince: (moment) => lastSign >= moment,
    beginTrial(now) {
      if (now < nextTrial) return false
      nextTrial = now + trialLasts + trialPause
      return true
    },
    trialFailed(now) {
      nextTrial = now + trialPause
    },
    slower(by, now) {
      late = { by: Math.max(by, lateness(now)), at: now }
    },
    lateness: (now) => Math.round(lateness(now)),
    isSilent: (since, now) => (lastSign > since ? now - lastSign >= longSilence : now - since >= firstSilence),
  }
}
