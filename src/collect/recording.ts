import * as z from 'zod'
import { ApiError, invalid, maxIssues } from '../errors.ts'
import { made } from '../made.ts'
import { believed } from '../request/believed.ts'
import { brokenBound, type JsonBounds } from '../request/json-cost.ts'
import { type Piece, pieceIn } from './fragments.ts'
import { parsedUrl } from './hosts.ts'
import { Mask, type MaskLevel, type RecordedEvent } from './masking.ts'
import { pathTextOf, timeText } from './row.ts'

/** The maximum number of events in a request. */
export const mostRecorded = 200

/**
 * Bounds for the request's JSON. Snapshots are nested like the pages they show. A snapshot of 50,000 elements has about
 * 600,000 values.
 */
const bounds: JsonBounds = { depth: 200, values: 1_000_000, shapes: 20_000 }

const refusals = {
  depth: 'The body is nested too deeply.',
  values: 'The body has too many values.',
  shapes: 'The body has objects of too many kinds.',
} as const

const website = () => z.guid({ error: 'Must be the UUID of a website.' }).overwrite((value) => value.toLowerCase())

/** In whole seconds since 1970, possibly as text. */
const timestamp = () =>
  z.union([z.int().min(0), z.string().regex(/^\d{1,10}$/)], { error: 'Must be a whole number of seconds since 1970.' })

/** The known fields in the body of `POST /api/record`. */
export const SentRecording = () =>
  z.looseObject({
    type: z.enum(['record', 'heatmap'], { error: 'Must be record or heatmap.' }),
    payload: z.looseObject({
      website: website(),
      events: z.array(z.unknown()).max(mostRecorded, { error: `Must be at most ${mostRecorded} events.` }),
      timestamp: timestamp().nullish(),
    }),
  })

type SentRecording = z.infer<ReturnType<typeof SentRecording>>

/**
 * The index of a request's chunk in its replay, which is the request's time by the recorder's clock, in seconds;
 * undefined without a time.
 */
export const indexOf = (timestamp: number | string | null | undefined): number | undefined =>
  timestamp == null ? undefined : Math.min(Number(timestamp), 2 ** 32 - 1)

/** Reads a recorder's request. Throws a 400 that lists the faults. */
export function readRecorded(text: string): SentRecording {
  const broken = brokenBound(text, bounds)
  if (broken) throw new ApiError('bad-request', refusals[broken])
  let sent: unknown
  try {
    sent = JSON.parse(text)
  } catch {
    throw new ApiError('bad-request', 'The body is not JSON.')
  }
  const read = made(SentRecording).safeParse(sent)
  if (read.success) return read.data
  throw invalid(
    read.error.issues.slice(0, maxIssues).map(({ path, message }) => ({ path: path.map(String).join('.'), message })),
  )
}

/** A masked event as JSON, with its own time in milliseconds, or a piece of an event. */
export type ChunkPart = { readonly text: string; readonly time: number } | Piece

/** The events in a replay request, masked. Elements that are not events are left out. */
export function chunkParts(events: readonly unknown[], level: MaskLevel): ChunkPart[] {
  const mask = new Mask(level)
  return events.flatMap((event): ChunkPart[] => {
    if (!isObject(event)) return []
    const fragment = pieceIn(event)
    if (fragment === 'broken') return []
    return fragment ? [fragment] : partOf(event, mask)
  })
}

/** The event assembled from pieces, masked; an empty list if it cannot be parsed. */
export function assembled(text: string, level: MaskLevel): ChunkPart[] {
  try {
    const event: unknown = brokenBound(text, bounds) ? undefined : JSON.parse(text)
    return isObject(event) ? partOf(event, new Mask(level)) : []
  } catch {
    return []
  }
}

function partOf(event: Readonly<Record<string, unknown>>, mask: Mask): ChunkPart[] {
  const { type, timestamp } = event
  if (typeof type !== 'number' || typeof timestamp !== 'number' || !Number.isFinite(timestamp)) return []
  mask.event(event as unknown as RecordedEvent)
  return [{ text: JSON.stringify(event), time: Math.floor(Math.max(-latest, Math.min(timestamp, latest))) }]
}

/** The latest moment that a `Date` can represent. */
const latest = 8.64e15

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A number, or a numeric text read as a number; undefined for anything else. */
function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

const bounded = (value: number | undefined, most: number): number | null =>
  value === undefined ? null : Math.max(0, Math.min(Math.floor(value + 0.5), most))

const position = (value: unknown): number | null => bounded(numberIn(value), 1_000_000)

/** A size of 0 or less is ignored. */
function size(value: unknown): number | null {
  const number = numberIn(value)
  const rounded = number === undefined || number <= 0 ? null : bounded(number, 1_000_000)
  return rounded === null ? null : Math.max(1, rounded)
}

/**
 * The columns of `ingest_heatmap_events` that depend on the event. Elements that are not heatmap events are left out.
 */
export const heatmapRows = (events: readonly unknown[], arrival: number): object[] =>
  events.flatMap((event) => {
    if (!isObject(event) || (event.type !== 'click' && event.type !== 'scroll') || typeof event.url !== 'string')
      return []
    const url = parsedUrl(event.url, 'https://localhost')
    if (!url) return []
    const isClick = event.type === 'click'
    return [
      {
        type: isClick ? 1 : 2,
        url_path: pathTextOf(url),
        created_at: timeText(believed(Math.floor(numberIn(event.timestamp) ?? arrival), arrival)),
        ...(isClick
          ? {
              x: position(event.x),
              y: position(event.y),
              page_x: position(event.pageX),
              page_y: position(event.pageY),
            }
          : { scroll_pct: bounded(numberIn(event.scrollPct), 100) }),
        page_w: size(event.pageW),
        page_h: size(event.pageH),
        viewport_w: size(event.viewportW),
        viewport_h: size(event.viewportH),
      },
    ]
  })
