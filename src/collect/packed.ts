/** What the log remembers about an event for an hour. */
export interface Remembered {
  readonly sourceId: string
  /** The event's id as sent; `noId` if the sender gave none. */
  readonly eventId: string
  readonly sessionId: string
  readonly visitId: string
  /**
   * The sender's session without a distinct id. A different session means a different sender. `noId` for
   * recordings.
   */
  readonly anonymousId: string
  /** The owner of its session; see identity.ts. */
  readonly owner: string
  /** When it arrived, in milliseconds since 1970, by the log object's steady clock. */
  readonly at: number
  /** The size of its row as JSON, in bytes. */
  readonly bytes: number
  /** Whether later events may continue its visit. They may not if it arrived long after its time. */
  readonly isNow: boolean
  /** For a recording, the amount that it adds to its visit's totals, as a number below 2^32. */
  readonly weight?: number
}

export const noId = '00000000-0000-0000-0000-000000000000'

/**
 * An event consists of 32-bit words: the UUIDs of its source, itself, its session and its visit, a float for the time,
 * two numbers, the UUID of the session without a distinct id, and the owner. A log object reads a million events when
 * it is loaded.
 */
const entryLength = 26
const [event, session, visit, moment, size, now, anonymous, owning] = [4, 8, 12, 16, 18, 19, 20, 24] as const

export function pack(events: readonly Remembered[]): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(events.length * entryLength)
  const times = new Float64Array(words.buffer)
  for (const [index, one] of events.entries()) {
    const { sourceId, eventId, sessionId, visitId, anonymousId, owner, at, bytes, isNow, weight } = one
    const start = index * entryLength
    words.set(wordsOfUuid(sourceId), start)
    words.set(wordsOfUuid(eventId), start + event)
    words.set(wordsOfUuid(sessionId), start + session)
    words.set(wordsOfUuid(visitId), start + visit)
    times[(start + moment) / 2] = at
    words[start + size] = bytes
    words[start + now] = weight ?? (isNow ? 1 : 0)
    words.set(wordsOfUuid(anonymousId), start + anonymous)
    words.set(wordsOfOwner(owner), start + owning)
  }
  return new Uint8Array(words.buffer)
}

/** Packed events. Each is identified by its start index in `words`. */
export class Packed {
  readonly words: Uint32Array
  readonly #times: Float64Array

  /** Requires bytes that fill their whole buffer. */
  constructor({ buffer }: Uint8Array) {
    this.words = new Uint32Array(buffer as ArrayBuffer)
    this.#times = new Float64Array(buffer as ArrayBuffer)
  }

  get count(): number {
    return this.words.length / entryLength
  }

  /** The start indexes of the events. */
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

  /** The event with these ids that arrived at or after `since`. */
  find(ids: Pick<Remembered, 'sourceId' | 'eventId'>, since: number): Remembered | undefined {
    const wanted = eventKeyWords(ids)
    for (let start = 0; start < this.words.length; start += entryLength) {
      let same = 0
      while (same < wanted.length && this.words[start + same] === wanted[same]) same++
      if (same < wanted.length || this.at(start) < since) continue
      const sessionId = uuidOfWords(this.words, start + session)
      const visitId = uuidOfWords(this.words, start + visit)
      const anonymousId = uuidOfWords(this.words, start + anonymous)
      const [at, bytes, isNow] = [this.at(start), this.bytes(start), this.isNow(start)]
      return {
        ...ids,
        sessionId,
        visitId,
        anonymousId,
        owner: ownerOfWords(this.words, start + owning),
        at,
        bytes,
        isNow,
      }
    }
    return undefined
  }
}

/** The words that identify an event. An event in `Packed` begins with them. */
export const eventKeyWords = ({ sourceId, eventId }: Pick<Remembered, 'sourceId' | 'eventId'>): readonly number[] => [
  ...wordsOfUuid(sourceId),
  ...wordsOfUuid(eventId),
]

export const eventKeyLength = 8

/** The offsets of the ids within an event. The time follows the visit. */
export const [sessionPlace, visitPlace, anonymousPlace, ownerPlace] = [session, visit, anonymous, owning] as const

/** Converts an owner (16 hexadecimal digits) to words. */
export const wordsOfOwner = (owner: string): readonly [number, number] => [
  Number.parseInt(owner.slice(0, 8), 16),
  Number.parseInt(owner.slice(8), 16),
]

/** The owner that starts at this word. */
export const ownerOfWords = (words: Uint32Array, start: number): string =>
  digitsOf(words, start) + digitsOf(words, start + 1)

/** Converts a UUID to words. */
export function wordsOfUuid(uuid: string): readonly [number, number, number, number] {
  const word = (digits: string) => Number.parseInt(digits, 16)
  return [
    word(uuid.slice(0, 8)),
    word(uuid.slice(9, 13) + uuid.slice(14, 18)),
    word(uuid.slice(19, 23) + uuid.slice(24, 28)),
    word(uuid.slice(28)),
  ]
}

/** The UUID that starts at this word, in lower case. */
export function uuidOfWords(words: Uint32Array, start: number): string {
  const digits = (place: number) => digitsOf(words, start + place)
  const [first, second, third, fourth] = [digits(0), digits(1), digits(2), digits(3)]
  return `${first}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${fourth}`
}

const digitsOf = (words: Uint32Array, place: number): string => words[place]!.toString(16).padStart(8, '0')
