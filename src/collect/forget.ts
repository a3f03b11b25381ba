import { type Env, numberOr } from '../env.ts'
import { dayLength } from '../request/time-zone.ts'
import { dropOldSalts } from './salts.ts'

/** How many days audit log entries are stored: the default and the minimum of `AUDIT_DAYS`. */
const [usualDays, leastDays] = [400, 30]

type Settings = Partial<Record<'AUDIT_DAYS' | 'COLLECT_LATE', string | number | undefined>>

/** The statement that deletes old audit log entries, and its parameter. */
export const deleteOldEntries = ({ AUDIT_DAYS }: Settings, now: number) =>
  [
    'DELETE FROM audit_entries WHERE created_at < ?1',
    now - Math.max(leastDays, numberOr(usualDays, AUDIT_DAYS)) * dayLength,
  ] as const

/** Deletes old salts and old audit log entries from D1. Called daily. */
export async function forget(settings: Settings, database: Env['METADATA'], now: number): Promise<void> {
  await dropOldSalts({ METADATA: database, COLLECT_LATE: settings.COLLECT_LATE }, now)
  const [statement, before] = deleteOldEntries(settings, now)
  await database.prepare(statement).bind(before).run()
}
