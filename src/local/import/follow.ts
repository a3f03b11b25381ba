import { hourLength } from '../../request/time-zone.ts'
import { messageOf, repeatedly } from '../told/troubles.ts'
import { type Import, importSections, isDone } from './run.ts'
import { hoursOf, keptSpan, type Wanted } from './sections.ts'

const minute = 60_000

/** Rows may still arrive with a time this far back. Each pass compares the hours of this span. */
const overlap = 48 * hourLength

/**
 * Reads the changed hours of the last two days, because Umami stores no arrival time, and rows may arrive with an older
 * time. First inserts the batch that a failed pass left unfinished.
 */
export async function importLastDays(work: Import, wanted: Wanted, now: number): Promise<void> {
  await work.writer.finish()
  const first = Math.floor((now - overlap) / hourLength) * hourLength
  for (const kind of work.source.kinds) {
    const asked = keptSpan({ ...wanted, now }, kind)
    const span = { from: Math.max(asked.from, first), until: asked.until }
    if (span.from >= span.until) continue
    const counts = await work.source.hours({ kind, websiteIds: wanted.websiteIds, span })
    await importSections(
      work,
      hoursOf(work.source, kind, span, counts).filter((section) => !isDone(work, section)),
    )
  }
}

/**
 * Imports the last days every minute, indefinitely. `tell` receives each new failure once, and undefined when the
 * failure is over.
 */
export const follow = (work: Import, wanted: Wanted, tell: (failure: string | undefined) => void): Promise<void> =>
  repeatedly(() => messageOf(() => importLastDays(work, wanted, Date.now())), { every: minute }, tell)
