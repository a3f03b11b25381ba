import * as z from 'zod'
import { action, updateAccess } from '../endpoint.ts'
import { tooManyDeleted } from '../sessions/delete.ts'
import { findPerson, foundFields, PersonBody } from './person.ts'

const Receipt = () =>
  z.object({
    ...foundFields(),
    tables: z
      .array(z.object({ table: z.string(), rows: z.number().int() }))
      .nullable()
      .describe('How many rows were deleted from each table. Null: they are hidden, and the next purge deletes them.'),
  })

export const erasePerson = action({
  name: 'erasePerson',
  method: 'post',
  path: '/api/websites/:websiteId/people/erase',
  summary: 'Immediately hides all data about a person, even from before a reset, and deletes it if this server can.',
  access: updateAccess,
  body: PersonBody,
  refuses: ['not-found', 'conflict', 'too-much-data'],
  answer: Receipt,
  async run({ websiteId, ...person }, { reading, metadata }) {
    const { scope, run, purgeSessions } = reading()
    const found = await findPerson(person, { ...scope, since: undefined }, run)
    const tables =
      found.sessions.length === 0 ? [] : await metadata.sessions.erase(websiteId, found.sessions, purgeSessions)
    if (tables === undefined) throw tooManyDeleted()
    return { body: { ...found, tables } }
  },
})
