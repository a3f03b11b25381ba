import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { settings } from '../support/settings.ts'

/** Files with more work in long runs: those that import `long.ts`, or helpers that use it. */
const asking = /\/(long|agreement|compared|dashboard|hostile|worlds)\.ts'/

const random = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.test.ts') && asking.test(readFileSync(`test/${path}`, 'utf8')),
)

/** Runs everything random at full size: `npm run test:long`. */
export default defineConfig({
  test: {
    ...settings({ long: true }, 3_600_000),
    include: ['test/long/**/*.test.ts', ...random.map((path) => `test/${path}`)],
  },
})
