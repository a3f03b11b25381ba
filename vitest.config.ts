import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // `npm run test:long` runs these.
    exclude: [...configDefaults.exclude, 'test/long/**'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    provide: { long: false },
    // Vitest takes one on two cores, and most tests wait for answers.
    maxWorkers: 3,
    // Starting engines and Workers takes seconds on a loaded machine; no test asserts a duration.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
