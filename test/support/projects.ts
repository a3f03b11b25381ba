import { readdirSync, readFileSync } from 'node:fs'
import type { ProvidedContext } from 'vitest'

/** Whether a file starts a second workerd on the D1 that its tests share: one locks it for the other now and then. */
const opensD1Again = (file: string): boolean =>
  /(bundled|startWorker|openMetadata)\(\s*running\.dataDir|\/(cached|breaking)\.ts'/.test(readFileSync(file, 'utf8'))

/** These files in two groups, each with an engine and a Worker of its own: one file after the other, then three at once. */
export function projects(
  isRun: (file: string) => boolean,
  provide: Pick<ProvidedContext, 'long'>,
  testTimeout: number,
) {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name}`)
    .filter(isRun)
  const group = (name: string, include: string[], maxWorkers: number, groupOrder: number) => ({
    test: {
      ...{ name, include, provide, maxWorkers, sequence: { groupOrder } },
      globalSetup: ['test/support/global-setup.ts'],
      setupFiles: ['test/support/setup.ts'],
      // Starting engines and Workers takes seconds on a loaded machine; no test asserts a duration.
      testTimeout,
      hookTimeout: 120_000,
    },
  })
  const alone = files.filter(opensD1Again)
  const others = files.filter((file) => !alone.includes(file))
  // Most tests wait for answers: on two cores, three files at once are done soonest.
  return [group('alone', alone, 1, 0), group('together', others, 3, 1)].filter(({ test }) => test.include.length > 0)
}
