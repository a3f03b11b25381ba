import type { CacheTimes } from '../../src/cache/times.ts'

/** What a test that does not care about time keeps: fresh for as long as it runs. */
export const forLong: CacheTimes = { open: 600, shared: 60, closed: 3600, settled: 300, stale: 60, onError: 86_400 }

/** Nothing is fresh: each answer is given once more while another is made. */
export const neverFresh: CacheTimes = { ...forLong, open: 0, shared: 0, closed: 0, stale: 86_400 }

/** Nothing is given again but where ClickHouse cannot be read. */
export const onlyOnError: CacheTimes = { ...neverFresh, stale: 0 }
