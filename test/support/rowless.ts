import { parseServer } from '../../src/clickhouse/server.ts'
import { running, sendTo } from './weir.ts'

/**
 * The Worker, with the D1 of all tests, on a ClickHouse without rows (`doubles/rowless-clickhouse.ts`): for tests of
 * permissions, limits, headers and statuses. A test that uses it must not read rows: `structure.test.ts`. It runs in
 * workerd, because every test file would have to compile it in its own process, and D1 is in workerd anyway.
 */
export const rowless = running.rowless

/** The ClickHouse without rows, for a test's own Workers. */
export const rowlessServer = parseServer({ CLICKHOUSE_URL: rowless.clickhouse })

/** Like `send` of `weir.ts`. */
export const send = sendTo(rowless.url)
