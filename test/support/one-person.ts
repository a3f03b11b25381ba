import { randomUUID } from 'node:crypto'
import { markedCalls, markedClick, markedEvents, markedRecording } from './marked.ts'

export type SessionIds = { readonly session_id: string; readonly event_id: string }

export const newSession = (): SessionIds => ({ session_id: randomUUID(), event_id: randomUUID() })

/** Everything that a session with these distinct ids can send, by entry table. Every field contains the text. */
export function everythingOf(text: string, ids: SessionIds, ...distinctIds: readonly string[]) {
  const events = distinctIds.flatMap((distinct_id, place) =>
    markedEvents(text, place === 0 ? ids : { ...ids, event_id: randomUUID() }).map((row) => ({ ...row, distinct_id })),
  )
  return {
    ingest: events,
    ingest_session_data: markedCalls(text, ids).map((row) => ({ ...row, distinct_id: distinctIds[0]! })),
    ingest_replay_chunks: markedRecording(text, ids),
    ingest_heatmap_events: markedClick(text, ids),
  }
}

/** Inserts these rows into a website. */
export async function insertInto(
  website_id: string,
  rows: ReturnType<typeof everythingOf>,
  insert: (table: string, rows: object[]) => Promise<unknown>,
): Promise<void> {
  const inside = Object.entries(rows).map(([table, some]) =>
    insert(
      table,
      some.map((row) => ({ ...row, website_id })),
    ),
  )
  await Promise.all(inside)
}
