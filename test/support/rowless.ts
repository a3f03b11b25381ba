import { parseServer } from '../../src/clickhouse/server.ts'
import { running, sendTo } from './weir.ts'

/**
 * The Worker with all tests' D1, on a ClickHouse without rows (`doubles/rowless-clickhouse.ts`), for tests of
 * permissions, limits, headers and statuses. Tests that use it must not read rows: `structure.test.ts`. It runs in
 * workerd, because each test file would otherwise have to compile it in its own process, and D1 is in workerd anyway.
 */
export const rowless = running.rowless

/** The ClickHouse without rows, for Workers that a test starts itself. */
export const rowlessServer = parseServer({ CLICKHOUSE_URL: rowless.clickhouse })

/** Like `send` in `weir.ts`. */
export const send = sendTo(rowless.url)
