import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    readonly long: boolean
  }
}

/** Whether this is `npm run test:long`. */
export const isLong = inject('long')

/** The number of random attempts in `npm test` and in `npm run test:long`. */
export const runs = (short: number, long: number): number => (isLong ? long : short)

/**
 * Some of the cases: all in `npm run test:long`; in `npm test`, one of every `share` cases, different in each run. Pass
 * at least `share` cases.
 */
export const inTurn = <Case>(cases: readonly Case[], turn: number, share: number): readonly Case[] =>
  isLong ? cases : cases.filter((_, place) => (place + turn) % share === 0)
