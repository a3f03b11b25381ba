import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Starting engines and Workers takes seconds on a loaded machine; no test asserts a duration.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
