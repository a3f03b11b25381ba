import { vi } from 'vitest'
import { runs } from './long.ts'

/** In the long run, a single answer may have fifty megabytes, and other tests use both cores for minutes. */
const timeout = runs(30_000, 600_000)

/** Repeats assertions until they succeed, for half a minute (ten minutes in the long run). Returns their result. */
export const soon = <Result>(assertions: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(assertions, { timeout, interval: 100 })
