import type { D1Database } from '@cloudflare/workers-types'
import { type Env, numberOr } from '../env.ts'
import { dayLength } from '../request/time-zone.ts'
import { unlessD1IsSilent } from '../silence.ts'
import { bytesOfHex, type Hash, hexOf, lateSalt, nextPeriod, type Rotation, saltPeriod } from './identity.ts'

/** A salt may be created this many milliseconds before its period begins, because an event may be dated a day ahead. */
const ahead = 2 * dayLength

/** A look-up fails if D1 does not answer within this time, in milliseconds. */
const saltPatience = 2000

/** How many days late an event without a key may be: the default and the maximum of `COLLECT_LATE`. */
const [usualLate, mostLate] = [7, 31]

interface LatenessSetting {
  readonly COLLECT_LATE?: Env['COLLECT_LATE'] | undefined
}

/** How late an event without a key may be, in milliseconds. */
export const latenessOf = ({ COLLECT_LATE }: LatenessSetting): number =>
  Math.min(numberOr(usualLate, COLLECT_LATE), mostLate) * dayLength

const rotationOf = ({ SALT_ROTATION }: Pick<Env, 'SALT_ROTATION'>): Rotation =>
  SALT_ROTATION === 'day' || SALT_ROTATION === 'week' ? SALT_ROTATION : 'month'

type SaltSettings = Pick<Env, 'METADATA' | 'SALT_ROTATION' | 'COLLECT_LATE'>

/** The salts that this isolate has read from one D1 database. */
interface KnownSalts {
  /** By rotation and period. */
  readonly salts: Map<string, Hash>
  /** When the isolate last asked for a salt in advance, in milliseconds since 1970. */
  aheadAt: number
}

const known = new WeakMap<D1Database, KnownSalts>()

/** The salts for some moments. */
export interface Salts {
  /** The salt for one of these moments. */
  of(moment: number): Hash
}

interface Asking {
  readonly secret: string
  readonly env: SaltSettings
  readonly now: number
  /** Keeps work alive after the response. */
  waitUntil(work: Promise<unknown>): void
}

/**
 * Reads the salts for these moments (in milliseconds since 1970), one per period, and creates missing ones. A period's
 * own salt is deleted once the period has been over for a day longer than events may be late. Throws if D1 does not
 * answer and this isolate lacks a salt.
 */
export async function saltsFor(moments: readonly number[], { secret, env, now, waitUntil }: Asking): Promise<Salts> {
  const rotation = rotationOf(env)
  const own = known.get(env.METADATA) ?? { salts: new Map<string, Hash>(), aheadAt: Number.NEGATIVE_INFINITY }
  known.set(env.METADATA, own)
  const { salts } = own
  const isKept = (period: number) => nextPeriod(period, rotation) >= firstKept(env, now) && period - ahead <= now
  const unknownOf = (some: readonly number[]) =>
    [...new Set(some.map((moment) => saltPeriod(moment, rotation)))].filter(
      (period) => isKept(period) && !salts.has(`${rotation} ${period}`),
    )
  const learn = async (periods: readonly number[]) => {
    for (const [period, salt] of await read(env, rotation, periods, now)) salts.set(`${rotation} ${period}`, salt)
  }
  for (const name of salts.keys()) if (!isKept(Number(name.split(' ')[1]))) salts.delete(name)
  const unknown = unknownOf(moments)
  if (unknown.length > 0) await learn(unknown)
  // Reads the next period's salt in advance, so that the period can begin even while D1 does not answer.
  const next = unknownOf([now + ahead])
  if (next.length > 0 && now - own.aheadAt >= pauseAhead) {
    own.aheadAt = now
    waitUntil(learn(next).catch(() => {}))
  }
  return {
    of: (moment) => {
      const period = saltPeriod(moment, rotation)
      return (isKept(period) ? salts.get(`${rotation} ${period}`) : undefined) ?? lateSalt(secret, period)
    },
  }
}

/** How long the isolate waits before it asks again for a salt in advance, in milliseconds. */
const pauseAhead = 60_000

/** The salts of periods that ended before this time are deleted. */
const firstKept = (env: LatenessSetting, now: number): number => now - latenessOf(env) - dayLength

/** The first salt written for a period becomes the salt for all isolates. */
async function read(env: SaltSettings, rotation: Rotation, periods: readonly number[], now: number) {
  const database = env.METADATA
  const select = database
    .prepare('SELECT period, salt FROM salts WHERE rotation = ?1 AND period IN (SELECT value FROM json_each(?2))')
    .bind(rotation, JSON.stringify(periods))
  const found = await unlessD1IsSilent(saltPatience, select.all<SaltRow>())
  if (found.results.length === periods.length) return found.results.map(entryOf)
  const made = periods.map((period) =>
    database
      .prepare('INSERT INTO salts (rotation, period, salt) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING')
      .bind(rotation, period, hexOf(crypto.getRandomValues(new Uint8Array(32)))),
  )
  const results = await unlessD1IsSilent(saltPatience, database.batch<SaltRow>([...made, select]))
  await dropOldSalts(env, now).catch(() => {})
  return results.at(-1)!.results.map(entryOf)
}

interface SaltRow {
  readonly period: number
  /** 32 bytes in hexadecimal. */
  readonly salt: string
}

const entryOf = ({ period, salt }: SaltRow) => [period, bytesOfHex(salt)] as const

/**
 * Deletes the salts that no future event can need, for every `SALT_ROTATION`. They are overwritten first, so that they
 * remain in no page of SQLite's file.
 */
export async function dropOldSalts(env: LatenessSetting & Pick<Env, 'METADATA'>, now: number): Promise<void> {
  const database = env.METADATA
  const select = database.prepare('SELECT rotation, period FROM salts')
  const { results } = await select.all<{ rotation: Rotation; period: number }>()
  const old = results.filter(({ rotation, period }) => nextPeriod(period, rotation) < firstKept(env, now))
  if (old.length === 0) return
  const these = 'WHERE rotation = ?1 AND period = ?2'
  await database.batch(
    [`UPDATE salts SET salt = hex(zeroblob(32)) ${these}`, `DELETE FROM salts ${these}`].flatMap((statement) =>
      old.map(({ rotation, period }) => database.prepare(statement).bind(rotation, period)),
    ),
  )
}
