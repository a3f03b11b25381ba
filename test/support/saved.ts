import { expect } from 'vitest'
import type { SavedParameters } from '../oracle/saved.ts'
import { type Headers, operator, post } from './callers.ts'

export const segmentsOf = (websiteId: string): string => `/api/websites/${websiteId}/segments`

/** Saves a new segment or cohort for the website through the API. */
export async function saved(
  websiteId: string,
  type: 'segment' | 'cohort',
  parameters: SavedParameters,
  { name = `Saved ${type}`, headers = operator }: { name?: string; headers?: Headers } = {},
): Promise<string> {
  const { status, body } = await post(segmentsOf(websiteId), { type, name, parameters }, headers)
  expect({ status, body }).toMatchObject({ status: 200, body: { type, parameters } })
  return body.id
}
