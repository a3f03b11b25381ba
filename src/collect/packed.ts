/** What the log remembers of an event for an hour. */
export interface Remembered {
  readonly sourceId: string
  /** The sender's own id of the event; `noId` if it gave none. */
  readonly eventId: string
  readonly sessionId: string
  readonly visitId: string
  /** The arrival, in milliseconds since 1970. */
  readonly at: number
  /** The bytes of its row of JSON. */
  readonly bytes: number
  /** Whether its visit goes on from it: not so for events that arrive long after their time. */
  readonly isNow: boolean
  /** Of a recording, what it adds to its visit: a number below 2^32. */
  readonly weight?: number
}

export const noId = '00000000-0000-0000-0000-000000000000'

/**
 * The words of 32 bits of an event: the UUIDs of its source, itself, its session and its visit, a float for the moment,
 * and two numbers. A log object reads a million of them when it is loaded.
 */
const entryLength = 20
const [event, session, visit, moment, size, now] = [4, 8, 12, 16, 18, 19] as const

export function pack(events: readonly Remembered[]): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(events.length * entryLength)
  const times = new Float64Array(words.buffer)
  for (const [index, { sourceId, eventId, sessionId, visitId, at, bytes, isNow, weight }] of events.entries()) {
    const start = index * entryLength
    words.set(wordsOfUuid(sourceId), start)
    words.set(wordsOfUuid(eventId), start + event)
    words.set(wordsOfUuid(sessionId), start + session)
    words.set(wordsOfUuid(visitId), start + visit)
    times[(start + moment) / 2] = at
    words[start + size] = bytes
    words[start + now] = weight ?? (isNow ? 1 : 0)
  }
  return new Uint8Array(words.buffer)
}

/** Packed events. Each is named by the place where it starts in `words`. */
export class Packed {
  readonly words: Uint32Array
  readonly #times: Float64Array

  /** `bytes` is a whole buffer. */
  constructor({ buffer }: Uint8Array) {
    this.words = new Uint32Array(buffer as ArrayBuffer)
    this.#times = new Float64Array(buffer as ArrayBuffer)
  }

  get count(): number {
    return this.words.length / entryLength
  }

  /** Where the events start. */
  *starts(): Generator<number> {
    for (let start = 0; start < this.words.length; start += entryLength) yield start
  }

  sourceId(start: number): string {
    return uuidOfWords(this.words, start)
  }
  at(start: number): number {
    return this.#times[(start + moment) / 2]!
  }
  bytes(start: number): number {
    return this.words[start + size]!
  }
  isNow(start: number): boolean {
    return this.words[start + now] === 1
  }
  weight(start: number): number {
    return this.words[start + now]!
  }
  eventId(start: number): string {
    return uuidOfWords(this.words, start + event)
  }
  visitId(start: number): string {
    return uuidOfWords(this.words, start + visit)
  }
  hasEventId(start: number): boolean {
    const place = start + event
    return (this.words[place]! | this.words[place + 1]! | this.words[place + 2]! | this.words[place + 3]!) !== 0
  }

  /** The event with these ids that came at `since` or later. */
  find(ids: Pick<Remembered, 'sourceId' | 'eventId'>, since: number): Remembered | undefined {
    const wanted = eventKeyWords(ids)
    for (let start = 0; start < this.words.length; start += entryLength) {
      let same = 0
      while (same < wanted.length && this.words[start + same] === wanted[same]) same++
      if (same < wanted.length || this.at(start) < since) continue
      const sessionId = uuidOfWords(this.words, start + session)
      const visitId = uuidOfWords(this.words, start + visit)
      return { ...ids, sessionId, visitId, at: this.at(start), bytes: this.bytes(start), isNow: this.isNow(start) }
    }
    return undefined
  }
}

/** The words that name an event: how an event in `Packed` begins. */
export const eventKeyWords = ({ sourceId, eventId }: Pick<Remembered, 'sourceId' | 'eventId'>): readonly number[] => [
  ...wordsOfUuid(sourceId),
  ...wordsOfUuid(eventId),
]

export const eventKeyLength = 8

/** How far behind the start of an event its session lies, and its visit, which its moment follows. */
export const sessionPlace = session
export const visitPlace = visit

/** The words of a UUID. */
export function wordsOfUuid(uuid: string): readonly [number, number, number, number] {
  const word = (digits: string) => Number.parseInt(digits, 16)
  return [
    word(uuid.slice(0, 8)),
    word(uuid.slice(9, 13) + uuid.slice(14, 18)),
    word(uuid.slice(19, 23) + uuid.slice(24, 28)),
    word(uuid.slice(28)),
  ]
}

/** The UUID that begins at this word, in lower case. */
export function uuidOfWords(words: Uint32Array, start: number): string {
  const digits = (place: number) => words[start + place]!.toString(16).padStart(8, '0')
  const [first, second, third, fourth] = [digits(0), digits(1), digits(2), digits(3)]
  return `${first}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${fourth}`
}
