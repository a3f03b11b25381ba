import type { bundled } from '../../src/local/workerd.ts'
import { type Beside, type Observer, startBeside } from './beside.ts'

/** A Worker beside which every round trip to D1 is written down. */
export interface Observed extends Beside {
  /** What was asked since the last look: the statements of each round trip. */
  look(): readonly (readonly string[])[]
}

/** Starts the Worker of these options. Each round trip is made once `allowed` is through with it. */
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
