import { parseServer } from '../../src/clickhouse/server.ts'
import { running, sendTo } from './weir.ts'

/**
 * The Worker, with the D1 of all tests, on a ClickHouse without rows (`doubles/rowless-clickhouse.ts`): for questions
 * of who, how often, which header and which status. A test that uses it may not look at rows: `structure.test.ts`.
 * It is in workerd: in the test's process, every file would compile it anew, and D1 is in workerd anyway.
 */
export const rowless = running.rowless

/** That ClickHouse, for Workers of a test's own. */
export const rowlessServer = parseServer({ CLICKHOUSE_URL: rowless.clickhouse })

/** Like `send` of `weir.ts`. */
export const send = sendTo(rowless.url)
