import type { Settings } from './settings.ts'
import type { Wrangler } from './wrangler.ts'

/** Asks the person at the terminal; `isHidden` hides the typed answer. Undefined if nobody can answer. */
export type Ask = ((question: string, isHidden?: boolean) => Promise<string>) | undefined

/** A step of a deployment. It can be repeated, because it creates only what is missing. */
export interface Step {
  /** A description of the step, for a person. */
  readonly says: string
  /** The commands of the step, as a person would type them. */
  readonly commands: readonly string[]
  work(): Promise<void>
}

/** A running deployment. */
export interface Run {
  readonly settings: Settings
  readonly wrangler: Wrangler
  /** The file for wrangler's `--config`, generated from `wrangler.toml` and the settings. */
  readonly configuration: string
  /** The name of the Worker and of its D1. */
  readonly name: string
  /** Prints a line for a person. */
  say(line: string): void
  readonly ask: Ask
  /** Whether to replace a DNS record of the domain, or delete a Worker, without asking. */
  readonly isSure: boolean
  /** What the earlier steps have found out. */
  readonly found: {
    /** The Cloudflare account. */
    account?: string
    /** The id of D1. */
    database?: string
    /** The URL of the Worker. */
    url?: string
    /** Whether this run created the first user. Nobody has seen that user's password yet. */
    isFirst?: boolean
    /** The id of the first website. */
    website?: string
  }
}
