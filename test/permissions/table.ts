import { endpoints } from '../../src/endpoints/index.ts'
import { factsOf } from '../facts/index.ts'
import { may, mayExport } from '../facts/may.ts'
import { keyOf } from '../support/good-requests.ts'
import { type Caller, callers } from './world.ts'

export interface Expected {
  readonly endpoint: string
  readonly status: Readonly<Record<Caller, number>>
}

function statusesOf(row: string): Expected['status'] {
  const statuses = row.split(' ').map(Number)
  if (statuses.length !== callers.length) throw new Error(`Wrong number of cells: ${row}`)
  return Object.fromEntries(callers.map((caller, index) => [caller, statuses[index]])) as Expected['status']
}

/** The status of every endpoint for every kind of caller, from its row in `test/facts/may.ts`. */
export const expected: readonly Expected[] = endpoints.map((endpoint) => ({
  endpoint: keyOf(endpoint),
  status: statusesOf(may[factsOf(endpoint).may]),
}))

/** The status of every exportable list in a format other than JSON. */
export const expectedOfExports: Expected = { endpoint: 'EXPORT any', status: statusesOf(mayExport) }
