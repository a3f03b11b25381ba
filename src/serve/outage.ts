import { type ApiError, metadataFailed } from '../errors.ts'
import { MetadataError } from '../metadata/store.ts'
import type { Caller } from './identify.ts'

/** The error that the caller receives if D1 failed; undefined for any other error. */
export const refusalOfOutage = (thrown: unknown): ApiError | undefined =>
  thrown instanceof MetadataError ? metadataFailed(thrown) : undefined

/** Throws a 503 if D1 cannot be read, because look-ups from before the failure give access only to cached answers. */
export function refuseOutage({ outage }: Pick<Caller, 'outage'>): void {
  if (outage !== undefined) throw metadataFailed(outage)
}
