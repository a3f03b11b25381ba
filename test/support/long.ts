import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    readonly long: boolean
  }
}

/** Whether this is `npm run test:long`. */
export const isLong = inject('long')

/** The number of random tries in `npm test` and in `npm run test:long`. */
export const runs = (short: number, long: number): number => (isLong ? long : short)
