import * as z from 'zod'
import { timeOf } from '../answers.ts'
import { action } from '../endpoint.ts'

/** Counts by field of the sent event. */
const ByField = () => z.record(z.string(), z.number().int())

const Collection = () =>
  z.object({
    since: z.iso.datetime({ precision: 3 }),
    stored: z.number().int(),
    bots: z.number().int(),
    blocked: z.number().int(),
    full: z.number().int(),
    refused: ByField(),
    warnings: ByField(),
  })

export const getWebsiteCollection = action({
  name: 'getWebsiteCollection',
  path: '/api/websites/:websiteId/collection',
  summary:
    'The outcomes of the events sent for the website in the last hour, or `since` its log began: stored, from bots, ' +
    'from blocked addresses, or refused because the log was full; and how often each field was refused or corrected.',
  access: { to: 'website', right: 'update' },
  refuses: ['not-found', 'service-unavailable'],
  answer: Collection,
  async run(_, { collected }) {
    const { since, counts } = await collected()
    const of = (name: string) => counts.get(name) ?? 0
    const byField = (kind: string) =>
      Object.fromEntries(
        [...counts].flatMap(([name, count]) => (name.startsWith(kind) ? [[name.slice(kind.length), count]] : [])),
      )
    return {
      body: {
        since: timeOf(since),
        ...{ stored: of('stored'), bots: of('bots'), blocked: of('blocked'), full: of('full') },
        refused: byField('refused.'),
        warnings: byField('warnings.'),
      },
    }
  },
})
