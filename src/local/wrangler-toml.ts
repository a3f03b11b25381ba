import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import type { CacheTimes } from '../cache/times.ts'
import type { LimitBinding, Quota } from '../env.ts'
import { root } from './paths.ts'

/** What is read of `wrangler.toml` here. */
interface Configuration {
  readonly compatibility_date: string
  readonly compatibility_flags: string[]
  readonly ratelimits: readonly { readonly name: LimitBinding; readonly namespace_id: string; readonly simple: Quota }[]
  readonly vars: { readonly RATE_LIMITS: Readonly<Record<LimitBinding, Quota>>; readonly CACHE: CacheTimes }
}

/** Not read with wrangler, whose import takes each process a second: `wrangler deploy` refuses a file that it cannot read. */
export const config = parse(readFileSync(`${root}/wrangler.toml`, 'utf8')) as unknown as Configuration
