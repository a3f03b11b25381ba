import * as z from 'zod'
import { recordsOf } from '../../query/lists/one-person.ts'
import { action, updateAccess } from '../endpoint.ts'
import { cacheControl } from '../replays/answer.ts'
import { ndjson, textStream } from '../streams.ts'
import { findPerson, foundFields, PersonBody } from './person.ts'

const Records = () =>
  z.object({
    ...foundFields(),
    rows: z.array(z.record(z.string(), z.unknown())).describe('Stored rows; `table` is the table of each.'),
  })

const [lineFeed, comma] = [10, 44]

/** Turns lines of JSON into the items of an array. No row contains a line feed. */
async function* itemsOf(lines: AsyncIterable<Uint8Array>): AsyncGenerator<string | Uint8Array> {
  let isEnded = false
  for await (const bytes of lines) {
    if (bytes.length === 0) continue
    if (isEnded) yield ','
    isEnded = bytes.at(-1) === lineFeed
    const items = bytes.map((byte) => (byte === lineFeed ? comma : byte))
    yield isEnded ? items.subarray(0, -1) : items
  }
}

async function* lineByLine(found: object, rows: AsyncIterable<Uint8Array>): AsyncGenerator<string | Uint8Array> {
  yield `${JSON.stringify(found)}\n`
  yield* rows
}

async function* asJson(found: object, rows: AsyncIterable<Uint8Array>): AsyncGenerator<string | Uint8Array> {
  yield `${JSON.stringify(found).slice(0, -1)},"rows":[`
  yield* itemsOf(rows)
  yield ']}'
}

export const exportPerson = action({
  name: 'exportPerson',
  method: 'post',
  path: '/api/websites/:websiteId/people/export',
  summary:
    'All stored data about a person, streamed; as application/x-ndjson, a line with the sessions, then one per row.',
  access: updateAccess,
  body: PersonBody,
  refuses: ['not-found', 'conflict', 'too-much-data'],
  answer: Records,
  async run(input, { reading, prefers }) {
    const { scope, run, rowsInTurn } = reading()
    const found = await findPerson(input, scope, run)
    const rows = await rowsInTurn(recordsOf(scope, found.sessions))
    return prefers(ndjson)
      ? { stream: textStream(lineByLine(found, rows)), contentType: ndjson, cacheControl }
      : { stream: textStream(asJson(found, rows)), cacheControl }
  },
})
