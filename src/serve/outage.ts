import { type ApiError, metadataFailed } from '../errors.ts'
import { MetadataError } from '../metadata/store.ts'
import type { Caller } from './identify.ts'

/** The refusal of a request for which D1 failed; undefined if something else was thrown. */
export const refusalOfOutage = (thrown: unknown): ApiError | undefined =>
  thrown instanceof MetadataError ? metadataFailed(thrown) : undefined

/** Throws a 503 if D1 cannot be read: what was known before opens kept answers, and nothing else. */
export function refuseOutage({ outage }: Pick<Caller, 'outage'>): void {
  if (outage !== undefined) throw metadataFailed(outage)
}
