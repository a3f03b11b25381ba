import type { ChunkEvents, ReplayChunk } from '../../query/lists/replays.ts'
import { believed } from '../../request/believed.ts'

/** The requested part of a replay: events up to this time, by the browser's clock, and up to this position. */
export interface Extent {
  /** Milliseconds since 1970. */
  readonly until: number | undefined
  /** The last chunk (the time of its request in seconds), and the last position in that chunk. */
  readonly chunkIndex: number | undefined
  readonly eventIndex: number | undefined
}

/** A chunk that is being sent: its events ordered by time, and the next event. */
interface Open {
  readonly chunk: ReplayChunk
  readonly lines: readonly string[]
  readonly times: readonly number[]
  /** Positions of the requested events, ordered by time. */
  readonly places: readonly number[]
  next: number
  /** In characters. Any line keeps the text of the whole chunk in memory. */
  readonly length: number
}

/**
 * The maximum number of characters in chunks that are being sent. A browser's chunks rarely overlap in time, but a
 * stranger may record 50 MB that do.
 */
const longestOpen = 8_000_000

/** About how many characters are sent at a time. */
const longestSlice = 1_000_000

/** Statistics of the events sent so far. Times in milliseconds since 1970. */
export interface Answered {
  events: number
  chunks: number
  first: number
  last: number
}

export const nothingAnswered = (): Answered => ({
  events: 0,
  chunks: 0,
  first: Number.POSITIVE_INFINITY,
  last: Number.NEGATIVE_INFINITY,
})

/**
 * The events of chunks as JSON, ordered by time, then chunk and position. Chunks arrive in the order of their first
 * events, so when a chunk arrives, all events before its first event can be sent. If too many characters wait, all
 * events up to the end of the oldest chunk are sent, even though the next chunks may have earlier events.
 */
export async function* inOrder(
  chunks: AsyncIterable<{ readonly chunk: ReplayChunk; readonly events: ChunkEvents }>,
  extent: Extent,
  answered: Answered,
): AsyncGenerator<string[]> {
  let open: Open[] = []
  for await (const { chunk, events } of chunks) {
    yield* joinable(taken(open, chunk.first, answered))
    const opened = openOf(chunk, events, extent)
    if (opened.places.length > 0) answered.chunks++
    open = unsent([...open, opened])
    while (open.reduce((sum, { length }) => sum + length, 0) > longestOpen) {
      yield* joinable(taken(open, endOf(open[0]!) + 1, answered))
      open = unsent(open)
    }
  }
  yield* joinable(taken(open, Number.POSITIVE_INFINITY, answered))
}

const unsent = (open: readonly Open[]): Open[] => open.filter(({ next, places }) => next < places.length)

const endOf = ({ times, places }: Open): number => times[places.at(-1)!]!

/** The lines in slices that are joined to one text each. */
function* joinable(lines: readonly string[]): Generator<string[]> {
  let slice: string[] = []
  let length = 0
  for (const line of lines) {
    if (length > 0 && length + line.length > longestSlice) {
      yield slice
      slice = []
      length = 0
    }
    slice.push(line)
    length += line.length
  }
  if (slice.length > 0) yield slice
}

function openOf(chunk: ReplayChunk, { times: stated, events }: ChunkEvents, extent: Extent): Open {
  const lines = events.split('\n')
  const times = stated.map((time) => believed(time, chunk.arrival))
  const { until, chunkIndex, eventIndex } = extent
  const last = chunk.index === chunkIndex ? (eventIndex ?? lines.length) : lines.length
  const places = lines.flatMap((_, place) =>
    place <= last && (until === undefined || stated[place]! <= until) ? [place] : [],
  )
  places.sort((one, other) => times[one]! - times[other]! || one - other)
  return { chunk, lines, times, places, next: 0, length: events.length }
}

const nextTime = ({ times, places, next }: Open): number =>
  next < places.length ? times[places[next]!]! : Number.POSITIVE_INFINITY

/** Removes and returns the events before this moment. */
function taken(open: readonly Open[], moment: number, answered: Answered): string[] {
  const found: Found[] = []
  for (const one of open) {
    // All chunks of a browser may overlap in time, so the events of all chunks are collected first, and then sorted.
    for (let time = nextTime(one); time < moment; time = nextTime(one)) {
      found.push({ time, chunk: one.chunk, line: one.lines[one.places[one.next++]!]! })
    }
  }
  found.sort(byTime)
  answered.events += found.length
  answered.first = Math.min(answered.first, found[0]?.time ?? Number.POSITIVE_INFINITY)
  answered.last = Math.max(answered.last, found.at(-1)?.time ?? Number.NEGATIVE_INFINITY)
  return found.map(({ line }) => line)
}

interface Found {
  readonly time: number
  readonly chunk: ReplayChunk
  readonly line: string
}

/** Compares by time. Events of one chunk with equal times keep their order. */
const byTime = (one: Found, other: Found): number =>
  one.time - other.time ||
  one.chunk.index - other.chunk.index ||
  one.chunk.arrival - other.chunk.arrival ||
  (one.chunk.chunk_hash < other.chunk.chunk_hash ? -1 : Number(one.chunk.chunk_hash > other.chunk.chunk_hash))
