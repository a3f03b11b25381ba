import type { D1Database } from '@cloudflare/workers-types'
import type { ClickHouse } from './clickhouse.ts'
import type { Workerd } from './workerd.ts'

/** What a command knows of the world around it. */
export interface Io {
  readonly env: NodeJS.ProcessEnv
  /** Prints a line on stdout. */
  out(line: string): void
  /** Prints a line on stderr. */
  err(line: string): void
  /** D1 of a data folder. */
  openMetadata(dataDir: string): Promise<Pick<Workerd, 'metadata' | 'close'>>
}

/** What a command opens, closed once `work` is done. */
export interface Opened {
  withClickHouse<Result>(work: (clickhouse: ClickHouse) => Promise<Result>): Promise<Result>
  /** `applied`: the migrations that D1 did not have yet. */
  withMetadata<Result>(work: (metadata: D1Database, applied: readonly string[]) => Promise<Result>): Promise<Result>
  /** What is wrong with the D1 file of the data folder, if there is one. */
  metadataFaults(): Promise<string[]>
}

/** Commands by their words. Each takes what stands behind them, and resolves to the code to exit with, where that may not be 0. */
export type Commands = Record<string, (rest: string[]) => Promise<void> | Promise<number>>
