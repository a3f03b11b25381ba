import { defineConfig } from 'vitest/config'
import { projects } from './test/support/projects.ts'

/** All but what `npm run test:long` runs. */
export default defineConfig({
  test: {
    reporters: ['default', './test/support/dearest.ts'],
    projects: projects((file) => !file.startsWith('test/long/'), { long: false }, 120_000),
  },
})
