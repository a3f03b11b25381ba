import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import type { CacheTimes } from '../../cache/times.ts'
import type { LimitBinding, Quota } from '../../env.ts'
import { root } from '../paths.ts'
import { Misuse } from '../told/misuse.ts'

/** The parts of `wrangler.toml` that are used here. */
interface Configuration {
  readonly name: string
  readonly main: string
  readonly compatibility_date: string
  readonly compatibility_flags: string[]
  readonly ratelimits: readonly { readonly name: LimitBinding; readonly namespace_id: string; readonly simple: Quota }[]
  readonly assets: {
    readonly binding: string
    readonly directory: string
    readonly html_handling: 'none'
    readonly not_found_handling: 'none'
  }
  readonly d1_databases: readonly { readonly binding: string; readonly migrations_dir: string }[]
  readonly vars: { readonly RATE_LIMITS: Readonly<Record<LimitBinding, Quota>>; readonly CACHE: CacheTimes }
}

/**
 * Parsed here, because importing wrangler would cost each process a second. `wrangler deploy` refuses an invalid file.
 */
export const config = parse(readFileSync(`${root}/wrangler.toml`, 'utf8')) as unknown as Configuration

/** A setting as the Worker receives it. An object is merged into the usual one; null removes a key. */
export function merged(usual: unknown, name: string, text: string): unknown {
  const value = jsonOr(name, text)
  return isObject(usual) && isObject(value) ? withoutNull({ ...usual, ...value }) : value
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const withoutNull = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))

/** A setting, with JSON objects and lists parsed. Throws a `Misuse` for invalid JSON. */
export function jsonOr(name: string, text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    throw new Misuse(`${name}: Must be JSON.`)
  }
}
