import * as z from 'zod'
import { ApiError, invalid } from '../../errors.ts'
import { titled, type ValueOf } from '../../made.ts'
import type { Scope } from '../../query/language/scope.ts'
import { mostOfPerson, type NamedPerson, sessionsOfPerson } from '../../query/lists/one-person.ts'
import { optionalBoolean } from '../bodies.ts'
import { id } from '../ids.ts'
import type { WebsiteReading } from '../reading.ts'

const notAnId = 'Must be a text of 1 to 1000 characters.'

/** Identifies the person. */
export const PersonBody = titled('Person', () =>
  z.strictObject({
    distinctId: z
      .string({ error: notAnId })
      .min(1, { error: notAnId })
      .max(1000, { error: notAnId })
      .refine((text) => text.isWellFormed(), { error: 'Must be valid Unicode text.' })
      .optional()
      .describe('Everybody with this distinct id. Give this or sessionId.'),
    sessionId: id().optional().describe('The person behind this session: all sessions with its only distinct id.'),
    single: optionalBoolean().describe('With sessionId: only this session, whichever others have its distinct id.'),
    shared: optionalBoolean().describe('Includes the sessions that are linked to another distinct id, too.'),
  }),
)

/** The fields of an answer that describe the person found. */
export const foundFields = () => ({
  distinctId: z.string().nullable().describe('Null for a session without a distinct id, or with several.'),
  sessions: z.array(z.string()).describe('The sessions that were included.'),
  shared: z.array(z.string()).describe('Sessions that are linked to another distinct id, too.'),
})

/** The sessions of a person. Throws a 404 if there are none. */
export async function findPerson(named: ValueOf<typeof PersonBody>, scope: Scope, run: WebsiteReading['run']) {
  const { found } = await run({ found: sessionsOfPerson(scope, personNamed(named)) })
  return personIn(found.rows, named.distinctId, named.shared)
}

/** Builds the answer about a person from the found sessions. Throws a 404 if there are none. */
export function personIn(
  found: readonly { readonly id: string; readonly ids: readonly string[] }[],
  distinctId: string | undefined,
  shared = false,
) {
  if (found.length === 0) throw new ApiError('not-found', 'This website has no data about such a person.')
  if (found.length > mostOfPerson) throw new ApiError('conflict', tooMany)
  const isShared = ({ ids }: (typeof found)[number]) => ids.length > 1
  const own = found.find((one) => !isShared(one))
  return {
    distinctId: distinctId ?? own?.ids[0] ?? null,
    sessions: found.filter((one) => shared || !isShared(one)).map(({ id }) => id),
    shared: found.filter(isShared).map(({ id }) => id),
  }
}

const tooMany =
  `More than ${mostOfPerson} sessions have this distinct id, so it does not identify one person. ` +
  'Give a sessionId with single: true, for one session after the other.'

function personNamed({ distinctId, sessionId, single = false }: ValueOf<typeof PersonBody>): NamedPerson {
  if (distinctId !== undefined && single) throw invalid([{ path: 'single', message: 'Give it only with sessionId.' }])
  if (distinctId !== undefined && sessionId === undefined) return { distinctId }
  if (distinctId === undefined && sessionId !== undefined) return { sessionId, single }
  throw invalid(['distinctId', 'sessionId'].map((path) => ({ path, message: 'Give one of distinctId and sessionId.' })))
}
