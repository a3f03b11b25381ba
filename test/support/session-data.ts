import { event } from '../oracle/fixtures.ts'
import type { Property } from '../oracle/model.ts'
import { insert } from './weir.ts'

/** An identify call as writers insert it into `ingest_session_data`, but without its website. */
export type Call = Readonly<Record<string, unknown>>

/** A session's identify call at this time on 15 October 2025, or at a time with its own date. */
export function call(session_id: string, at: string, properties: readonly Property[], distinct_id = ''): Call {
  const arrays = Object.entries(event({}, [...properties])).filter(([name]) => name.startsWith('properties.'))
  const created_at = at.includes(' ') ? at : `2025-10-15 ${at}.000`
  return { session_id, distinct_id, created_at, ...Object.fromEntries(arrays) }
}

/** Inserts these calls for a website. */
export async function identify(website_id: string, ...calls: readonly Call[]): Promise<void> {
  if (calls.length > 0)
    await insert(
      'ingest_session_data',
      calls.map((one) => ({ ...one, website_id })),
    )
}
