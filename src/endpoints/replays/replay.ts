import * as z from 'zod'
import { ApiError } from '../../errors.ts'
import { mostHidden } from '../../metadata/replays.ts'
import {
  type ChunkEvents,
  chunksOf,
  eventsOfChunks,
  type Recordings,
  type ReplayChunk,
} from '../../query/lists/replays.ts'
import { latestMoment } from '../../request/period.ts'
import { group, query, wholeNumber } from '../../request/query-string.ts'
import { Done, done } from '../answers.ts'
import { action } from '../endpoint.ts'
import type { WebsiteReading } from '../reading.ts'
import { ndjson, textStream } from '../streams.ts'
import { cacheControl, noSuchReplay, recordingsOf, replayReadAccess, replayUpdateAccess, viewerOf } from './answer.ts'
import { type Answered, type Extent, inOrder, nothingAnswered } from './merge.ts'

const Events = () =>
  z.object({
    sessionId: z.string(),
    events: z.array(z.unknown()).describe('Events from rrweb, ordered by time.'),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    eventCount: z.number().int(),
    chunkCount: z.number().int(),
  })

const mostSeconds = 2 ** 32 - 1

const extents = group(
  {
    until: wholeNumber('Only events up to this moment by the browser’s clock, in milliseconds since 1970.', {
      min: 0,
      max: latestMoment,
    }),
    chunkIndex: wholeNumber('Only parts up to this one: the time of its request in seconds.', {
      min: 0,
      max: mostSeconds,
    }),
    eventIndex: wholeNumber('With chunkIndex: only that part’s events up to this position, counted from 0.', {
      min: 0,
      max: 1_000_000,
    }),
  },
  ({ until, chunkIndex, eventIndex }): { extent: Extent } => ({ extent: { until, chunkIndex, eventIndex } }),
)

/** How many bytes of events one statement reads. */
const bytesAtOnce = 2_000_000

/** The chunks of a visit that lie within the extent, each once. Throws a 404 for an unknown visit. */
async function requireChunks(
  recordings: Recordings,
  replayId: string,
  { chunkIndex }: Pick<Extent, 'chunkIndex'>,
  { run }: WebsiteReading,
): Promise<{ session: string; chunks: ReplayChunk[] }> {
  const { chunks } = await run(chunksOf(recordings, replayId))
  const [first] = chunks.rows
  if (!first) throw noSuchReplay()
  const single = new Map(chunks.rows.map((chunk) => [chunk.chunk_hash, chunk]))
  return {
    session: first.session,
    chunks: [...single.values()].filter(({ index }) => chunkIndex === undefined || index <= chunkIndex),
  }
}

/** The events of chunks, some megabytes at a time. */
async function* readEvents(
  recordings: Recordings,
  replayId: string,
  chunks: readonly ReplayChunk[],
  { runWhileSending }: WebsiteReading,
): AsyncGenerator<{ chunk: ReplayChunk; events: ChunkEvents }> {
  for (let start = 0; start < chunks.length; ) {
    let [end, bytes] = [start, 0]
    while (end < chunks.length && (end === start || bytes + chunks[end]!.bytes <= bytesAtOnce))
      bytes += chunks[end++]!.bytes
    const some = chunks.slice(start, end)
    const { events } = await runWhileSending(eventsOfChunks(recordings, replayId, some))
    const byHash = new Map(events.rows.map((row) => [row.chunk_hash, row]))
    for (const chunk of some) {
      const found = byHash.get(chunk.chunk_hash)
      if (found) yield { chunk, events: found }
      byHash.delete(chunk.chunk_hash)
    }
    start = end
  }
}

/** The pieces of the answer's JSON. */
async function* jsonOf(session: string, events: AsyncIterable<readonly string[]>, answered: Answered) {
  let separator = `{"sessionId":${JSON.stringify(session)},"events":[`
  for await (const some of events) {
    yield separator + some.join(',')
    separator = ','
  }
  const iso = (moment: number) => (Number.isFinite(moment) ? new Date(moment).toISOString() : null)
  const { events: eventCount, chunks: chunkCount, first, last } = answered
  const figures = JSON.stringify({ startedAt: iso(first), endedAt: iso(last), eventCount, chunkCount })
  yield `${separator === ',' ? '' : separator}],${figures.slice(1)}`
}

async function* linesOf(events: AsyncIterable<readonly string[]>) {
  for await (const some of events) yield `${some.join('\n')}\n`
}

export const getWebsiteReplay = action({
  name: 'getWebsiteReplay',
  path: '/api/websites/:websiteId/replays/:replayId',
  summary: 'The events of a recorded visit, streamed; as application/x-ndjson, one per line.',
  access: replayReadAccess,
  query: query(extents),
  refuses: ['not-found', 'too-much-data'],
  answer: Events,
  async run({ replayId, extent }, context) {
    const reading = context.reading()
    const recordings = await recordingsOf(context)
    const { session, chunks } = await requireChunks(recordings, replayId, extent, reading)
    const answered = nothingAnswered()
    const events = inOrder(readEvents(recordings, replayId, chunks, reading), extent, answered)
    return context.prefers(ndjson)
      ? { stream: textStream(linesOf(events)), contentType: ndjson, cacheControl }
      : { stream: textStream(jsonOf(session, events, answered)), cacheControl }
  },
})

export const viewWebsiteReplay = action({
  name: 'viewWebsiteReplay',
  method: 'post',
  path: '/api/websites/:websiteId/replays/:replayId/view',
  summary: 'Marks the replay as seen by the caller.',
  access: replayReadAccess,
  isUnaudited: true,
  refuses: ['not-found', 'too-much-data'],
  answer: Done,
  async run({ websiteId, replayId }, context) {
    await requireChunks(await recordingsOf(context), replayId, { chunkIndex: undefined }, context.reading())
    await context.metadata.replays.see(viewerOf(context), websiteId, replayId)
    return done
  },
})

export const deleteWebsiteReplay = action({
  name: 'deleteWebsiteReplay',
  method: 'delete',
  path: '/api/websites/:websiteId/replays/:replayId',
  summary: 'Hides a replay and its visit’s heatmap events. The next purge deletes both.',
  access: replayUpdateAccess,
  refuses: ['not-found', 'conflict', 'too-much-data'],
  answer: Done,
  async run({ websiteId, replayId }, context) {
    await requireChunks(await recordingsOf(context), replayId, { chunkIndex: undefined }, context.reading())
    if (!(await context.metadata.replays.hide(websiteId, replayId))) throw tooManyHidden()
    return done
  },
})

const tooManyHidden = () =>
  new ApiError(
    'conflict',
    `${mostHidden} deleted replays of this website already wait for a purge. Run weir purge, then delete more.`,
  )
