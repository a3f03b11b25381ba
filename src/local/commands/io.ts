import type { ClickHouseClient } from '@clickhouse/client-web'
import type { D1Database } from '@cloudflare/workers-types'
import type { Server } from '../../clickhouse/server.ts'
import type { OpenMetadata } from '../start/workerd.ts'

/** The environment of a command. */
export interface Io {
  readonly env: NodeJS.ProcessEnv
  out(line: string): void
  err(line: string): void
  /** Prints a note for a person at a terminal; elsewhere prints nothing. */
  note(line: string): void
  /** Asks the person at the terminal, and returns the answer; undefined where nobody can answer. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  /** Opens the D1 of a data folder. */
  openMetadata(dataDir: string): Promise<OpenMetadata>
}

/** A ClickHouse: the server in `CLICKHOUSE_URL`, else the embedded engine of a data folder. */
export interface ClickHouse {
  readonly server: Server
  readonly client: ClickHouseClient
  /** Resolves with the reason if the embedded engine ends without `close`. */
  readonly ended: Promise<string>
  close(): Promise<void>
}

/** Resources that a command uses; they close once `work` is done. */
export interface Opened {
  withClickHouse<Result>(work: (clickhouse: ClickHouse) => Promise<Result>): Promise<Result>
  /** Starts the embedded engine of the data folder, which nothing may use already. */
  withEngine<Result>(port: number, work: (clickhouse: ClickHouse) => Promise<Result>): Promise<Result>
  /** `applied`: the migrations that this call has just applied to D1. */
  withMetadata<Result>(work: (metadata: D1Database, applied: readonly string[]) => Promise<Result>): Promise<Result>
  /** The URL of the Worker: `PUBLIC_URL`, or that of a running `npm start`; undefined if neither is known. */
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

/**
 * Makes a caller's text safe for a terminal: it escapes characters that move the cursor, set colours or change
 * direction.
 */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
