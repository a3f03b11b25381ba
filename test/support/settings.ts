import type { ProvidedContext } from 'vitest'
import type { InlineConfig } from 'vitest/node'
import { DearestFirst } from './dearest-first.ts'
import { keepInMemory } from './temporary.ts'

keepInMemory()

/** What every run of tests has: one engine and one Worker, and three files at once. */
export const settings = (provide: Pick<ProvidedContext, 'long'>, testTimeout: number): InlineConfig => ({
  provide,
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/setup.ts'],
  reporters: ['default', './test/support/dearest.ts'],
  sequence: { sequencer: DearestFirst },
  // Most tests wait for answers: on two cores, three files at once are done soonest.
  maxWorkers: 3,
  // Starting engines and Workers takes seconds on a loaded machine; no test asserts a duration.
  testTimeout,
  hookTimeout: 120_000,
})
