import { defineConfig } from 'vitest/config'
import { projects } from './vitest.projects.ts'

/** All but what `npm run test:long` runs. */
export default defineConfig({
  test: { projects: projects((file) => !file.startsWith('test/long/'), { long: false }, 120_000) },
})
