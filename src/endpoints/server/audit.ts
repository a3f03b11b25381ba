import * as z from 'zod'
import { titled, type ValueOf } from '../../made.ts'
import { type AuditEntry, type AuditFilter, actorKinds } from '../../metadata/audit.ts'
import type { Metadata } from '../../metadata/metadata.ts'
import { rangeOrNone } from '../../request/period.ts'
import { freeText, group, query } from '../../request/query-string.ts'
import { timeOf } from '../answers.ts'
import { action } from '../endpoint.ts'
import { answerList, fixedListGroup, listSchema } from '../lists.ts'
import { ndjson, textStream } from '../streams.ts'

const AuditEntryAnswer = titled('AuditEntry', () =>
  z.object({
    id: z.number().int(),
    createdAt: z.string().describe('When it happened; for failed sign-ins, the minute.'),
    actor: z.object({
      kind: z.enum(actorKinds),
      id: z.string().nullable(),
      name: z.string().nullable(),
    }),
    action: z
      .string()
      .describe(
        'An operation such as updateWebsite, returnFromIssuer or failedSignIn, or a command such as weir user create.',
      ),
    subjects: z.record(z.string(), z.string()).describe('The ids that the request referred to or created.'),
    fields: z.array(z.string()).describe('The names of the fields that it set. Values are not stored.'),
    network: z
      .string()
      .nullable()
      .describe('The address block that it came from: for IPv4 the /24 network, for IPv6 the /64.'),
    times: z.number().int().describe('How often it happened: failed sign-ins are added up by minute.'),
  }),
)

const entryAnswer = ({ createdAt, ...entry }: AuditEntry): ValueOf<typeof AuditEntryAnswer> => ({
  ...entry,
  createdAt: timeOf(createdAt),
  fields: [...entry.fields],
})

const auditFilters = group(
  {
    action: freeText('Only this operation.'),
    actorId: freeText('Only actions of the user with this id.'),
    subjectId: freeText('Only actions on the user, website, share or other object with this id.'),
  },
  ({ action, actorId, subjectId }) => ({ action, actorId, subjectId }),
)

const pageOfStream = 500

/** All entries, newest first, one per line. */
async function* linesOf(filter: AuditFilter, search: string, { audit }: Metadata): AsyncGenerator<string> {
  let before = filter.before
  for (;;) {
    const { data } = await audit.list({ ...filter, before }, { search, limit: pageOfStream, offset: 0 })
    const last = data.at(-1)
    if (!last) return
    yield data.map((entry) => `${JSON.stringify(entryAnswer(entry))}\n`).join('')
    before = last.id
  }
}

export const getAuditLog = action({
  name: 'getAuditLog',
  path: '/api/admin/audit',
  summary: 'Who changed what, newest first, paged; as application/x-ndjson, the whole log, one entry per line.',
  access: { to: 'admin' },
  query: query(fixedListGroup('Searches names of actors and operations.'), rangeOrNone, auditFilters),
  answer: listSchema(AuditEntryAnswer),
  async run({ list, period, action, actorId, subjectId }, { metadata, prefers }) {
    const filter: AuditFilter = {
      ...{ action: action ?? null, actorId: actorId ?? null, subjectId: subjectId ?? null },
      ...{ startAt: period?.startAt ?? null, endAt: period?.endAt ?? null, before: null },
    }
    if (prefers(ndjson)) return { stream: textStream(linesOf(filter, list.search, metadata)), contentType: ndjson }
    return answerList(list, (part) => metadata.audit.list(filter, part), entryAnswer)
  },
})
