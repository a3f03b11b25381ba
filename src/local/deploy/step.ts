import type { Settings } from './settings.ts'
import type { Wrangler } from './wrangler.ts'

/** Asks the person at the terminal, who may hide the answer; undefined where nobody can answer. */
export type Ask = ((question: string, isHidden?: boolean) => Promise<string>) | undefined

/** A step of a deployment. Each can be done again: it makes only what is missing. */
export interface Step {
  /** What it will do, for a person. */
  readonly says: string
  /** Its commands, as a person would type them. */
  readonly commands: readonly string[]
  work(): Promise<void>
}

/** A deployment under way. */
export interface Run {
  readonly settings: Settings
  readonly wrangler: Wrangler
  /** The file for wrangler's `--config`, made from `wrangler.toml` and the settings. */
  readonly configuration: string
  /** The name of the Worker and of its D1. */
  readonly name: string
  /** Prints a line for a person. */
  say(line: string): void
  readonly ask: Ask
  /** Whether a DNS record of the domain may be replaced, and a Worker deleted, without a question. */
  readonly isSure: boolean
  /** What the steps find out. */
  readonly found: {
    /** The account of Cloudflare. */
    account?: string
    /** The id of D1. */
    database?: string
    /** Where the Worker answers. */
    url?: string
    /** Whether this run made the first user, whose password nobody has seen yet. */
    isFirst?: boolean
    /** The id of the first website. */
    website?: string
  }
}
