import type { CacheTimes } from '../../src/cache/times.ts'

/** For tests that do not test time. Answers stay fresh for the whole run. */
export const forLong: CacheTimes = { open: 600, shared: 60, closed: 3600, settled: 300, stale: 60, onError: 86_400 }

/** No answer is fresh, so that each is served stale once while a new one is computed. */
export const neverFresh: CacheTimes = { ...forLong, open: 0, shared: 0, closed: 0, stale: 86_400 }

/** No cached answer is served, except while ClickHouse is unreachable. */
export const onlyOnError: CacheTimes = { ...neverFresh, stale: 0 }

/** No cached answer is ever served, even if ClickHouse is slow. */
export const neverServed: CacheTimes = { ...onlyOnError, onError: 0 }
