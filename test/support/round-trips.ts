import type { bundled } from '../../src/local/start/workerd.ts'
import { type Beside, type Observer, startBeside } from './beside.ts'

/** Whether a round trip only reads. */
export const isRead = ([first]: readonly string[]): boolean => first!.startsWith('SELECT')

/** A Worker that records its D1 round trips. */
export interface Observed extends Beside {
  /** The statements in each round trip since the last call. */
  look(): readonly (readonly string[])[]
}

/** Starts a Worker with these options. Each round trip waits until `allowed` has resolved. */
export async function observed(
  options: ReturnType<typeof bundled>,
  allowed: Observer = async () => {},
): Promise<Observed> {
  let seen: (readonly string[])[] = []
  const worker = await startBeside(options, {
    async observer(statements: readonly string[]) {
      seen.push(statements)
      await allowed(statements)
    },
  })
  return {
    ...worker,
    look() {
      const looked = seen
      seen = []
      return looked
    },
  }
}
