import type { ProvidedContext } from 'vitest'
import type { InlineConfig } from 'vitest/node'
import { DearestFirst } from './dearest-first.ts'
import { keepInMemory } from './temporary.ts'

keepInMemory()

/** The settings for all test runs, with one engine, one Worker, and three files at a time. */
export const settings = (provide: Pick<ProvidedContext, 'long'>, testTimeout: number): InlineConfig => ({
  ...{ provide, globalSetup: ['test/support/global-setup.ts'], setupFiles: ['test/support/setup.ts'] },
  reporters: ['default', './test/support/dearest.ts'],
  sequence: { sequencer: DearestFirst },
  // The engine and the Worker share two cores. Four files at a time cost a tenth more processor time, and save none.
  maxWorkers: 3,
  // Modules are transformed only once and cached for later runs.
  experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
  // `setup.ts` isolates files at a lower cost than a process for each.
  isolate: false,
  // Concurrent tests share inserts: see `insert` in `weir.ts`.
  maxConcurrency: 20,
  // Starting engines and Workers takes seconds on a loaded machine. No test asserts a duration.
  testTimeout,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000, interval: 100 } },
})
