/** Durations are milliseconds, moments milliseconds since 1970. */

/** After this many unanswered requests in a row, a replica gets no more. */
const mostStrikes = 3

/** The longest trial, and the pause after it. Together they limit the delay before a recovery is noticed. */
export const trialLasts = 1200
const trialPause = 400

/**
 * A replica becomes suspect once a request has waited this long while the replica answered nothing else. After a sign
 * of life during the wait, the longer time applies, counted from that sign.
 */
const firstSilence = 250
const longSilence = 3000

/** The penalty for a failure when replicas are sorted, and the half-life of such penalties. */
export const failureCost = 1000
const halfLife = 5000

/** An isolate's memory of a replica: whether to ask it, and how much slower than other replicas it was. */
export interface Breaker {
  /** While it is open, the replica gets only occasional trials. */
  isOpen(): boolean
  /** Whether it is open because the replica is silent: waiting for it is useless. */
  isMute(): boolean
  answered(now: number): void
  /** The replica answered a ping, but no statement. */
  alive(now: number): void
  /** A request failed. Returns whether this opened the breaker. */
  failed(now: number): boolean
  /** A request got no answer in ample time. Returns whether this opened the breaker. */
  silent(now: number): boolean
  /** The replica answers nothing, not even pings. Returns whether this opened the breaker. */
  mute(now: number): boolean
  /** Whether the replica gave a sign of life at this moment or later. */
  isHeardSince(moment: number): boolean
  /** Begins a trial if one is due, one at a time. Its end is fixed, even if the platform drops its request. */
  beginTrial(now: number): boolean
  /** The trial got no answer. */
  trialFailed(now: number): void
  /** The replica seems to be this many milliseconds slower than the other replicas. */
  slower(by: number, now: number): void
  /** How much slower it was recently, in milliseconds. This decreases with time, so the replica is tried again. */
  lateness(now: number): number
  /** Whether a request that has waited since this moment has seen a long silence. */
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
    // The first trial may follow at once.
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
