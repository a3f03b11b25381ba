import { vi } from 'vitest'

/** Repeats assertions for up to half a minute until they succeed, and returns their result. */
export const soon = <Result>(assertions: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(assertions, { timeout: 30_000, interval: 100 })
