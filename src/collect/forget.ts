import { type Env, numberOr } from '../env.ts'
import { dayLasts } from './identity.ts'
import { dropOldSalts } from './salts.ts'

/** How many days the audit log is kept: the default of `AUDIT_DAYS`, and the least. */
const [usualDays, leastDays] = [400, 30]

type Settings = Partial<Record<'AUDIT_DAYS' | 'COLLECT_LATE', string | number | undefined>>

/** The statement that deletes the entries of the audit log that are too old, and its value. */
export const deleteOldEntries = ({ AUDIT_DAYS }: Settings, now: number) =>
  [
    'DELETE FROM audit_entries WHERE created_at < ?1',
    now - Math.max(leastDays, numberOr(usualDays, AUDIT_DAYS)) * dayLasts,
  ] as const

/** Deletes what D1 keeps for some time only: salts, and entries of the audit log. It is called each day. */
export async function forget(settings: Settings, database: Env['METADATA'], now: number): Promise<void> {
  await dropOldSalts({ METADATA: database, COLLECT_LATE: settings.COLLECT_LATE }, now)
  const [statement, before] = deleteOldEntries(settings, now)
  await database.prepare(statement).bind(before).run()
}
