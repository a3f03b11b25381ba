import { defineConfig } from 'vitest/config'
import { settings } from '../support/settings.ts'

/** The files that try more in the long run: `test/support/long.ts` says how much more. */
const random = [
  'test/against-oracle.test.ts',
  'test/bad-input.test.ts',
  'test/batch.test.ts',
  'test/batch-together.test.ts',
  'test/batch-paths.test.ts',
  'test/cache/equality.test.ts',
  'test/cache/key.test.ts',
  'test/cohorts.test.ts',
  'test/dashboard.test.ts',
  'test/distributed.test.ts',
  'test/endpoints/funnel.test.ts',
  'test/export/content.test.ts',
  'test/export/statements.test.ts',
  'test/filters.test.ts',
  'test/fuzz.test.ts',
  'test/local/check-online.test.ts',
  'test/local/check.test.ts',
  'test/local/backup.test.ts',
  'test/local/clickhouse-users.test.ts',
  'test/local/deduplication.test.ts',
  'test/local/engine-client.test.ts',
  'test/local/engine-inserts.test.ts',
  'test/local/engine-kept.test.ts',
  'test/local/engine-pool.test.ts',
  'test/local/engine-results.test.ts',
  'test/local/upgrade.test.ts',
  'test/oracle/generate-analyses.test.ts',
  'test/oracle/generate-statistics.test.ts',
  'test/oracle/generate.test.ts',
  'test/oracle/statistics-agree.test.ts',
  'test/paging.test.ts',
  'test/permissions/markers.test.ts',
  'test/permissions/permissions.test.ts',
  'test/query/rules.test.ts',
  'test/query/shapes.test.ts',
  'test/query/source.test.ts',
  'test/regions.test.ts',
  'test/reports-agree.test.ts',
  'test/segments.test.ts',
  'test/sessions-agree.test.ts',
  'test/shares.test.ts',
  'test/statistics.test.ts',
  'test/visits-by-hour.test.ts',
]

/** Everything random at full size: `npm run test:long`. */
export default defineConfig({
  test: { ...settings({ long: true }, 3_600_000), include: ['test/long/**/*.test.ts', ...random] },
})
