import type { AnyReport } from '../endpoints/endpoint.ts'
import { isAskedByBody } from '../endpoints/facts.ts'
import { invalid } from '../errors.ts'
import type { Need } from '../request/need.ts'
import type { PageRequest } from '../request/page.ts'
import type { Input } from './input.ts'

/** How far readers' clocks may be ahead, in milliseconds. */
const clockSkew = 10_000

/**
 * Separates the required freshness from the rest of the input, so that it does not make the input of equal requests
 * differ.
 */
export function takeNeed(report: AnyReport, given: Input, now: number): { input: Input; need: Need | undefined } {
  const { minAsOf, page, ...input } = given as Input & { minAsOf?: number; page?: PageRequest }
  if (minAsOf !== undefined && minAsOf > now + clockSkew) {
    const path = isAskedByBody(report) ? 'parameters.minAsOf' : 'minAsOf'
    throw invalid([{ path, message: 'Must not be in the future: no answer can include future events.' }])
  }
  const { origin, ...cursor } = page?.cursor ?? {}
  return {
    input: { ...input, ...(page && { page: origin ? { ...page, cursor } : page }) },
    need:
      minAsOf === undefined && !origin
        ? undefined
        : { ...(minAsOf !== undefined && { minAsOf }), ...(origin && { origin }) },
  }
}
