import type { D1Database } from '@cloudflare/workers-types'
import type { Sql } from '../../metadata/store.ts'
import type { OpenMetadata } from '../start/workerd.ts'
import type { ClickHouse } from '../storage/clickhouse.ts'
import type { Subjects } from '../storage/metadata.ts'

/** The environment of a command. */
export interface Io {
  readonly env: NodeJS.ProcessEnv
  out(line: string): void
  /** Resolves once all lines of `out` are written. Rejects if they could not be. */
  written(): Promise<void>
  err(line: string): void
  /** Prints a note if there is a person at a terminal; otherwise prints nothing. */
  note(line: string): void
  /** Asks the person at the terminal; `isHidden` hides the typed answer. Undefined without a terminal. */
  readonly ask?: ((question: string, isHidden?: boolean) => Promise<string>) | undefined
  /** Opens the D1 of a data folder. */
  openMetadata(dataDir: string): Promise<OpenMetadata>
}

/** Resources that a command uses. They are closed once `work` is done. */
export interface Opened {
  readonly dataDir: string
  withClickHouse<Result>(work: (clickhouse: ClickHouse) => Promise<Result>): Promise<Result>
  /** Starts the embedded engine of the data folder, which must not be in use. */
  withEngine<Result>(port: number, work: (clickhouse: ClickHouse) => Promise<Result>): Promise<Result>
  /** `applied` lists the migrations that this call has just applied to D1. */
  withMetadata<Result>(work: (metadata: D1Database, applied: readonly string[]) => Promise<Result>): Promise<Result>
  /**
   * Like `withMetadata`, but afterwards adds the command to the audit log, with the ids that `work` returns. `work`
   * returns undefined if it changed nothing.
   */
  withChange(work: (metadata: D1Database) => Promise<Subjects | undefined>): Promise<void>
  /** The statement that adds this command to the audit log, for a remote D1. */
  entryOf(subjects: Subjects): Sql
  /** The URL of the Worker: `PUBLIC_URL`, or the URL of a running `npm start`; undefined if neither is known. */
  apiUrl(): Promise<string | undefined>
  /** The faults of the data folder's D1 file; empty if there is no such file. */
  metadataFaults(): Promise<string[]>
}

/** The input of a command: its flags, its other words, and its resources. */
export interface Given<Flags> extends Opened {
  readonly flags: Flags
  readonly words: readonly string[]
  readonly io: Io
}

/** A command. It may resolve to an exit code other than 0. */
export type Work<Flags> = (given: Given<Flags>) => Promise<void> | Promise<number>
