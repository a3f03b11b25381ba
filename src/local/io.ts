import type { D1Database } from '@cloudflare/workers-types'
import type { ClickHouse } from './clickhouse.ts'
import type { Workerd } from './workerd.ts'

/** The environment of a command. */
export interface Io {
  readonly env: NodeJS.ProcessEnv
  /** Prints a line to stdout. */
  out(line: string): void
  /** Prints a line to stderr. */
  err(line: string): void
  /** Opens the D1 of a data folder. */
  openMetadata(dataDir: string): Promise<Pick<Workerd, 'metadata' | 'close'>>
}

/** Resources that a command uses; they close once `work` is done. */
export interface Opened {
  withClickHouse<Result>(work: (clickhouse: ClickHouse) => Promise<Result>): Promise<Result>
  /** `applied`: the migrations that this call has just applied to D1. */
  withMetadata<Result>(work: (metadata: D1Database, applied: readonly string[]) => Promise<Result>): Promise<Result>
  /** The faults of the data folder's D1 file; empty if there is no such file. */
  metadataFaults(): Promise<string[]>
}

/** The commands by their words. Each gets the remaining arguments, and may resolve to an exit code other than 0. */
export type Commands = Record<string, (rest: string[]) => Promise<void> | Promise<number>>
