import { defineConfig } from 'vitest/config'
import { settings } from './test/support/settings.ts'

/** All but what `npm run test:long` runs. */
export default defineConfig({
  test: { ...settings({ long: false }, 120_000), include: ['test/**/*.test.ts'], exclude: ['test/long/**'] },
})
