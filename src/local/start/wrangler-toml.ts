import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import type { CacheTimes } from '../../cache/times.ts'
import type { LimitBinding, Quota } from '../../env.ts'
import { root } from '../paths.ts'

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
